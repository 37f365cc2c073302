//go:build !windows

package cli

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the time that processors have spent on this process.
func cpuTime() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
