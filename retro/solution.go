// Package retro solves tables by retrograde analysis and proves them. A table
// is solved from finished ones alone: those that a capture or a promotion leads
// to. Nothing here knows how tables are stored.
package retro

import (
	"context"
	"fmt"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// Solution is a solved table. Its values are read through [tables.Values].
type Solution struct {
	Variant  *draughts.Variant
	Material tables.Material
	// HasDistances is set if distances were solved, not outcomes alone.
	HasDistances bool
	// Profile is set if they are distances to reset under these draw rules, else
	// they are distances to win. Outcomes are then those within a phase, and no
	// metric of their own.
	Profile *draughts.Profile
	tables.Values
}

// Fields implements [tables.FieldValues].
func (s *Solution) Fields(side tables.Side, start uint64, dst []byte) {
	tables.ReadFields(s.Values, side, start, dst, true)
}

// Table names the solved table.
func (s *Solution) Table() tables.Table {
	return tables.Table{Variant: s.Variant, Material: s.Material}
}

// Metrics returns the metrics that the solution has values for.
func (s *Solution) Metrics() []tables.Metric {
	switch {
	case s.Profile != nil:
		return []tables.Metric{tables.DTR(s.Profile.Name)}
	case s.HasDistances:
		return []tables.Metric{tables.Outcomes, tables.DTW}
	}
	return []tables.Metric{tables.Outcomes}
}

// flat is a table in memory with one distance for each position in index order,
// as [tables.Metric.Value] gives it.
// Where only outcomes count, the distance is a level: the plies that best play
// takes to a result that was known before, in a finished table or in a slice
// solved earlier. Such a known loss counts 0 and a known win 1.
type flat struct {
	ix       *index.Index
	plies    [2][]tables.Plies // by side to move
	captures [2]bitset         // only of solved tables
}

func newFlat(ix *index.Index, withCaptures bool) (*flat, error) {
	n := ix.Size()
	if n > maxInt/4 {
		return nil, fmt.Errorf("table of %s: %d positions do not fit this machine's address space", ix.Material(), n)
	}
	f := &flat{ix: ix}
	for s := range ix.Material().Sides() {
		f.plies[s] = make([]tables.Plies, n)
		if withCaptures {
			f.captures[s] = make(bitset, (n+63)/64)
		}
	}
	return f, nil
}

const maxInt = uint64(^uint(0) >> 1)

func (f *flat) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	for i, d := range f.plies[s][start : start+uint64(len(dst))] {
		dst[i] = d.Outcome()
	}
}

func (f *flat) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	copy(dst, f.plies[s][start:])
}

func (f *flat) Captures(s tables.Side, start uint64, dst []bool) {
	if f.captures[s] == nil { // a table that was read, not solved
		for i := range dst {
			dst[i] = f.ix.Variant().HasCapture(f.ix.Position(s, start+uint64(i)))
		}
		return
	}
	for i := range dst {
		dst[i] = f.captures[s].has(start + uint64(i))
	}
}

// value implements lookup.
func (f *flat) value(p *draughts.Position) tables.Plies {
	side, n := f.ix.Rank(*p)
	return f.plies[side][n]
}

// flatOf copies the distances of a solved table, or its levels.
func flatOf(ctx context.Context, ix *index.Index, values tables.Values) (*flat, error) {
	if f, ok := values.(*flat); ok {
		return f, nil
	}
	f, err := newFlat(ix, false)
	if err != nil {
		return nil, err
	}
	const run = 1 << 20
	for s := range tables.Side(ix.Material().Sides()) {
		for start := uint64(0); start < ix.Size(); start += run {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			values.Distances(s, start, f.plies[s][start:min(start+run, ix.Size())])
		}
	}
	return f, nil
}

// bitset is a set of position numbers.
type bitset []uint64

func (b bitset) has(i uint64) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) add(i uint64)      { b[i>>6] |= 1 << (i & 63) }

// loadFlat reads a finished table into memory: distances if they count, else
// outcomes as levels.
func loadFlat(ctx context.Context, r tables.Reader, v *draughts.Variant, m tables.Material, metric tables.Metric) (*flat, error) {
	ix, err := index.New(v, m)
	if err != nil {
		return nil, err
	}
	f, err := newFlat(ix, false)
	if err != nil {
		return nil, err
	}
	const run = 1 << 16
	outcomes := make([]tables.Outcome, run)
	for s := range ix.Material().Sides() {
		plies := f.plies[s]
		for start := uint64(0); start < ix.Size(); start += run {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			n := min(run, ix.Size()-start)
			dst := plies[start : start+n]
			key := tables.Key{Variant: v.Name, Material: ix.Material(), Metric: metric}
			if metric.IsDistance() {
				if err := r.Distances(ctx, key, tables.Side(s), start, dst); err != nil {
					return nil, err
				}
				continue
			}
			if err := r.Outcomes(ctx, key, tables.Side(s), start, outcomes[:n]); err != nil {
				return nil, err
			}
			for i, o := range outcomes[:n] {
				dst[i] = knownLevel(o)
			}
		}
	}
	return f, nil
}

// knownLevel returns the level of a result that was known before.
func knownLevel(o tables.Outcome) tables.Plies {
	switch o {
	case tables.Win:
		return 1
	case tables.Loss:
		return 0
	default:
		return tables.NoPlies
	}
}

// walks reports whether a quiet move is a man's step to another row: to a slice
// solved earlier.
func walks(v *draughts.Variant, p *draughts.Position, m *draughts.Move) bool {
	if !p.Pieces(p.Side(), draughts.Man).Has(m.From) {
		return false
	}
	from, _ := v.RowOf(m.From)
	to, _ := v.RowOf(m.To)
	return from != to
}
