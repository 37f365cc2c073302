package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// rating turns the values of children into scores. For distances to win, and
// levels, it is the zero value. For distances to reset, won scores leave room
// below the quickest win for a child that is won fresh: it counts 0, and its
// parent, if lost, 1.
type rating struct {
	lift score
	// restarts: the move restarts the count of the draw rules, so the child counts
	// as won, lost or drawn fresh. Values up to limit are so.
	restarts bool
	limit    tables.Plies
}

// resetLift is the lift for distances to reset.
const resetLift = 2

// score returns the score of a value; noScore for distances so large that they
// would pass for others: no game lasts that long, so they are wrong wherever they
// stand.
func (r *rating) score(value tables.Plies) score {
	if r.restarts {
		switch {
		case value == tables.NoPlies || value > r.limit:
			return drawScore
		case value%2 == 1:
			return 1
		default:
			return 0xFFFF
		}
	}
	switch {
	case value == tables.NoPlies:
		return drawScore
	case value >= tables.Plies(drawScore)-resetLift:
		return noScore
	case value%2 == 1:
		return score(value) + r.lift
	default:
		return 0xFFFF - score(value)
	}
}

// ratings rate the moves of one table.
type ratings struct {
	profile *draughts.Profile // nil unless distances are to reset
	class   *draughts.Class
	own     rating    // of moves inside the table that do not restart the count
	steps   [2]rating // of men's steps inside the table, by the colour to move after them
}

func newRatings(profile *draughts.Profile, m tables.Material) ratings {
	if profile == nil {
		return ratings{}
	}
	r := ratings{profile: profile, class: profile.ClassOf(m.Force(tables.First), m.Force(tables.Second)), own: rating{lift: resetLift}}
	for s := tables.First; s <= tables.Second; s++ {
		r.steps[s] = r.rate(draughts.ManMove, m.Force(s), m.Force(s.Other()))
	}
	return r
}

// rate rates a move of some kinds, after which the side to move has own pieces
// and the other one other.
func (r *ratings) rate(kinds draughts.Progress, own, other draughts.Force) rating {
	c := rating{lift: resetLift}
	if own.Men+own.Kings == 0 {
		return c // it has lost in 0, whatever the rules
	}
	if c.restarts = r.profile.Restarts(r.class, kinds, r.profile.ClassOf(own, other)); c.restarts {
		c.limit = tables.NoPlies - 1
		if limit, ok := r.profile.LimitOf(own, other, 0); ok {
			c.limit = tables.Plies(min(2*limit, int(c.limit)))
		}
	}
	return c
}

// after rates the capture or promotion m, which leads to child.
func (r *ratings) after(m *draughts.Move, child *draughts.Position) rating {
	if r.profile == nil {
		return rating{}
	}
	kinds := draughts.ManMove
	if m.IsCapture() {
		kinds = draughts.CaptureMove
	}
	if m.Promotes {
		kinds |= draughts.PromotionMove
	}
	own := child.Side()
	return r.rate(kinds, draughts.ForceOf(*child, own), draughts.ForceOf(*child, own.Opponent()))
}
