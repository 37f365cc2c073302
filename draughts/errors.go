package draughts

import "errors"

// Errors that a caller may want to tell apart with errors.Is.
var (
	// ErrUnknownVariant: no variant has that name.
	ErrUnknownVariant = errors.New("unknown variant")
	// ErrUnknownProfile: the variant has no draw rules of that name.
	ErrUnknownProfile = errors.New("unknown draw rules")
	// ErrSquare: a text does not name a square of the board.
	ErrSquare = errors.New("bad square")
	// ErrFEN: a position's text cannot be read.
	ErrFEN = errors.New("bad FEN")
	// ErrHub: a position's text in the Hub protocol cannot be read.
	ErrHub = errors.New("bad Hub position")
	// ErrIllegalPosition: the pieces cannot stand like that in this variant.
	ErrIllegalPosition = errors.New("illegal position")
	// ErrIllegalMove: the text is a move, but not a legal one here.
	ErrIllegalMove = errors.New("illegal move")
	// ErrAmbiguousMove: the text fits several legal captures.
	ErrAmbiguousMove = errors.New("ambiguous move")
	// ErrMoveText: the text is not a move at all.
	ErrMoveText = errors.New("bad move text")
)
