package retro

import (
	"context"
	"errors"
	"sync"

	"threekings/draughts"
	"threekings/tables"
)

// library holds the finished tables that others are solved from, in memory,
// each read at most once. It is safe for concurrent use.
type library struct {
	v        *draughts.Variant
	metric   tables.Metric
	finished tables.Reader // may be nil

	mu     sync.Mutex
	tables map[tables.Material]*entry
}

type entry struct {
	once sync.Once
	flat *flat
	err  error
}

func newLibrary(v *draughts.Variant, metric tables.Metric, finished tables.Reader) *library {
	return &library{v: v, metric: metric, finished: finished, tables: map[tables.Material]*entry{}}
}

func (l *library) entry(m tables.Material) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.tables[m]
	if e == nil {
		e = &entry{}
		l.tables[m] = e
	}
	return e
}

// add puts a table that was just solved into the library.
func (l *library) add(f *flat) {
	e := l.entry(f.ix.Material())
	e.once.Do(func() { e.flat = f })
}

// failure implements solver: errors of reading are returned at once.
func (l *library) failure() error { return nil }

// release forgets a table.
func (l *library) release(m tables.Material) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.tables, m)
}

// get returns a finished table.
func (l *library) get(ctx context.Context, m tables.Material) (*flat, error) {
	e := l.entry(m)
	e.once.Do(func() {
		if l.finished == nil {
			e.err = &tables.MissingError{Key: tables.Key{Variant: l.v.Name, Material: m, Metric: l.metric}}
			return
		}
		e.flat, e.err = loadFlat(ctx, l.finished, l.v, m, l.metric)
	})
	return e.flat, e.err
}

// lookup implements solver.
func (l *library) lookup(ctx context.Context, m tables.Material) (lookup, error) {
	return l.get(ctx, m)
}

// lookup reads single values of a finished table or one in work. It is safe for
// concurrent use.
type lookup interface {
	// value returns the value of the metric, or the level, of a position of the
	// table, in either colour.
	value(p *draughts.Position) tables.Plies
}

// dependencies are finished tables by material, in either order.
type dependencies [1 << 12]lookup

// dependenciesOf returns the tables that the table of m is solved and proved
// from.
func dependenciesOf(ctx context.Context, m tables.Material, get func(context.Context, tables.Material) (lookup, error)) (*dependencies, error) {
	deps := &dependencies{}
	var errs []error
	for _, d := range tables.Deps(m) {
		t, err := get(ctx, d)
		errs = append(errs, err)
		deps.add(d, t)
	}
	return deps, errors.Join(errs...)
}

// slot numbers the materials; no kind has more than seven pieces.
func slot(m tables.Material) int {
	n := 0
	for s := tables.First; s <= tables.Second; s++ {
		for k := draughts.Man; k <= draughts.King; k++ {
			n = n<<3 | m.Count(s, k)
		}
	}
	return n
}

func (d *dependencies) add(m tables.Material, t lookup) {
	d[slot(m)], d[slot(m.Reverse())] = t, t
}

// known returns the value of a position of a finished table, or of one that
// ends the game. If distances do not count it is a level.
func (d *dependencies) known(p *draughts.Position, distances bool) tables.Plies {
	side, whiteMen, whiteKings, blackMen, blackKings := p.Split()
	if p.SideSet(side).IsEmpty() {
		return 0 // the side to move has no pieces left
	}
	at := ((whiteMen.Len()<<3|whiteKings.Len())<<3|blackMen.Len())<<3 | blackKings.Len()
	plies := d[at].value(p)
	if !distances {
		return knownLevel(plies.Outcome())
	}
	return plies
}

// openRow returns the values of the positions of a finished table that have the
// pieces of base and one more king of the colour open, by the square of that
// king, if the table keeps them in such rows.
func (d *dependencies) openRow(base *draughts.Position, open draughts.Color) (r rowValues, ok bool) {
	if base.SideSet(base.Side()).IsEmpty() && base.Side() != open {
		return rowValues{loss: draughts.SetFromWords(^uint64(0), ^uint64(0))}, true // the side to move has no pieces left
	}
	_, whiteMen, whiteKings, blackMen, blackKings := base.Split()
	kings := [2]int{whiteKings.Len(), blackKings.Len()}
	kings[open]++
	t, ok := d[((whiteMen.Len()<<3|kings[0])<<3|blackMen.Len())<<3|kings[1]].(rowReader)
	if !ok {
		return r, false
	}
	return t.openRow(base, open)
}
