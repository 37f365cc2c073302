package index

import (
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// Positions that follow each other in an order have the numbers that the
// renumbering gives them, wherever it begins.
func TestOrdersNumberTheSamePositions(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.International, draughts.English, draughts.Canadian} {
		for _, name := range []string{"KvK", "KKvK", "KvKK", "KKKvKK", "KMvKM", "KKMvKM", "KKvKKK", "KKKKvKMM"} {
			m, err := tables.ParseMaterial(name)
			if err != nil {
				t.Fatal(err)
			}
			m, _ = m.Table()
			ix, err := New(v, m)
			if err != nil {
				t.Fatal(err)
			}
			r, err := tables.NewRenumbering(v, m, tables.FirstKings)
			if err != nil {
				t.Fatal(err)
			}
			if r.SliceSize() != ix.SliceSize() {
				t.Fatalf("%s: slices of %d, want %d", name, r.SliceSize(), ix.SliceSize())
			}
			const n = 5000
			numbers := make([]uint64, n)
			for i := range uint64(40) {
				start := i * (ix.Size() - 1) / 39
				got := numbers[:min(n, ix.Size()-start)]
				r.Canonical(start, got)
				for j, canonical := range got {
					p := ix.Position(tables.First, canonical)
					if _, stored := ix.RankIn(tables.FirstKings, p); stored != start+uint64(j) {
						t.Fatalf("%s %s: stored number %d is %d, whose stored number is %d", v.Name, name, start+uint64(j), canonical, stored)
					}
				}
			}
		}
	}
}
