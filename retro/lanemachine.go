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
type laneMachine struct {
	board     *laneBoard
	distances bool
	levels    bool // levels are kept for the proof where only outcomes count
	finished  tables.Reader

	mu   sync.Mutex
	kept map[tables.Material]*keptTable
}

type keptTable struct {
	once  sync.Once
	table *laneTable
	err   error
}

func newLaneMachine(v *draughts.Variant, distances, levels bool, finished tables.Reader) *laneMachine {
	return &laneMachine{
		board: newLaneBoard(v), distances: distances, levels: levels,
		finished: finished, kept: map[tables.Material]*keptTable{},
	}
}

func (m *laneMachine) entry(material tables.Material) *keptTable {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.kept[material]
	if e == nil {
		e = &keptTable{}
		m.kept[material] = e
	}
	return e
}

// table returns a finished table.
func (m *laneMachine) table(ctx context.Context, material tables.Material) (*laneTable, error) {
	e := m.entry(material)
	e.once.Do(func() { e.table, e.err = m.read(ctx, material) })
	return e.table, e.err
}

// lookup implements solver.
func (m *laneMachine) lookup(ctx context.Context, material tables.Material) (lookup, error) {
	return m.table(ctx, material)
}

// solve implements solver.
func (m *laneMachine) solve(ctx context.Context, ix *index.Index, threads int, progress func(uint64)) (tables.Values, error) {
	own := newLaneTable(m.board, ix, m.distances || m.levels)
	kids := &children{at: map[kindCounts]int{}}
	for _, d := range tables.Deps(ix.Material()) {
		t, err := m.table(ctx, d)
		if err != nil {
			return nil, err
		}
		for _, seen := range d.Ordered() {
			kids.add(seen, own, t)
		}
	}
	if err := solveLanes(ctx, own, kids, m.distances, threads, progress); err != nil {
		return nil, err
	}
	return own, nil
}

// keep implements solver.
func (m *laneMachine) keep(values tables.Values) {
	// A copy without what nobody solves from: the solution itself may live on.
	solved := values.(*laneTable)
	t := newLaneTable(m.board, solved.ix, m.distances)
	for n := range t.pages {
		page := *solved.pages[n].Load()
		page.capture = [2][]word{}
		if !m.distances {
			page.plies = [2][]tables.Plies{}
		}
		t.pages[n].Store(&page)
	}
	e := m.entry(t.ix.Material())
	e.once.Do(func() { e.table = t })
}

// release implements solver.
func (m *laneMachine) release(material tables.Material) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, material)
}

// read reads a finished table.
func (m *laneMachine) read(ctx context.Context, material tables.Material) (*laneTable, error) {
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
	t := newLaneTable(m.board, ix, m.distances)
	for n := range t.pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		page, err := m.readPage(ctx, t, key, uint64(n))
		if err != nil {
			return nil, err
		}
		t.pages[n].Store(page)
	}
	return t, nil
}

// readPage reads one page of a finished table.
func (m *laneMachine) readPage(ctx context.Context, t *laneTable, key tables.Key, n uint64) (*lanePage, error) {
	page := t.newPage(n, false)
	first := n << t.shift
	slices := min(1<<t.shift, t.ix.Slices()-first)
	const length = 1 << 14
	outcomes := make([]tables.Outcome, length)
	plies := make([]tables.Plies, length)
	fill := func(s tables.Side, c draughts.Color, first, slices uint64, twin bool) error {
		end := (first + slices) * t.ix.SliceSize()
		for start := first * t.ix.SliceSize(); start < end; start += length {
			count := int(min(length, end-start))
			var err error
			if m.distances {
				err = m.finished.Distances(ctx, key, s, start, plies[:count])
				for i, d := range plies[:count] {
					outcomes[i] = d.Outcome()
				}
			} else {
				err = m.finished.Outcomes(ctx, key, s, start, outcomes[:count])
			}
			if err != nil {
				return err
			}
			t.fill(page, n<<t.shift, c, start, outcomes[:count], plies[:count], twin)
		}
		return nil
	}
	for s := range tables.Side(t.ix.Material().Sides()) {
		if err := fill(s, draughts.Color(s), first, slices, false); err != nil {
			return nil, err
		}
	}
	if t.ix.Material().Symmetric() {
		// Black to move: White to move in the slices of the men seen from the other
		// side.
		for slice := first; slice < first+slices; slice++ {
			men := piecesOf(t.ix.Men(slice))
			men = men.turned(t.board.squares)
			if err := fill(tables.First, draughts.Black, t.sliceOf(&men.men), 1, true); err != nil {
				return nil, err
			}
		}
	}
	return page, nil
}
