package probe

import (
	"cmp"
	"errors"
	"slices"

	"threekings/draughts"
	"threekings/tables"
)

// Answer is what [Prober.ProbeBatch] has to say of a position.
type Answer struct {
	Outcome tables.Outcome
	// Err says why the outcome is unknown: the errors of [Prober.Probe].
	Err error
}

// ProbeBatch returns the outcomes of many positions, in their order. Positions of
// one block are read together, so that each block is decoded once however small
// the cache is. Positions with a capture pending, and those that a table leaves
// out, come last: what they lead to is read one by one.
func (p *Prober) ProbeBatch(v *draughts.Variant, positions []draughts.Position) []Answer {
	answers := make([]Answer, len(positions))
	type place struct {
		layer *layer
		block uint64
		side  tables.Side
		at    uint32 // in the block
		i     int    // of the positions
	}
	var places []place
	var rest []int
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	for i, pos := range positions {
		if err := check(v, &pos); err != nil {
			answers[i].Err = err
			continue
		}
		number, ok := tables.NumberOf(&pos)
		if ok {
			if h, at := p.held(family{variant: v}, &pos, number); h != nil {
				answers[i].Outcome = h.values.Outcome(at)
				continue
			}
		}
		over, _ := gameOver(v, &pos)
		if over || v.HasCapture(pos) {
			rest = append(rest, i)
			continue
		}
		l, err := p.tables.getOf(family{variant: v}, &pos, number)
		switch {
		case errors.Is(err, tables.ErrMissing):
			rest = append(rest, i) // distances tell outcomes too
			continue
		case err != nil:
			answers[i].Err = err
			continue
		}
		side, at := l.rank(&pos, number)
		if l.leftOut[side].Leaves(v, &pos) {
			rest = append(rest, i)
			continue
		}
		places = append(places, place{l, at / l.blockLen, side, uint32(at % l.blockLen), i})
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.layer.id, b.layer.id), cmp.Compare(a.side, b.side), cmp.Compare(a.block, b.block), cmp.Compare(a.i, b.i))
	})
	var b *packed
	var err error
	for i, at := range places {
		if i == 0 || at.layer != places[i-1].layer || at.side != places[i-1].side || at.block != places[i-1].block {
			b, err = p.block(at.layer, at.side, at.block)
		}
		a := &answers[at.i]
		if a.Err = err; err == nil {
			a.Outcome, a.Err = checked(at.layer, at.side, at.block, int(at.at), b.Outcome(int(at.at)))
		}
	}
	for _, i := range rest {
		answers[i].Outcome, answers[i].Err = p.outcome(v, positions[i], s)
	}
	return answers
}
