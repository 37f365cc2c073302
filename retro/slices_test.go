package retro

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// TestLanesEqualReferenceOnRandomSlices compares the solvers on slices of
// five-piece tables taken at random. What a slice is solved from is made up:
// values that look random stand for the finished tables and for the slices
// solved before. No true table has as many different values side by side, so
// this asks more of the solvers than true ones would, and it costs a slice
// instead of all that lies below it.
func TestLanesEqualReferenceOnRandomSlices(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector")
	}
	count := 3
	if long {
		count = 200
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for i, v := range draughts.Variants() {
		for part, distances := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s distances=%t", v.Name, distances), func(t *testing.T) {
				t.Parallel()
				c := newSliceComparison(t, v, rand.New(rand.NewPCG(seed, uint64(2*i+part))))
				start := time.Now()
				positions := uint64(0)
				for range (count + 1) / 2 {
					positions += c.compareOne(distances)
				}
				t.Logf("%d units, %d positions, %v", (count+1)/2, positions, time.Since(start))
			})
		}
	}
}

// largestUnit is how many positions with one side to move a unit may have here.
// It leaves out most slices with fewer than two men: four-piece tables and
// published counts check their kind.
func largestUnit(v *draughts.Variant) uint64 {
	if v.MenStepSideways() {
		return 2_000 // the reference sweeps them more often
	}
	return 20_000
}

// madeUp stands for finished tables: the value of a position is a hash of its
// number. It is a tables.Reader for the lanes and a source of lookups for the
// reference.
type madeUp struct {
	v    *draughts.Variant
	seed uint64
}

func (u madeUp) plies(m tables.Material, s tables.Side, n uint64) tables.Plies {
	h := (n+1)*0x9E3779B97F4A7C15 ^ u.seed ^ uint64(slot(m))<<17 ^ uint64(s)<<40
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	switch h % 8 {
	case 0, 1:
		return tables.NoPlies
	case 2: // a large distance
		return tables.Plies(h >> 32 % 1000)
	default: // wins, mostly, so that many positions are lost
		return tables.Plies(h>>32%20)*2 + 1 - tables.Plies(h%8/7)
	}
}

// Distances implements [tables.Reader].
func (u madeUp) Distances(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	for i := range dst {
		dst[i] = u.plies(k.Material, s, start+uint64(i))
	}
	return nil
}

// Outcomes implements [tables.Reader].
func (u madeUp) Outcomes(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Outcome) error {
	for i := range dst {
		dst[i] = u.plies(k.Material, s, start+uint64(i)).Outcome()
	}
	return nil
}

// madeUpTable is one table of them.
type madeUpTable struct {
	madeUp
	ix *index.Index
}

func (u madeUpTable) value(p *draughts.Position) tables.Plies {
	s, n := u.ix.Rank(*p)
	return u.plies(u.ix.Material(), s, n)
}

// sliceComparison compares the solvers in one variant.
type sliceComparison struct {
	t      *testing.T
	v      *draughts.Variant
	rnd    *rand.Rand
	values madeUp
	// The lanes solvers, one for distances and one for outcomes with their levels.
	solvers   map[bool]solver
	materials []tables.Material
}

func newSliceComparison(t *testing.T, v *draughts.Variant, rnd *rand.Rand) *sliceComparison {
	c := &sliceComparison{t: t, v: v, rnd: rnd, values: madeUp{v, rnd.Uint64()}, solvers: map[bool]solver{}}
	for _, distances := range []bool{false, true} {
		c.solvers[distances] = newLanesSolver(v, Options{Finished: c.values, OutcomesOnly: !distances}, newMemory(1<<30))
	}
	for _, m := range tables.All(5) {
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		if m.Pieces() == 5 && ix.SliceSize() <= largestUnit(v) {
			c.materials = append(c.materials, m)
		}
	}
	if len(c.materials) < 3 {
		t.Fatalf("only %d tables have slices that are small enough", len(c.materials))
	}
	return c
}

