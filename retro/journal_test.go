package retro

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// TestJournal interrupts a run many times, damages what it leaves behind, and
// compares what comes out in the end.
func TestJournal(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.International, draughts.English, draughts.Canadian, draughts.Turkish} {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			skipLargeBoards(t, v)
			m, err := tables.ParseMaterial("KMvM")
			if err != nil {
				t.Fatal(err)
			}
			all := solveAll(t, v, tables.Closure(m), Options{Verify: VerifyNone})
			_, want := tables.Summarize(v, m, tables.DTW, all[m])
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			rnd := rand.New(rand.NewPCG(seed, 0))
			dir := filepath.Join(t.TempDir(), "unfinished")
			opts := Options{Verify: VerifyNone, Threads: 2, Finished: solutions{solved: all}, Journal: dir, JournalEvery: 1}
			path := journalPath(dir, v, m, tables.DTW)
			left := 0 // how many runs left a journal behind
			for i := range 20 {
				ctx, cancel := context.WithCancel(t.Context())
				var done atomic.Uint64
				stop := tables.Positions(v, m) * uint64(i+1) / 16
				opts.Progress = func(e Event) {
					if done.Add(e.Positions) > stop {
						cancel()
					}
				}
				digest := ""
				opts.Publish = func(_ context.Context, s *Solution) error {
					_, digest = tables.Summarize(v, m, tables.DTW, s)
					return nil
				}
				err := Generate(ctx, v, []tables.Material{m}, opts)
				cancel()
				switch {
				case err == nil:
					if digest != want {
						t.Fatal("values differ after interruptions")
					}
					if _, err := os.Stat(path); !os.IsNotExist(err) {
						t.Errorf("the journal of a published table is still there: %v", err)
					}
				case errors.Is(err, context.Canceled):
					b, err := os.ReadFile(path)
					if err != nil {
						continue // nothing was solved yet
					}
					left++
					switch i % 3 {
					case 1: // cut short
						b = b[:rnd.IntN(len(b))]
					case 2: // damaged
						b[rnd.IntN(len(b))] ^= 1 << rnd.IntN(8)
					}
					if err := os.WriteFile(path, b, 0o644); err != nil {
						t.Fatal(err)
					}
				default:
					t.Fatal(err)
				}
			}
			if left < 3 {
				t.Errorf("only %d runs left a journal behind", left)
			}
		})
	}
}

// TestJournalIsRead proves that slices of a journal are not solved again: it
// plants wrong values in them, and finds them in the table; but not where another
// program has left it.
func TestJournalIsRead(t *testing.T) {
	v := draughts.English
	m, err := tables.ParseMaterial("MMvM")
	if err != nil {
		t.Fatal(err)
	}
	all := solveAll(t, v, tables.Closure(m), Options{Verify: VerifyNone})
	_, want := tables.Summarize(v, m, tables.DTW, all[m])
	table := all[m].Values.(*laneTable)
	var slices []uint64
	for slice := range table.ix.Slices() {
		slices = append(slices, slice)
	}
	for _, generator := range []string{"this one", "another"} {
		opts := Options{Journal: t.TempDir(), JournalEvery: 1, Generator: generator}
		j := newJournal(&opts, v, m, "distances=true plies=true")
		if err := j.add(slices, func(slice uint64, dst []byte) []byte {
			start := len(dst)
			dst = table.appendSlice(slice, dst)
			clear(dst[start:]) // everything is drawn
			return dst
		}); err != nil {
			t.Fatal(err)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		opts.Verify, opts.Finished, opts.Generator = VerifyNone, solutions{solved: all}, "this one"
		opts.Publish = func(_ context.Context, s *Solution) error {
			if _, digest := tables.Summarize(v, m, tables.DTW, s); (digest == want) == (generator == opts.Generator) {
				t.Errorf("left by %s: the table is right: %t", generator, digest == want)
			}
			return nil
		}
		if err := Generate(t.Context(), v, []tables.Material{m}, opts); err != nil {
			t.Fatal(err)
		}
	}
}

// Runs of one table for different metrics leave each other's journal alone, be
// they interrupted or not, and each comes to its own values.
func TestRunsForDifferentMetricsKeepTheirJournals(t *testing.T) {
	v := draughts.English
	m := parseMaterials(t, "MvM")[0]
	dir := t.TempDir()
	runs := []Options{
		{Profile: profileOf(t, v, "wcdf")}, {}, {Profile: profileOf(t, v, "none")}, {OutcomesOnly: true},
	}
	digests := make([]string, len(runs))
	for i := range runs {
		opts := &runs[i]
		opts.Verify, opts.Threads = VerifyNone, 1
		opts.Finished = solutions{solved: solveAll(t, v, tables.Closure(m), *opts)}
		_, digests[i] = tables.Summarize(v, m, opts.metric(), opts.Finished.(solutions).solved[m])
		opts.Journal, opts.JournalEvery = dir, 1
	}
	left := func(opts *Options) string {
		t.Helper()
		b, err := os.ReadFile(journalPath(dir, v, m, opts.metric()))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var kept []string
	for i := range runs {
		opts := runs[i]
		ctx, cancel := context.WithCancel(t.Context())
		var done atomic.Uint64
		opts.Progress = func(e Event) {
			if done.Add(e.Positions) > tables.Positions(v, m)/2 {
				cancel()
			}
		}
		err := Generate(ctx, v, []tables.Material{m}, opts)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", opts.metric(), err)
		}
		kept = append(kept, left(&opts))
		for earlier := range i {
			if left(&runs[earlier]) != kept[earlier] {
				t.Fatalf("the run for %s changes the journal of %s", opts.metric(), runs[earlier].metric())
			}
		}
	}
	for i := range runs {
		opts := runs[i]
		opts.Publish = func(_ context.Context, s *Solution) error {
			if _, digest := tables.Summarize(v, m, opts.metric(), s); digest != digests[i] {
				t.Errorf("%s: values differ after the interruption", opts.metric())
			}
			return nil
		}
		if err := Generate(t.Context(), v, []tables.Material{m}, opts); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(journalPath(dir, v, m, opts.metric())); !os.IsNotExist(err) {
			t.Errorf("%s: the journal of a published table is still there: %v", opts.metric(), err)
		}
		for later := i + 1; later < len(runs); later++ {
			if left(&runs[later]) != kept[later] {
				t.Fatalf("the run for %s changes the journal of %s", opts.metric(), runs[later].metric())
			}
		}
	}
}
