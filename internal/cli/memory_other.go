//go:build !linux && !darwin && !windows

package cli

// machineMemory returns how many bytes of memory this process may use, or 0 if
// that is not known.
func machineMemory() uint64 { return 0 }
