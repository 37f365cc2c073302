package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// dirVariable names the environment variable that says where the tables are.
const dirVariable = "THREEKINGS_DB"

// tableDir returns the directory of the tables: --db, else the environment
// variable, else a place in the user's data directory.
func (a *app) tableDir() (string, error) {
	if a.dir != "" {
		return a.dir, nil
	}
	if dir := os.Getenv(dirVariable); dir != "" {
		return dir, nil
	}
	dir := userDataDir(runtime.GOOS, os.Getenv)
	if dir == "" {
		return "", errors.New("no place for tables: the user has no home directory; give one with --db or " + dirVariable)
	}
	return filepath.Join(dir, "threekings"), nil
}

// userDataDir returns where programs keep a user's data, or nothing if the user
// has no home.
func userDataDir(goos string, getenv func(string) string) string {
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	under := func(variable string, path ...string) string {
		home := getenv(variable)
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, path...)...)
	}
	switch goos {
	case "windows":
		return under("LocalAppData")
	case "darwin", "ios":
		return under("HOME", "Library", "Application Support")
	default:
		return under("HOME", ".local", "share")
	}
}
