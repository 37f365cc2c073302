package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// rowReader is a lookup that can also hand out the values of positions that
// differ only in where one king stands.
type rowReader interface {
	lookup
	// openRow returns the values of the positions that have the pieces of base and one
	// more king of the colour open, which base leaves out, by the square of that
	// king. ok is false where the table is not kept in such rows; value serves then.
	openRow(base *draughts.Position, open draughts.Color) (r rowValues, ok bool)
}

// rowValues are the values of positions that differ only in where one king
// stands.
type rowValues struct {
	win, loss draughts.Set
	plies     []tables.Plies // by square; nil if only outcomes are kept
	turned    bool           // squares count from the other side of the board
	last      draughts.Square
}

// at returns the value with the king on a square, as lookup.value gives it.
func (r *rowValues) at(sq draughts.Square) tables.Plies {
	if r.turned {
		sq = r.last - sq
	}
	switch won := r.win.Has(sq); {
	case !won && !r.loss.Has(sq):
		return tables.NoPlies
	case r.plies != nil:
		return r.plies[sq]
	case won:
		return knownLevel(tables.Win)
	default:
		return knownLevel(tables.Loss)
	}
}
