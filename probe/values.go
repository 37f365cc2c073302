package probe

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// Values are the true values of one stored table as a [tables.Values]: what
// works out a digest or codes a table anew. They are safe for concurrent use.
// Once reading has failed, Err says so and all values mean nothing.
type Values struct {
	ctx    context.Context
	prober *Prober
	v      *draughts.Variant
	m      tables.Material
	index  *index.Index
	metric tables.Metric // of distances

	mu  sync.Mutex
	err error
}

var _ tables.Values = (*Values)(nil)

// Values returns the values of a table, which are read while ctx is not done,
// with one goroutine for each processor. Its distances are those to win.
func (p *Prober) Values(ctx context.Context, v *draughts.Variant, m tables.Material) (*Values, error) {
	return p.ValuesOf(ctx, v, m, tables.DTW)
}

// ValuesOf is [Prober.Values] with another metric of distances.
func (p *Prober) ValuesOf(ctx context.Context, v *draughts.Variant, m tables.Material, metric tables.Metric) (*Values, error) {
	table, _ := m.Table()
	if table != m {
		return nil, fmt.Errorf("%w: the table is named %s", tables.ErrMaterial, table)
	}
	ix, err := index.New(v, m)
	if err != nil {
		return nil, err
	}
	return &Values{ctx: ctx, prober: p, v: v, m: m, index: ix, metric: metric}, nil
}

// Err returns the first error of reading.
func (r *Values) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Values) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

func (r *Values) key(metric tables.Metric) tables.Key {
	return tables.Key{Variant: r.v.Name, Material: r.m, Metric: metric}
}

// share is the least number of positions that is worth a goroutine.
const share = 1 << 10

// split calls fn for parts of n positions, several at a time, until one fails.
func (r *Values) split(n int, fn func(from, to int) error) {
	if r.Err() != nil {
		return
	}
	part := max(share, (n+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for from := 0; from < n; from += part {
		wg.Go(func() {
			if err := fn(from, min(from+part, n)); err != nil {
				r.fail(err)
			}
		})
	}
	wg.Wait()
}

// Outcomes implements [tables.Values].
func (r *Values) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	r.split(len(dst), func(from, to int) error {
		return r.prober.Outcomes(r.ctx, r.key(tables.Outcomes), s, start+uint64(from), dst[from:to])
	})
}

// Distances implements [tables.Values].
func (r *Values) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	r.split(len(dst), func(from, to int) error {
		return r.prober.Distances(r.ctx, r.key(r.metric), s, start+uint64(from), dst[from:to])
	})
}

// Captures implements [tables.Values].
func (r *Values) Captures(s tables.Side, start uint64, dst []bool) {
	r.split(len(dst), func(from, to int) error {
		for i := from; i < to; i++ {
			dst[i] = r.v.HasCapture(r.index.Position(s, start+uint64(i)))
		}
		return r.ctx.Err()
	})
}
