package retro

import (
	"slices"
	"testing"
	"time"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

func TestLanesEqualReference(t *testing.T) {
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			lanes := newLanesSolver(v, true, false, nil)
			flats := &dependencies{}
			for _, m := range tables.All(3) {
				ix, err := index.New(v, m)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				want, err := solveReference(t.Context(), ix, flats, true, func(uint64) {})
				if err != nil {
					t.Fatal(err)
				}
				flats.add(m, want)
				ref := time.Since(start)
				start = time.Now()
				got, err := lanes.solve(t.Context(), ix, 1, func(uint64) {})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: reference %v, lanes %v, ratio %.1f", m, ref, time.Since(start), float64(ref)/float64(time.Since(start)))
				n := ix.Size()
				d := make([]tables.Plies, n)
				caps, wantCaps := make([]bool, n), make([]bool, n)
				for s := range tables.Side(m.Sides()) {
					got.Distances(s, 0, d)
					if !slices.Equal(d, want.plies[s]) {
						for i := range d {
							if d[i] != want.plies[s][i] {
								t.Errorf("%s side %d number %d %s: got %s, want %s", m, s, i, v.FEN(ix.Position(s, uint64(i))), describe(d[i]), describe(want.plies[s][i]))
								break
							}
						}
					}
					got.Captures(s, 0, caps)
					want.Captures(s, 0, wantCaps)
					if !slices.Equal(caps, wantCaps) {
						t.Errorf("%s side %d: captures differ", m, s)
					}
				}
				lanes.keep(got)
			}
		})
	}
}
