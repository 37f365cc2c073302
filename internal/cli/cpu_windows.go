package cli

import "time"

var clockStart = time.Now()

// cpuTime returns the time on the wall.
func cpuTime() time.Duration { return time.Since(clockStart) }
