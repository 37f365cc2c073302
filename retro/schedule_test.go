package retro_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/index"
	"threekings/retro"
	"threekings/tables"
)

// digests returns the digest of each table's metric, by its name.
func digests(v *draughts.Variant, metric tables.Metric, solved map[tables.Material]*retro.Solution) map[string]string {
	all := map[string]string{}
	for m, s := range solved {
		_, all[m.String()] = tables.Summarize(v, m, metric, s)
	}
	return all
}

func TestValuesDoNotDependOnThreadsOrSolver(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.English, draughts.Brazilian, draughts.Italian} {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			var want map[string]string
			for _, opts := range []retro.Options{
				{Threads: 1},
				{Threads: 2},
				{Threads: 7, Verify: retro.VerifyNone},
				{Threads: 3, Solver: retro.Reference, Verify: retro.VerifyNone},
			} {
				got := digests(v, tables.DTW, generate(t, v, tables.All(3), opts))
				if want == nil {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%+v (-want +got):\n%s", opts, diff)
				}
			}
			if len(want) != 9 {
				t.Errorf("%d tables, want 9", len(want))
			}
		})
	}
}

func TestOutcomesAloneAreTheSame(t *testing.T) {
	for _, test := range []struct {
		v      *draughts.Variant
		tables []tables.Material
	}{
		{draughts.English, tables.All(3)},
		{draughts.Czech, tables.All(3)},
		{draughts.International, tables.All(2)},
		{draughts.Canadian, tables.All(2)},
		{draughts.Turkish, tables.Closure(material(t, "KvMM"))},
		{draughts.Armenian, tables.All(2)},
	} {
		t.Run(test.v.Name, func(t *testing.T) {
			t.Parallel()
			withDistances := generate(t, test.v, test.tables, retro.Options{Verify: retro.VerifyNone})
			want := digests(test.v, tables.Outcomes, withDistances)
			for _, opts := range []retro.Options{
				{OutcomesOnly: true},
				{OutcomesOnly: true, Verify: retro.VerifyNone},
				{OutcomesOnly: true, Solver: retro.Reference},
			} {
				alone := generate(t, test.v, test.tables, opts)
				if diff := cmp.Diff(want, digests(test.v, tables.Outcomes, alone)); diff != "" {
					t.Errorf("%+v (-want +got):\n%s", opts, diff)
				}
				for m, s := range alone {
					if s.HasDistances || !slices.Equal(s.Metrics(), outcomeOnly) {
						t.Errorf("%s has %v", m, s.Metrics())
					}
				}
			}
			for m, s := range withDistances {
				if !s.HasDistances || !slices.Equal(s.Metrics(), both) || s.Variant != test.v || s.Material != m {
					t.Errorf("%s: a solution of %s %s with %v", m, s.Variant.Name, s.Material, s.Metrics())
				}
			}
		})
	}
}

// A distance is one ply more than that of the best child, and a child one ply
// later is one ply nearer.
func TestDistanceIsOneMoreThanTheBestChilds(t *testing.T) {
	for _, test := range []struct {
		v     *draughts.Variant
		names []string
	}{
		{draughts.International, []string{"KvMM", "MMvM"}},
		{draughts.English, []string{"KKvK", "KMvM"}},
		{draughts.Spanish, []string{"KMvK"}},
		{draughts.Canadian, []string{"KvM"}},
		{draughts.Turkish, []string{"KvMM"}},
	} {
		stored := newMemory(t, test.v, test.names...)
		value := func(p draughts.Position) tables.Plies {
			m, ok := tables.MaterialOf(p)
			if !ok {
				return 0
			}
			ix, err := index.New(test.v, m)
			if err != nil {
				t.Fatal(err)
			}
			side, n := ix.Rank(p)
			return stored.distances[ix.Material()][side][n]
		}
		for _, name := range test.names {
			m := material(t, name)
			ix, err := index.New(test.v, m)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.Uint64Range(0, ix.Size()-1).Draw(t, "n")
				p := ix.Position(tables.Side(rapid.IntRange(0, m.Sides()-1).Draw(t, "side")), n)
				var lost, won []tables.Plies
				drawn := test.v.Ended(p)
				for _, move := range test.v.Moves(p, nil) {
					switch child := value(p.Play(move)); child.Outcome() {
					case tables.Loss:
						lost = append(lost, child)
					case tables.Win:
						won = append(won, child)
					default:
						drawn = true
					}
				}
				var want tables.Plies
				switch {
				case len(lost) > 0:
					want = slices.Min(lost) + 1
				case drawn:
					want = tables.NoPlies
				case len(won) > 0:
					want = slices.Max(won) + 1
				}
				if got := value(p); got != want {
					t.Fatalf("%s %s: %d, want %d", test.v.Name, test.v.FEN(p), got, want)
				}
			})
		}
	}
}

