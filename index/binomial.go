package index

import (
	"threekings/draughts"
	"threekings/tables"
)

// choose[n][k] is n choose k for all that an index needs.
var choose = func() (c [draughts.MaxSquares + 1][tables.MaxPieces + 1]uint64) {
	for n := range c {
		for k := range c[n] {
			c[n][k] = tables.Binomial(n, k)
		}
	}
	return c
}()

// A subset of k of the numbers 0 to n-1 has a rank of 0 to C(n,k)-1 in the
// combinatorial number system: the sum of C(c, i) over its members c, the
// smallest with i = 1 and so on (colexicographic order).

// unrank writes the members of the subset with the given rank to dst,
// ascending. n bounds the members.
func unrank(rank uint64, n int, dst []uint8) {
	for k := len(dst); k > 0; k-- {
		c := n - 1
		for choose[c][k] > rank {
			c--
		}
		dst[k-1] = uint8(c)
		rank -= choose[c][k]
		n = c
	}
}
