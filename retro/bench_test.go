package retro_test

import (
	"testing"

	"threekings/draughts"
	"threekings/retro"
	"threekings/tables"
)

// The tables that are benchmarked: kings alone, men and kings, men alone, and
// each kind of board and of solving order.
var benchmarked = []struct {
	v    *draughts.Variant
	name string
}{
	{draughts.International, "KMvK"},
	{draughts.International, "KKKvK"},
	{draughts.English, "KMvKM"},
	{draughts.Italian, "KMvKM"},
	{draughts.Canadian, "KMvK"},
	{draughts.Turkish, "KMvK"},
}

// BenchmarkOutcomes solves outcomes on one thread, of a table and all that it
// depends on.
func BenchmarkOutcomes(b *testing.B) {
	benchmarkGenerate(b, retro.Options{OutcomesOnly: true, Verify: retro.VerifyNone})
}

// BenchmarkDistances solves outcomes and distances.
func BenchmarkDistances(b *testing.B) {
	benchmarkGenerate(b, retro.Options{Verify: retro.VerifyNone})
}

// BenchmarkResets solves distances to reset under the usual draw rules.
func BenchmarkResets(b *testing.B) {
	benchmarkUnder(b, retro.Options{Verify: retro.VerifyNone})
}

// BenchmarkProved solves outcomes and distances and proves all of them.
func BenchmarkProved(b *testing.B) {
	benchmarkGenerate(b, retro.Options{})
}

// BenchmarkResetsProved solves distances to reset and proves all of them.
func BenchmarkResetsProved(b *testing.B) {
	benchmarkUnder(b, retro.Options{})
}

func benchmarkGenerate(b *testing.B, opts retro.Options) {
	benchmarkEach(b, func(*draughts.Variant) retro.Options { return opts })
}

func benchmarkUnder(b *testing.B, opts retro.Options) {
	benchmarkEach(b, func(v *draughts.Variant) retro.Options {
		opts.Profile = v.DefaultProfile()
		return opts
	})
}

func benchmarkEach(b *testing.B, options func(*draughts.Variant) retro.Options) {
	for _, bm := range benchmarked {
		opts := options(bm.v)
		b.Run(bm.v.Name+"/"+bm.name, func(b *testing.B) {
			list := tables.Closure(material(b, bm.name))
			positions := uint64(0)
			for _, m := range list {
				positions += tables.Positions(bm.v, m)
			}
			opts.Threads = 1
			for b.Loop() {
				if err := retro.Generate(b.Context(), bm.v, list, opts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
