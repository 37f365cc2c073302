package retro

import (
	"context"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// reference is the solver that defines what the values are: it plays forward
// moves only and repeats until nothing changes. It starts with every position
// drawn. A position is won in one ply more than the quickest of its lost
// children, and lost in one ply more than the slowest if all its children are
// won. Distances only shrink, and the values that do not change any more are the
// only solution of these equations in which every distance is finite.
//
// Slices are taken in the order in which men walk, so that the inside of a
// slice, or of the slices whose men have as far to walk, is all that has to be
// repeated.
type reference struct {
	sweeper
	v         *draughts.Variant
	deps      *dependencies
	distances bool
	moves     []draughts.Move
	after     draughts.Position // the child that is looked up
}

// referenceMachine is the reference solver for the tables of one variant.
type referenceMachine struct {
	*library
	profile *draughts.Profile // nil unless distances are to reset
}

func newReferenceMachine(v *draughts.Variant, opts Options) referenceMachine {
	return referenceMachine{newLibrary(v, opts.metric(), opts.Finished), opts.Profile}
}

// solve implements solver. It knows one goroutine a table only.
func (m referenceMachine) solve(ctx context.Context, ix *index.Index, _ int, progress func(uint64)) (tables.Values, error) {
	deps, err := dependenciesOf(ctx, ix.Material(), m.lookup)
	if err != nil {
		return nil, err
	}
	if m.profile != nil {
		return solveResets(ctx, ix, deps, m.profile, progress)
	}
	return solveReference(ctx, ix, deps, m.metric.IsDistance(), progress)
}

// keep implements solver.
func (m referenceMachine) keep(solved tables.Values) { m.add(solved.(*flat)) }

// solveReference solves one table. progress is told the positions done.
func solveReference(ctx context.Context, ix *index.Index, deps *dependencies, distances bool, progress func(uint64)) (*flat, error) {
	sw, err := newSweeper(ix)
	if err != nil {
		return nil, err
	}
	r := &reference{sweeper: sw, v: ix.Variant(), deps: deps, distances: distances}
	for _, level := range ix.Levels() {
		for changed, first := true, true; changed && (first || r.hangTogether()); first = false {
			changed = false
			for _, slice := range level {
				for again := true; again; {
					again = r.sweep(ctx, slice, r.evaluate)
					changed = changed || again
				}
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if first {
					progress(ix.SliceSize() * uint64(ix.Material().Sides()))
				}
			}
		}
	}
	return r.own, nil
}

// hangTogether reports whether a move can lead from one slice to another in
// which men have as far to walk: by a sideways step, or because both sides to
// move share one array of values, so that a child lies in the slice of the men
// seen from the other side.
func (r *reference) hangTogether() bool {
	return r.v.MenStepSideways() || r.ix.Material().Symmetric()
}

// sweeper holds the values of a table that is solved by looking at its positions
// again and again.
type sweeper struct {
	ix      *index.Index
	own     *flat
	settled [2]bitset // positions at which one look is enough
}

// newSweeper returns a sweeper of a table, every position of which is drawn.
func newSweeper(ix *index.Index) (sweeper, error) {
	own, err := newFlat(ix, true)
	if err != nil {
		return sweeper{}, err
	}
	w := sweeper{ix: ix, own: own}
	for s := range ix.Material().Sides() {
		for i := range own.plies[s] {
			own.plies[s][i] = tables.NoPlies
		}
		w.settled[s] = make(bitset, (ix.Size()+63)/64)
	}
	return w, nil
}

// sweep looks once at every position of a slice, unless it is settled, and
// reports whether any value changed. It gives up when the context has ended.
func (w *sweeper) sweep(ctx context.Context, slice uint64, evaluate func(draughts.Position, tables.Side, uint64) tables.Plies) bool {
	changed := false
	start := slice * w.ix.SliceSize()
	for s := range tables.Side(w.ix.Material().Sides()) {
		for n := start; n < start+w.ix.SliceSize(); n++ {
			if (n-start)%(1<<12) == 0 && ctx.Err() != nil {
				return false
			}
			if w.settled[s].has(n) {
				continue
			}
			if value := evaluate(w.ix.Position(s, n), s, n); value != w.own.plies[s][n] {
				w.own.plies[s][n] = value
				changed = true
			}
		}
	}
	return changed
}

// evaluate works out a position's value from those of its children.
func (r *reference) evaluate(p draughts.Position, s tables.Side, n uint64) tables.Plies {
	r.moves = r.v.Moves(p, r.moves[:0])
	capture := len(r.moves) > 0 && r.moves[0].IsCapture()
	if capture {
		r.own.captures[s].add(n)
	}
	if capture || len(r.moves) == 0 || r.v.Ended(p) {
		// All moves leave the table.
		r.settled[s].add(n)
	}
	if r.v.Ended(p) {
		return tables.NoPlies
	}
	var slowest tables.Plies // of the won children
	quickest := tables.NoPlies
	drawn := false
	for _, m := range r.moves {
		child := r.child(p, m)
		switch child.Outcome() {
		case tables.Loss:
			quickest = min(quickest, child)
		case tables.Win:
			slowest = max(slowest, child)
		default:
			drawn = true
		}
	}
	switch {
	case quickest != tables.NoPlies:
		return quickest + 1
	case drawn:
		return tables.NoPlies
	case len(r.moves) == 0:
		return 0
	default:
		return slowest + 1
	}
}

// child returns the value of the position after a move.
func (r *reference) child(p draughts.Position, m draughts.Move) tables.Plies {
	r.after = p.Play(m)
	if m.IsCapture() || m.Promotes {
		return r.deps.known(&r.after, r.distances)
	}
	side, n := r.ix.Rank(r.after)
	plies := r.own.plies[side][n]
	if !r.distances && walks(r.v, &p, &m) {
		return knownLevel(plies.Outcome())
	}
	return plies
}
