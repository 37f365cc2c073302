package retro

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	opts      Options
	distances bool
	levels    bool // levels are kept for the proof where only outcomes count
	finished  tables.Reader
	memory    *memory

	mu   sync.Mutex
	kept map[tables.Material]*keptTable
	err  error // of reading a page
}

// keptTable is a finished table, some pages of which are in memory.
type keptTable struct {
	once  sync.Once
	table *laneTable
	err   error

	reading sync.Mutex // held while a page is read
	mu      sync.Mutex
	pages   map[uint64]*keptPage // by number, those that were dropped too
	gone    bool
}

func newLaneMachine(v *draughts.Variant, opts Options, memory *memory) *laneMachine {
	return &laneMachine{
		board: newLaneBoard(v), opts: opts, distances: !opts.OutcomesOnly, levels: opts.Verify != VerifyNone,
		finished: opts.Finished, memory: memory, kept: map[tables.Material]*keptTable{},
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

// newTable returns an empty table.
func (m *laneMachine) newTable(ix *index.Index, withPlies bool) *laneTable {
	t := newLaneTable(m.board, ix, withPlies)
	t.rules = newLaneRules(m.opts.Profile, ix.Material())
	return t
}

// table returns a finished table.
func (m *laneMachine) table(material tables.Material) (*laneTable, error) {
	e := m.entry(material)
	e.once.Do(func() { e.table, e.err = m.open(e, material) })
	return e.table, e.err
}

// lookup implements solver.
func (m *laneMachine) lookup(_ context.Context, material tables.Material) (lookup, error) {
	return m.table(material)
}

// solve implements solver.
func (m *laneMachine) solve(ctx context.Context, ix *index.Index, threads int, progress func(uint64)) (tables.Values, error) {
	own := m.newTable(ix, m.distances || m.levels)
	kids := &children{at: map[kindCounts]int{}}
	for _, d := range tables.Deps(ix.Material()) {
		t, err := m.table(d)
		if err != nil {
			return nil, err
		}
		for _, seen := range d.Ordered() {
			kids.add(seen, own, t)
		}
	}
	mode := fmt.Sprintf("distances=%t plies=%t", m.distances, own.withPlies)
	if own.rules != nil {
		mode += " rules=" + own.rules.profile.Definition()
	}
	err := solveLanes(ctx, own, kids, laneRun{
		distances: m.distances, threads: threads, progress: progress, failure: m.failure,
		journal: newJournal(&m.opts, m.board.v, ix.Material(), mode),
	})
	if err != nil {
		return nil, err
	}
	return own, nil
}

// failure implements solver.
func (m *laneMachine) failure() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// keep implements solver.
func (m *laneMachine) keep(values tables.Values) {
	// A copy without what nobody solves from: the solution itself may live on.
	solved := values.(*laneTable)
	e := m.entry(solved.ix.Material())
	e.once.Do(func() {
		t := m.newTable(solved.ix, m.distances)
		t.fetch = m.fetcher(e, t)
		e.table = t
		for n := range t.pages {
			page := *solved.pages[n].Load()
			page.capture = [2][]word{}
			if !m.distances {
				page.plies = [2][]tables.Plies{}
			}
			m.put(e, t, uint64(n), &page)
		}
	})
}

// put puts a page into a finished table. It stays until its memory is needed, if
// it can be read again.
func (m *laneMachine) put(e *keptTable, t *laneTable, n uint64, page *lanePage) {
	t.pages[n].Store(page)
	if m.finished == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gone {
		return
	}
	if e.pages == nil {
		e.pages = map[uint64]*keptPage{}
	}
	e.pages[n] = m.memory.keep(page.bytes(), func() { t.pages[n].Store(nil) })
}

// fetcher returns the function that reads a missing page of a table. What cannot
// be read is drawn, and the run fails.
func (m *laneMachine) fetcher(e *keptTable, t *laneTable) func(n uint64) *lanePage {
	key := m.key(t.ix.Material())
	return func(n uint64) *lanePage {
		e.reading.Lock()
		defer e.reading.Unlock()
		if page := t.pages[n].Load(); page != nil {
			return page
		}
		page, err := m.readPage(context.Background(), t, key, n)
		if err != nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.err = errors.Join(m.err, err)
			page = t.newPage(n, false)
		}
		m.put(e, t, n, page)
		return page
	}
}

// key names what a finished table is read from.
func (m *laneMachine) key(material tables.Material) tables.Key {
	return tables.Key{Variant: m.board.v.Name, Material: material, Metric: m.opts.metric()}
}

// release implements solver.
func (m *laneMachine) release(material tables.Material) {
	m.mu.Lock()
	e := m.kept[material]
	delete(m.kept, material)
	m.mu.Unlock()
	if e != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.gone = true
		m.memory.forget(slices.Collect(maps.Values(e.pages)))
	}
}

// open prepares a finished table for reading page by page.
func (m *laneMachine) open(e *keptTable, material tables.Material) (*laneTable, error) {
	if m.finished == nil {
		return nil, &tables.MissingError{Key: m.key(material)}
	}
	ix, err := index.New(m.board.v, material)
	if err != nil {
		return nil, err
	}
	t := m.newTable(ix, m.distances)
	t.fetch = m.fetcher(e, t)
	t.slice(0) // a table that is missing or damaged says so now
	return t, m.failure()
}

// readPage reads one page of a finished table.
func (m *laneMachine) readPage(ctx context.Context, t *laneTable, key tables.Key, n uint64) (*lanePage, error) {
	page := t.newPage(n, false)
	first := n << t.shift
	slices := min(1<<t.shift, t.ix.Slices()-first)
	const length = 1 << 14
	outcomes := make([]tables.Outcome, length)
	plies := make([]tables.Plies, length)
	stored := m.stored()
	fill := func(s tables.Side, c draughts.Color, first, slices uint64, twin bool) error {
		end := (first + slices) * t.ix.SliceSize()
		for start := first * t.ix.SliceSize(); start < end; start += length {
			count := int(min(length, end-start))
			if err := m.read(ctx, stored, key, s, start, outcomes[:count], plies[:count]); err != nil {
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
			position := t.ix.Men(slice)
			men := piecesOf(&position)
			men = men.turned(t.board.squares)
			if err := fill(tables.First, draughts.Black, t.sliceOf(&men.men), 1, true); err != nil {
				return nil, err
			}
		}
	}
	if stored != nil {
		if err := m.resolve(t, page, first, slices); err != nil {
			return nil, err
		}
	}
	t.rules.freshen(t, page, 0, uint64(len(page.win[0])))
	return page, nil
}
