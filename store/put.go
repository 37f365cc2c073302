package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"threekings/draughts"
	"threekings/store/pack"
	"threekings/tables"
)

// RunRecord is how a table came to be. It is the only thing stored that is not
// the same for equal tables.
type RunRecord struct {
	Seconds  float64   `json:"seconds"` // time taken to solve
	Threads  int       `json:"threads"`
	Host     string    `json:"host"`
	Finished time.Time `json:"finished"`
	// Proof is how much of the table was proved before it was stored: "full",
	// "sample" or "none". It is empty where that is not known.
	Proof string `json:"proof,omitempty"`
}

// Put codes and stores metrics of a solved table, all at once: if it returns an
// error, none of them is stored. It returns their manifests. A metric that is
// stored already is an [*ExistsError]. The bytes do not depend on the number of
// threads.
func (s *Store) Put(ctx context.Context, t tables.Table, metrics []tables.Metric, values tables.Values, rec RunRecord) ([]*tables.Manifest, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.writable(); err != nil {
		return nil, err
	}
	if table, _ := t.Material.Table(); table != t.Material || t.Material.Pieces() < 2 {
		return nil, fmt.Errorf("store %s: %w: the table is named %s", t.Material, tables.ErrMaterial, table)
	}
	p := put{s: s, table: t, values: values, generator: s.opts.Generator}
	defer func() {
		for _, out := range p.out {
			out.discard()
		}
	}()
	for i, metric := range metrics {
		k := t.Key(metric)
		for _, before := range metrics[:i] {
			if before == metric {
				return nil, fmt.Errorf("store %s: named twice", k)
			}
		}
		if err := s.absent(k); err != nil {
			return nil, err
		}
	}
	var paths []string
	for _, metric := range metrics {
		out := &sortedTables{d: s.db}
		p.out = append(p.out, out)
		if err := p.metric(ctx, metric, rec, out); err != nil {
			return nil, fmt.Errorf("store %s: %w", t.Key(metric), err)
		}
		paths = append(paths, out.paths...)
	}
	keys := make([]tables.Key, len(p.manifests))
	for i, manifest := range p.manifests {
		keys[i] = t.Key(manifest.Metric)
	}
	if err := s.takeIn(ctx, keys, paths); err != nil {
		return nil, fmt.Errorf("store %s %s: %w", t.Variant.Name, t.Material, err)
	}
	return p.manifests, nil
}

// takeIn ingests the sorted tables of new keys and lists them. The caller holds
// mu and writing.
func (s *Store) takeIn(ctx context.Context, keys []tables.Key, paths []string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.moving.Lock()
	defer s.moving.Unlock()
	// From here on it is done or not done, without regard to ctx.
	if err := s.db.ingest(context.WithoutCancel(ctx), paths); err != nil {
		return err
	}
	s.list(true, keys...)
	return s.writeCatalog()
}

// writable reports why nothing can be written. The caller holds mu.
func (s *Store) writable() error {
	switch {
	case s.db == nil:
		return ErrClosed
	case !s.opts.Write:
		return ErrReadOnly
	}
	return s.db.fs.failure()
}

// absent reports whether a table may be stored: it is not there, not even
// damaged. The caller holds mu.
func (s *Store) absent(k tables.Key) error {
	present, err := s.present()
	if err != nil {
		return err
	}
	s.state.RLock()
	listed := s.listed[k]
	s.state.RUnlock()
	if present[k] || listed {
		if _, err := s.entry(k); err != nil {
			return err
		}
		return &ExistsError{Key: k}
	}
	return nil
}

// put is one Put.
type put struct {
	s         *Store
	table     tables.Table
	values    tables.Values
	generator string
	manifests []*tables.Manifest
	learned   [2]learned // of outcomes, by side
	out       []*sortedTables
}

// encoders are kept from one table to the next: each has tens of megabytes.
var encoders = sync.Pool{New: func() any { return pack.NewEncoder() }}

// batchBlocks is how many blocks each thread codes before they are written in
// order.
const batchBlocks = 16

// metric writes all keys of one metric.
func (p *put) metric(ctx context.Context, metric tables.Metric, rec RunRecord, out *sortedTables) error {
	m := &tables.Manifest{
		Format:    pack.Format,
		Generator: p.generator,
		Variant:   p.table.Variant.Name,
		Material:  p.table.Material,
		Metric:    metric,
		Rules:     rulesOf(p.table.Variant, metric),
		Positions: tables.Count(p.table.Variant, p.table.Material),
		BlockLen:  shortest,
		Bits:      2,
		Order:     tables.BestOrder(p.table.Variant, p.table.Material),
	}
	m.RowSquares, m.RowPieces = m.Order.Rows(p.table.Variant, p.table.Material)
	values, err := newInOrder(p.table.Variant, m, p.values, p.s.opts.Threads)
	if err != nil {
		return err
	}
	if err := p.train(ctx, m, values); err != nil {
		return err
	}
	if metric != tables.Outcomes {
		// How wide values are must be known before they are coded.
		if m.Sides, m.Digest, err = values.summary(ctx); err != nil {
			return err
		}
		m.Bits = pack.Width(m.LongestValue())
	}
	layout, err := pack.NewLayout(m)
	if err != nil {
		return err
	}
	k := tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}
	prefix := keyPrefix(k)
	if err := p.blocks(ctx, m, layout, prefix, values, out); err != nil {
		return err
	}
	if m.Sides, m.Digest, err = values.summary(ctx); err != nil {
		return err
	}
	run, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	if err := out.end(k, prefix, m, run); err != nil {
		return err
	}
	p.manifests = append(p.manifests, m)
	return nil
}

