package cli

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTablesLiveInTheUsersDataDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths are compared as Unix writes them")
	}
	for _, test := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "/home/u"}, "/home/u/.local/share"},
		{"linux", map[string]string{"HOME": "/home/u", "XDG_DATA_HOME": "/data"}, "/data"},
		{"linux", map[string]string{"HOME": "/home/u", "XDG_DATA_HOME": "relative"}, "/home/u/.local/share"},
		{"darwin", map[string]string{"HOME": "/Users/u"}, "/Users/u/Library/Application Support"},
		{"windows", map[string]string{"LocalAppData": "/C/u/Local"}, "/C/u/Local"},
		{"linux", nil, ""},
	} {
		if got := userDataDir(test.goos, func(k string) string { return test.env[k] }); got != test.want {
			t.Errorf("%s %v: %q, want %q", test.goos, test.env, got, test.want)
		}
	}
}

func TestFlagBeforeEnvironmentBeforeHome(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv(dirVariable, "")
	a := &app{}
	home, err := a.tableDir()
	if err != nil || filepath.Base(home) != "threekings" {
		t.Errorf("%q, %v", home, err)
	}
	t.Setenv(dirVariable, "from-environment")
	if dir, err := a.tableDir(); err != nil || dir != "from-environment" {
		t.Errorf("%q, %v", dir, err)
	}
	a.dir = "from-flag"
	if dir, err := a.tableDir(); err != nil || dir != "from-flag" {
		t.Errorf("%q, %v", dir, err)
	}
}

func TestNoHomeIsAClearError(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "LocalAppData", dirVariable} {
		t.Setenv(name, "")
	}
	r := run(t, "", "info")
	if r.code != exitTrouble || !strings.Contains(r.stderr, "--db") {
		t.Errorf("exit code %d, %q", r.code, r.stderr)
	}
}
