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
				r.Stored(start, got)
				for j, stored := range got {
					p := ix.Position(tables.First, start+uint64(j))
					if _, want := ix.RankIn(tables.FirstKings, &p); stored != want {
						t.Fatalf("%s %s: position %d has the stored number %d, want %d", v.Name, name, start+uint64(j), stored, want)
					}
				}
				r.Canonical(start, got)
				back := make([]uint64, 1)
				for j, canonical := range got {
					if r.Stored(canonical, back); back[0] != start+uint64(j) {
						t.Fatalf("%s %s: stored number %d of %d comes back as %d", v.Name, name, start+uint64(j), canonical, back[0])
					}
					p := ix.Position(tables.First, canonical)
					if _, stored := ix.RankIn(tables.FirstKings, &p); stored != start+uint64(j) {
						t.Fatalf("%s %s: stored number %d is %d, whose stored number is %d", v.Name, name, start+uint64(j), canonical, stored)
					}
				}
			}
		}
	}
}
