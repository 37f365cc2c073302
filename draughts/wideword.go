package draughts

import "math/bits"

// wideWord is a set of squares of a board with more than 64 of them: the twin
// of [word].
type wideWord struct{ lo, hi uint64 }

const wideSpan = MaxSquares

func wideWordOf(s Set) wideWord { return wideWord(s) }

func wideBit(sq Square) wideWord { return wideWord(squareBit(sq)) }

func (w wideWord) set() Set                   { return Set(w) }
func (w wideWord) has(sq Square) bool         { return Set(w).Has(sq) }
func (w wideWord) or(x wideWord) wideWord     { return wideWord{w.lo | x.lo, w.hi | x.hi} }
func (w wideWord) and(x wideWord) wideWord    { return wideWord{w.lo & x.lo, w.hi & x.hi} }
func (w wideWord) andNot(x wideWord) wideWord { return wideWord{w.lo &^ x.lo, w.hi &^ x.hi} }
func (w wideWord) isZero() bool               { return w.lo|w.hi == 0 }
func (w wideWord) first() Square {
	if w.lo != 0 {
		return Square(bits.TrailingZeros64(w.lo))
	}
	return Square(64 + bits.TrailingZeros64(w.hi))
}

func (w wideWord) dropFirst() wideWord {
	if w.lo != 0 {
		return wideWord{w.lo & (w.lo - 1), w.hi}
	}
	return wideWord{0, w.hi & (w.hi - 1)}
}

func (w wideWord) len() int { return bits.OnesCount64(w.lo) + bits.OnesCount64(w.hi) }

func (w wideWord) shift(n int) wideWord {
	if n >= 0 {
		return wideWord{w.lo << (n & 63), w.hi<<(n&63) | w.lo>>1>>(63-n&63)}
	}
	n = -n
	return wideWord{w.lo>>(n&63) | w.hi<<1<<(63-n&63), w.hi >> (n & 63)}
}

func (p *Position) wideWord(i int) wideWord { return wideWord{p.low[i], uint64(p.high[i])} }
