// Package draughts is the game itself: the rules of every variant as data, one
// move generator for all of them, and the notations in which positions and
// moves are written.
package draughts

import "math/bits"

// Rules is everything in which variants differ, as plain data. Directions are
// seen from the side that moves. In every variant a capture is mandatory, jumps
// exactly one enemy piece with an empty square behind it, may come back to its
// start square, and a side without a legal move has lost.
type Rules struct {
	// Name is the variant's short lower-case name, Title how people write it.
	Name, Title string
	// GameType is the number of the PDN 3.0 GameType tag, 0 where it has none.
	GameType int

	// Width and Height count files and ranks.
	Width, Height int
	// EverySquare: all squares play, not only those of one colour.
	EverySquare bool
	// Mirrored: the bottom right corner plays, not the bottom left.
	Mirrored bool
	// MenRows is the number of rows of men a side starts with, BackRowsEmpty how
	// many rows behind them are empty.
	MenRows, BackRowsEmpty int
	// FirstMover begins the game.
	FirstMover Color
	// Numbering is how squares are numbered.
	Numbering Numbering
	// Algebraic: squares are written a1, b2, ... rather than as numbers.
	Algebraic bool

	// ManMoves and ManCaptures, KingMoves and KingCaptures are where a piece may
	// step and where it may jump.
	ManMoves, ManCaptures, KingMoves, KingCaptures Directions
	// LongKing: a king moves and captures over any distance and chooses its
	// landing square; otherwise it goes one step and lands directly behind.
	LongKing bool
	// MenSpareKings: a man cannot capture a king.
	MenSpareKings bool
	// Removal is when captured pieces leave the board.
	Removal Removal
	// Promotion is what becomes of a man that reaches the last row while
	// capturing.
	Promotion Promotion
	// Precedence is which captures are legal when there are several.
	Precedence Precedence
	// OneOnOneDraws: one piece against one is drawn at once.
	OneOnOneDraws bool
}

// Numbering is where square 1 lies, as White sees the board.
type Numbering uint8

// The numberings. Numbers run along the rows.
const (
	// FromTopLeft counts from the top left, to the right and downward.
	FromTopLeft Numbering = iota
	// FromBottomRight counts from the bottom right, to the left and upward.
	FromBottomRight
	// Unnumbered squares have algebraic names only.
	Unnumbered
)

// Removal is when captured pieces leave the board.
type Removal uint8

// The ways to remove captured pieces.
const (
	// AfterCapture: pieces stay as obstacles until the whole capture is over and
	// cannot be jumped twice (the Turkish stroke, "coup turc").
	AfterCapture Removal = iota
	// AtOnce: every piece leaves as it is jumped. Two jumps in a row may then not
	// go in opposite directions.
	AtOnce
)

// Promotion is what becomes of a man that reaches the last row while
// capturing. A man whose move ends there is crowned in every variant.
type Promotion uint8

// The ways to treat a man on the last row in mid-capture.
const (
	// PassThrough: it goes on capturing as a man if it can, and is crowned only
	// where the move ends.
	PassThrough Promotion = iota
	// StopAndCrown: the move ends there.
	StopAndCrown
	// GoOnAsKing: it is crowned at once and goes on capturing as a king.
	GoOnAsKing
)

// Precedence is which captures are legal when there are several.
type Precedence uint8

// The precedence rules.
const (
	// AnyCapture: free choice, but a capture once begun must be finished.
	AnyCapture Precedence = iota
	// MostPieces: only the captures that take most pieces.
	MostPieces
	// MostPiecesThenKings: of those, only the captures that take most kings.
	MostPiecesThenKings
	// ItalianPrecedence: most pieces; of those by a king rather than a man; of
	// those with most kings; of those meeting kings earliest.
	ItalianPrecedence
	// KingCapturesFirst: if a king can capture, a king must; otherwise free.
	KingCapturesFirst
)

// Variant is one game: its rules, and what the generator has worked out from
// them. Variants are immutable and safe for concurrent use; get one from
// [Variants] or [Lookup].
type Variant struct {
	Rules
	board  *board
	narrow *geometry
	wide   *wideGeometry // only if the board has more squares than a word

	names   []string // by square
	written []Square // the order of squares in text

	sideLimit int // how many pieces a side begins with
}

func define(r Rules) *Variant {
	v := &Variant{Rules: r, board: newBoard(r)}
	if v.board.squares <= span {
		v.narrow = newGeometry(&v.Rules, v.board)
	} else {
		v.wide = newWideGeometry(&v.Rules, v.board)
	}
	v.names, v.written = v.newNames(), v.newWritten()
	v.sideLimit = v.Initial().SideSet(White).Len()
	return v
}

// Squares returns the number of playing squares.
func (v *Variant) Squares() int { return v.board.squares }

// Board returns all playing squares.
func (v *Variant) Board() Set { return v.board.all }

// PromotionRow returns the squares on which men of c become kings.
func (v *Variant) PromotionRow(c Color) Set { return v.board.promotion[c] }

// RowLength returns how many squares a promotion row has.
func (v *Variant) RowLength() int { return v.board.promotion[White].Len() }

// Step returns the square beside s in direction d, or NoSquare at the edge.
func (v *Variant) Step(s Square, d Direction) Square { return v.board.step[s][d] }

