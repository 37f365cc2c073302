package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"threekings/draughts"
	"threekings/index"
	"threekings/probe"
	"threekings/tables"
)

var (
	errCounting   = errors.New("the table is being counted")
	errManyCounts = errors.New("too many tables wait to be counted")
	errPanic      = errors.New("panic")
)

// counting works out how distances are spread, one table at a time, and keeps
// what it found.
type counting struct {
	library Library
	// prober has a cache of its own: reading a whole table would push everything
	// else out of the other.
	prober *probe.Prober
	log    *slog.Logger
	panics prometheus.Counter
	stop   context.CancelFunc
	ctx    context.Context
	done   sync.WaitGroup
	turn   chan struct{}

	mu      sync.Mutex
	results map[string]*count // by digest; nil while it is worked on
	waiting int
	closed  bool
}

// The bounds of what is kept and of what waits.
const (
	countingCache = 8 << 20
	maxCounts     = 500
	maxWaiting    = 8
)

func newCounting(library Library, log *slog.Logger, panics prometheus.Counter) *counting {
	ctx, stop := context.WithCancel(context.Background())
	return &counting{
		library: library, prober: probe.Open(library, probe.Options{CacheBytes: countingCache}), log: log, panics: panics,
		ctx: ctx, stop: stop, turn: make(chan struct{}, 1), results: map[string]*count{},
	}
}

// close stops counting and waits until it has stopped.
func (c *counting) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.stop()
	c.done.Wait()
}

// get returns the count of a table, or begins to count.
func (c *counting) get(v *draughts.Variant, m *tables.Manifest) (*count, error) {
	key := v.Name + " " + m.Material.String() + " " + m.Digest
	c.mu.Lock()
	defer c.mu.Unlock()
	result, known := c.results[key]
	switch {
	case result != nil:
		return result, result.err
	case known:
		return nil, errCounting
	case c.waiting >= maxWaiting || c.closed:
		return nil, errManyCounts
	}
	if len(c.results) >= maxCounts {
		for other, r := range c.results {
			if r != nil {
				delete(c.results, other)
				break
			}
		}
	}
	c.results[key] = nil
	c.waiting++
	c.done.Go(func() { c.work(key, v, m) })
	return nil, errCounting
}

func (c *counting) work(key string, v *draughts.Variant, m *tables.Manifest) {
	c.turn <- struct{}{}
	result := c.count(v, m)
	<-c.turn
	if result.err != nil && c.ctx.Err() == nil {
		c.log.Error("counting failed", "variant", v.Name, "material", m.Material.String(), "error", result.err.Error())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting--
	c.results[key] = result
	if result.err != nil && !errors.Is(result.err, tables.ErrDamaged) && !errors.Is(result.err, errPanic) {
		delete(c.results, key) // the next one may have more luck
	}
}

// count is what is known of a table's distances.
type count struct {
	sides []sideCount
	err   error
}

type sideCount struct {
	distances []distanceCount
	longest   []longWin
}

func (c *count) of(s tables.Side) ([]distanceCount, []longWin) {
	return c.sides[s].distances, c.sides[s].longest
}

// maxLongest is how many positions with long wins are kept.
const maxLongest = 12

// count counts a table. It contains panics, which nobody else would: this is no
// request.
func (c *counting) count(v *draughts.Variant, m *tables.Manifest) (result *count) {
	defer func() {
		if what := recover(); what != nil {
			c.panics.Inc()
			result = &count{err: fmt.Errorf("%w: %v\n%s", errPanic, what, debug.Stack())}
		}
	}()
	ix, err := index.New(v, m.Material)
	if err != nil {
		return &count{err: err}
	}
	result = &count{}
	for s := range m.Sides {
		one, err := c.side(v, m, ix, tables.Side(s))
		if err != nil {
			return &count{err: err}
		}
		result.sides = append(result.sides, one)
	}
	return result
}

func (c *counting) side(v *draughts.Variant, m *tables.Manifest, ix *index.Index, s tables.Side) (sideCount, error) {
	key := tables.Key{Variant: v.Name, Material: m.Material, Metric: tables.DTW}
	counts := map[tables.Plies]uint64{}
	best := longestWins{}
	values := make([]tables.Plies, 1<<12)
	for start := uint64(0); start < m.Positions; start += uint64(len(values)) {
		values = values[:min(uint64(len(values)), m.Positions-start)]
		if err := c.prober.Distances(c.ctx, key, s, start, values); err != nil {
			return sideCount{}, err
		}
		for i, d := range values {
			if d != tables.NoPlies {
				counts[d]++
				best.add(d, start+uint64(i))
			}
		}
		runtime.Gosched() // requests come first
	}
	result := sideCount{distances: []distanceCount{}, longest: []longWin{}}
	for d := range max(m.Sides[s].LongestWin, m.Sides[s].LongestLoss) + 1 {
		if n := counts[d]; n > 0 {
			result.distances = append(result.distances, distanceCount{d, n})
		}
	}
	for _, w := range best.list {
		result.longest = append(result.longest, longWin{v.FEN(ix.Position(s, w.at)), w.dtw})
	}
	return result, nil
}

// longestWins keeps the longest wins, the longest first and then in the order of
// the index.
type longestWins struct{ list []winAt }

type winAt struct {
	dtw tables.Plies
	at  uint64
}

func (l *longestWins) add(d tables.Plies, at uint64) {
	if d.Outcome() != tables.Win || len(l.list) == maxLongest && d <= l.list[maxLongest-1].dtw {
		return
	}
	i := len(l.list)
	for i > 0 && l.list[i-1].dtw < d {
		i--
	}
	if len(l.list) < maxLongest {
		l.list = append(l.list, winAt{})
	}
	copy(l.list[i+1:], l.list[i:])
	l.list[i] = winAt{d, at}
}
