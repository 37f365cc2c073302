//go:build !linux

package store

import "errors"

func bindReadOnly(string, string) error { return errors.ErrUnsupported }

func unmount(string) {}
