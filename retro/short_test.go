//go:build !long

package retro

// long is set by the build tag of the same name: tests that take minutes.
const long = false
