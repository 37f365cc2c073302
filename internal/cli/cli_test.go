package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what commands print into the scripts' golden files")

// beCommand is set in the environment of a process that is the command and not
// the test.
const beCommand = "THREEKINGS_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(beCommand) != "" {
		os.Exit(Main())
	}
	testscript.Main(withSmallTables{m}, map[string]func(){
		"threekings": func() { os.Exit(Main()) },
		"exits":      exits,
	})
}

// withSmallTables runs tests with a directory for tables that several of them
// use.
type withSmallTables struct{ *testing.M }

func (m withSmallTables) Run() int {
	var err error
	if smallRoot, err = os.MkdirTemp("", "tables"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(smallRoot)
	return m.M.Run()
}

// exits runs a command and adds a line with its exit code to standard error, so
// that scripts can tell 1 from 2.
func exits() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "exit code %d\n", cmd.ProcessState.ExitCode())
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("THREEKINGS_DB", env.WorkDir+"/tables")
			env.Setenv("NO_COLOR", "")
			older, err := filepath.Abs("../../store/testdata")
			env.Setenv("FORMAT1", filepath.Join(older, "format1.pack"))
			env.Setenv("FORMAT2", filepath.Join(older, "format2.pack"))
			env.Setenv("FORMAT3", filepath.Join(older, "format3.pack"))
			return err
		},
	})
}

// ran is what a command in this process has printed.
type ran struct {
	code           int
	stdout, stderr string
}

// run runs a command in this process.
func run(t testing.TB, stdin string, args ...string) ran {
	t.Helper()
	var out, err bytes.Buffer
	code := Run(t.Context(), args, strings.NewReader(stdin), &out, &err)
	return ran{code, out.String(), err.String()}
}

// runWith runs a command in this process until ctx is done.
func runWith(ctx context.Context, t testing.TB, args ...string) ran {
	t.Helper()
	var out, err bytes.Buffer
	code := Run(ctx, args, strings.NewReader(""), &out, &err)
	return ran{code, out.String(), err.String()}
}

// mustRun runs a command that must do what it is asked.
func mustRun(t testing.TB, args ...string) string {
	t.Helper()
	r := run(t, "", args...)
	if r.code != exitDone {
		t.Fatalf("threekings %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// command returns a command to be run in a process of its own.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), beCommand+"=1")
	return cmd
}

// failingWriter is an output that takes nothing.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestOutputThatCannotBeWrittenIsTrouble(t *testing.T) {
	var stderr bytes.Buffer
	code := Run(t.Context(), []string{"variants"}, nil, failingWriter{errors.New("disk on fire")}, &stderr)
	if code != exitTrouble || !strings.Contains(stderr.String(), "disk on fire") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

func TestInterruptStopsAWaitForInput(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() // nothing is ever written
	defer r.Close()
	cancel()
	var out, stderr bytes.Buffer
	if code := Run(ctx, []string{"moves"}, r, &out, &stderr); code != exitTrouble {
		t.Errorf("exit code %d", code)
	}
	if got := stderr.String(); got != "threekings: interrupted\n" {
		t.Errorf("%q", got)
	}
}

func TestInterruptStopsAWaitForGames(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	defer w.Close()
	var out, stderr bytes.Buffer
	ended := make(chan int, 1)
	dir := t.TempDir()
	go func() { ended <- Run(ctx, []string{"adjudicate", "--db", dir, "-"}, r, &out, &stderr) }()
	if _, err := io.WriteString(w, "[Event \"begun\"]\n"); err != nil { // returns once it is read
		t.Fatal(err)
	}
	cancel()
	select {
	case code := <-ended:
		if got := stderr.String(); code != exitTrouble || got != "threekings: interrupted\n" {
			t.Errorf("exit code %d, %q", code, got)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits on")
	}
}
