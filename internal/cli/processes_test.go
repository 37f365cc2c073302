package cli

import (
	"bytes"
	"sync"
	"testing"
)

// Twenty processes read one directory at once.
func TestTwentyProcessesProbeAtOnce(t *testing.T) {
	db := t.TempDir()
	mustRun(t, "generate", "--db", db, "--variant", "english", "--material", "KMvK")
	args := []string{"probe", "--db", db, "--variant", "english", "--json", "--no-generate",
		"W:WK32,31:BK1", "B:WK32,31:BK1", "W:WK32:B2", "W:WK7,9:BK10"}
	want := mustRun(t, args...)
	manyProcesses(t, args, want)
}

// Twenty processes ask an empty directory at once: one makes the tables, the
// others wait for it, and all give the same answer.
func TestTwentyProcessesProbeAnEmptyDirectoryAtOnce(t *testing.T) {
	ask := []string{"--variant", "english", "--json", "W:WK32:B2"}
	want := mustRun(t, append([]string{"probe", "--db", t.TempDir()}, ask...)...)
	manyProcesses(t, append([]string{"probe", "--db", t.TempDir() + "/new"}, ask...), want)
}

func manyProcesses(t *testing.T, args []string, want string) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			cmd := command(t.Context(), args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil || string(out) != want {
				t.Errorf("process %d: %v\n%s%s", i, err, out, stderr.String())
			}
		})
	}
	wg.Wait()
}

// A process that makes tables does not disturb those that read.
func TestProbingWhileTablesAreMade(t *testing.T) {
	db := t.TempDir()
	mustRun(t, "generate", "--db", db, "--variant", "english", "--pieces", "2")
	ask := []string{"probe", "--db", db, "--variant", "english", "--json", "--no-generate", "W:WK32:B2"}
	want := mustRun(t, ask...)
	writer := command(t.Context(), "generate", "--db", db, "--variant", "english", "--pieces", "3")
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- writer.Wait() }()
	for n := 0; ; n++ {
		if got := mustRun(t, ask...); got != want {
			t.Errorf("answer %d:\n%s", n, got)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d answers meanwhile", n+1)
			return
		default:
		}
	}
}
