package retro

import (
	"math/bits"

	"threekings/draughts"
)

// moveRows remembers what the moves from the positions of one row of a sheet lead
// to. A move that neither moves nor takes the open king leads to the same pieces
// wherever that king stands: to a row. One that moves or takes it leads to one
// position from wherever it can be played.
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

// moveEnd is the score of the position that a move leads to. The move is kept
// without the open king's square.
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

// row returns the place of a move that leaves the open king where it is, and
// whether it holds the move's row.
func (c *moveRows) row(m *draughts.Move) (e *moveRow, found bool) {
	e = &c.rows[hashMove(m)>>(64-rowBits)]
	return e, e.stamp == c.stamp && e.move == *m
}

// end returns the place of a move that moves or takes the open king, which stands
// on a square, and whether it holds the move's score.
func (c *moveRows) end(m *draughts.Move, open draughts.Square) (e *moveEnd, found bool) {
	key := *m
	if key.From == open {
		key.From = draughts.NoSquare
	} else {
		key.Captured = key.Captured.Without(open)
	}
	e = &c.ends[hashMove(&key)>>(64-endBits)]
	if e.stamp == c.stamp && e.move == key {
		return e, true
	}
	e.stamp, e.move = c.stamp, key
	return e, false
}

func hashMove(m *draughts.Move) uint64 {
	lo, hi := m.Captured.Words()
	return (lo^bits.RotateLeft64(hi, 32))*0x9E3779B97F4A7C15 ^ (uint64(m.From)<<8|uint64(m.To))*0xD6E8FEB86659FD93
}
