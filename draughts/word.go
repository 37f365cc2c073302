package draughts

//go:generate go run threekings/internal/widen geometry.go quiet.go capture.go

import "math/bits"

// word is a set of squares of a board with at most 64 of them. The generator
// (geometry.go, quiet.go, capture.go) is written against its methods only;
// [wideWord] has the same methods for larger boards, and internal/widen makes
// the wide twin of the generator from the narrow one, so that one machine word
// pays nothing for the second.
type word uint64

// span is how many squares a word holds.
const span = 64

func wordOf(s Set) word { return word(s.lo) }

func bit(sq Square) word { return 1 << (sq & 63) }

func (w word) set() Set           { return Set{lo: uint64(w)} }
func (w word) has(sq Square) bool { return w>>(sq&63)&1 != 0 }
func (w word) or(x word) word     { return w | x }
func (w word) and(x word) word    { return w & x }
func (w word) andNot(x word) word { return w &^ x }
func (w word) isZero() bool       { return w == 0 }
func (w word) first() Square      { return Square(bits.TrailingZeros64(uint64(w))) }
func (w word) dropFirst() word    { return w & (w - 1) }
func (w word) len() int           { return bits.OnesCount64(uint64(w)) }

// shift moves every square by n, up to 63 either way; none may leave the board.
func (w word) shift(n int) word { return word(bits.RotateLeft64(uint64(w), n)) }

func (p *Position) word(i int) word { return word(p.low[i]) }
