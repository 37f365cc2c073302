// Code generated from spread.go by internal/widen; DO NOT EDIT.

package retro

import (
	"context"

	"threekings/draughts"
	"threekings/tables"
)

// spread runs the levels of a unit until nothing is left to happen. The error is
// the context's.
func (u *wideUnitSolver) spread(ctx context.Context) error {
	last := 0
	for c := range u.wins {
		last = max(last, len(u.wins[c]), len(u.losses[c]), len(u.releases[c]))
	}
	if u.t.rules != nil {
		return u.spreadResets(ctx, last)
	}
	for level := 0; level < last || len(u.touched[0])+len(u.touched[1])+len(u.lost[0])+len(u.lost[1]) > 0; level++ {
		if ctx.Err() != nil {
			// What is marked must not be left for the next unit: this is the last one.
			return ctx.Err()
		}
		if level%2 == 0 {
			u.loseAt(level)
		} else {
			u.winAt(level)
		}
	}
	return nil
}

// loseAt finds the losses of an even level: the positions with all moves to
// wins, the last of which came at the level before.
func (u *wideUnitSolver) loseAt(level int) {
	for c := draughts.White; c <= draughts.Black; c++ {
		u.lost[c] = u.lost[c][:0]
		for _, e := range u.losses[c].at(level) {
			u.loss[c][e.row] = u.loss[c][e.row].or(e.lanes)
			u.lost[c] = append(u.lost[c], e)
		}
		for _, e := range u.releases[c].at(level) {
			u.waiting[c][e.row] = u.waiting[c][e.row].andNot(e.lanes)
			u.affect(c, e.row, e.lanes)
		}
		for _, row := range u.touched[c] {
			lanes := u.affected[c][row].and(u.open[c][row]).andNot(u.waiting[c][row])
			u.affected[c][row] = wideNoSquares
			if lanes.isZero() {
				continue
			}
			if lanes = u.allWon(c, row, lanes); lanes.isZero() {
				continue
			}
			u.loss[c][row] = u.loss[c][row].or(lanes)
			u.open[c][row] = u.open[c][row].andNot(lanes)
			u.setPlies(c, row, lanes, u.value(false, level))
			u.lost[c] = append(u.lost[c], wideEvent{row, lanes})
		}
		u.touched[c] = u.touched[c][:0]
	}
}

// value returns the value of a position that is won or lost at a level.
func (u *wideUnitSolver) value(won bool, level int) tables.Plies {
	if u.t.rules != nil {
		return wideResetValue(won, tables.Plies(level))
	}
	return tables.Plies(level)
}

// affect marks lanes to be looked at again.
func (u *wideUnitSolver) affect(c draughts.Color, row uint64, lanes wideWord) {
	if lanes = lanes.and(u.open[c][row]); lanes.isZero() {
		return
	}
	if u.affected[c][row].isZero() {
		u.touched[c] = append(u.touched[c], row)
	}
	u.affected[c][row] = u.affected[c][row].or(lanes)
}

// winAt finds the wins of an odd level: the positions with a move to a loss of
// the level before.
func (u *wideUnitSolver) winAt(level int) {
	for c := draughts.White; c <= draughts.Black; c++ {
		for _, e := range u.wins[c].at(level) {
			u.win(c, e.row, e.lanes)
		}
		o := c.Opponent()
		for _, e := range u.lost[o] {
			if u.t.hasLane && u.t.lane == c {
				occupied := u.occupied(e.row)
				u.win(c, e.row, u.b.slide(e.lanes, occupied).and(u.quiet[c][e.row]))
			}
			n := u.neighbours(c, e.row)
			for i := range n {
				u.win(c, n[i].row, e.lanes.andNot(n[i].path).and(u.quiet[c][n[i].row]))
			}
		}
	}
	for c := range u.lost {
		u.lost[c] = u.lost[c][:0]
	}
	for c := draughts.White; c <= draughts.Black; c++ {
		o := c.Opponent()
		for _, row := range u.freshRows[c] {
			lanes := u.fresh[c][row]
			u.fresh[c][row] = wideNoSquares
			u.won[c][row] = u.won[c][row].or(lanes)
			u.open[c][row] = u.open[c][row].andNot(lanes)
			u.setPlies(c, row, lanes, u.value(true, level))
			if u.t.hasLane && u.t.lane == o {
				// Which lanes reach the new wins is settled when they are looked at.
				u.affect(o, row, u.open[o][row])
			}
			n := u.neighbours(o, row)
			for i := range n {
				u.affect(o, n[i].row, lanes.andNot(n[i].path))
			}
		}
		u.freshRows[c] = u.freshRows[c][:0]
	}
}

