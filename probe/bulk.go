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
	r, err := p.newRun(k, side, start, len(dst))
	if errors.Is(err, tables.ErrMissing) && k.Metric == tables.Outcomes {
		k.Metric = tables.DTW
		if other, errDistance := p.newRun(k, side, start, len(dst)); !errors.Is(errDistance, tables.ErrMissing) {
			r, err = other, errDistance
		}
	}
	if err != nil {
		return err
	}
	return p.each(ctx, r, func(i int, pos draughts.Position, b tables.Block, at int, s *scratch) (err error) {
		switch {
		case r.v.HasCapture(pos) || r.v.Ended(pos):
			dst[i], err = p.outcome(r.v, pos, s)
		case r.layer.key.Metric == tables.Outcomes:
			dst[i], err = blockOutcome(r.layer, side, r.blockOf(i), b, at)
		default:
			dst[i] = b.Distance(at).Outcome()
		}
		return err
	})
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
	return p.each(ctx, r, func(i int, pos draughts.Position, b tables.Block, at int, s *scratch) (err error) {
		if r.v.HasCapture(pos) || r.v.Ended(pos) {
			dst[i], err = p.valueUnder(r.v, pos, r.profile, s)
		} else {
			dst[i] = b.Distance(at)
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

// blockOf returns the number of the block that holds position i of the run.
func (r *run) blockOf(i int) uint64 { return (r.start + uint64(i)) / r.layer.blockLen }

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
	l, err := p.tables.get(layerKey{v, k.Material, k.Metric.IsDistance(), profile})
	if err != nil {
		return nil, err
	}
	size := l.index.Size()
	if int(side) >= l.index.Material().Sides() || start > size || uint64(n) > size-start {
		return nil, fmt.Errorf("%s: positions %d to %d of side %d are beyond the table", k, start, start+uint64(n), side+1)
	}
	return &run{v, l, side, start, n, profile}, nil
}

// each calls visit for every position of a run, with its block and its place in
// it.
func (p *Prober) each(ctx context.Context, r *run, visit func(i int, pos draughts.Position, b tables.Block, at int, s *scratch) error) error {
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	for i := 0; i < r.n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		block := r.blockOf(i)
		b, err := p.block(r.layer, r.side, block)
		if err != nil {
			return err
		}
		first := block * r.layer.blockLen
		end := min(first+r.layer.blockLen, r.start+uint64(r.n))
		for n := r.start + uint64(i); n < end; n++ {
			if err := visit(i, r.layer.index.Position(r.side, n), b, int(n-first), s); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}
