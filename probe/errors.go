package probe

import (
	"errors"
	"fmt"

	"threekings/tables"
)

// ErrTooManyPieces: there are more pieces on the board than any table has. The
// error is a [*TooManyPiecesError].
//
// The other errors of probing are [draughts.ErrIllegalPosition],
// [tables.ErrMissing] and [tables.ErrDamaged].
var ErrTooManyPieces = errors.New("too many pieces")

// TooManyPiecesError says how many pieces there are.
type TooManyPiecesError struct{ Pieces int }

func (e *TooManyPiecesError) Error() string {
	return fmt.Sprintf("%v: %d on the board; tables have at most %d", ErrTooManyPieces, e.Pieces, tables.MaxPieces)
}

// Is makes errors.Is(err, ErrTooManyPieces) true.
func (e *TooManyPiecesError) Is(target error) bool { return target == ErrTooManyPieces }
