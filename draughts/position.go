package draughts

import "math/bits"

// Color is a side of the game.
type Color uint8

// The two sides. White's men move up the board, towards square 0.
const (
	White Color = iota
	Black
)

// Opponent returns the other side.
func (c Color) Opponent() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Kind says what a piece is.
type Kind uint8

// The two kinds of piece.
const (
	Man Kind = iota
	King
)

// String returns "man" or "king".
func (k Kind) String() string {
	if k == Man {
		return "man"
	}
	return "king"
}

// Position is a placement of pieces and the side to move. The zero value is
// the empty board with White to move. Positions are values: they compare with
// == and copying one copies the board.
//
// A position alone does not know its variant; [Variant.Check] says whether it
// is a position of one.
type Position struct {
	// The four bitboards, by plane: squares 0 to 63 in low, the up to eight
	// further squares of the 12x12 board in high, so that it costs the one-word
	// boards nothing.
	low  [4]uint64
	high [4]uint8
	side Color
}

// plane returns the index of a bitboard: white men, white kings, black men,
// black kings.
func plane(c Color, k Kind) int { return int(c)<<1 | int(k) }

// Side returns the side to move.
func (p Position) Side() Color { return p.side }

// WithSide returns the position with c to move.
func (p Position) WithSide(c Color) Position {
	p.side = c
	return p
}

// Pieces returns the squares on which c has pieces of kind k.
func (p Position) Pieces(c Color, k Kind) Set {
	i := plane(c, k)
	return Set{p.low[i], uint64(p.high[i])}
}

// Split returns the side to move and all pieces, the arguments of [PositionOf].
// It is the fastest way to read a position, as it does not copy it.
func (p *Position) Split() (side Color, whiteMen, whiteKings, blackMen, blackKings Set) {
	return p.side, Set{p.low[0], uint64(p.high[0])}, Set{p.low[1], uint64(p.high[1])},
		Set{p.low[2], uint64(p.high[2])}, Set{p.low[3], uint64(p.high[3])}
}

// PositionOf returns the position with the given pieces, no two on one square.
func PositionOf(side Color, whiteMen, whiteKings, blackMen, blackKings Set) Position {
	return Position{
		low:  [4]uint64{whiteMen.lo, whiteKings.lo, blackMen.lo, blackKings.lo},
		high: [4]uint8{uint8(whiteMen.hi), uint8(whiteKings.hi), uint8(blackMen.hi), uint8(blackKings.hi)},
		side: side,
	}
}

// Count returns how many pieces of kind k side c has.
func (p Position) Count(c Color, k Kind) int {
	i := plane(c, k)
	return bits.OnesCount64(p.low[i]) + bits.OnesCount8(p.high[i])
}

// Counts returns how many pieces there are of each sort.
func (p *Position) Counts() (whiteMen, whiteKings, blackMen, blackKings int) {
	whiteMen, whiteKings = bits.OnesCount64(p.low[0]), bits.OnesCount64(p.low[1])
	blackMen, blackKings = bits.OnesCount64(p.low[2]), bits.OnesCount64(p.low[3])
	if p.high != [4]uint8{} {
		whiteMen += bits.OnesCount8(p.high[0])
		whiteKings += bits.OnesCount8(p.high[1])
		blackMen += bits.OnesCount8(p.high[2])
		blackKings += bits.OnesCount8(p.high[3])
	}
	return whiteMen, whiteKings, blackMen, blackKings
}

// SideSet returns the squares of all pieces of c.
func (p Position) SideSet(c Color) Set {
	i := plane(c, Man)
	return Set{p.low[i] | p.low[i+1], uint64(p.high[i] | p.high[i+1])}
}

// Occupied returns the squares of all pieces.
func (p Position) Occupied() Set {
	return Set{p.low[0] | p.low[1] | p.low[2] | p.low[3], uint64(p.high[0] | p.high[1] | p.high[2] | p.high[3])}
}

// Len returns the number of pieces on the board.
func (p Position) Len() int { return p.Occupied().Len() }

// At returns the piece on a square; ok is false if the square is empty.
func (p Position) At(sq Square) (c Color, k Kind, ok bool) {
	for i := range p.low {
		c, k = Color(i>>1), Kind(i&1)
		if p.Pieces(c, k).Has(sq) {
			return c, k, true
		}
	}
	return 0, 0, false
}

// Put places a piece on a square, which must be empty.
func (p *Position) Put(c Color, k Kind, sq Square) {
	i := plane(c, k)
	if sq < 64 {
		p.low[i] |= 1 << (sq & 63)
	} else {
		p.high[i] |= 1 << (sq & 63)
	}
}

// Remove takes whatever stands on a square off the board.
func (p *Position) Remove(sq Square) {
	for i := range p.low {
		p.removeFrom(i, sq)
	}
}

func (p *Position) removeFrom(plane int, sq Square) {
	if sq < 64 {
		p.low[plane] &^= 1 << (sq & 63)
	} else {
		p.high[plane] &^= 1 << (sq & 63)
	}
}

// Play returns the position after m, which must be one of the legal moves of
// p: nothing is checked.
func (p Position) Play(m Move) Position {
	p.Make(m)
	return p
}

// Make makes p the position after m, which must be one of its legal moves:
// nothing is checked. It does what [Position.Play] does without copying.
func (p *Position) Make(m Move) {
	from, to := squareBit(m.From), squareBit(m.To)
	own := plane(p.side, Man)
	if p.low[own]&from.lo|uint64(p.high[own])&from.hi == 0 {
		own = plane(p.side, King)
	}
	p.low[own] &^= from.lo
	p.high[own] &^= uint8(from.hi)
	if m.Promotes {
		own = plane(p.side, King)
	}
	p.low[own] |= to.lo
	p.high[own] |= uint8(to.hi)
	p.side = p.side.Opponent()
	enemyMen, enemyKings := plane(p.side, Man), plane(p.side, King)
	p.low[enemyMen] &^= m.Captured.lo
	p.low[enemyKings] &^= m.Captured.lo
	p.high[enemyMen] &^= uint8(m.Captured.hi)
	p.high[enemyKings] &^= uint8(m.Captured.hi)
}
