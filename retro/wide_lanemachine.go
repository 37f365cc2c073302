// Code generated from lanemachine.go by internal/widen; DO NOT EDIT.

package retro

import (
	"context"
	"sync"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// laneMachine is the lanes solver for the tables of one variant. It keeps every
// table that it has solved or read in the form in which later ones are solved
// from it.
type wideLaneMachine struct {
	board     *wideLaneBoard
	distances bool
	levels    bool // levels are kept for the proof where only outcomes count
	finished  tables.Reader

	mu   sync.Mutex
	kept map[tables.Material]*wideKeptTable
}

type wideKeptTable struct {
	once  sync.Once
	table *wideLaneTable
	err   error
}

func newWideLaneMachine(v *draughts.Variant, distances, levels bool, finished tables.Reader) *wideLaneMachine {
	return &wideLaneMachine{
		board: newWideLaneBoard(v), distances: distances, levels: levels,
		finished: finished, kept: map[tables.Material]*wideKeptTable{},
	}
}

func (m *wideLaneMachine) entry(material tables.Material) *wideKeptTable {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.kept[material]
	if e == nil {
		e = &wideKeptTable{}
		m.kept[material] = e
	}
	return e
}

// table returns a finished table.
func (m *wideLaneMachine) table(ctx context.Context, material tables.Material) (*wideLaneTable, error) {
	e := m.entry(material)
	e.once.Do(func() { e.table, e.err = m.read(ctx, material) })
	return e.table, e.err
}

// lookup implements solver.
func (m *wideLaneMachine) lookup(ctx context.Context, material tables.Material) (lookup, error) {
	return m.table(ctx, material)
}

// solve implements solver.
func (m *wideLaneMachine) solve(ctx context.Context, ix *index.Index, threads int, progress func(uint64)) (tables.Values, error) {
	own := newWideLaneTable(m.board, ix, m.distances || m.levels)
	kids := &wideChildren{at: map[wideKindCounts]int{}}
	for _, d := range tables.Deps(ix.Material()) {
		t, err := m.table(ctx, d)
		if err != nil {
			return nil, err
		}
		for _, seen := range d.Ordered() {
			kids.add(seen, own, t)
		}
	}
	if err := wideSolveLanes(ctx, own, kids, m.distances, threads, progress); err != nil {
		return nil, err
	}
	return own, nil
}

// keep implements solver.
func (m *wideLaneMachine) keep(values tables.Values) {
	// A copy without what nobody solves from: the solution itself may live on.
	t := new(wideLaneTable)
	*t = *values.(*wideLaneTable)
	t.capture = [2][]wideWord{}
	if !m.distances {
		t.plies = [2][]tables.Plies{}
	}
	e := m.entry(t.ix.Material())
	e.once.Do(func() { e.table = t })
}

// release implements solver.
func (m *wideLaneMachine) release(material tables.Material) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, material)
}

// read reads a finished table.
func (m *wideLaneMachine) read(ctx context.Context, material tables.Material) (*wideLaneTable, error) {
	key := tables.Key{Variant: m.board.v.Name, Material: material, Metric: tables.Outcomes}
	if m.distances {
		key.Metric = tables.DTW
	}
	if m.finished == nil {
		return nil, &tables.MissingError{Key: key}
	}
	ix, err := index.New(m.board.v, material)
	if err != nil {
		return nil, err
	}
	t := newWideLaneTable(m.board, ix, m.distances)
	t.capture = [2][]wideWord{}
	const length = 1 << 16
	outcomes := make([]tables.Outcome, length)
	plies := make([]tables.Plies, length)
	for s := range tables.Side(material.Sides()) {
		for start := uint64(0); start < ix.Size(); start += length {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			n := int(min(length, ix.Size()-start))
			if m.distances {
				err = m.finished.Distances(ctx, key, s, start, plies[:n])
				for i, d := range plies[:n] {
					outcomes[i] = d.Outcome()
				}
			} else {
				err = m.finished.Outcomes(ctx, key, s, start, outcomes[:n])
			}
			if err != nil {
				return nil, err
			}
			t.fill(draughts.Color(s), start, outcomes[:n], plies[:n])
		}
	}
	return t, nil
}
