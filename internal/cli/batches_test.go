package cli

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"threekings/draughts"
	"threekings/retro"
	"threekings/tables"
)

func TestDefaultsByNumberOfPieces(t *testing.T) {
	p, err := newPlan(noTables{}, draughts.English, tables.All(6), nil)
	if err != nil {
		t.Fatal(err)
	}
	type kind struct {
		pieces    int // of the last table
		distances bool
		verify    retro.VerifyMode
	}
	kinds := func(f verifyFlag) (list []kind) {
		for _, b := range p.batches(f) {
			list = append(list, kind{b.tables[len(b.tables)-1].material.Pieces(), b.distances, b.verify})
		}
		return list
	}
	want := []kind{{4, true, retro.VerifyFull}, {5, false, retro.VerifyFull}, {6, false, retro.VerifySample}}
	if got := kinds(verifyFlag{}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	want = []kind{{4, true, retro.VerifyNone}, {6, false, retro.VerifyNone}}
	if got := kinds(verifyFlag{retro.VerifyNone, true}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWorkCountsWhatIsProved(t *testing.T) {
	v, m := draughts.English, material(t, "KKMvKK")
	positions := tables.Positions(v, m)
	p := &plan{variant: v, positions: positions, make: []plannedTable{{m, allMetrics}}}
	for mode, want := range map[retro.VerifyMode]uint64{
		retro.VerifyFull: 2 * positions, retro.VerifySample: positions + retro.SampleSize, retro.VerifyNone: positions,
	} {
		if got := p.work(verifyFlag{mode, true}); got != want {
			t.Errorf("%s: %d, want %d", verifyNames[mode], got, want)
		}
	}
}

// Tables with outcomes alone are solved from those with distances made before
// them in the same run, read from what is stored.
func TestBatchesAreSolvedFromThoseBefore(t *testing.T) {
	whole := t.TempDir()
	mustRun(t, "generate", "--db", whole, "--variant", "english", "--material", "KMvK")
	want := outcomeLines(mustRun(t, "info", "--db", whole, "--digest"))

	dir := t.TempDir()
	var out, stderr bytes.Buffer
	a := &app{out: bufio.NewWriter(&out), stderr: &stderr, dir: dir}
	st, err := a.openWrite(t.Context(), 0, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlan(st, draughts.English, []tables.Material{material(t, "KMvK")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.make {
		if p.make[i].material.Pieces() == 3 {
			p.make[i].missing = allMetrics[:1]
		}
	}
	how := making{memory: 64 << 20}
	if n := len(p.batches(how.verify)); n != 2 {
		t.Fatalf("%d batches", n)
	}
	if got := p.metricNames(); got != "2 with outcome and dtw, 2 with outcome" {
		t.Errorf("%q", got)
	}
	if _, err := a.produce(t.Context(), st, p, how); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, outcomeLines(mustRun(t, "info", "--db", dir, "--digest"))); diff != "" {
		t.Error(diff)
	}
}

func outcomeLines(digests string) (lines []string) {
	for line := range strings.Lines(digests) {
		if strings.Contains(line, " outcome ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// What is kept of a table that takes long is in a directory of its own, which
// disturbs no other command, and goes when the table is stored.
func TestUnfinishedTablesAreKeptBesideTheOthers(t *testing.T) {
	dir, want := t.TempDir(), t.TempDir()
	args := []string{"--variant", "international", "--material", "KMvK"}
	mustRun(t, append(args, "generate", "--db", want, "--threads", "1")...)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, stderr bytes.Buffer
	a := &app{out: bufio.NewWriter(&out), stderr: &stderr, dir: dir, freeSpace: freeSpace}
	how := making{threads: 1, journal: true, journalEvery: 1}
	done := make(chan error, 1)
	go func() {
		done <- a.generate(ctx, variantFlag{draughts.International}, []tables.Material{material(t, "KMvK")}, nil, how)
	}()
	left := filepath.Join(dir, unfinishedDir, "international-KMvK-dtw.unfinished")
	for {
		if info, err := os.Stat(left); err == nil && info.Size() > 0 {
			break
		}
		if len(done) > 0 {
			t.Fatalf("nothing was kept: %v", <-done)
		}
	}
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "interrupted: ") {
		t.Fatalf("%v", err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, "info", "--db", dir, "--csv"); !strings.Contains(got, "international,KvK,") {
		t.Errorf("%s", got)
	}
	mustRun(t, "verify", "--db", dir, "--checksums")
	mustRun(t, "drop", "--db", dir, "--variant", "international", "KvK")
	mustRun(t, append(args, "generate", "--db", dir)...)
	if _, err := os.Stat(filepath.Dir(left)); err == nil {
		t.Error("the directory of unfinished tables is still there")
	}
	if diff := cmp.Diff(content(t, want), content(t, dir)); diff != "" {
		t.Errorf("content differs:\n%s", diff)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "4096": 4096, "512MB": 512_000_000, "8GiB": 8 << 30, "8g": 8 << 30, "1.5 kib": 1536, "2TB": 2e12, "7B": 7,
	} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "12x", "GB", "-1", "1.2.3", "5gx", "5ii", "9999999999TB", "1e3"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestMachineHasMemory(t *testing.T) {
	if got := machineMemory(); got < 1<<27 || got > 1<<50 {
		t.Errorf("%d", got)
	}
}
