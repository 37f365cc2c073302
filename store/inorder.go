package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// inOrder reads the values of a table's metric once, in canonical order and some
// slices at a time, gives them to a summarizer and hands them out in the order in
// which they are stored. load is for one goroutine; what it has loaded may be read
// by several.
type inOrder struct {
	index   *index.Index
	values  tables.Values
	metric  tables.Metric
	order   tables.Order
	numbers *tables.Renumbering
	within  []uint32 // canonical numbers within a slice by stored ones; nil if it is too large
	slice   uint64   // positions that are loaded together
	size    uint64   // positions of a side
	few     uint64   // a side of at most so many positions is loaded whole
	threads int
	// leftOut is what each side to move leaves out, or may: which positions that are
	// is handed out with them.
	leftOut [2]tables.LeftOut

	loaded [2]loaded // of sides; of a large table there is only the first
	sums   *tables.Summarizer
	summed [2]uint64 // positions of each side that the summarizer has been given
	sides  int
	busy   sync.WaitGroup // the summarizer
}

// loaded are values in canonical order: of outcomes fields, of distances these and
// captures.
type loaded struct {
	side      tables.Side
	from, to  uint64
	fields    []byte
	distances []tables.Plies
	captures  []bool
}

// fieldLeft is set in fields of positions that are left out.
const fieldLeft = tables.FieldThreat << 1

const (
	// readAhead is how many positions are loaded at a time where all will be read.
	readAhead = 1 << 22
	// largestWithin is how many positions a slice may have whose order is kept.
	largestWithin = 1 << 20
)

func newInOrder(v *draughts.Variant, m *tables.Manifest, values tables.Values, threads int) (*inOrder, error) {
	ix, err := index.New(v, m.Material)
	if err != nil {
		return nil, err
	}
	r := &inOrder{
		index: ix, values: values, metric: m.Metric, order: m.Order, slice: 1, size: m.Positions, few: readAhead, threads: threads,
		sides: m.Material.Sides(), sums: tables.NewSummarizer(m.Metric, m.Material.Sides()),
	}
	if r.numbers, err = tables.NewRenumbering(v, m.Material, m.Order); err != nil || m.Order == tables.Canonical {
		return r, err
	}
	if r.slice = r.numbers.SliceSize(); r.slice <= largestWithin {
		all := make([]uint64, r.slice)
		r.numbers.Canonical(0, all) // every slice has the same order
		r.within = make([]uint32, r.slice)
		for i, at := range all {
			r.within[i] = uint32(at)
		}
	}
	return r, nil
}

// at is where a side is loaded.
func (r *inOrder) at(side tables.Side) *loaded {
	if r.size > r.few {
		side = tables.First
	}
	return &r.loaded[side]
}

// load makes sure that the stored positions of a range are there, and as many as
// ahead if they are loaded; all of a side that has few.
func (r *inOrder) load(ctx context.Context, side tables.Side, from, to, ahead uint64) error {
	l := r.at(side)
	if l.side == side && l.from <= from && to <= l.to {
		return nil
	}
	r.busy.Wait()
	if r.size <= r.few {
		from, to = 0, r.size
	}
	l.side, l.from = side, from/r.slice*r.slice
	l.to = max((to+r.slice-1)/r.slice*r.slice, l.from+ahead/r.slice*r.slice)
	l.to = min(l.to, r.size)
	n := int(l.to - l.from)
	if r.metric == tables.Outcomes {
		l.fields = slices.Grow(l.fields[:0], n)[:n]
	} else {
		l.distances = slices.Grow(l.distances[:0], n)[:n]
		l.captures = slices.Grow(l.captures[:0], n)[:n]
	}
	if err := r.fill(ctx, l, n); err != nil {
		l.to = l.from
		return err
	}
	if r.threads == 1 {
		r.sum(l)
	} else {
		r.busy.Go(func() { r.sum(l) })
	}
	return nil
}

