package probe_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"threekings/draughts"
	"threekings/index"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// speedDB names a directory of International tables that the benchmarks of speed
// read; without it they make those up to three pieces.
const speedDB = "THREEKINGS_SPEED_DB"

func speedStore(b testing.TB) *store.Store {
	if dir := os.Getenv(speedDB); dir != "" {
		st, err := store.Open(dir, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = st.Close() })
		return st
	}
	st, err := store.Open(b.TempDir(), store.Options{Write: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close() })
	err = retro.Generate(context.Background(), draughts.International, tables.All(3), retro.Options{
		Verify: retro.VerifyNone,
		Publish: func(ctx context.Context, s *retro.Solution) error {
			_, err := st.Put(ctx, s.Table(), s.Metrics(), s, store.RunRecord{})
			return err
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	return st
}

// randomPositions returns legal positions of the tables of outcomes, each table
// in proportion to its size: quiet ones, and ones with a capture pending.
func randomPositions(b testing.TB, st *store.Store, n int) (quiet, captures []draughts.Position) {
	v := draughts.International
	list, err := st.List(v.Name)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	total := uint64(0)
	var indices []*index.Index
	for _, m := range list {
		if m.Metric == tables.Outcomes {
			ix, err := index.New(v, m.Material)
			if err != nil {
				b.Fatal(err)
			}
			indices = append(indices, ix)
			total += ix.Size()
		}
	}
	for len(quiet) < n || len(captures) < n {
		at := rng.Uint64N(total)
		for _, ix := range indices {
			if at >= ix.Size() {
				at -= ix.Size()
				continue
			}
			p := ix.Position(tables.Side(rng.IntN(ix.Material().Sides())), at)
			switch capture := v.HasCapture(p); {
			case v.Check(p) != nil:
			case capture && len(captures) < n:
				captures = append(captures, p)
			case !capture && len(quiet) < n:
				quiet = append(quiet, p)
			}
			break
		}
	}
	return quiet, captures
}

// playedPositions returns positions of endings that are played out by random
// moves, one after the other, as a search meets them.
func playedPositions(starts []draughts.Position, n int) []draughts.Position {
	v := draughts.International
	rng := rand.New(rand.NewPCG(8, 8))
	var played []draughts.Position
	for _, p := range starts {
		for range 40 {
			moves := v.Moves(p, nil)
			if len(moves) == 0 {
				break
			}
			// The neighbours, as a search looks at them, then one of them.
			for _, m := range moves {
				if c := p.Play(m); v.Check(c) == nil {
					played = append(played, c)
				}
			}
			p = p.Play(moves[rng.IntN(len(moves))])
		}
		if len(played) >= n {
			return played[:n]
		}
	}
	return played
}

// report times every probe by itself and reports the median and the 99th
// percentile, less what taking the time takes.
func report(b *testing.B, positions []draughts.Position, probe func(draughts.Position)) {
	overhead := time.Duration(1 << 40)
	for range 1000 {
		t := time.Now()
		overhead = min(overhead, time.Since(t))
	}
	var times []time.Duration
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		p := positions[i%len(positions)]
		i++
		t := time.Now()
		probe(p)
		if d := time.Since(t) - overhead; len(times) < 1<<22 {
			times = append(times, d)
		}
	}
	b.StopTimer()
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "ns-median")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "ns-p99")
}

// BenchmarkSpeed measures single probes of outcomes: blocks decoded, blocks coded
// but in memory, and tables that are held; random positions, the neighbours that a
// search meets, and a few positions over and over, which the processor's caches hold.
func BenchmarkSpeed(b *testing.B) {
	st := speedStore(b)
	v := draughts.International
	quiet, captures := randomPositions(b, st, 1<<14)
	sets := []struct {
		name      string
		positions []draughts.Position
	}{{"quiet", quiet}, {"capture", captures}, {"played", playedPositions(quiet, 1<<14)}, {"few", quiet[:32]}}
	outcome := func(p *probe.Prober) func(draughts.Position) {
		return func(pos draughts.Position) {
			if _, err := p.Outcome(v, pos); err != nil {
				b.Fatal(err)
			}
		}
	}
	held := sync.OnceValue(func() *probe.Prober { // a microsecond for each position
		held := probe.Open(st, probe.Options{})
		list, err := st.List(v.Name)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range list {
			if m.Metric == tables.Outcomes {
				if err := held.Hold(b.Context(), v, m.Material, m.Metric); err != nil {
					b.Fatal(err)
				}
			}
		}
		return held
	})
	for _, set := range sets {
		b.Run("cached/"+set.name, func(b *testing.B) {
			p := probe.Open(st, probe.Options{CacheBytes: probe.DefaultCacheBytes})
			for _, pos := range set.positions {
				outcome(p)(pos)
			}
			report(b, set.positions, outcome(p))
		})
		b.Run("held/"+set.name, func(b *testing.B) {
			report(b, set.positions, outcome(held()))
		})
		b.Run("undecoded/"+set.name, func(b *testing.B) {
			p := probe.Open(st, probe.Options{CacheBytes: -1})
			for _, pos := range set.positions {
				outcome(p)(pos)
			}
			report(b, set.positions, outcome(p))
		})
	}
}

// BenchmarkBatch reads many random positions at once, with a cache that holds
// nothing.
func BenchmarkBatch(b *testing.B) {
	st := speedStore(b)
	quiet, captures := randomPositions(b, st, 1<<14)
	positions := slices.Concat(quiet, captures)
	p := probe.Open(st, probe.Options{CacheBytes: 4 << 20})
	for b.Loop() {
		for _, a := range p.ProbeBatch(draughts.International, positions) {
			if a.Err != nil {
				b.Fatal(a.Err)
			}
		}
	}
	b.ReportMetric(float64(len(positions))*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkReaders probes from as many goroutines as there are processors:
// positions/s grow with them.
func BenchmarkReaders(b *testing.B) {
	st := speedStore(b)
	quiet, _ := randomPositions(b, st, 1<<14)
	p := probe.Open(st, probe.Options{})
	for _, pos := range quiet {
		if _, err := p.Outcome(draughts.International, pos); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		i := rand.IntN(len(quiet))
		for pb.Next() {
			if _, err := p.Outcome(draughts.International, quiet[i%len(quiet)]); err != nil {
				b.Error(err)
				return
			}
			i++
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}
