package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/retro"
	"threekings/store"
	"threekings/store/pack"
	"threekings/tables"
)

// forged are values of which one is not true.
type forged struct {
	tables.Values
	at uint64
}

func (f *forged) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	f.Values.Distances(s, start, dst)
	if s == tables.First && start <= f.at && f.at < start+uint64(len(dst)) {
		dst[f.at-start] += 2
	}
}

// liar is a store that gives a table the digest of the true values.
type liar struct {
	*store.Store
	forged tables.Key
	digest string
}

func (l *liar) Manifest(k tables.Key) (*tables.Manifest, error) {
	m, err := l.Store.Manifest(k)
	if err != nil || k != l.forged {
		return m, err
	}
	lie := *m
	lie.Digest = l.digest
	return &lie, nil
}

// exportForged writes a pack of all tables up to two pieces. One distance of one of
// them is not true, though all checksums are and its digest is that of the true ones.
func exportForged(t *testing.T, name string, forge tables.Material) {
	t.Helper()
	v := draughts.English
	st, err := store.Open(t.TempDir(), store.Options{Write: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	source := &liar{Store: st, forged: tables.Key{Variant: v.Name, Material: forge, Metric: tables.DTW}}
	var keys []tables.Key
	err = retro.Generate(t.Context(), v, tables.All(2), retro.Options{
		Threads: 1,
		Publish: func(ctx context.Context, s *retro.Solution) error {
			var values tables.Values = s
			if s.Material == forge {
				_, source.digest = tables.Summarize(v, forge, tables.DTW, s)
				f := &forged{Values: s}
				captures, d := make([]bool, 500), make([]tables.Plies, 500)
				s.Captures(tables.First, 0, captures)
				s.Distances(tables.First, 0, d)
				for f.at = 0; captures[f.at] || d[f.at] == tables.NoPlies; f.at++ {
				}
				values = f
			}
			for _, metric := range s.Metrics() {
				keys = append(keys, tables.Key{Variant: v.Name, Material: s.Material, Metric: metric})
			}
			_, err := st.Put(ctx, s.Table(), s.Metrics(), values, store.RunRecord{})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if source.digest == "" {
		t.Fatal("nothing was forged")
	}
	err = replaceFile(name, func(w io.Writer) error {
		_, err := pack.Write(t.Context(), w, source, keys)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPackThatLiesIsNotAdded(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "pack")
	m, err := tables.ParseMaterial("KvM")
	if err != nil {
		t.Fatal(err)
	}
	exportForged(t, name, m)
	r := run(t, "", "import", "--db", filepath.Join(dir, "db"), name)
	if r.code != exitTrouble || !strings.Contains(r.stderr, "english KvM is not added") || !strings.Contains(r.stderr, "digest") {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
	if got := mustRun(t, "info", "--db", filepath.Join(dir, "db"), "--csv"); strings.Contains(got, "KvM") || !strings.Contains(got, "KvK") || !strings.Contains(got, "MvM") {
		t.Errorf("stored:\n%s", got)
	}
}

// TestDamagedPackAddsNothingOfTheDamagedTable damages a block of one table: that
// table and block are named, the others are added.
func TestDamagedPackAddsNothingOfTheDamagedTable(t *testing.T) {
	dir := t.TempDir()
	name, db := filepath.Join(dir, "pack"), filepath.Join(dir, "db")
	mustRun(t, "generate", "--db", db, "--variant", "english", "--pieces", "2")
	mustRun(t, "export", "--db", db, "--variant", "english", "-o", name)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pack.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	k := p.Keys()[2] // KvM dtw
	coded, err := p.Coded(k, tables.Second, 0, nil)
	if err := errors.Join(err, p.Close()); err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(good, coded)
	good[at+len(coded)/2] ^= 4
	if err := os.WriteFile(name, good, 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(dir, "fresh")
	r := run(t, "", "import", "--db", fresh, name)
	if r.code != exitTrouble || !strings.Contains(r.stderr, "damaged table: english KvM dtw, side 2, block 0") {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
	if got := strings.Count(r.stdout, ": added\n"); got != 2 {
		t.Errorf("added:\n%s", r.stdout)
	}
	if got := mustRun(t, "info", "--db", fresh, "--csv"); strings.Contains(got, "KvM") {
		t.Errorf("stored:\n%s", got)
	}
}

func TestFailedExportLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "pack")
	full := errors.New("no space left on device")
	for range 2 {
		err := replaceFile(name, func(w io.Writer) error {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
			return full
		})
		if !errors.Is(err, full) {
			t.Fatal(err)
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Name() != "pack" {
				t.Errorf("left over: %s", f.Name())
			}
		}
		if b, err := os.ReadFile(name); err == nil && string(b) != "old" {
			t.Error("what was there is gone")
		}
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := replaceFile(filepath.Join(dir, "none", "pack"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a directory that is not there")
	}
	if err := replaceFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a directory is replaced")
	}
}
