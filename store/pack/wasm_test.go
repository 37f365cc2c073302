package pack_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// writePack writes a pack of all tables with two pieces.
func writePack(t *testing.T, v *draughts.Variant, name string) {
	t.Helper()
	st, err := store.Open(t.TempDir(), store.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var keys []tables.Key
	err = retro.Generate(t.Context(), v, tables.All(2), retro.Options{
		Threads: 1,
		Publish: func(ctx context.Context, s *retro.Solution) error {
			for _, metric := range s.Metrics() {
				keys = append(keys, tables.Key{Variant: v.Name, Material: s.Material, Metric: metric})
			}
			_, err := st.Put(ctx, s.Table(), s.Metrics(), s, store.RunRecord{})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Export(t.Context(), f, keys); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestProbeInWebAssembly builds a prober for WebAssembly and lets node run it on
// a pack.
func TestProbeInWebAssembly(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("node is not installed: WebAssembly is not tested")
		}
		t.Skip("node is not installed: WebAssembly is not tested")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	prober, packed := filepath.Join(dir, "prober.wasm"), filepath.Join(dir, "tables.pack")
	build := exec.Command("go", "build", "-o", prober, "./testdata/prober")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build for WebAssembly: %v\n%s", err, out)
	}
	writePack(t, draughts.English, packed)

	cmd := exec.Command(node, filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), prober,
		packed, "english", "W:WK32:B2", "W:WK18:BK15", "W:WK32,K31:BK1")
	// A long environment leaves no room for the arguments.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	// The first as in the example of package probe; in the second a capture ends
	// the game; the pack has no three pieces.
	const want = "win 9\n32-27 win 9\n32-28 win 13\nwin 1\n18x11 win 1\nmissing\n"
	if got := string(out); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
