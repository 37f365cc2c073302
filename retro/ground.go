package retro

import (
	"context"

	"threekings/draughts"
	"threekings/tables"
)

// Where men step sideways and their moves restart the count, a distance to reset
// does not lead to an end: two positions might each be called won fresh because
// the other is lost fresh. So the proof of such a table also finds its values
// again from nothing, by forward moves, in rounds: a move that restarts the count
// sees only what the round before has found. What is equal in the end is grounded.
type ground struct {
	*prover
	found *flat               // values of this round
	fresh [2][]tables.Outcome // what the round before has found
	done  [2]bitset           // positions with captures: one look is enough
}

// leadsBack reports whether moves that restart the count can return.
func (j *proof) leadsBack() bool {
	return j.ratings.profile != nil && j.v.MenStepSideways() && j.ratings.steps[0].restarts
}

// grounded finds all values of the table again and compares.
func (j *proof) grounded(ctx context.Context) error {
	found, err := newFlat(j.ix, false)
	if err != nil {
		return err
	}
	g := ground{prover: &prover{proof: j}, found: found}
	for s := range j.ix.Material().Sides() {
		for i := range found.plies[s] {
			found.plies[s][i] = tables.NoPlies
		}
		g.fresh[s] = make([]tables.Outcome, j.ix.Size())
		g.done[s] = make(bitset, (j.ix.Size()+63)/64)
	}
	for _, level := range j.ix.Levels() {
		for g.round(ctx, level) {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	metric := tables.DTR(j.ratings.profile.Name)
	for s := range tables.Side(j.ix.Material().Sides()) {
		for n, value := range found.plies[s] {
			if stored := j.flat.plies[s][n]; stored != value {
				return difference(j.ix, metric, s, uint64(n), describeValue(metric, stored), describeValue(metric, value))
			}
		}
	}
	return ctx.Err()
}

// round goes over some slices until nothing changes, notes what is decided fresh
// and reports whether that is more than before.
func (g *ground) round(ctx context.Context, slices []uint64) bool {
	for changed := true; changed && ctx.Err() == nil; {
		changed = false
		g.each(slices, func(s tables.Side, n uint64) {
			if g.done[s].has(n) {
				return
			}
			position := g.ix.Position(s, n)
			if value := g.value(position, s, n); value != g.found.plies[s][n] {
				g.found.plies[s][n] = value
				changed = true
			}
		})
	}
	more := false
	g.each(slices, func(s tables.Side, n uint64) {
		value := g.found.plies[s][n]
		o := value.Outcome()
		if value > g.ratings.steps[s].limit {
			o = tables.Draw
		}
		more = more || o != g.fresh[s][n]
		g.fresh[s][n] = o
	})
	return more
}

func (g *ground) each(slices []uint64, visit func(s tables.Side, n uint64)) {
	size := g.ix.SliceSize()
	for _, slice := range slices {
		for s := range tables.Side(g.ix.Material().Sides()) {
			for n := slice * size; n < (slice+1)*size; n++ {
				visit(s, n)
			}
		}
	}
}

// value works out a value from those of the children.
func (g *ground) value(position draughts.Position, s tables.Side, n uint64) tables.Plies {
	if g.v.Ended(position) {
		g.done[s].add(n)
		return tables.NoPlies
	}
	best := noScore
	g.moves = g.v.Moves(position, g.moves[:0])
	men := position.Pieces(position.Side(), draughts.Man)
	for i := range g.moves {
		m := &g.moves[i]
		if m.IsCapture() {
			g.done[s].add(n)
		}
		if m.IsCapture() || m.Promotes {
			best = max(best, g.known(&position, m))
			continue
		}
		side, at := g.ix.Rank(position.Play(*m))
		if !men.Has(m.From) {
			best = max(best, g.ratings.own.score(g.found.plies[side][at]))
			continue
		}
		switch g.fresh[side][at] {
		case tables.Win:
			best = max(best, 1)
		case tables.Loss:
			best = 0xFFFF
		default:
			best = max(best, drawScore)
		}
	}
	return best.parent()
}
