package store

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"threekings/draughts"
	"threekings/tables"
)

// inOrder reads the values of a table's metric in the order in which they are
// stored. Whole slices are read, in canonical order, and kept while parts of them
// are asked for. load is for one goroutine; what it has loaded may be read by
// several.
type inOrder struct {
	values  tables.Values
	metric  tables.Metric
	numbers *tables.Renumbering
	order   tables.Order
	size    uint64 // positions of a side
	threads int

	side      tables.Side
	from, to  uint64 // what is loaded
	outcomes  []tables.Outcome
	distances []tables.Plies
	captures  []bool
}

// readAhead is how many positions are loaded at a time where all will be read.
const readAhead = 1 << 22

func newInOrder(v *draughts.Variant, m *tables.Manifest, values tables.Values, threads int) (*inOrder, error) {
	numbers, err := tables.NewRenumbering(v, m.Material, m.Order)
	if err != nil {
		return nil, err
	}
	return &inOrder{values: values, metric: m.Metric, numbers: numbers, order: m.Order, size: m.Positions, threads: threads}, nil
}

// load makes sure that the stored positions of a range are there, and as many as
// ahead if they are loaded.
func (r *inOrder) load(ctx context.Context, side tables.Side, from, to, ahead uint64) error {
	if r.order == tables.Canonical || r.side == side && r.from <= from && to <= r.to {
		return nil
	}
	slice := r.numbers.SliceSize()
	first := from / slice * slice
	last := max((to+slice-1)/slice*slice, first+ahead/slice*slice)
	last = min(last, r.size)
	r.side, r.from, r.to = side, first, last
	n := int(last - first)
	if cap(r.captures) < n {
		r.captures = make([]bool, n)
		if r.metric == tables.Outcomes {
			r.outcomes = make([]tables.Outcome, n)
		} else {
			r.distances = make([]tables.Plies, n)
		}
	}
	r.captures = r.captures[:n]
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
				r.values.Captures(side, first+uint64(i), r.captures[i:end])
				if r.metric == tables.Outcomes {
					r.values.Outcomes(side, first+uint64(i), r.outcomes[i:end])
				} else {
					r.values.Distances(side, first+uint64(i), r.distances[i:end])
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		r.to = r.from
		return err
	}
	return nil
}

// piece is what is read at a time.
type piece struct {
	outcomes  []tables.Outcome
	distances []tables.Plies
	captures  []bool
	numbers   []uint64
}

func newPiece(n int) *piece {
	return &piece{make([]tables.Outcome, n), make([]tables.Plies, n), make([]bool, n), make([]uint64, n)}
}

// read reads stored positions, which have been loaded, from one on: n of them.
func (r *inOrder) read(side tables.Side, from uint64, n int, p *piece) {
	if r.order == tables.Canonical {
		r.values.Captures(side, from, p.captures[:n])
		if r.metric == tables.Outcomes {
			r.values.Outcomes(side, from, p.outcomes[:n])
		} else {
			r.values.Distances(side, from, p.distances[:n])
		}
		return
	}
	if side != r.side || from < r.from || from+uint64(n) > r.to {
		panic(fmt.Sprintf("positions %d to %d are not loaded", from, from+uint64(n)))
	}
	numbers := p.numbers[:n]
	r.numbers.Canonical(from, numbers)
	if r.metric == tables.Outcomes {
		for i, at := range numbers {
			p.outcomes[i], p.captures[i] = r.outcomes[at-r.from], r.captures[at-r.from]
		}
		return
	}
	for i, at := range numbers {
		p.distances[i], p.captures[i] = r.distances[at-r.from], r.captures[at-r.from]
	}
}
