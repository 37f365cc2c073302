// Code generated from lanerules.go by internal/widen; DO NOT EDIT.

package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// laneRules is what the lanes solver knows of the draw rules for one table. The
// zero value, and nil, are no rules: nothing restarts a count.
type wideLaneRules struct {
	profile *draughts.Profile
	class   *draughts.Class
	// manMoves: a quiet move of a man inside the table restarts the count.
	manMoves bool
	// By colour to move: whether there is a limit, and the largest value of a
	// position that is won or lost within it from count 0 on.
	limited [2]bool
	limit   [2]tables.Plies
}

// newLaneRules returns the rules for the table of m; nil without a profile.
func newWideLaneRules(profile *draughts.Profile, m tables.Material) *wideLaneRules {
	if profile == nil {
		return nil
	}
	forces := [2]draughts.Force{m.Force(tables.First), m.Force(tables.Second)}
	r := &wideLaneRules{profile: profile, class: profile.ClassOf(forces[0], forces[1])}
	r.manMoves = profile.Restarts(r.class, draughts.ManMove, r.class)
	for c := range forces {
		var plies int
		plies, r.limited[c] = profile.LimitOf(forces[c], forces[1-c], 0)
		// Values are twice the distance, or one less.
		r.limit[c] = tables.Plies(min(2*plies, int(tables.NoPlies)-1))
	}
	return r
}

// restartsTo reports whether the moves that lead from the material own to the
// material m, both as they stand on the board, restart the count. There is only
// one kind of move from the one to the other.
func (r *wideLaneRules) restartsTo(own, m tables.Material) bool {
	if r == nil {
		return false
	}
	kinds := draughts.ManMove
	if m.Pieces() < own.Pieces() {
		kinds = draughts.CaptureMove
	}
	for s := tables.First; s <= tables.Second; s++ {
		if m.Count(s, draughts.King) > own.Count(s, draughts.King) {
			kinds |= draughts.PromotionMove
		}
	}
	return r.profile.Restarts(r.class, kinds, r.profile.ClassOf(m.Force(tables.First), m.Force(tables.Second)))
}

// addFresh gives a page room for what is fresh with colour c to move. Without a
// limit that is all that is won and lost.
func (r *wideLaneRules) addFresh(p *wideLanePage, c int) {
	switch {
	case r == nil:
	case r.limited[c]:
		p.freshWin[c], p.freshLoss[c] = make([]wideWord, len(p.win[c])), make([]wideWord, len(p.loss[c]))
	default:
		p.freshWin[c], p.freshLoss[c] = p.win[c], p.loss[c]
	}
}

// freshen works out what is fresh in some rows of a page.
func (r *wideLaneRules) freshen(t *wideLaneTable, p *wideLanePage, from, to uint64) {
	if r == nil {
		return
	}
	for c := range p.win {
		if !r.limited[c] {
			continue
		}
		for row := from; row < to; row++ {
			plies := p.plies[c][row*uint64(t.stride):][:t.stride]
			p.freshWin[c][row] = wideNotBeyond(p.win[c][row], plies, r.limit[c])
			p.freshLoss[c][row] = wideNotBeyond(p.loss[c][row], plies, r.limit[c])
		}
	}
}

// notBeyond returns the lanes whose values do not exceed a limit.
func wideNotBeyond(lanes wideWord, plies []tables.Plies, limit tables.Plies) wideWord {
	for m := lanes; !m.isZero(); m = m.dropFirst() {
		if l := m.first(); plies[l] > limit {
			lanes = lanes.andNot(wideBit(l))
		}
	}
	return lanes
}
