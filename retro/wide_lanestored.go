// Code generated from lanestored.go by internal/widen; DO NOT EDIT.

package retro

import (
	"context"

	"threekings/draughts"
	"threekings/tables"
)

// A finished table is stored without true values where the side to move must
// capture. The lanes work them out word by word, as they do for a table in work:
// ten times as fast as one position after the other.

// stored returns the reader of values as they are stored, nil if there is none.
func (m *wideLaneMachine) stored() tables.StoredReader {
	r, _ := m.finished.(tables.StoredReader)
	return r
}

// read reads consecutive values of one side to move: outcomes, and distances if
// they count. With stored they are those that are stored.
func (m *wideLaneMachine) read(ctx context.Context, stored tables.StoredReader, k tables.Key, s tables.Side, start uint64, outcomes []tables.Outcome, plies []tables.Plies) error {
	switch {
	case m.distances:
		read := m.finished.Distances
		if stored != nil {
			read = stored.StoredDistances
		}
		if err := read(ctx, k, s, start, plies); err != nil {
			return err
		}
		for i, d := range plies {
			outcomes[i] = d.Outcome()
		}
		return nil
	case stored != nil:
		return stored.StoredOutcomes(ctx, k, s, start, outcomes)
	default:
		return m.finished.Outcomes(ctx, k, s, start, outcomes)
	}
}

// resolve sets the values of a page where the side to move must capture, or
// where the game has ended, from those of smaller tables.
func (m *wideLaneMachine) resolve(t *wideLaneTable, page *wideLanePage, first, slices uint64) error {
	if t.board.v.OneOnOneDraws && t.ix.Material().Pieces() == 2 {
		for c := range page.win {
			clear(page.win[c])
			clear(page.loss[c])
		}
		return nil
	}
	kids, deps := &wideChildren{at: map[wideKindCounts]int{}}, &dependencies{}
	for _, d := range tables.Deps(t.ix.Material()) {
		if d.Pieces() == t.ix.Material().Pieces() {
			continue // a promotion
		}
		smaller, err := m.table(d)
		if err != nil {
			return err
		}
		deps.add(d, smaller)
		for _, seen := range d.Ordered() {
			kids.add(seen, t, smaller)
		}
	}
	if t.frameList == nil {
		t.frameList = wideFrameKings(t)
	}
	u := newWideUnitSolver(&wideLaneSolver{t: t, b: t.board, wideChildren: kids, distances: m.distances, frames: t.frameList})
	for slice := range slices {
		position := t.ix.Men(first + slice)
		men := widePiecesOf(&position)
		for frame := range t.frames {
			u.resolve(page, slice*t.frames+frame, &men.men, frame)
		}
	}
	if m.opts.Verify == VerifyNone || m.opts.provedApart {
		return nil
	}
	return newCaptureProof(t.ix, &wideLaneSlices{t, page, first}, deps, &m.opts).slices(first, slices)
}

// laneSlices reads the values of a page that is not in its table yet.
type wideLaneSlices struct {
	t     *wideLaneTable
	page  *wideLanePage
	first uint64 // slice of the page
}

// value implements lookup.
func (s *wideLaneSlices) value(p *draughts.Position) tables.Plies {
	q, c := s.t.upright(p)
	return s.t.valueIn(s.page, (s.t.sliceOf(&q.men)-s.first)*s.t.frames, &q, c)
}

// resolve sets the values of one row of a page where the side to move must
// capture.
func (u *wideUnitSolver) resolve(page *wideLanePage, row uint64, men *[2]wideWord, frame uint64) {
	p := widePieces{men: *men, kings: u.s.frames[frame]}
	free, ok := u.free(&p)
	if !ok {
		return
	}
	e := &u.wideExits
	for c := draughts.White; c <= draughts.Black; c++ {
		captures := u.walk.wideRun(&p, c, u.t.hasLane, u.t.lane, free)
		if captures.isZero() {
			continue
		}
		e.reset()
		e.captures(&u.walk, &p)
		decided := e.allLost()
		won := captures.and(decided)
		lost := captures.andNot(decided).andNot(e.drawn)
		page.win[c][row] = page.win[c][row].andNot(captures).or(won)
		page.loss[c][row] = page.loss[c][row].andNot(captures).or(lost)
		if !u.s.distances {
			continue
		}
		plies := page.plies[c][row*uint64(u.t.stride):]
		if u.t.rules != nil {
			u.resolveResets(plies, won, lost)
			continue
		}
		for ; !won.isZero(); won = won.dropFirst() {
			plies[won.first()] = e.quickest[won.first()] + 1
		}
		for ; !lost.isZero(); lost = lost.dropFirst() {
			plies[lost.first()] = e.slowest[lost.first()] + 1
		}
	}
}
