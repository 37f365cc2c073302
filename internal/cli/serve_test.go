package cli

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startServe starts serve in a process of its own and returns where it answers, what
// stops it, and what it has written to standard error by then.
func startServe(t *testing.T, args ...string) (url string, stop func() string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := command(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), func() string {
		defer cancel()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve ends with %v", err)
		}
		log.Close()
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// Two programs that differ mark their answers differently, also where a build does
// not know its commit, as that of a test does not.
func TestAnswersAreMarkedWithTheProgram(t *testing.T) {
	if revision, _ := commit(); revision != "" {
		t.Skip("this build knows its commit")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%s-%x", Version, sha256.Sum256(text))[:len(Version)+1+12]; served() != want {
		t.Errorf("%s, want %s", served(), want)
	}
}

func getText(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The server says where it is, answers, finds tables that are made meanwhile,
// logs, and ends in peace when it is told to.
func TestServeAnswersUntilItIsStopped(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tables")
	url, stop := startServe(t, "--db", db, "--log", "json", "--rate", "0")
	const fen = "v1/english?fen=W:WK32:BK1"
	if got := getText(t, url+fen); !strings.Contains(got, `"code":"missing_table"`) {
		t.Errorf("%s", got)
	}
	mustRun(t, "generate", "--db", db, "--variant", "english", "--pieces", "2")
	for begin := time.Now(); ; {
		got := getText(t, url+fen)
		if strings.Contains(got, `"outcome":"draw"`) {
			break
		}
		if time.Since(begin) > 30*time.Second {
			t.Fatalf("%s", got)
		}
	}
	log := stop()
	if !strings.HasPrefix(log, "threekings: no tables are stored in "+db) || !strings.Contains(log, `"path":"/v1/english"`) {
		t.Errorf("%s", log)
	}

	file := filepath.Join(t.TempDir(), "english.pack")
	mustRun(t, "export", "--db", db, "--variant", "english", "-o", file)
	url, stop = startServe(t, "--pack", file, "--log", "none")
	if got := getText(t, url+fen); !strings.Contains(got, `"outcome":"draw"`) {
		t.Errorf("%s", got)
	}
	if log := stop(); log != "" {
		t.Errorf("%s", log)
	}
}