// RowOf returns the row of a square, 0 at the top, and its column, 0 at the
// left, both as White sees the board and counting all squares of the board,
// whether they play or not.
func (v *Variant) RowOf(s Square) (row, col int) {
	return int(v.board.row[s]), int(v.board.col[s])
}

// SquareAt returns the playing square in a row and column as [Variant.RowOf]
// counts them, or NoSquare.
func (v *Variant) SquareAt(row, col int) Square { return v.board.at(row, col) }

// MenStepSideways reports whether a quiet man move can stay on its row, so that
// men can come back to where they were.
func (v *Variant) MenStepSideways() bool { return v.ManMoves&Sideways != 0 }

// Initial returns the position in which the game begins.
func (v *Variant) Initial() Position {
	var p Position
	for s := range Square(v.board.squares) {
		fromTop := int(v.board.row[s])
		fromBottom := v.Height - 1 - fromTop
		switch {
		case fromTop >= v.BackRowsEmpty && fromTop < v.BackRowsEmpty+v.MenRows:
			p.Put(Black, Man, s)
		case fromBottom >= v.BackRowsEmpty && fromBottom < v.BackRowsEmpty+v.MenRows:
			p.Put(White, Man, s)
		}
	}
	return p.WithSide(v.FirstMover)
}

// Twin returns the same position seen from the other side: the board turned by
// 180 degrees and the colours exchanged. A position and its twin have the same
// value for the side to move.
func (v *Variant) Twin(p Position) Position {
	side, whiteMen, whiteKings, blackMen, blackKings := p.Split()
	return PositionOf(side.Opponent(), v.Turn(blackMen), v.Turn(blackKings), v.Turn(whiteMen), v.Turn(whiteKings))
}

// Turn returns the squares that those of s become when the board is turned by
// 180 degrees. Squares count along the rows, so that is reversing their order.
func (v *Variant) Turn(s Set) Set {
	n := v.board.squares
	lo := bits.Reverse64(s.lo)
	if n <= 64 {
		return Set{lo: lo >> (64 - n)}
	}
	return Set{lo: bits.Reverse64(s.hi)>>(128-n) | lo<<(n-64), hi: lo >> (128 - n)}
}

// Ended reports whether the game is over, with a draw, although the side to
// move may have moves: one piece against one in Turkish draughts.
func (v *Variant) Ended(p Position) bool {
	return v.OneOnOneDraws && p.SideSet(White).Len() == 1 && p.SideSet(Black).Len() == 1
}

// Moves appends the legal moves of p to dst and returns the extended slice. It
// allocates only if dst has no room. The position must pass [Variant.Check];
// the moves are those of the board, also where [Variant.Ended] holds. Their
// order depends on the position alone.
func (v *Variant) Moves(p Position, dst []Move) []Move {
	if v.wide != nil {
		return v.wide.moves(&p, dst)
	}
	return v.narrow.moves(&p, dst)
}

// Captures appends the legal captures of p to dst, like [Variant.Moves] but
// without quiet moves.
func (v *Variant) Captures(p Position, dst []Move) []Move {
	if v.wide != nil {
		return v.wide.captures(&p, dst)
	}
	return v.narrow.captures(&p, dst)
}

// CapturesAndScope is [Variant.Captures], and the squares on which the captures
// depend, whether there are any or not: with one more piece of either side on any
// other empty square the captures by the pieces of p are the same. What that piece
// may capture itself is another matter: see [Variant.KingsCaptureFrom]. Where p has
// no captures, one more king of the opponent makes some on the squares of
// [Variant.KingsTakenOn] alone.
func (v *Variant) CapturesAndScope(p Position, dst []Move) ([]Move, Set) {
	if v.wide != nil {
		dst, scope := v.wide.capturesAndScope(&p, dst)
		return dst, scope.set()
	}
	dst, scope := v.narrow.capturesAndScope(&p, dst)
	return dst, scope.set()
}

// KingsCaptureFrom returns the empty squares of p from which one more king of the
// side to move could capture, whatever others can and must.
func (v *Variant) KingsCaptureFrom(p Position) Set {
	if v.wide != nil {
		return v.wide.kingsCaptureFrom(&p).set()
	}
	return v.narrow.kingsCaptureFrom(&p).set()
}

// KingsTakenOn returns the empty squares of p on which one more king of the
// opponent could be captured by the side to move.
func (v *Variant) KingsTakenOn(p Position) Set {
	if v.wide != nil {
		return v.wide.kingsTakenOn(&p).set()
	}
	return v.narrow.kingsTakenOn(&p).set()
}

// HasCapture reports whether the side to move can, and so must, capture.
func (v *Variant) HasCapture(p Position) bool {
	if v.wide != nil {
		return v.wide.hasCapture(&p)
	}
	return v.narrow.hasCapture(&p)
}

// quiet appends the moves that capture nothing to dst, whether or not there are
// captures.
func (v *Variant) quiet(p Position, dst []Move) []Move {
	if v.wide != nil {
		return v.wide.quiet(&p, dst)
	}
	return v.narrow.quiet(&p, dst)
}

// countQuiet returns how many moves there are that capture nothing.
func (v *Variant) countQuiet(p Position) int {
	if v.wide != nil {
		return v.wide.countQuiet(&p)
	}
	return v.narrow.countQuiet(&p)
}
