package probe

import (
	"context"
	"encoding/binary"
	"fmt"

	"threekings/draughts"
	"threekings/tables"
)

// resident holds the true values of all positions of a layer in canonical order,
// where captures are pending too: outcomes two bits each, distances as blocks of
// their width hold them. Nothing need be looked up, decoded or looked ahead.
type resident struct {
	sides [2]tables.Block
}

// residentRun is how many values are read at a time.
const residentRun = 1 << 16

// Hold reads a metric of a table into memory, all values with captures resolved,
// from where single probes are then answered in one step. It takes a quarter of a
// byte a position for outcomes and one byte, two in tables of distances over 254
// plies, for others, on top of the cache's budget, for as long as the prober is
// used. Reading resolves every capture: it takes about a microsecond a position,
// on all processors. Holding what is held already does nothing. The errors are
// those of [Prober.Outcomes]; if there is one nothing is held.
func (p *Prober) Hold(ctx context.Context, v *draughts.Variant, m tables.Material, metric tables.Metric) error {
	table, _ := m.Table()
	if metric != tables.Outcomes && metric != tables.DTW {
		return fmt.Errorf("hold %s %s: %s and %s can be held, not %s", v.Name, table, tables.Outcomes, tables.DTW, metric)
	}
	l, err := p.tables.get(layerKey{family{variant: v, distance: metric == tables.DTW}, table})
	if err != nil {
		return err
	}
	if l.resident.Load() != nil {
		return nil
	}
	values, err := p.Values(ctx, v, table)
	if err != nil {
		return err
	}
	r := new(resident)
	size := l.index.Size()
	outcomes, distances := make([]tables.Outcome, residentRun), make([]tables.Plies, residentRun)
	for side := range tables.Side(table.Sides()) {
		b := &r.sides[side]
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
	l.resident.CompareAndSwap(nil, r)
	p.holds.Store(true)
	return nil
}

// heldOutcome answers from tables that are held, with a zero answer and false if
// the position's is not.
func (p *Prober) heldOutcome(v *draughts.Variant, pos draughts.Position) (tables.Outcome, bool) {
	material, _ := tables.MaterialOf(pos)
	l := p.tables.known(layerKey{family{variant: v}, material})
	if l == nil {
		return tables.Draw, false
	}
	r := l.resident.Load()
	if r == nil {
		return tables.Draw, false
	}
	side, at := l.index.Rank(pos)
	return r.sides[side].Outcome(int(at)), true
}

// heldDistance is heldOutcome for distances to win.
func (p *Prober) heldDistance(v *draughts.Variant, pos draughts.Position) (tables.Plies, bool) {
	material, _ := tables.MaterialOf(pos)
	l := p.tables.known(layerKey{family{variant: v, distance: true}, material})
	if l == nil {
		return tables.NoPlies, false
	}
	r := l.resident.Load()
	if r == nil {
		return tables.NoPlies, false
	}
	side, at := l.index.Rank(pos)
	return r.sides[side].Distance(int(at)), true
}