func (r *inOrder) fill(ctx context.Context, l *loaded, n int) error {
	part := max(1<<16, (n+r.threads-1)/r.threads)
	g, ctx := errgroup.WithContext(ctx)
	for at := 0; at < n; at += part {
		g.Go(func() error {
			const run = 1 << 14
			for i := at; i < min(at+part, n); i += run {
				if err := ctx.Err(); err != nil {
					return err
				}
				end := min(i+run, at+part, n)
				if r.metric == tables.Outcomes {
					tables.ReadFields(r.values, l.side, l.from+uint64(i), l.fields[i:end], r.leftOut[l.side] != tables.NoneLeftOut)
					r.leave(l, i, end)
				} else {
					r.values.Captures(l.side, l.from+uint64(i), l.captures[i:end])
					r.values.Distances(l.side, l.from+uint64(i), l.distances[i:end])
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// leave marks which of some loaded positions are left out.
func (r *inOrder) leave(l *loaded, from, to int) {
	what := r.leftOut[l.side]
	if what == tables.NoneLeftOut {
		return
	}
	for i, f := range l.fields[from:to] {
		left := f << 1 &^ (f << 2) & fieldLeft // a threat and no capture
		if left != 0 && what == tables.EvenThreatened {
			pos := r.index.Position(l.side, l.from+uint64(from+i))
			if !what.LeavesThreatened(r.index.Variant(), &pos) {
				continue
			}
		}
		l.fields[from+i] = f | left
	}
}

// sum gives the summarizer what of the loaded values it comes to next, if any.
func (r *inOrder) sum(l *loaded) {
	done := &r.summed[l.side]
	if l.side == tables.Second && r.summed[tables.First] < r.size || *done < l.from || *done >= l.to {
		return
	}
	i, n := *done-l.from, l.to-l.from
	if r.metric == tables.Outcomes {
		r.sums.Fields(l.side, l.fields[i:n])
	} else {
		r.sums.Distances(l.side, l.distances[i:n], l.captures[i:n])
	}
	*done = l.to
}

// summary returns the counts and the digest of all values. It loads what has not
// been loaded in turn so far.
func (r *inOrder) summary(ctx context.Context) ([]tables.Summary, string, error) {
	r.busy.Wait()
	for side := range tables.Side(r.sides) {
		for r.summed[side] < r.size {
			from := r.summed[side]
			if err := r.load(ctx, side, from, from+1, readAhead); err != nil {
				return nil, "", err
			}
			r.busy.Wait()
			r.sum(r.at(side)) // it may have been loaded out of turn
		}
	}
	sides, digest := r.sums.Sum()
	return sides, digest, nil
}

// piece is what is read at a time.
type piece struct {
	fields    []byte
	distances []tables.Plies
	captures  []bool
	numbers   []uint64
	within    []uint32
}

func newPiece(n int) *piece {
	return &piece{make([]byte, n), make([]tables.Plies, n), make([]bool, n), make([]uint64, n), make([]uint32, n)}
}

// read reads stored positions, which have been loaded, from one on: n of them.
func (r *inOrder) read(side tables.Side, from uint64, n int, p *piece) {
	l := r.at(side)
	if side != l.side || from < l.from || from+uint64(n) > l.to {
		panic(fmt.Sprintf("positions %d to %d are not loaded", from, from+uint64(n)))
	}
	if r.order == tables.Canonical {
		i := from - l.from
		if r.metric == tables.Outcomes {
			copy(p.fields[:n], l.fields[i:])
		} else {
			copy(p.captures[:n], l.captures[i:])
			copy(p.distances[:n], l.distances[i:])
		}
		return
	}
	for i := 0; i < n; {
		first := (from + uint64(i)) % r.slice
		part := min(n-i, int(r.slice-first))
		base := from + uint64(i) - first - l.from
		within := r.canonical(first, part, p)
		if r.metric == tables.Outcomes {
			gather(p.fields[i:i+part], l.fields[base:base+r.slice], within)
		} else {
			gather(p.captures[i:i+part], l.captures[base:base+r.slice], within)
			gather(p.distances[i:i+part], l.distances[base:base+r.slice], within)
		}
		i += part
	}
}

func gather[T any](to, from []T, at []uint32) {
	for i, n := range at {
		to[i] = from[n]
	}
}

// canonical returns the canonical numbers within a slice of stored positions: n
// of them from one on.
func (r *inOrder) canonical(first uint64, n int, p *piece) []uint32 {
	if r.within != nil {
		return r.within[first : first+uint64(n)]
	}
	numbers, within := p.numbers[:n], p.within[:n]
	r.numbers.Canonical(first, numbers)
	for i, at := range numbers {
		within[i] = uint32(at)
	}
	return within
}