// win notes new wins.
func (u *wideUnitSolver) win(c draughts.Color, row uint64, lanes wideWord) {
	if lanes.isZero() {
		return
	}
	lanes = lanes.andNot(u.won[c][row]).andNot(u.fresh[c][row])
	if lanes.isZero() {
		return
	}
	if u.fresh[c][row].isZero() {
		u.freshRows[c] = append(u.freshRows[c], row)
	}
	u.fresh[c][row] = u.fresh[c][row].or(lanes)
}

// neighbour is a row that one king's move or a man's sideways step leads to,
// there and back, and the squares that it crosses or lands on: the lane king
// must not stand there.
type wideNeighbour struct {
	row  uint64
	path wideWord
}

func (u *wideUnitSolver) occupied(row uint64) wideWord {
	kings := &u.s.frames[row%u.t.frames]
	men := &u.moves[row/u.t.frames].men
	return kings[0].or(kings[1]).or(men[0]).or(men[1])
}

// allWon returns those of the lanes of a row in which every move of c inside the
// unit leads to a win of the opponent.
func (u *wideUnitSolver) allWon(c draughts.Color, row uint64, lanes wideWord) wideWord {
	o := c.Opponent()
	won := u.won[o]
	n := u.neighbours(c, row)
	for i := range n {
		lanes = lanes.and(won[n[i].row].or(n[i].path))
		if lanes.isZero() {
			return lanes
		}
	}
	if u.t.hasLane && u.t.lane == c {
		occupied := u.occupied(row)
		for m := lanes; !m.isZero(); m = m.dropFirst() {
			l := m.first()
			if !u.b.reach(l, occupied).andNot(won[row]).isZero() {
				lanes = lanes.andNot(wideBit(l))
			}
		}
	}
	return lanes
}

// neighbours lists the rows that moves of c inside the unit lead to, but for
// those of the lane king. The list is reused.
func (u *wideUnitSolver) neighbours(c draughts.Color, row uint64) []wideNeighbour {
	list := u.list[:0]
	slice, frame := row/u.t.frames, row%u.t.frames
	kings := &u.s.frames[frame]
	m := &u.moves[slice]
	occupied := kings[0].or(kings[1]).or(m.men[0]).or(m.men[1])
	for _, wideStep := range m.sideways[c] {
		if !occupied.has(wideStep.to) {
			list = append(list, wideNeighbour{wideStep.slice*u.t.frames + frame, u.blocked(wideStep.to)})
		}
	}
	// A king of White's changes the high part of the frame's number.
	base, scale := row-frame, uint64(1)
	if c == draughts.White {
		base += frame % u.t.perBlack
		scale = u.t.perBlack
	} else {
		base += frame / u.t.perBlack * u.t.perBlack
	}
	for rest := kings[c]; !rest.isZero(); rest = rest.dropFirst() {
		from := rest.first()
		in := newWideInsertion(kings[c].andNot(wideBit(from)))
		for _, d := range u.b.kingMoves {
			path := wideNoSquares
			for to := u.b.wideStep[from][d]; to != draughts.NoSquare && !occupied.has(to); to = u.b.wideStep[to][d] {
				path = path.or(wideBit(to))
				list = append(list, wideNeighbour{base + in.rank(to)*scale, path})
				if !u.b.v.LongKing {
					break
				}
			}
		}
	}
	u.list = list
	return list
}
