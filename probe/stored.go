package probe

import (
	"context"
	"fmt"

	"threekings/tables"
)

var _ tables.StoredReader = (*Prober)(nil)

// LeftOut implements [tables.StoredReader].
func (p *Prober) LeftOut(k tables.Key) ([2]tables.LeftOut, error) {
	r, err := p.newOutcomeRun(k, tables.First, 0, 0)
	if err != nil {
		return [2]tables.LeftOut{}, err
	}
	return r.layer.leftOut, nil
}

// StoredOutcomes implements [tables.StoredReader]. Where outcomes are missing
// they are read from distances.
func (p *Prober) StoredOutcomes(ctx context.Context, k tables.Key, side tables.Side, start uint64, dst []tables.Outcome) error {
	r, err := p.newOutcomeRun(k, side, start, len(dst))
	if err != nil {
		return err
	}
	return p.eachBlock(ctx, r, func(number uint64, b *packed, at, i, n int) error {
		if r.layer.key.Metric != tables.Outcomes {
			for j := range n {
				dst[i+j] = b.Distance(at + j).Outcome()
			}
			return nil
		}
		b.Outcomes(at, dst[i:i+n])
		for j, o := range dst[i : i+n] {
			if o > tables.Loss {
				// No outcome at all is damage, unless anything may stand there.
				if pos := r.layer.index.Position(side, start+uint64(i+j)); !r.v.HasCapture(pos) && !r.v.Ended(pos) && !r.layer.leftOut[side].Leaves(r.v, &pos) {
					_, err := checked(r.layer, side, number, at+j, o)
					return err
				}
				dst[i+j] = tables.Draw
			}
		}
		return nil
	})
}

// StoredDistances implements [tables.StoredReader].
func (p *Prober) StoredDistances(ctx context.Context, k tables.Key, side tables.Side, start uint64, dst []tables.Plies) error {
	if !k.Metric.IsDistance() {
		return fmt.Errorf("distances of %s as they are stored: the metric is not a distance", k)
	}
	r, err := p.newRun(k, side, start, len(dst))
	if err != nil {
		return err
	}
	return p.eachBlock(ctx, r, func(_ uint64, b *packed, at, i, n int) error {
		for j := range n {
			dst[i+j] = b.Distance(at + j)
		}
		return nil
	})
}

// numbersRun is how many numbers are worked out at a time.
const numbersRun = 1 << 10

// eachBlock calls visit for every part of a run that follows each other in a
// block: n positions from place at of the block on, which are those from i on of
// the run.
func (p *Prober) eachBlock(ctx context.Context, r *run, visit func(number uint64, b *packed, at, i, n int) error) error {
	if r.layer.order != tables.Canonical {
		return p.eachStored(ctx, r, visit)
	}
	for i := 0; i < r.n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		number := (r.start + uint64(i)) / r.layer.blockLen
		b, err := p.block(r.layer, r.side, number)
		if err != nil {
			return err
		}
		at := int(r.start + uint64(i) - number*r.layer.blockLen)
		n := min(int(r.layer.blockLen)-at, r.n-i)
		if err := visit(number, b, at, i, n); err != nil {
			return err
		}
		i += n
	}
	return nil
}

// eachStored is eachBlock where positions are stored in another order.
func (p *Prober) eachStored(ctx context.Context, r *run, visit func(number uint64, b *packed, at, i, n int) error) error {
	var numbers [numbersRun]uint64
	f := found{number: none}
	for i := 0; i < r.n; i += numbersRun {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := numbers[:min(numbersRun, r.n-i)]
		r.layer.numbers.Stored(r.start+uint64(i), part)
		for j, n := range part {
			if err := p.findStored(r, n, &f); err != nil {
				return err
			}
			if err := visit(f.number, f.block, f.at, i+j, 1); err != nil {
				return err
			}
		}
	}
	return nil
}
