package probe

import (
	"context"
	"errors"
	"fmt"

	"threekings/draughts"
	"threekings/tables"
)

// A Prober reads in bulk too: true values, captures resolved.
var _ tables.Reader = (*Prober)(nil)

// Outcomes implements [tables.Reader]. Where outcomes are missing they are read
// from distances.
func (p *Prober) Outcomes(ctx context.Context, k tables.Key, side tables.Side, start uint64, dst []tables.Outcome) error {
	r, err := p.newOutcomeRun(k, side, start, len(dst))
	if err != nil {
		return err
	}
	return p.each(ctx, r, func(i int, pos draughts.Position, s *scratch, f *found) (err error) {
		if r.v.HasCapture(pos) || r.v.Ended(pos) {
			dst[i], err = p.outcome(r.v, pos, s)
		} else {
			dst[i], err = p.quietRunOutcome(r, i, pos, s, f)
		}
		return err
	})
}

// quietRunOutcome returns the outcome of position i of a run, which has no
// captures.
func (p *Prober) quietRunOutcome(r *run, i int, pos draughts.Position, s *scratch, f *found) (tables.Outcome, error) {
	if r.layer.leftOut[r.side].Leaves(r.v, &pos) {
		return p.outcome(r.v, pos, s)
	}
	if err := p.find(r, r.start+uint64(i), pos, f); err != nil {
		return tables.Draw, err
	}
	if r.layer.key.Metric != tables.Outcomes {
		return f.block.Distance(f.at).Outcome(), nil
	}
	return checked(r.layer, r.side, f.number, f.at, f.block.Outcome(f.at))
}

// Distances implements [tables.Reader]. The key's metric is a distance.
func (p *Prober) Distances(ctx context.Context, k tables.Key, side tables.Side, start uint64, dst []tables.Plies) error {
	if !k.Metric.IsDistance() {
		return fmt.Errorf("distances of %s: the metric is not a distance", k)
	}
	r, err := p.newRun(k, side, start, len(dst))
	if err != nil {
		return err
	}
	return p.each(ctx, r, func(i int, pos draughts.Position, s *scratch, f *found) (err error) {
		if r.v.HasCapture(pos) || r.v.Ended(pos) {
			dst[i], err = p.valueUnder(r.v, pos, r.profile, s)
		} else if err = p.find(r, r.start+uint64(i), pos, f); err == nil {
			dst[i] = f.block.Distance(f.at)
		}
		return err
	})
}

// run is a range of positions of one side to move.
type run struct {
	v     *draughts.Variant
	layer *layer
	side  tables.Side
	start uint64
	n     int
	// profile is that of distances to reset.
	profile *draughts.Profile
}

// newOutcomeRun returns a run of outcomes, or of distances where outcomes are
// missing.
func (p *Prober) newOutcomeRun(k tables.Key, side tables.Side, start uint64, n int) (*run, error) {
	r, err := p.newRun(k, side, start, n)
	if errors.Is(err, tables.ErrMissing) && k.Metric == tables.Outcomes {
		k.Metric = tables.DTW
		if other, errDistance := p.newRun(k, side, start, n); !errors.Is(errDistance, tables.ErrMissing) {
			return other, errDistance
		}
	}
	return r, err
}

func (p *Prober) newRun(k tables.Key, side tables.Side, start uint64, n int) (*run, error) {
	v, err := draughts.Lookup(k.Variant)
	if err != nil {
		return nil, err
	}
	var profile *draughts.Profile
	if name, ok := k.Metric.Profile(); ok {
		if profile, err = v.Profile(name); err != nil {
			return nil, err
		}
	}
	l, err := p.tables.get(layerKey{family{v, k.Metric.IsDistance(), profile}, k.Material})
	if err != nil {
		return nil, err
	}
	size := l.index.Size()
	if int(side) >= l.index.Material().Sides() || start > size || uint64(n) > size-start {
		return nil, fmt.Errorf("%s: positions %d to %d of side %d are beyond the table", k, start, start+uint64(n), side+1)
	}
	return &run{v, l, side, start, n, profile}, nil
}

// found is a place in a block, the last one that was looked for.
type found struct {
	block  *packed
	number uint64
	at     int
}

// none is no block's number.
const none = ^uint64(0)

// find finds the place of the position with a canonical number.
func (p *Prober) find(r *run, n uint64, pos draughts.Position, f *found) (err error) {
	if r.layer.order != tables.Canonical {
		_, n = r.layer.index.RankIn(r.layer.order, &pos)
	}
	return p.findStored(r, n, f)
}

// findStored finds the place of a stored number.
func (p *Prober) findStored(r *run, n uint64, f *found) (err error) {
	block := n / r.layer.blockLen
	if block != f.number {
		if f.block, err = p.block(r.layer, r.side, block); err != nil {
			return err
		}
		f.number = block
	}
	f.at = int(n - block*r.layer.blockLen)
	return nil
}

// betweenChecks is how many positions pass between two looks at the context.
const betweenChecks = 1 << 12

// each calls visit for every position of a run.
func (p *Prober) each(ctx context.Context, r *run, visit func(i int, pos draughts.Position, s *scratch, f *found) error) error {
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	f := found{number: none}
	for i := range r.n {
		if i%betweenChecks == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := visit(i, r.layer.index.Position(r.side, r.start+uint64(i)), s, &f); err != nil {
			return err
		}
	}
	return nil
}
