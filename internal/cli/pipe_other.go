//go:build !windows

package cli

func brokenPipe(error) bool { return false }
