package retro

import (
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// BenchmarkProof proves solved tables, distances and all, on one thread.
// International KKMvKM takes most of a minute to solve first, and is left out of
// short runs.
func BenchmarkProof(b *testing.B) {
	for _, bm := range []struct {
		v    *draughts.Variant
		name string
	}{
		{draughts.International, "KKKvK"},
		{draughts.International, "KKvKK"},
		{draughts.International, "KMvKM"},
		{draughts.International, "MMvMM"},
		{draughts.International, "KKMvKM"},
		{draughts.English, "KMvKM"},
		{draughts.Turkish, "KMvK"},
	} {
		b.Run(bm.v.Name+"/"+bm.name, func(b *testing.B) {
			m := parseMaterials(b, bm.name)[0]
			if testing.Short() && m.Pieces() > 4 {
				b.Skip("takes a minute")
			}
			job, own := solvedToProve(b, bm.v, m)
			for b.Loop() {
				job.checked.Store(0)
				if err := job.all(b.Context(), own, VerifyOptions{Threads: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(tables.Positions(bm.v, m))*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// solvedToProve solves the distances of a table.
func solvedToProve(t testing.TB, v *draughts.Variant, m tables.Material) (*proof, *flat) {
	t.Helper()
	lanes := newLanesSolver(v, Options{Verify: VerifyNone}, newMemory(0))
	for _, d := range tables.Closure(m) {
		ix, err := index.New(v, d)
		if err != nil {
			t.Fatal(err)
		}
		values, err := lanes.solve(t.Context(), ix, threads(0), func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		if d != m {
			lanes.keep(values)
			continue
		}
		own, err := flatOf(t.Context(), ix, values)
		if err != nil {
			t.Fatal(err)
		}
		deps, err := dependenciesOf(t.Context(), m, lanes.lookup)
		if err != nil {
			t.Fatal(err)
		}
		return &proof{ix: ix, v: v, deps: deps, distances: true, ratings: newRatings(nil, m)}, own
	}
	t.Fatalf("%s is not in its closure", m)
	return nil, nil
}
