package retro

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

func TestLanesEqualReference(t *testing.T) {
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			lanes := newLanesSolver(v, Options{Verify: VerifyNone}, newMemory(0))
			flats := &dependencies{}
			for _, m := range comparedWithReference(v) {
				ix, err := index.New(v, m)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				want, err := solveReference(t.Context(), ix, flats, true, func(uint64) {})
				if err != nil {
					t.Fatal(err)
				}
				flats.add(m, want)
				ref := time.Since(start)
				start = time.Now()
				got, err := lanes.solve(t.Context(), ix, 1, func(uint64) {})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: reference %v, lanes %v, ratio %.1f", m, ref, time.Since(start), float64(ref)/float64(time.Since(start)))
				n := ix.Size()
				d := make([]tables.Plies, n)
				caps, wantCaps := make([]bool, n), make([]bool, n)
				for s := range tables.Side(m.Sides()) {
					got.Distances(s, 0, d)
					if !slices.Equal(d, want.plies[s]) {
						for i := range d {
							if d[i] != want.plies[s][i] {
								t.Errorf("%s side %d number %d %s: got %s, want %s", m, s, i, v.FEN(ix.Position(s, uint64(i))), describe(d[i]), describe(want.plies[s][i]))
								break
							}
						}
					}
					got.Captures(s, 0, caps)
					want.Captures(s, 0, wantCaps)
					if !slices.Equal(caps, wantCaps) {
						t.Errorf("%s side %d: captures differ", m, s)
					}
				}
				lanes.keep(got)
				table, err := lanes.lookup(t.Context(), m)
				if err != nil {
					t.Fatal(err)
				}
				checkRows(t, table, want)
			}
		})
	}
}

// comparedWithReference are the tables on which the solvers are compared: up to
// three pieces. Where the reference takes minutes for that, it is left to the
// long tests; the counts of all tables are checked here too, against the truth.
func comparedWithReference(v *draughts.Variant) []tables.Material {
	if testing.Short() {
		return tables.All(2)
	}
	if v.Squares() > 50 && !long {
		return slices.DeleteFunc(tables.All(3), func(m tables.Material) bool {
			return m.Pieces() == 3 && m.String() != "KKvK"
		})
	}
	return tables.All(3)
}

// solutions reads solved tables.
type solutions struct {
	tables.Reader // unused
	solved        map[tables.Material]*Solution
}

func (r solutions) Outcomes(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Outcome) error {
	r.solved[k.Material].Outcomes(s, start, dst)
	return nil
}

func (r solutions) Distances(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	r.solved[k.Material].Distances(s, start, dst)
	return nil
}

// solveAll generates tables and returns them.
func solveAll(t *testing.T, v *draughts.Variant, materials []tables.Material, opts Options) map[tables.Material]*Solution {
	t.Helper()
	var mu sync.Mutex
	solved := map[tables.Material]*Solution{}
	opts.Publish = func(_ context.Context, s *Solution) error {
		mu.Lock()
		defer mu.Unlock()
		solved[s.Material] = s
		return nil
	}
	if err := Generate(t.Context(), v, materials, opts); err != nil {
		t.Fatal(err)
	}
	return solved
}

func TestLanesFromStoredTables(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.International, draughts.Italian, draughts.Canadian, draughts.Turkish, draughts.Russian} {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			skipLargeBoards(t, v)
			for _, outcomesOnly := range []bool{false, true} {
				metric := tables.DTW
				if outcomesOnly {
					metric = tables.Outcomes
				}
				all := solveAll(t, v, tables.All(3), Options{OutcomesOnly: outcomesOnly, Verify: VerifyNone})
				// Every other table is read, the rest made again.
				var again []tables.Material
				for i, m := range tables.All(3) {
					if i%2 == 1 {
						again = append(again, m)
					}
				}
				got := solveAll(t, v, again, Options{
					OutcomesOnly: outcomesOnly, Verify: VerifyFull, Finished: solutions{solved: all},
				})
				for m, s := range got {
					_, want := tables.Summarize(v, m, metric, all[m])
					if _, digest := tables.Summarize(v, m, metric, s); digest != want {
						t.Errorf("%s %s: values differ from those solved in one go", m, metric)
					}
				}
			}
		})
	}
}

func TestLittleMemory(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.International, draughts.English, draughts.Canadian, draughts.Turkish} {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			skipLargeBoards(t, v)
			want := solveAll(t, v, tables.All(3), Options{Verify: VerifyNone})
			// Room for the largest table in work and a third of the finished ones.
			opts := Options{Verify: VerifyFull, Threads: 2}
			kept := uint64(0)
			for _, m := range tables.All(3) {
				opts.Memory = max(opts.Memory, WorkBytes(v, m, opts))
				kept += KeptBytes(v, m, opts)
			}
			opts.Memory += kept / 3
			var mu sync.Mutex
			stored := solutions{solved: map[tables.Material]*Solution{}}
			opts.Finished = lockedReader{&mu, stored}
			opts.Publish = func(_ context.Context, s *Solution) error {
				mu.Lock()
				defer mu.Unlock()
				stored.solved[s.Material] = s
				return nil
			}
			if err := Generate(t.Context(), v, tables.All(3), opts); err != nil {
				t.Fatal(err)
			}
			for m, s := range stored.solved {
				_, a := tables.Summarize(v, m, tables.DTW, want[m])
				if _, b := tables.Summarize(v, m, tables.DTW, s); a != b {
					t.Errorf("%s: values differ with little memory", m)
				}
			}
			opts.Memory = 1 << 10
			if err := Generate(t.Context(), v, tables.All(3), opts); err == nil {
				t.Error("1 KiB of memory was enough")
			}
		})
	}
}

// lockedReader reads solutions while others are added.
type lockedReader struct {
	mu *sync.Mutex
	solutions
}

func (r lockedReader) Distances(ctx context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.solutions.Distances(ctx, k, s, start, dst)
}

// skipLargeBoards leaves the boards on which three pieces take long to tests
// that are not short.
func skipLargeBoards(t *testing.T, v *draughts.Variant) {
	t.Helper()
	if testing.Short() && v.Squares() > 32 {
		t.Skip("takes long")
	}
}
