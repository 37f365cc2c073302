//go:build !windows

package cli

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes the user may still write in a directory.
func freeSpace(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:unconvert // types differ between systems
}
