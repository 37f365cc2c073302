package probe

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// heldSide holds the true values of all positions of a table with one side to move,
// in canonical order, where captures are pending too: outcomes two bits each,
// distances as blocks of their width hold them. Nothing need be looked up, decoded
// or looked ahead.
type heldSide struct {
	index  *index.Index
	side   tables.Side
	values tables.Block
}

// residentRun is how many values are read at a time.
const residentRun = 1 << 16

// Hold reads a metric of a table into memory, all values with captures resolved,
// from where single probes are then answered in one step. It takes a quarter of a
// byte a position for outcomes and one byte, two in tables of distances over 254
// plies, for others, on top of the cache's budget, for as long as the prober is
// used. Reading resolves every capture, and what a table leaves out: it takes about a
// microsecond a position, several where much is left out, on all processors. Holding
// what is held already does nothing. The errors are those of [Prober.Outcomes]; if
// there is one nothing is held.
func (p *Prober) Hold(ctx context.Context, v *draughts.Variant, m tables.Material, metric tables.Metric) error {
	table, _ := m.Table()
	if metric != tables.Outcomes && metric != tables.DTW {
		return fmt.Errorf("hold %s %s: %s and %s can be held, not %s", v.Name, table, tables.Outcomes, tables.DTW, metric)
	}
	l, err := p.tables.get(layerKey{family{variant: v, distance: metric == tables.DTW}, table})
	if err != nil {
		return err
	}
	f := p.tables.seen(family{variant: v, distance: metric == tables.DTW})
	if f.heldAt(table.Number()) != nil {
		return nil
	}
	values, err := p.Values(ctx, v, table)
	if err != nil {
		return err
	}
	sides := [2]heldSide{{index: l.index, side: tables.First}, {index: l.index, side: tables.Second}}
	size := l.index.Size()
	outcomes, distances := make([]tables.Outcome, residentRun), make([]tables.Plies, residentRun)
	for side := range tables.Side(table.Sides()) {
		b := &sides[side].values
		b.Bits = l.manifest.Bits
		b.Data = make([]byte, b.Size(int(size)))
		for start := uint64(0); start < size; start += residentRun {
			n := int(min(residentRun, size-start))
			if metric == tables.Outcomes {
				values.Outcomes(side, start, outcomes[:n])
			} else {
				values.Distances(side, start, distances[:n])
			}
			if err := values.Err(); err != nil {
				return err
			}
			for i := range n {
				at := int(start) + i
				switch b.Bits {
				case 2:
					b.Data[at>>2] |= byte(outcomes[i]) << (at & 3 << 1)
				case 8:
					b.Data[at] = byte(distances[i])
				default:
					binary.LittleEndian.PutUint16(b.Data[2*at:], uint16(distances[i]))
				}
			}
		}
	}
	f.hold(table.Number(), &sides[tables.First])
	if !table.Symmetric() {
		f.hold(table.Reverse().Number(), &sides[tables.Second])
	}
	return nil
}

// hold makes values known, by the number of the material with their side to move
// first.
func (f *openFamily) hold(number int, h *heldSide) {
	if f.held.Load() == nil {
		f.held.CompareAndSwap(nil, new([tables.Materials]atomic.Pointer[heldSide]))
	}
	f.held.Load()[number].CompareAndSwap(nil, h)
}

// heldAt returns what is held of the positions of a material with the side to
// move first, nil if nothing is.
func (f *openFamily) heldAt(number int) *heldSide {
	if list := f.held.Load(); list != nil {
		return list[number].Load()
	}
	return nil
}

// held returns the place of a position's value among values that are held, nil if
// there are none.
func (p *Prober) held(k family, pos *draughts.Position, number int) (values *heldSide, at int) {
	f := p.tables.seen(k)
	if f == nil {
		return nil, 0
	}
	h := f.heldAt(number)
	if h == nil {
		return nil, 0
	}
	return h, int(h.index.NumberIn(tables.Canonical, h.side, pos))
}
