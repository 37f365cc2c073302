package retro

import (
	"math/bits"

	"threekings/draughts"
)

// moveRows remembers what the moves from the positions of one row of a sheet lead
// to: rows of other tables, or single positions. A move that leaves the open king
// where it is leads to the same pieces wherever that is, and one that moves or takes
// it to the same position. Such a move is kept without the open king's square.
type moveRows struct {
	stamp uint32 // of the row of the sheet; entries of others are empty
	rows  [1 << rowBits]moveRow
	ends  [1 << endBits]moveEnd
}

const (
	rowBits = 7
	endBits = 8
)

type moveRow struct {
	stamp  uint32
	ok     bool
	move   draughts.Move
	values rowValues
	rating rating
}

// moveEnd is the score of the position that a move leads to.
type moveEnd struct {
	stamp uint32
	score score
	move  draughts.Move
}

// reset forgets everything.
func (c *moveRows) reset() {
	c.stamp++
	if c.stamp == 0 {
		*c = moveRows{stamp: 1}
	}
}

// row returns the place of a move that leads to a row, and whether it holds that
// row.
func (c *moveRows) row(m *draughts.Move) (e *moveRow, found bool) {
	e = &c.rows[hashMove(m)>>(64-rowBits)]
	if e.stamp == c.stamp && e.move == *m {
		return e, true
	}
	e.stamp, e.move = c.stamp, *m
	return e, false
}

// end returns the place of a move that leads to one position, and whether it holds
// the score of that.
func (c *moveRows) end(m *draughts.Move) (e *moveEnd, found bool) {
	e = &c.ends[hashMove(m)>>(64-endBits)]
	if e.stamp == c.stamp && e.move == *m {
		return e, true
	}
	e.stamp, e.move = c.stamp, *m
	return e, false
}

func hashMove(m *draughts.Move) uint64 {
	lo, hi := m.Captured.Words()
	return (lo^bits.RotateLeft64(hi, 32))*0x9E3779B97F4A7C15 ^ (uint64(m.From)<<8|uint64(m.To))*0xD6E8FEB86659FD93
}
