package tables_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// The value of a position that is left out follows from those of its moves: none of
// these is left out of the same table.
func TestNothingIsLeftOutTwice(t *testing.T) {
	for _, v := range draughts.Variants() {
		for _, name := range []string{"KKvKK", "KMvKM", "MMvMM", "KKvKM", "KMvMM", "KKvK"} {
			m := material(t, name)
			ix, err := index.New(v, m)
			if err != nil {
				t.Fatal(err)
			}
			l := tables.MayLeaveOut(v, m)
			rng := rand.New(rand.NewPCG(3, 4))
			left, others := 0, 0
			for range 20000 {
				p := ix.Position(tables.First, rng.Uint64N(ix.Size()))
				if v.HasCapture(p) {
					continue
				}
				leaves := l.Leaves(v, &p)
				if threatened := v.HasCapture(p.WithSide(p.Side().Opponent())); leaves != (threatened && l.LeavesThreatened(v, &p)) {
					t.Fatalf("%s: two answers", v.FEN(p))
				}
				if !leaves {
					others++
					continue
				}
				left++
				for _, move := range v.Moves(p, nil) {
					q := p.Play(move)
					if after, _ := tables.MaterialOf(q); after != m.Reverse() {
						continue
					}
					// Of an asymmetric table the other side leaves out nothing.
					if m.Symmetric() && !v.HasCapture(q) && l.Leaves(v, &q) {
						t.Errorf("%s is left out and leads to %s, which is too", v.FEN(p), v.FEN(q))
					}
				}
			}
			if (left > 0) != (l != tables.NoneLeftOut) || others == 0 {
				t.Errorf("%s %s: %d left out by %v, %d kept", v.Name, name, left, l, others)
			}
		}
	}
}

func TestWhatCannotBeLeftOutIsRefused(t *testing.T) {
	for _, c := range []struct {
		variant, material string
		metric            tables.Metric
		leftOut           []tables.LeftOut
		refused           bool
	}{
		{"english", "KKvK", tables.Outcomes, nil, false},
		{"english", "KKvK", tables.Outcomes, []tables.LeftOut{tables.NoneLeftOut, tables.NoneLeftOut}, false},
		{"english", "KKvK", tables.Outcomes, []tables.LeftOut{tables.Threatened, tables.NoneLeftOut}, false},
		{"english", "KKvK", tables.Outcomes, []tables.LeftOut{tables.NoneLeftOut, tables.Threatened}, false},
		{"english", "KKvK", tables.Outcomes, []tables.LeftOut{tables.Threatened, tables.Threatened}, true},
		{"english", "KKvK", tables.Outcomes, []tables.LeftOut{tables.Threatened}, true},
		{"english", "KKvK", tables.Outcomes, []tables.LeftOut{tables.EvenThreatened, tables.NoneLeftOut}, true},
		{"english", "KKvK", tables.DTW, []tables.LeftOut{tables.Threatened, tables.NoneLeftOut}, true},
		{"english", "KvK", tables.Outcomes, []tables.LeftOut{tables.EvenThreatened}, false},
		{"english", "KvK", tables.Outcomes, []tables.LeftOut{tables.Threatened}, true},
		{"italian", "KvK", tables.Outcomes, []tables.LeftOut{tables.EvenThreatened}, false},
		{"international", "KvK", tables.Outcomes, []tables.LeftOut{tables.EvenThreatened}, true},
		{"turkish", "KvK", tables.Outcomes, []tables.LeftOut{tables.EvenThreatened}, true},
	} {
		key, m := manifest(t)
		key.Variant, key.Material, key.Metric = c.variant, material(t, c.material), c.metric
		m.Variant, m.Material, m.Metric, m.LeftOut = c.variant, key.Material, c.metric, c.leftOut
		v, err := draughts.Lookup(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		m.Positions = tables.Count(v, key.Material)
		m.Sides = slices.Repeat([]tables.Summary{{Draws: m.Positions}}, key.Material.Sides())
		err = m.Check(key)
		if (err != nil) != c.refused {
			t.Errorf("%s %s %s without %v: %v", c.variant, c.material, c.metric, c.leftOut, err)
		}
	}
}
