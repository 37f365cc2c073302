package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

// scanner reads stored tables from one end to the other.
type scanner struct {
	*app
	variant  *draughts.Variant
	packName string
	pack     *store.Pack
	store    *store.Store
	prober   *probe.Prober
}

// open opens the pack, or what is stored. Without any tables it is an error.
func (s *scanner) open() (err error) {
	if s.packName != "" {
		if s.pack, err = store.OpenPack(s.packName); err != nil {
			return err
		}
		s.prober = probe.Open(s.pack, probe.Options{})
		return nil
	}
	if s.store, err = s.openRead(); err != nil {
		return err
	}
	if s.store == nil {
		return s.nothingStored()
	}
	s.prober = probe.Open(s.store, probe.Options{})
	return nil
}

func (s *scanner) nothingStored() error {
	where := s.packName
	if where == "" {
		var err error
		if where, err = s.tableDir(); err != nil {
			return err
		}
	}
	return fmt.Errorf("no %s tables are stored in %s; make some with: threekings generate --variant %s --pieces 3",
		s.variant.Name, where, s.variant.Name)
}

func (s *scanner) close() error {
	if s.pack != nil {
		return s.pack.Close()
	}
	if s.store != nil {
		return s.store.Close()
	}
	return nil
}

// rows returns the sides to move of all stored tables of the variant, or of
// those named, in the order of their materials as given. A table that is named
// but not stored is an error, and so is one without outcomes, or if all are;
// damaged ones come as an error beside the others.
func (s *scanner) rows(materials []tables.Material) ([]answer.Row, error) {
	var list []*tables.Manifest
	var err error
	if s.pack != nil {
		list, err = s.pack.List(s.variant.Name)
	} else {
		list, err = s.store.List(s.variant.Name)
	}
	if err != nil && !errors.Is(err, tables.ErrDamaged) {
		return nil, err
	}
	all := answer.Rows(answer.StoredTables(list))
	if len(materials) == 0 {
		switch {
		case len(all) > 0 || err != nil:
		case len(list) > 0:
			err = &tables.MissingError{Key: tables.Key{Variant: s.variant.Name, Material: list[len(list)-1].Material, Metric: tables.Outcomes}}
		default:
			err = s.nothingStored()
		}
		return all, err
	}
	var chosen []answer.Row
	for _, m := range materials {
		i := slices.IndexFunc(all, func(r answer.Row) bool { return r.Material == m })
		if i < 0 {
			if err != nil {
				return nil, err
			}
			table, _ := m.Table()
			if slices.ContainsFunc(list, func(stored *tables.Manifest) bool { return stored.Material == table }) {
				return nil, &tables.MissingError{Key: tables.Key{Variant: s.variant.Name, Material: table, Metric: tables.Outcomes}}
			}
			return nil, s.notStored(m)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// notStored is the error for a table that is named but not there.
func (s *scanner) notStored(m tables.Material) error {
	table, _ := m.Table()
	return fmt.Errorf("%w: %s %s is not stored; make it with: threekings generate --variant %s --material %s",
		tables.ErrMissing, s.variant.Name, table, s.variant.Name, table)
}

// key names a metric of a row's table.
func (s *scanner) key(row answer.Row, metric tables.Metric) tables.Key {
	return tables.Table{Variant: s.variant, Material: row.Stored.Material}.Key(metric)
}

// materialsFlag is the flag --material of commands that look into tables: the
// side to move is written first.
type materialsFlag []tables.Material

func (f *materialsFlag) String() string {
	text := ""
	for i, m := range *f {
		if i > 0 {
			text += ","
		}
		text += m.String()
	}
	return text
}

func (f *materialsFlag) Set(text string) error {
	m, err := tables.ParseMaterial(text)
	if err == nil && !slices.Contains(*f, m) {
		*f = append(*f, m)
	}
	return err
}

func (f *materialsFlag) Type() string { return "material" }

// part is a run of consecutive positions of one side to move.
type part struct {
	row   answer.Row
	index *index.Index
	start uint64
	n     int
	// What was asked for: distances to win, outcomes, or values of distances to
	// reset.
	distances []tables.Plies
	outcomes  []tables.Outcome
	resets    []tables.Plies
}

// outcome returns the outcome of position i of the part.
func (p *part) outcome(i int) tables.Outcome {
	if p.distances != nil {
		return p.distances[i].Outcome()
	}
	return p.outcomes[i]
}

// position returns position i of the part.
func (p *part) position(i int) draughts.Position {
	return p.index.Position(p.row.Side, p.start+uint64(i))
}

// partLen is how many positions are looked at together.
const partLen = 1 << 14

// errEnough ends a scan early.
var errEnough = errors.New("enough")

// scanRow reads some metrics of all positions of a row. look is called for many parts at once, take with what it returned in the order of the
// positions, on one goroutine; it ends the scan with errEnough.
func scanRow[T any](ctx context.Context, s *scanner, row answer.Row, metrics []tables.Metric, look func(p *part) (T, error), take func(T) error) error {
	ix, err := index.New(s.variant, row.Stored.Material)
	if err != nil {
		return err
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers + 1)
	results := make(chan chan T, 2*workers)
	g.Go(func() error {
		defer close(results)
		for start := uint64(0); start < ix.Size(); start += partLen {
			result := make(chan T, 1)
			select {
			case results <- result:
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error {
				p := &part{row: row, index: ix, start: start, n: int(min(partLen, ix.Size()-start))}
				for _, metric := range metrics {
					if err := s.read(ctx, p, metric); err != nil {
						return err
					}
				}
				t, err := look(p)
				if err == nil {
					result <- t
				}
				return err
			})
		}
		return nil
	})
	var taken error
	for result := range results {
		select {
		case t := <-result:
			if taken == nil {
				if taken = take(t); taken != nil {
					cancel()
				}
			}
		case <-ctx.Done():
		}
	}
	switch err := g.Wait(); {
	case taken != nil:
		return taken
	case err != nil:
		return err
	default:
		return outer.Err() // results may have been dropped
	}
}

func (s *scanner) read(ctx context.Context, p *part, metric tables.Metric) error {
	key := s.key(p.row, metric)
	switch metric {
	case tables.Outcomes:
		p.outcomes = make([]tables.Outcome, p.n)
		return s.prober.Outcomes(ctx, key, p.row.Side, p.start, p.outcomes)
	case tables.DTW:
		p.distances = make([]tables.Plies, p.n)
		return s.prober.Distances(ctx, key, p.row.Side, p.start, p.distances)
	default:
		p.resets = make([]tables.Plies, p.n)
		return s.prober.Distances(ctx, key, p.row.Side, p.start, p.resets)
	}
}

// winningMoves counts the moves of a position that win, up to limit. The moves
// are put into buf.
func (s *scanner) winningMoves(pos draughts.Position, buf []draughts.Move, limit int) (wins int, moves []draughts.Move, err error) {
	moves = s.variant.Moves(pos, buf[:0])
	for _, m := range moves {
		o, err := s.prober.Outcome(s.variant, pos.Play(m))
		if err != nil {
			return 0, moves, err
		}
		if o == tables.Loss {
			if wins++; wins == limit {
				break
			}
		}
	}
	return wins, moves, nil
}
