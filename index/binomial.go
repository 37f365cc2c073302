package index

import (
	"math/bits"

	"threekings/draughts"
	"threekings/tables"
)

// A subset of k of the numbers from 0 on has a rank in the combinatorial number
// system: the sum of C(c, i) over its members c, the smallest with i = 1 and so
// on (colexicographic order). The ranks of the subsets of the numbers below n
// are 0 to C(n,k)-1.

// choose[k][n] is n choose k for all that an index needs.
var choose = func() (c [tables.MaxPieces + 1][draughts.MaxSquares + 1]uint64) {
	for k := range c {
		for n := range c[k] {
			c[k][n] = tables.Binomial(n, k)
		}
	}
	return c
}()

// rankSet returns the rank of a set of squares. Squares count from base, and
// squares in taken, which are not in the set, do not count.
func rankSet(set draughts.Set, base int, taken draughts.Set) uint64 {
	lo, hi := set.Words()
	takenLo, takenHi := taken.Words()
	var rank uint64
	k := 1
	for ; lo != 0; lo &= lo - 1 {
		below := lo&-lo - 1
		rank += choose[k][bits.TrailingZeros64(lo)-base-bits.OnesCount64(takenLo&below)]
		k++
	}
	if hi != 0 {
		base += bits.OnesCount64(takenLo)
		for ; hi != 0; hi &= hi - 1 {
			below := hi&-hi - 1
			rank += choose[k][64+bits.TrailingZeros64(hi)-base-bits.OnesCount64(takenHi&below)]
			k++
		}
	}
	return rank
}

// place returns the set of k squares with the given rank: what rankSet counts.
func place(k int, rank uint64, base int, taken draughts.Set) draughts.Set {
	var lo, hi uint64
	add := func(c uint64) {
		c += uint64(base)
		lo |= 1 << c // nothing if c is 64 or more
		hi |= 1 << (c - 64)
	}
	for ; k > 1; k-- {
		c := greatest(k, rank)
		rank -= choose[k][c]
		add(uint64(c))
	}
	if k == 1 {
		add(rank)
	}
	// So far the squares count without those taken. Going over these, move what
	// lies at or above one up by a square, which is adding it to itself.
	takenLo, takenHi := taken.Words()
	for ; takenLo != 0; takenLo &= takenLo - 1 {
		below := takenLo&-takenLo - 1
		var carry uint64
		lo, carry = bits.Add64(lo, lo&^below, 0)
		hi += hi + carry
	}
	for ; takenHi != 0; takenHi &= takenHi - 1 {
		below := takenHi&-takenHi - 1
		hi += hi &^ below
	}
	return draughts.SetFromWords(lo, hi)
}

// greatest returns the greatest n with C(n,k) <= rank.
func greatest(k int, rank uint64) int {
	n := int(near[k][bucket(rank)])
	for choose[k][n+1] <= rank {
		n++
	}
	return n
}

// bucket puts ranks into classes, narrow enough that [greatest] is one or two
// steps away from its value for the first of the class: by their five leading
// bits.
func bucket(rank uint64) int {
	shift := max(bits.Len64(rank)-5, 0)
	return shift<<4 + int(rank>>shift)
}

// near[k] has the greatest n for the first rank of each bucket. The highest
// rank is below C(72,8), of 34 bits.
var near = func() (table [tables.MaxPieces + 1][(34 - 5 + 2) << 4]uint8) {
	for k := 2; k < len(table); k++ {
		n := 0
		for b := range table[k] {
			first := uint64(b)
			if shift := b>>4 - 1; shift > 0 {
				first = uint64(b-shift<<4) << shift
			}
			for n < draughts.MaxSquares && choose[k][n+1] <= first {
				n++
			}
			table[k][b] = uint8(n)
		}
	}
	return table
}()
