package retro

import (
	"context"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// resetReference is the solver that defines what distances to reset are, like
// [reference] for distances to win. A position is fresh when nothing has been
// counted yet; it is won or lost fresh if it is so within the limit of its class.
// What a move leads to counts
//
//   - if it restarts the count: 0, if that position is won or lost fresh, and as a
//     draw if not, however near its end may be;
//   - else: its distance, however long it is.
//
// A position is won in one ply more than the quickest of its lost children, and
// lost in one ply more than the slowest if all its children are won.
//
// Where men step sideways, a move that restarts the count can lead back. What is
// fresh then grows round by round, beginning with nothing, and a round sees what
// the one before has found: so no two results support only each other.
type resetReference struct {
	sweeper // positions with captures are settled
	v       *draughts.Variant
	profile *draughts.Profile
	deps    *dependencies
	fresh   [2][]tables.Outcome // of own, as the last round has left it
	moves   []draughts.Move
}

// solveResets solves one table. progress is told the positions done.
func solveResets(ctx context.Context, ix *index.Index, deps *dependencies, profile *draughts.Profile, progress func(uint64)) (*flat, error) {
	sw, err := newSweeper(ix)
	if err != nil {
		return nil, err
	}
	r := &resetReference{sweeper: sw, v: ix.Variant(), profile: profile, deps: deps}
	sides := ix.Material().Sides()
	for s := range sides {
		r.fresh[s] = make([]tables.Outcome, ix.Size())
	}
	for _, level := range ix.Levels() {
		for again := true; again; {
			for changed := true; changed; {
				changed = false
				for _, slice := range level {
					for r.sweep(ctx, slice, r.evaluate) {
						changed = true
					}
					if err := ctx.Err(); err != nil {
						return nil, err
					}
				}
			}
			again = r.freshen(level) && r.v.MenStepSideways()
		}
		progress(uint64(len(level)) * ix.SliceSize() * uint64(sides))
	}
	return r.own, nil
}

// freshen works out what is won and lost fresh in some slices, and reports
// whether that is more than before.
func (r *resetReference) freshen(slices []uint64) bool {
	changed := false
	for _, slice := range slices {
		start := slice * r.ix.SliceSize()
		for s := range tables.Side(r.ix.Material().Sides()) {
			for n := start; n < start+r.ix.SliceSize(); n++ {
				o := r.freshOutcome(r.ix.Position(s, n), r.own.plies[s][n])
				changed = changed || o != r.fresh[s][n]
				r.fresh[s][n] = o
			}
		}
	}
	return changed
}

func (r *resetReference) metric() tables.Metric { return tables.DTR(r.profile.Name) }

// freshOutcome returns the outcome of a position at count 0 whose value is known.
func (r *resetReference) freshOutcome(p draughts.Position, value tables.Plies) tables.Outcome {
	limit, ok := r.profile.Limit(p, 0)
	if ok && value != tables.NoPlies && int(r.metric().Distance(value)) > limit {
		return tables.Draw
	}
	return value.Outcome()
}

// evaluate works out a position's value from those of its children.
func (r *resetReference) evaluate(p draughts.Position, s tables.Side, n uint64) tables.Plies {
	r.moves = r.v.Moves(p, r.moves[:0])
	if len(r.moves) > 0 && r.moves[0].IsCapture() {
		r.own.captures[s].add(n)
		r.settled[s].add(n)
	}
	if r.v.Ended(p) {
		return tables.NoPlies
	}
	metric := r.metric()
	var slowest tables.Plies // of the won children
	quickest := tables.NoPlies
	drawn := false
	for _, m := range r.moves {
		outcome, distance := r.child(p, m)
		switch outcome {
		case tables.Loss:
			quickest = min(quickest, distance)
		case tables.Win:
			slowest = max(slowest, distance)
		default:
			drawn = true
		}
	}
	switch {
	case quickest != tables.NoPlies:
		return metric.Value(tables.Win, quickest+1)
	case drawn:
		return tables.NoPlies
	case len(r.moves) == 0:
		return metric.Value(tables.Loss, 0)
	default:
		return metric.Value(tables.Loss, slowest+1)
	}
}

// child returns what the position after a move counts.
func (r *resetReference) child(p draughts.Position, m draughts.Move) (tables.Outcome, tables.Plies) {
	after := p.Play(m)
	restarts := r.profile.MoveRestarts(p, m)
	if m.IsCapture() || m.Promotes {
		value := r.deps.known(&after, true)
		if restarts {
			return r.freshOutcome(after, value), 0
		}
		return value.Outcome(), r.metric().Distance(value)
	}
	side, n := r.ix.Rank(after)
	if restarts {
		return r.fresh[side][n], 0
	}
	value := r.own.plies[side][n]
	return value.Outcome(), r.metric().Distance(value)
}
