package retro

import (
	"context"

	"threekings/draughts"
	"threekings/tables"
)

// Distances to reset come from the same machine as distances to win. What differs:
// a position can be won or lost at any level, not at odd and even ones; a move
// that restarts the count leads to what is won or lost fresh and counts one ply;
// and where men step sideways such a move can lead back into the unit, which is
// then solved again until nothing more is won or lost fresh.

// freshWords are what is won and lost fresh in the rows of a unit.
type freshWords struct{ win, loss []word }

// manMovesRestart reports whether quiet moves of men inside the table restart the
// count.
func (u *unitSolver) manMovesRestart() bool { return u.t.rules != nil && u.t.rules.manMoves }

// leadsBack reports whether moves that restart the count can stay in the unit.
func (u *unitSolver) leadsBack() bool { return u.manMovesRestart() && u.b.v.MenStepSideways() }

// clearFresh makes room for a unit of which nothing is known.
func (u *unitSolver) clearFresh(rows int) {
	for c := range u.before {
		for _, w := range []*[]word{&u.before[c].win, &u.before[c].loss} {
			if len(*w) < rows {
				*w = make([]word, rows)
			}
			clear((*w)[:rows])
		}
	}
}

// again notes what is won and lost fresh and reports whether that is more than
// before.
func (u *unitSolver) again() bool {
	more := false
	rows := uint64(len(u.slices)) * u.t.frames
	for c := range u.before {
		for row := range rows {
			win, loss := u.freshOf(c, row)
			if win != u.before[c].win[row] || loss != u.before[c].loss[row] {
				u.before[c].win[row], u.before[c].loss[row] = win, loss
				more = true
			}
		}
	}
	return more
}

// freshOf returns what is won and lost fresh in a row of the unit.
func (u *unitSolver) freshOf(c int, row uint64) (win, loss word) {
	win, loss = u.won[c][row], u.loss[c][row]
	r := u.t.rules
	if !r.limited[c] || 2*u.deepest <= int(r.limit[c]) {
		return win, loss
	}
	plies := u.plies[c][row*uint64(u.t.stride):][:u.t.stride]
	return notBeyond(win, plies, r.limit[c]), notBeyond(loss, plies, r.limit[c])
}

// publishFresh copies what is fresh in some rows of the unit into the table.
func (u *unitSolver) publishFresh(page *lanePage, c int, row, from, to uint64) {
	if u.t.rules == nil || !u.t.rules.limited[c] {
		return
	}
	for i := range to - from {
		page.freshWin[c][row+i], page.freshLoss[c][row+i] = u.freshOf(c, from+i)
	}
}

// scheduleResets is schedule for distances to reset.
func (u *unitSolver) scheduleResets(events *levelEvents, row uint64, wins bool, lanes, next word, plies *[draughts.MaxSquares]tables.Plies, target []tables.Plies) {
	note := func(level tables.Plies, lanes word) {
		events.add(level, event{row, lanes})
		if target == nil {
			return
		}
		for ; !lanes.isZero(); lanes = lanes.dropFirst() {
			target[lanes.first()] = resetValue(wins, level)
		}
	}
	if now := lanes.and(next); !now.isZero() {
		note(1, now)
	}
	for m := lanes.andNot(next); !m.isZero(); m = m.dropFirst() {
		l := m.first()
		level := resetLevel(plies[l])
		for len(u.levels) <= int(level) {
			u.levels = append(u.levels, noSquares)
		}
		if u.levels[level].isZero() {
			u.used = append(u.used, level)
		}
		u.levels[level] = u.levels[level].or(bit(l))
	}
	for _, level := range u.used {
		note(level, u.levels[level])
		u.levels[level] = noSquares
	}
	u.used = u.used[:0]
}

// resolveResets sets the values of the lanes of a row that captures win and lose.
func (u *unitSolver) resolveResets(plies []tables.Plies, won, lost word) {
	e := &u.exits
	for ; !won.isZero(); won = won.dropFirst() {
		l, level := won.first(), tables.Plies(1)
		if !e.freshLost.has(l) {
			level = resetLevel(e.quickest[l])
		}
		plies[l] = resetValue(true, level)
	}
	for ; !lost.isZero(); lost = lost.dropFirst() {
		l, level := lost.first(), tables.Plies(1)
		if e.won.has(l) {
			level = resetLevel(e.slowest[l])
		}
		plies[l] = resetValue(false, level)
	}
}

// resetLevel returns the level of a position whose best child has a value.
func resetLevel(value tables.Plies) tables.Plies { return value/2 + value%2 + 1 }

// resetValue returns the value of a position that is won or lost in a number of
// plies, as [tables.Metric.Value] does.
func resetValue(won bool, level tables.Plies) tables.Plies {
	if won {
		return 2*level - 1
	}
	return 2 * level
}

// spreadResets runs the levels of a unit until nothing is left to happen. The
// error is the context's.
func (u *unitSolver) spreadResets(ctx context.Context, last int) error {
	level := 0
	for ; level < last || len(u.touched[0])+len(u.touched[1])+len(u.lost[0])+len(u.lost[1]) > 0; level++ {
		if ctx.Err() != nil {
			// What is marked must not be left for the next unit: this is the last one.
			return ctx.Err()
		}
		// Losses of this level follow from wins of those before, wins from losses of
		// the one before.
		before := u.lost
		u.lost = u.spare
		u.loseAt(level)
		u.lost, u.spare = before, u.lost
		u.winAt(level)
		u.lost, u.spare = u.spare, u.lost
	}
	u.deepest = level
	return nil
}
