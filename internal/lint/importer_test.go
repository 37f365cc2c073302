package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The README shows how another module imports the prober. What it shows is
// taken at its word: both files, written as they stand there, must build.
func TestReadmeImporterBuilds(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod := block(t, string(readme), "```\nmodule example.com/engine")
	if !strings.Contains(mod, "=> ../threekings") {
		t.Fatalf("no replace line:\n%s", mod)
	}
	mod = strings.Replace(mod, "=> ../threekings", "=> "+here, 1)
	write(t, filepath.Join(dir, "go.mod"), mod)
	sums, err := os.ReadFile(root + "/go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sums))
	write(t, filepath.Join(dir, "main.go"), block(t, string(readme), "```go\npackage main"))

	cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
	cmd.Dir = dir
	// Nothing but what this module needs is used, and no network.
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go build: %v\n%s", err, out)
	}
}

// block returns the fenced block of the README that begins with start.
func block(t *testing.T, readme, start string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)" + regexp.QuoteMeta(start) + ".*?\n```").FindString(readme)
	if found == "" {
		t.Fatalf("README.md has no block that begins with %q", start)
	}
	_, text, _ := strings.Cut(found, "\n")
	return strings.TrimSuffix(text, "```")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadmeStaysShort(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(readme), "\n"); lines >= 200 {
		t.Errorf("README.md has %d lines", lines)
	}
}
