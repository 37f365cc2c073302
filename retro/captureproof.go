package retro

import (
	"fmt"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// captureProof proves values that the lanes have worked out when they read a
// finished table: those of positions in which the side to move must capture,
// which are not stored. Tables are proved from them, so without it a fault of the
// lanes would give solver and proof the same wrong values to start from.
type captureProof struct {
	prover
	every uint64 // of how many positions one is checked
}

// newCaptureProof returns the proof for the table of an index as values reads it.
// deps are the tables of fewer pieces.
func newCaptureProof(ix *index.Index, values lookup, deps *dependencies, opts *Options) *captureProof {
	every := uint64(1)
	if opts.Verify == VerifySample {
		every = 64
	}
	job := &proof{
		ix: ix, v: ix.Variant(), own: values, deps: deps, distances: !opts.OutcomesOnly,
		ratings: newRatings(opts.Profile, ix.Material()),
	}
	return &captureProof{prover{proof: job}, every}
}

// slices checks consecutive slices, with either colour to move. The error wraps
// a [*DifferenceError].
func (c *captureProof) slices(first, count uint64) error {
	for n := first * c.ix.SliceSize(); n < (first+count)*c.ix.SliceSize(); n += c.every {
		position := c.ix.Position(tables.First, n)
		for _, color := range []draughts.Color{draughts.White, draughts.Black} {
			c.position = position.WithSide(color)
			if err := c.check(&c.position); err != nil {
				return fmt.Errorf("captures of a finished table: %w", err)
			}
		}
	}
	return nil
}

// leftOut checks what is left out of consecutive slices, by colour to move. The error
// wraps a [*DifferenceError].
func (c *captureProof) leftOut(first, count uint64, leftOut [2]tables.LeftOut) error {
	for n := first * c.ix.SliceSize(); n < (first+count)*c.ix.SliceSize(); n += c.every {
		position := c.ix.Position(tables.First, n)
		for color, what := range leftOut {
			c.position = position.WithSide(draughts.Color(color))
			if what == tables.NoneLeftOut || c.v.HasCapture(c.position) || !what.Leaves(c.v, &c.position) {
				continue
			}
			best, value := c.bestOf(&c.position), c.own.value(&c.position)
			if best.parent().Outcome() == value.Outcome() {
				continue
			}
			if err := c.compare(&c.position, best, c.ratings.own.score(value)); err != nil {
				return fmt.Errorf("what a finished table leaves out: %w", err)
			}
		}
	}
	return nil
}

// check checks one position.
func (c *captureProof) check(position *draughts.Position) error {
	best := drawScore
	if !c.v.Ended(*position) {
		c.moves = c.v.Captures(*position, c.moves[:0])
		if len(c.moves) == 0 {
			return nil // it is stored
		}
		best = noScore
		for i := range c.moves {
			best = max(best, c.known(position, &c.moves[i]))
		}
	}
	value := c.own.value(position)
	if !c.distances && best != noScore && best.parent().Outcome() == value.Outcome() {
		return nil // levels count from what was known, and this is known
	}
	return c.compare(position, best, c.ratings.own.score(value))
}
