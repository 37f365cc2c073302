package retro

import (
	"encoding/binary"
	"math/bits"

	"threekings/draughts"
)

// wideWord is a set of squares of a board with more than 64 of them: the twin
// of [word].
type wideWord struct{ lo, hi uint64 }

const wideWordBytes = 16

// wideNoSquares is the empty set.
var wideNoSquares wideWord

func wideWordOf(s draughts.Set) wideWord {
	lo, hi := s.Words()
	return wideWord{lo, hi}
}

func wideWordFrom(b []byte) wideWord {
	return wideWord{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

func (w wideWord) appendTo(b []byte) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, w.lo), w.hi)
}

func wideBit(sq draughts.Square) wideWord {
	if sq < 64 {
		return wideWord{lo: 1 << (sq & 63)}
	}
	return wideWord{hi: 1 << (sq & 63)}
}

func (w wideWord) set() draughts.Set { return draughts.SetFromWords(w.lo, w.hi) }
func (w wideWord) has(sq draughts.Square) bool {
	if sq < 64 {
		return w.lo>>(sq&63)&1 != 0
	}
	return w.hi>>(sq&63)&1 != 0
}
func (w wideWord) digit(sq draughts.Square) uint8 {
	if sq < 64 {
		return uint8(w.lo>>(sq&63)) & 1
	}
	return uint8(w.hi>>(sq&63)) & 1
}
func (w wideWord) or(x wideWord) wideWord     { return wideWord{w.lo | x.lo, w.hi | x.hi} }
func (w wideWord) and(x wideWord) wideWord    { return wideWord{w.lo & x.lo, w.hi & x.hi} }
func (w wideWord) andNot(x wideWord) wideWord { return wideWord{w.lo &^ x.lo, w.hi &^ x.hi} }
func (w wideWord) isZero() bool               { return w.lo|w.hi == 0 }
func (w wideWord) first() draughts.Square {
	if w.lo != 0 {
		return draughts.Square(bits.TrailingZeros64(w.lo))
	}
	return draughts.Square(64 + bits.TrailingZeros64(w.hi))
}

func (w wideWord) last() draughts.Square {
	if w.hi != 0 {
		return draughts.Square(127 - bits.LeadingZeros64(w.hi))
	}
	return draughts.Square(63 - bits.LeadingZeros64(w.lo))
}

func (w wideWord) dropFirst() wideWord {
	if w.lo != 0 {
		return wideWord{w.lo & (w.lo - 1), w.hi}
	}
	return wideWord{0, w.hi & (w.hi - 1)}
}

func (w wideWord) count() int { return bits.OnesCount64(w.lo) + bits.OnesCount64(w.hi) }

func (w wideWord) above(sq draughts.Square) wideWord {
	if sq < 64 {
		return wideWord{w.lo >> 1 >> (sq & 63) << (sq & 63) << 1, w.hi}
	}
	return wideWord{0, w.hi >> 1 >> (sq & 63) << (sq & 63) << 1}
}

func (w wideWord) below(sq draughts.Square) int {
	if sq < 64 {
		return bits.OnesCount64(w.lo & (1<<(sq&63) - 1))
	}
	return bits.OnesCount64(w.lo) + bits.OnesCount64(w.hi&(1<<(sq&63)-1))
}

func (w wideWord) turned(n int) wideWord {
	lo, hi := bits.Reverse64(w.hi), bits.Reverse64(w.lo)
	shift := 128 - n // at least 48, at most 63
	return wideWord{lo>>shift | hi<<(64-shift), hi >> shift}
}

func (w wideWord) fields(dst []byte, win, loss, capture, threat wideWord) {
	n := min(bits.OnesCount64(w.lo), len(dst))
	word(w.lo).fields(dst[:n], word(win.lo), word(loss.lo), word(capture.lo), word(threat.lo))
	word(w.hi).fields(dst[n:], word(win.hi), word(loss.hi), word(capture.hi), word(threat.hi))
}
