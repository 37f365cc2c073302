package cli

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// machineMemory returns how many bytes of memory this process may use, or 0 if
// that is not known.
func machineMemory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	bytes := uint64(info.Totalram) * uint64(info.Unit) //nolint:unconvert // types differ between machines
	// A container has a limit of its own, seen from inside as that of the root
	// group; where there is none the file says max or a number beyond all memory.
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && limit > 0 {
			bytes = min(bytes, limit)
		}
	}
	return bytes
}
