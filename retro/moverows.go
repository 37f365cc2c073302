package retro

import "threekings/draughts"

// moveRows remembers the rows that moves lead to from one row of a sheet. A move
// that neither moves nor takes the open king leads to the same pieces wherever
// that king stands, so its row is looked up once.
type moveRows struct {
	stamp   uint32 // of the row of the sheet; entries of others are empty
	entries [256]moveRow
}

type moveRow struct {
	stamp  uint32
	ok     bool
	move   draughts.Move
	values rowValues
	rating rating
}

// reset forgets all rows.
func (c *moveRows) reset() {
	c.stamp++
	if c.stamp == 0 {
		*c = moveRows{stamp: 1}
	}
}

// entry returns the place of a move and whether it holds the move's row.
func (c *moveRows) entry(m *draughts.Move) (e *moveRow, found bool) {
	lo, hi := m.Captured.Words()
	hash := (lo^hi<<32)*0x9E3779B97F4A7C15 ^ (uint64(m.From)<<8|uint64(m.To))*0xD6E8FEB86659FD93
	e = &c.entries[hash>>56]
	return e, e.stamp == c.stamp && e.move == *m
}
