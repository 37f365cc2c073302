package probe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// Tables that are held answer as the solver does, captures included, and read
// nothing any more.
func TestHeldTablesAnswerWithoutReading(t *testing.T) {
	for _, src := range sets() {
		t.Run(src.variant.Name, func(t *testing.T) {
			src.filler = rand.New(rand.NewPCG(1, 2))
			p := probe.Open(src, probe.Options{CacheBytes: -1})
			for m := range src.tables {
				for _, metric := range []tables.Metric{tables.Outcomes, tables.DTW} {
					if err := p.Hold(t.Context(), src.variant, m, metric); err != nil {
						t.Fatal(err)
					}
				}
			}
			reads := src.reads.Load()
			everyPosition(t, src, func(table *solved, side tables.Side, n uint64, pos draughts.Position) {
				want := table.dtw[side][n]
				if d, err := p.Distance(src.variant, pos); err != nil || d != want {
					t.Fatalf("Distance(%s) = %d, %v, want %d", src.variant.FEN(pos), d, err, want)
				}
				if o, err := p.Outcome(src.variant, pos); err != nil || o != want.Outcome() {
					t.Fatalf("Outcome(%s) = %v, %v, want %v", src.variant.FEN(pos), o, err, want.Outcome())
				}
			})
			if now := src.reads.Load(); now != reads {
				t.Errorf("%d blocks were read", now-reads)
			}
		})
	}
}

// A table is held while others probe it; one that is missing or damaged is not.
func TestHoldWhileOthersProbe(t *testing.T) {
	src := newMemory(draughts.English, english3())
	p := probe.Open(src, probe.Options{CacheBytes: 1 << 16})
	table := src.tables[mustMaterial("KKvK")]
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 3))
			for range 2000 {
				n := rng.Uint64N(table.ix.Size())
				pos := table.ix.Position(tables.First, n)
				if o, err := p.Outcome(src.variant, pos); err != nil || o != table.dtw[0][n].Outcome() {
					t.Errorf("%s: %v, %v", src.variant.FEN(pos), o, err)
					return
				}
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			if err := p.Hold(context.Background(), src.variant, mustMaterial("KvKK"), tables.Outcomes); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()

	damaged := newMemory(draughts.English, english3())
	damaged.damaged[damaged.key("KKvK", tables.Outcomes)] = true
	p = probe.Open(damaged.without("KvK"), probe.Options{})
	if err := p.Hold(t.Context(), draughts.English, mustMaterial("KKvK"), tables.Outcomes); !errors.Is(err, tables.ErrDamaged) && !errors.Is(err, tables.ErrMissing) {
		t.Error(err)
	}
	if err := p.Hold(t.Context(), draughts.English, mustMaterial("KvK"), tables.DTW); !errors.Is(err, tables.ErrMissing) {
		t.Error(err)
	}
	if err := p.Hold(t.Context(), draughts.English, mustMaterial("KKvK"), tables.DTR("none")); err == nil {
		t.Error("distances to reset are held")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := probe.Open(src, probe.Options{}).Hold(ctx, draughts.English, mustMaterial("KKvK"), tables.DTW); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A batch says what single probes say, errors too, and reads each block once.
func TestBatchSaysWhatSingleProbesSay(t *testing.T) {
	for _, src := range sets() {
		v := src.variant
		src.filler = rand.New(rand.NewPCG(1, 2))
		var positions []draughts.Position
		everyPosition(t, src, func(_ *solved, _ tables.Side, n uint64, pos draughts.Position) {
			if n%13 == 0 {
				positions = append(positions, pos)
			}
		})
		positions = append(positions, draughts.Position{}, v.Initial())
		rng := rand.New(rand.NewPCG(3, 3))
		rng.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
		for name, broken := range map[string]func(*memory){
			"whole":   func(*memory) {},
			"missing": func(m *memory) { m.without("KvK", tables.Outcomes) },
			"gone":    func(m *memory) { m.without("KvK") },
			"damaged": func(m *memory) { m.damaged[m.key("KvK", tables.Outcomes)] = true },
		} {
			broken(src)
			single := probe.Open(src, probe.Options{})
			answers := probe.Open(src, probe.Options{CacheBytes: -1}).ProbeBatch(v, positions)
			for i, pos := range positions {
				o, err := single.Outcome(v, pos)
				a := answers[i]
				if (a.Err == nil) != (err == nil) || err == nil && a.Outcome != o || err != nil && err.Error() != a.Err.Error() {
					t.Fatalf("%s, %s: %v, %v in a batch; %v, %v alone", name, v.FEN(pos), a.Outcome, a.Err, o, err)
				}
			}
			clear(src.missing)
			clear(src.damaged)
		}
	}
	if answers := probe.Open(newMemory(draughts.English, english3()), probe.Options{}).ProbeBatch(draughts.English, nil); len(answers) != 0 {
		t.Error(answers)
	}
}

func TestHeldProbesDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	src := newMemory(draughts.English, english3())
	p := probe.Open(src, probe.Options{})
	if err := p.Hold(t.Context(), src.variant, mustMaterial("KKvK"), tables.Outcomes); err != nil {
		t.Fatal(err)
	}
	pos := src.tables[mustMaterial("KKvK")].ix.Position(tables.First, 77)
	if allocs := testing.AllocsPerRun(100, func() {
		if _, err := p.Outcome(src.variant, pos); err != nil {
			t.Fatal(err)
		}
	}); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
