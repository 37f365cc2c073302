package cli

import (
	"errors"
	"syscall"
)

// errorNoData is what Windows says of a pipe that is being closed.
const errorNoData = syscall.Errno(232)

func brokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errorNoData)
}
