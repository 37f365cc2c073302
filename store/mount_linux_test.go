package store

import "golang.org/x/sys/unix"

// bindReadOnly mounts a directory a second time, read-only, if that is allowed.
func bindReadOnly(dir, at string) error {
	if err := unix.Mount(dir, at, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	if err := unix.Mount("", at, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		unmount(at)
		return err
	}
	return nil
}

func unmount(at string) { _ = unix.Unmount(at, 0) }
