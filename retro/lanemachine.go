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
	half    []halfPage // the last that were read beside one that is read
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
		page, err := (&pageReader{m: m, e: e, t: t, key: key, n: n}).read(context.Background())
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
