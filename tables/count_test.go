package tables_test

import (
	"math/big"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

func TestBinomial(t *testing.T) {
	for n := range draughts.MaxSquares + 1 {
		for k := range tables.MaxPieces + 1 {
			want := new(big.Int).Binomial(int64(n), int64(k))
			if got := tables.Binomial(n, k); !want.IsUint64() || got != want.Uint64() {
				t.Errorf("%d choose %d: %d, want %v", n, k, got, want)
			}
		}
	}
	for _, nk := range [][2]int{{5, -1}, {5, 6}, {0, 1}} {
		if got := tables.Binomial(nk[0], nk[1]); got != 0 {
			t.Errorf("%d choose %d: %d, want 0", nk[0], nk[1], got)
		}
	}
}

// countPlacements puts the pieces on the board one by one.
func countPlacements(v *draughts.Variant, left [4]int, from draughts.Square) uint64 {
	if left == [4]int{} {
		return 1
	}
	var n uint64
	for s := from; int(s) < v.Squares(); s++ {
		for i := range left {
			c, k := draughts.Color(i/2), draughts.Kind(i%2)
			if left[i] == 0 || k == draughts.Man && v.PromotionRow(c).Has(s) {
				continue
			}
			rest := left
			rest[i]--
			n += countPlacements(v, rest, s+1)
		}
	}
	return n
}

func pieceCounts(m tables.Material) [4]int {
	return [4]int{
		m.Count(tables.First, draughts.Man), m.Count(tables.First, draughts.King),
		m.Count(tables.Second, draughts.Man), m.Count(tables.Second, draughts.King),
	}
}

func TestCountIsTheNumberOfPlacements(t *testing.T) {
	for _, test := range []struct {
		v      *draughts.Variant
		pieces int
	}{
		{draughts.English, 3}, {draughts.Italian, 3}, {draughts.International, 3}, {draughts.Canadian, 2}, {draughts.Turkish, 2},
	} {
		list := tables.All(test.pieces)
		if test.v == draughts.English {
			list = append(list, materials(t, "MMvMM KMvMM KKvKM KMvKM MMMvM KvMMM")...)
		}
		for _, m := range list {
			if got, want := tables.Count(test.v, m), countPlacements(test.v, pieceCounts(m), 0); got != want {
				t.Errorf("%s %s: %d, want %d", test.v.Name, m, got, want)
			}
		}
	}
}

// Another closed form, in numbers without bounds: i men of the first side and j
// of the second on the rows where only they can stand.
func TestCountBeyond32Bits(t *testing.T) {
	largest := uint64(0)
	for _, v := range draughts.Variants() {
		squares, row := int64(v.Squares()), int64(v.RowLength())
		for _, m := range tables.All(tables.MaxPieces) {
			n := pieceCounts(m)
			m1, k1, m2, k2 := int64(n[0]), int64(n[1]), int64(n[2]), int64(n[3])
			want := new(big.Int)
			for i := range m1 + 1 {
				for j := range m2 + 1 {
					ways := big.NewInt(1)
					for _, nk := range [][2]int64{
						{row, i}, {row, j}, {squares - 2*row, m1 - i}, {squares - 2*row - (m1 - i), m2 - j},
						{squares - m1 - m2, k1}, {squares - m1 - m2 - k1, k2},
					} {
						ways.Mul(ways, new(big.Int).Binomial(nk[0], nk[1]))
					}
					want.Add(want, ways)
				}
			}
			for _, order := range m.Ordered() {
				if got := tables.Count(v, order); !want.IsUint64() || got != want.Uint64() {
					t.Errorf("%s %s: %d, want %v", v.Name, order, got, want)
				}
			}
			if got := tables.Positions(v, m); got != want.Uint64()*uint64(m.Sides()) {
				t.Errorf("%s %s: %d positions for all sides to move, %v for one", v.Name, m, got, want)
			}
			largest = max(largest, want.Uint64())
		}
	}
	if largest < 1<<39 {
		t.Errorf("the largest table has only %d positions for one side to move", largest)
	}
}