func TestGenerateNamesTheTableItMisses(t *testing.T) {
	v := draughts.English
	for _, opts := range []retro.Options{{}, {OutcomesOnly: true}, {Solver: retro.Reference}, {OutcomesOnly: true, Solver: retro.Reference}} {
		metric := tables.DTW
		if opts.OutcomesOnly {
			metric = tables.Outcomes
		}
		opts.Publish = func(_ context.Context, s *retro.Solution) error {
			t.Errorf("%s is published", s.Material)
			return nil
		}
		err := retro.Generate(t.Context(), v, []tables.Material{material(t, "KKvK")}, opts)
		var missing *tables.MissingError
		if !errors.Is(err, tables.ErrMissing) || !errors.As(err, &missing) ||
			missing.Key != (tables.Key{Variant: v.Name, Material: material(t, "KvK"), Metric: metric}) {
			t.Errorf("%+v: %v", opts, err)
			continue
		}
		if !strings.Contains(err.Error(), "generate english KKvK: ") {
			t.Errorf("%v does not say which table was to be made", err)
		}
	}
}

// broken is a reader whose tables are damaged.
type broken struct{ tables.Reader }

var errBroken = &tables.DamagedError{Block: 5, Err: errors.New("a checksum is wrong")}

func (broken) Distances(context.Context, tables.Key, tables.Side, uint64, []tables.Plies) error {
	return errBroken
}

func TestGenerateReadsFinishedTables(t *testing.T) {
	v := draughts.English
	stored := newMemory(t, v, "KMvK")
	m := material(t, "KMvK")
	_, want := tables.Summarize(v, m, tables.DTW, generate(t, v, tables.Closure(m), retro.Options{})[m])
	// In either order, once or twice.
	for _, list := range [][]tables.Material{{m}, {m.Reverse()}, {m, m.Reverse(), m}, {m, material(t, "KKvK")}} {
		var published []tables.Material
		err := retro.Generate(t.Context(), v, list, retro.Options{
			Finished: stored, Threads: 1,
			Publish: func(_ context.Context, s *retro.Solution) error {
				published = append(published, s.Material)
				if _, got := tables.Summarize(v, s.Material, tables.DTW, s); s.Material == m && got != want {
					t.Errorf("digest %s, want %s", got, want)
				}
				return nil
			},
		})
		if n := len(tables.Closure(list...)) - len(tables.Closure(tables.Deps(m)...)); err != nil || len(published) > 2 || n < 1 {
			t.Errorf("%v: %v, published %v", list, err, published)
		}
		if !slices.Contains(published, m) || len(slices.Compact(slices.Clone(published))) != len(published) {
			t.Errorf("%v: published %v", list, published)
		}
	}
	if err := retro.Generate(t.Context(), v, []tables.Material{m}, retro.Options{Finished: broken{}}); !errors.Is(err, tables.ErrDamaged) {
		t.Errorf("from a damaged table: %v", err)
	}
}

func TestGenerateNothing(t *testing.T) {
	if err := retro.Generate(t.Context(), draughts.English, nil, retro.Options{}); err != nil {
		t.Error(err)
	}
}