// compareOne compares the solvers on a unit, by distances or by outcomes with
// their levels, and returns its size.
func (c *sliceComparison) compareOne(distances bool) uint64 {
	c.t.Helper()
	for {
		m := c.materials[c.rnd.IntN(len(c.materials))]
		ix, err := index.New(c.v, m)
		if err != nil {
			c.t.Fatal(err)
		}
		slice := c.rnd.Uint64N(ix.Slices())
		unit := unitOf(ix, slice)
		if unit == nil {
			continue // too large
		}
		var got func(s tables.Side, n uint64) (tables.Plies, bool)
		switch solver := c.solvers[distances].(type) {
		case *laneMachine:
			got = solveUnit(c.t, solver, ix, unit)
		case *wideLaneMachine:
			got = wideSolveUnit(c.t, solver, ix, unit)
		}
		want := c.reference(ix, unit, distances)
		for _, slice := range unit {
			for s := range tables.Side(m.Sides()) {
				for n := slice * ix.SliceSize(); n < (slice+1)*ix.SliceSize(); n++ {
					plies, capture := got(s, n)
					if expected := want.plies[s][n]; plies != expected {
						c.t.Fatalf("%s, slice %d, side %d, %s: got %s, want %s", m, slice, s, c.v.FEN(ix.Position(s, n)), describe(plies), describe(expected))
					}
					if capture != want.captures[s].has(n) {
						c.t.Fatalf("%s, slice %d, side %d, %s: capture %t", m, slice, s, c.v.FEN(ix.Position(s, n)), capture)
					}
				}
			}
		}
		return uint64(len(unit)) * ix.SliceSize() * uint64(m.Sides())
	}
}

// reference solves a unit with the reference solver.
func (c *sliceComparison) reference(ix *index.Index, unit []uint64, distances bool) *flat {
	own, err := newFlat(ix, true)
	if err != nil {
		c.t.Fatal(err)
	}
	deps, err := dependenciesOf(c.t.Context(), ix.Material(), func(_ context.Context, m tables.Material) (lookup, error) {
		of, err := index.New(c.v, m)
		return madeUpTable{c.values, of}, err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	fill := func(slice uint64, value func(s tables.Side, n uint64) tables.Plies) {
		for s := range tables.Side(ix.Material().Sides()) {
			for n := slice * ix.SliceSize(); n < (slice+1)*ix.SliceSize(); n++ {
				own.plies[s][n] = value(s, n)
			}
		}
	}
	for _, slice := range unit {
		for _, next := range c.after(ix, slice) {
			fill(next, func(s tables.Side, n uint64) tables.Plies { return c.values.plies(ix.Material(), s, n) })
		}
	}
	for _, slice := range unit {
		fill(slice, func(tables.Side, uint64) tables.Plies { return tables.NoPlies })
	}
	r := &reference{sweeper: sweeper{ix: ix, own: own}, v: c.v, deps: deps, distances: distances}
	for s := range r.settled {
		r.settled[s] = make(bitset, (ix.Size()+63)/64)
	}
	for changed := true; changed; {
		changed = false
		for _, slice := range unit {
			changed = r.sweep(c.t.Context(), slice, r.evaluate) || changed
		}
	}
	return own
}

// after returns the slices that a step forward of a man leads to.
func (c *sliceComparison) after(ix *index.Index, slice uint64) []uint64 {
	return steps(ix, slice, func(d draughts.Direction) bool { return d != draughts.Left && d != draughts.Right })
}

// steps returns the slices that a man's step in one of some directions leads to,
// kings aside.
func steps(ix *index.Index, slice uint64, wanted func(draughts.Direction) bool) []uint64 {
	v := ix.Variant()
	var list []uint64
	men := ix.Men(slice)
	for _, color := range []draughts.Color{draughts.White, draughts.Black} {
		for from := range men.Pieces(color, draughts.Man).All() {
			for d := range draughts.Direction(8) {
				if !v.ManMoves.Of(color).Has(d) || !wanted(d) {
					continue
				}
				to := v.Step(from, d)
				if to == draughts.NoSquare || men.Occupied().Has(to) || v.PromotionRow(color).Has(to) {
					continue
				}
				next := men
				next.Remove(from)
				next.Put(color, draughts.Man, to)
				list = append(list, ix.Slice(next.Pieces(draughts.White, draughts.Man), next.Pieces(draughts.Black, draughts.Man)))
			}
		}
	}
	return list
}

// unitOf returns the slices that hang together with one, nil if they have too
// many positions.
func unitOf(ix *index.Index, slice uint64) []uint64 {
	unit, seen := []uint64{slice}, map[uint64]bool{slice: true}
	for i := 0; i < len(unit); i++ {
		for _, next := range steps(ix, unit[i], func(d draughts.Direction) bool { return d == draughts.Left || d == draughts.Right }) {
			if !seen[next] {
				seen[next] = true
				unit = append(unit, next)
			}
		}
		if uint64(len(unit))*ix.SliceSize() > largestUnit(ix.Variant()) {
			return nil
		}
	}
	slices.Sort(unit)
	return unit
}
