package cli

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is the system's MEMORYSTATUSEX.
type memoryStatus struct {
	length, load             uint32
	total, available         uint64
	totalPage, availablePage uint64
	totalVirtual, available2 uint64
	extended                 uint64
}

// machineMemory returns how many bytes of memory this process may use, or 0 if
// that is not known.
func machineMemory() uint64 {
	status := memoryStatus{}
	status.length = uint32(unsafe.Sizeof(status))
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if call.Find() != nil {
		return 0
	}
	if done, _, _ := call.Call(uintptr(unsafe.Pointer(&status))); done == 0 {
		return 0
	}
	return status.total
}
