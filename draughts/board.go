package draughts

import "math/bits"

// Square is a playing square, counted from 0 row by row from the top left as
// White sees the board. White's men move towards square 0. How people name
// squares is the variant's business: see [Variant.SquareName].
type Square uint8

// NoSquare stands where there is no square: beyond the edge, or unknown.
const NoSquare Square = 255

// MaxSquares is the largest number of playing squares of any board here.
const MaxSquares = 72

// Direction is one of the eight ways to leave a square, clockwise from the
// top of the board as White sees it.
type Direction uint8

// The eight directions. Up is where White's men go.
const (
	Up Direction = iota
	UpRight
	Right
	DownRight
	Down
	DownLeft
	Left
	UpLeft
	directionCount
)

// Opposite returns the direction turned by 180 degrees.
func (d Direction) Opposite() Direction { return (d + 4) % directionCount }

// Directions is a set of directions, one bit each. In [Rules] they are seen
// from the side that moves.
type Directions uint8

// The sets of directions that the rules name.
const (
	Forward         Directions = 1 << Up
	Sideways        Directions = 1<<Left | 1<<Right
	ForwardDiagonal Directions = 1<<UpLeft | 1<<UpRight
	Diagonal        Directions = ForwardDiagonal | 1<<DownLeft | 1<<DownRight
	Orthogonal      Directions = Forward | Sideways | 1<<Down
)

// Has reports whether the set contains d.
func (ds Directions) Has(d Direction) bool { return ds>>d&1 != 0 }

// first returns the first direction of a set that is not empty.
func (ds Directions) first() Direction { return Direction(bits.TrailingZeros8(uint8(ds))) }

// dropFirst returns the set without its first direction.
func (ds Directions) dropFirst() Directions { return ds & (ds - 1) }

// Of returns the set as seen on the board when c moves: Black's forward is
// down.
func (ds Directions) Of(c Color) Directions {
	if c == White {
		return ds
	}
	return ds<<4 | ds>>4
}

// board is the geometry of the playing squares: which squares there are and
// what lies beside each.
type board struct {
	width, height int
	squares       int
	step          [MaxSquares][directionCount]Square // the neighbour, or NoSquare
	row, col      [MaxSquares]uint8                  // row 0 is the top
	grid          [][]Square                         // [row][col], NoSquare where no piece may stand
	promotion     [2]Set                             // by colour: the row on which its men become kings
	all           Set
}

func newBoard(r Rules) *board {
	b := &board{width: r.Width, height: r.Height}
	for row := range r.Height {
		line := make([]Square, r.Width)
		for col := range r.Width {
			line[col] = NoSquare
			// The bottom left corner plays unless the board is mirrored.
			odd := (r.Height-1-row+col)%2 != 0
			if r.EverySquare || odd == r.Mirrored {
				line[col] = Square(b.squares)
				b.row[b.squares], b.col[b.squares] = uint8(row), uint8(col)
				b.all = b.all.With(Square(b.squares))
				b.squares++
			}
		}
		b.grid = append(b.grid, line)
	}
	for s := range b.squares {
		for d := range directionCount {
			b.step[s][d] = b.at(int(b.row[s])+rowStep[d], int(b.col[s])+colStep[d])
		}
		switch int(b.row[s]) {
		case 0:
			b.promotion[White] = b.promotion[White].With(Square(s))
		case r.Height - 1:
			b.promotion[Black] = b.promotion[Black].With(Square(s))
		}
	}
	return b
}

var (
	rowStep = [directionCount]int{-1, -1, 0, 1, 1, 1, 0, -1}
	colStep = [directionCount]int{0, 1, 1, 1, 0, -1, -1, -1}
)

// at returns the playing square in a row and column, or NoSquare.
func (b *board) at(row, col int) Square {
	if row < 0 || row >= b.height || col < 0 || col >= b.width {
		return NoSquare
	}
	return b.grid[row][col]
}
