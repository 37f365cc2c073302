package cli

import "golang.org/x/sys/unix"

// machineMemory returns how many bytes of memory this process may use, or 0 if
// that is not known.
func machineMemory() uint64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return bytes
}