// rulesOf returns the draw rules under which a metric is solved.
func rulesOf(v *draughts.Variant, metric tables.Metric) string {
	if name, ok := metric.Profile(); ok {
		if p, err := v.Profile(name); err == nil {
			return p.Definition()
		}
	}
	return "" // the manifest is refused if there should be any
}

// end writes what follows the blocks of k: the manifest and the run record.
func (t *sortedTables) end(k tables.Key, prefix []byte, m *tables.Manifest, run []byte) error {
	if err := m.Check(k); err != nil {
		return err
	}
	sealed, err := pack.SealManifest(m)
	if err != nil {
		return err
	}
	if err := t.set(appendKey(nil, prefix, manifestKind), sealed); err != nil {
		return err
	}
	if err := t.set(appendKey(nil, prefix, runKind), pack.Seal(k, pack.RunRecord, run)); err != nil {
		return err
	}
	return t.finish()
}

// blocks codes and writes all blocks, and counts their bytes.
func (p *put) blocks(ctx context.Context, m *tables.Manifest, layout *pack.Layout, prefix []byte, values *inOrder, out *sortedTables) error {
	work := (m.Blocks() + batchBlocks - 1) / batchBlocks
	threads := int(min(uint64(p.s.opts.Threads), work))
	coders := make([]*coder, threads)
	for i := range coders {
		coders[i] = &coder{encoder: encoders.Get().(*pack.Encoder)}
		defer encoders.Put(coders[i].encoder)
	}
	key := make([]byte, 0, 128)
	for side := range tables.Side(m.Material.Sides()) {
		for first := uint64(0); first < m.Blocks(); first += uint64(threads * batchBlocks) {
			last := min(first+uint64(threads*batchBlocks), m.Blocks())
			if err := values.load(ctx, side, first*uint64(m.BlockLen), min(last*uint64(m.BlockLen), m.Positions), readAhead); err != nil {
				return err
			}
			g, ctx := errgroup.WithContext(ctx)
			for i, c := range coders {
				from := min(first+uint64(i*batchBlocks), m.Blocks())
				to := min(from+batchBlocks, m.Blocks())
				g.Go(func() error { return c.code(ctx, values, m, layout, side, from, to) })
			}
			if err := g.Wait(); err != nil {
				return err
			}
			n := first
			for _, c := range coders {
				start := 0
				for _, end := range c.ends {
					coded := c.coded[start:end]
					key = appendBlockKey(key[:0], prefix, side, n)
					if err := out.set(key, coded); err != nil {
						return err
					}
					m.Bytes += uint64(len(coded))
					start = end
					n++
				}
			}
		}
	}
	return nil
}

// coder codes some blocks in a row.
type coder struct {
	encoder *pack.Encoder
	*piece
	coded   []byte
	decoded []byte
	ends    []int // of the blocks in coded
}

func (c *coder) code(ctx context.Context, values *inOrder, m *tables.Manifest, layout *pack.Layout, side tables.Side, from, to uint64) (err error) {
	c.coded, c.ends = c.coded[:0], c.ends[:0]
	if c.piece == nil {
		c.piece = newPiece(m.BlockLen)
	}
	for n := from; n < to; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		size := m.BlockPositions(n)
		values.read(side, n*uint64(m.BlockLen), size, c.piece)
		free := byte(tables.FieldCapture)
		if m.LeftOutOf(side) != tables.NoneLeftOut {
			free |= fieldLeft
		}
		if m.Metric == tables.Outcomes {
			c.coded, err = c.encoder.Fields(layout, side, n, c.coded, c.fields[:size], free)
		} else {
			c.coded, err = c.encoder.Distances(layout, side, n, c.coded, c.distances[:size], c.captures[:size])
		}
		if err != nil {
			return err
		}
		begin := 0
		if len(c.ends) > 0 {
			begin = c.ends[len(c.ends)-1]
		}
		if err := c.compare(m, layout, side, n, c.coded[begin:], free); err != nil {
			return err
		}
		c.ends = append(c.ends, len(c.coded))
	}
	return nil
}

// compare decodes a block that has just been coded: what is not the same again
// is never stored.
func (c *coder) compare(m *tables.Manifest, layout *pack.Layout, side tables.Side, n uint64, coded []byte, free byte) error {
	b, err := layout.Decode(coded, side, n, c.decoded)
	if err != nil {
		return err
	}
	c.decoded = b.Data
	i, size := 0, m.BlockPositions(n)
	if m.Metric == tables.Outcomes {
		i = pack.SameFields(b, c.fields[:size], free)
	} else {
		for i < size && (b.Distance(i) == c.distances[i] || c.captures[i]) {
			i++
		}
	}
	if i < size {
		return fmt.Errorf("code side %d, block %d: position %d comes back with another value", side+1, n, i)
	}
	return nil
}

// Drop removes a metric of a table with all its keys, also if it is damaged. If
// there is none, the error is a [*tables.MissingError].
func (s *Store) Drop(ctx context.Context, k tables.Key) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.writable(); err != nil {
		return err
	}
	present, err := s.present()
	if err != nil {
		return err
	}
	s.state.RLock()
	listed := s.listed[k]
	s.state.RUnlock()
	if !listed && !present[k] {
		return &tables.MissingError{Key: k}
	}
	s.moving.Lock()
	defer s.moving.Unlock()
	s.list(false, k)
	if err := s.writeCatalog(); err != nil {
		if listed {
			s.list(true, k)
		}
		return fmt.Errorf("drop %s: %w", k, err)
	}
	prefix := keyPrefix(k)
	defer s.forget(k)
	if err := s.db.excise(context.WithoutCancel(ctx), prefix, keyEnd(prefix)); err != nil {
		return fmt.Errorf("drop %s: %w", k, err)
	}
	return nil
}
