package tables

import (
	"math/bits"

	"threekings/draughts"
)

// Binomial returns n choose k. It is exact for all n and k that tables need: n
// up to [draughts.MaxSquares] and k up to [MaxPieces]; k outside 0..n gives 0.
func Binomial(n, k int) uint64 {
	if k < 0 || k > n {
		return 0
	}
	c := uint64(1)
	for i := 1; i <= k; i++ {
		hi, lo := bits.Mul64(c, uint64(n-k+i))
		c, _ = bits.Div64(hi, lo, uint64(i))
	}
	return c
}

// Count returns the number of placements of m on the board of v, with one side
// to move: the number of positions of one side of its table. Men never stand on
// the row where they would be kings, so the men of the two sides overlap only
// partly; the sum runs over the first side's men that stand where the second
// side's cannot.
func Count(v *draughts.Variant, m Material) uint64 {
	squares, row := v.Squares(), v.RowLength()
	m1, m2 := m.Count(First, draughts.Man), m.Count(Second, draughts.Man)
	k1, k2 := m.Count(First, draughts.King), m.Count(Second, draughts.King)
	var men uint64
	for i := 0; i <= m1; i++ {
		men += Binomial(row, i) * Binomial(squares-2*row, m1-i) * Binomial(squares-row-(m1-i), m2)
	}
	return men * Binomial(squares-m1-m2, k1) * Binomial(squares-m1-m2-k1, k2)
}

// Positions returns the number of positions of the table of m, summed over the
// sides to move that it holds.
func Positions(v *draughts.Variant, m Material) uint64 {
	return Count(v, m) * uint64(m.Sides())
}
