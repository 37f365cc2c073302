package index

import (
	"testing"

	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/tables"
)

// On boards of one word numbers are made piece by piece: in both orders, turned
// and not, they are those that the ranks of the sets make.
func TestSumsAreTheRanksOfSets(t *testing.T) {
	all := tables.All(tables.MaxPieces)
	seen := [2][2]int{}
	for range 20 {
		rapid.Check(t, func(t *rapid.T) {
			v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
			if v.Squares() > 64 {
				return
			}
			m := rapid.SampledFrom(all).Draw(t, "material")
			ix, err := New(v, m)
			if err != nil {
				t.Fatal(err)
			}
			side := rapid.SampledFrom([]tables.Side{tables.First, tables.Second}[:ix.material.Sides()]).Draw(t, "side")
			p := ix.Position(side, rapid.Uint64Range(0, ix.Size()-1).Draw(t, "n"))
			turned := tables.First
			if rapid.Bool().Draw(t, "turned") {
				p, turned = v.Twin(p), tables.Second
			}
			for o := range tables.Order(2) {
				if o == tables.FirstKings && (ix.kings[tables.First] == 0 || ix.kings[tables.Second] == 0) {
					continue
				}
				want := ix.ranks(o, turned, &p)
				if got := ix.NumberIn(o, side, &p); got != want {
					t.Fatalf("%s %s, order %d: %s has number %d, want %d", v.Name, m, o, v.FEN(p), got, want)
				}
				if s, got := ix.RankIn(o, &p); s != side || got != want {
					t.Fatalf("%s %s, order %d: %s has number %d of side %d, want %d of %d", v.Name, m, o, v.FEN(p), got, s, want, side)
				}
				seen[o][turned]++
			}
		})
	}
	for o := range seen {
		for turned, n := range seen[o] {
			if n == 0 {
				t.Errorf("order %d, turned %d: nothing was compared", o, turned)
			}
		}
	}
}