func TestProgressAddsUp(t *testing.T) {
	v := draughts.Russian
	for _, opts := range []retro.Options{{}, {Solver: retro.Reference, Threads: 1}, {OutcomesOnly: true}} {
		var mu sync.Mutex
		var finished []tables.Material
		phases := map[tables.Material][]retro.Phase{}
		positions := map[tables.Material]map[retro.Phase]uint64{}
		opts.Publish = func(context.Context, *retro.Solution) error { return nil }
		opts.Progress = func(e retro.Event) {
			mu.Lock()
			defer mu.Unlock()
			if positions[e.Material] == nil {
				positions[e.Material] = map[retro.Phase]uint64{}
			}
			if list := phases[e.Material]; len(list) == 0 || list[len(list)-1] != e.Phase {
				phases[e.Material] = append(list, e.Phase)
			}
			positions[e.Material][e.Phase] += e.Positions
			if e.Phase == retro.Done {
				finished = append(finished, e.Material)
			}
		}
		all := tables.All(3)
		slices.Reverse(all) // any order will do
		if err := retro.Generate(t.Context(), v, all, opts); err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			n := tables.Positions(v, m)
			want := map[retro.Phase]uint64{retro.Solving: n, retro.Verifying: n, retro.Storing: 0, retro.Done: n}
			if diff := cmp.Diff(want, positions[m]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", m, diff)
			}
			if want := []retro.Phase{retro.Solving, retro.Verifying, retro.Storing, retro.Done}; !slices.Equal(phases[m], want) {
				t.Errorf("%s went through %v", m, phases[m])
			}
			for _, d := range tables.Deps(m) {
				if slices.Index(finished, d) > slices.Index(finished, m) {
					t.Errorf("%s was done before %s", m, d)
				}
			}
		}
		if len(finished) != len(all) {
			t.Errorf("%d tables done, want %d", len(finished), len(all))
		}
	}
}

func TestErrorOfPublishStopsTheRun(t *testing.T) {
	full := errors.New("the disk is full")
	m := material(t, "KvM")
	var mu sync.Mutex
	var published []tables.Material
	err := retro.Generate(t.Context(), draughts.English, tables.All(3), retro.Options{
		Publish: func(_ context.Context, s *retro.Solution) error {
			mu.Lock()
			defer mu.Unlock()
			if s.Material == m {
				return full
			}
			published = append(published, s.Material)
			return nil
		},
	})
	if !errors.Is(err, full) {
		t.Fatalf("%v, want %v", err, full)
	}
	for _, p := range published {
		if slices.Contains(tables.Deps(p), m) {
			t.Errorf("%s is published without %s", p, m)
		}
	}
}

func TestGenerateStopsWhenItIsTold(t *testing.T) {
	v := draughts.English
	for solver, name := range map[retro.Solver]string{retro.Lanes: "KMvKM", retro.Reference: "KMvM"} {
		m := material(t, name)
		for _, phase := range []retro.Phase{retro.Solving, retro.Verifying} {
			ctx, cancel := context.WithCancel(t.Context())
			var mu sync.Mutex
			var after uint64
			err := retro.Generate(ctx, v, tables.Closure(m), retro.Options{
				Solver: solver, Threads: 2,
				Publish: func(_ context.Context, s *retro.Solution) error {
					if s.Material == m {
						t.Errorf("%s is published", m)
					}
					return nil
				},
				Progress: func(e retro.Event) {
					mu.Lock()
					defer mu.Unlock()
					if ctx.Err() != nil {
						after += e.Positions
					}
					if e.Material == m && e.Phase == phase && e.Positions > 0 {
						cancel()
					}
				},
			})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("solver %d, %s: %v", solver, phase, err)
			}
			// What each thread had begun it may finish: a slice, or a run of positions.
			if most := tables.Positions(v, m) / 20; after > most {
				t.Errorf("solver %d, %s: %d positions after the end", solver, phase, after)
			}
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := retro.Generate(ctx, v, tables.All(3), retro.Options{
		Publish: func(_ context.Context, s *retro.Solution) error {
			t.Errorf("%s is published", s.Material)
			return nil
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("told before it began: %v", err)
	}
}
