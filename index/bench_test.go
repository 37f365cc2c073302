package index_test

import (
	"math/rand/v2"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

var benchmarked = []struct {
	v        *draughts.Variant
	material string
}{
	{draughts.International, "KKKvK"},
	{draughts.International, "KKMvKM"},
	{draughts.International, "KKKMvKMMM"},
	{draughts.English, "MMvMM"},
	{draughts.Canadian, "KMMvKM"},
	{draughts.Turkish, "KKMvKM"},
}

// sample returns positions that lie far apart, and their numbers.
func sample(ix *index.Index) ([]draughts.Position, []uint64) {
	random := rand.New(rand.NewPCG(1, 2))
	positions := make([]draughts.Position, 1<<12)
	numbers := make([]uint64, len(positions))
	for i := range positions {
		numbers[i] = random.Uint64N(ix.Size())
		positions[i] = ix.Position(tables.First, numbers[i])
	}
	return positions, numbers
}

func BenchmarkRank(b *testing.B) {
	for _, bm := range benchmarked {
		b.Run(bm.v.Name+"/"+bm.material, func(b *testing.B) {
			ix := newIndex(b, bm.v, bm.material)
			positions, _ := sample(ix)
			var sum, done uint64
			for b.Loop() {
				for i := range positions {
					_, n := ix.Rank(positions[i])
					sum += n
				}
				done += uint64(len(positions))
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(0, "ns/op")
			_ = sum
		})
	}
}

func BenchmarkPosition(b *testing.B) {
	for _, bm := range benchmarked {
		b.Run(bm.v.Name+"/"+bm.material, func(b *testing.B) {
			ix := newIndex(b, bm.v, bm.material)
			_, numbers := sample(ix)
			var last draughts.Position
			var done uint64
			for b.Loop() {
				for _, n := range numbers {
					last = ix.Position(tables.First, n)
				}
				done += uint64(len(numbers))
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(0, "ns/op")
			_ = last
		})
	}
}
