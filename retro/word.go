package retro

import (
	"encoding/binary"
	"math/bits"

	"threekings/draughts"
)

//go:generate go run threekings/internal/widen -rename word,wordOf,wordFrom,wordBytes,bit,noSquares lanemachine.go lanes.go lanetable.go lanerows.go lanestored.go lanerules.go laneresets.go runs.go laneboard.go captures.go exits.go spread.go laneslices_test.go

// word is a set of squares of a board with at most 64 of them: a lane word,
// whose bits are positions that differ only in where the lane king stands, or a
// set of pieces. The lanes solver is written against its methods only;
// [wideWord] has the same methods for larger boards, and internal/widen makes
// the wide twin of the solver from the narrow one, so that one-word boards pay
// nothing for it.
type word uint64

const wordBytes = 8

// noSquares is the empty set.
const noSquares word = 0

func wordOf(s draughts.Set) word {
	lo, _ := s.Words()
	return word(lo)
}

// wordFrom reads what appendTo has written.
func wordFrom(b []byte) word { return word(binary.LittleEndian.Uint64(b)) }

func (w word) appendTo(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, uint64(w)) }

func bit(sq draughts.Square) word { return 1 << (sq & 63) }

func (w word) set() draughts.Set           { return draughts.SetFromWords(uint64(w), 0) }
func (w word) has(sq draughts.Square) bool { return w>>(sq&63)&1 != 0 }

// digit is 1 if sq is in the set and 0 if not.
func (w word) digit(sq draughts.Square) uint8 { return uint8(w>>(sq&63)) & 1 }

func (w word) or(x word) word         { return w | x }
func (w word) and(x word) word        { return w & x }
func (w word) andNot(x word) word     { return w &^ x }
func (w word) isZero() bool           { return w == 0 }
func (w word) first() draughts.Square { return draughts.Square(bits.TrailingZeros64(uint64(w))) }
func (w word) last() draughts.Square  { return draughts.Square(63 - bits.LeadingZeros64(uint64(w))) }
func (w word) dropFirst() word        { return w & (w - 1) }
func (w word) count() int             { return bits.OnesCount64(uint64(w)) }

// above returns the squares of w that are higher than sq.
func (w word) above(sq draughts.Square) word { return w >> 1 >> (sq & 63) << (sq & 63) << 1 }

// below returns how many squares of w are lower than sq.
func (w word) below(sq draughts.Square) int {
	return bits.OnesCount64(uint64(w & (1<<(sq&63) - 1)))
}

// turned returns the set with the board of n squares turned by 180 degrees.
func (w word) turned(n int) word { return word(bits.Reverse64(uint64(w)) >> (64 - n)) }

// fields fills dst with one field for each of lanes, as far as it goes: of what is
// won, what is lost, where the side to move must capture and where the other could.
func (w word) fields(dst []byte, win, loss, capture, threat word) {
	// The lanes that are not there are taken out of all words.
	shift := bits.TrailingZeros64(uint64(w))
	planes := [4]uint64{uint64(win) >> shift, uint64(loss) >> shift, uint64(capture) >> shift, uint64(threat) >> shift}
	lanes := uint64(w) >> shift
	for holes := ^lanes & (1<<(64-bits.LeadingZeros64(lanes)) - 1); holes != 0; holes = holes & (holes - 1) >> 1 {
		below := holes&-holes - 1
		for i, p := range planes {
			planes[i] = p&below | p>>1&^below
		}
	}
	for len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, fieldsAt(&planes))
		for i := range planes {
			planes[i] >>= 8
		}
		dst = dst[8:]
	}
	for f := fieldsAt(&planes); len(dst) > 0; f >>= 8 {
		dst[0] = byte(f)
		dst = dst[1:]
	}
}

// fieldsAt returns the fields of the first eight positions of planes.
func fieldsAt(planes *[4]uint64) uint64 {
	return apart[byte(planes[0])] | apart[byte(planes[1])]<<1 | apart[byte(planes[2])]<<2 | apart[byte(planes[3])]<<3
}

// apart has the bits of a byte as the lowest bits of eight.
var apart = func() (a [256]uint64) {
	for b := range a {
		for i := range 8 {
			a[b] |= uint64(b>>i&1) << (8 * i)
		}
	}
	return a
}()
