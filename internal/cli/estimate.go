package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"threekings/draughts"
	"threekings/internal/progress"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// A run is estimated from a trial: a few small tables of the same variant, made
// in the same way for a moment.

const (
	// trialTime is how long a trial takes at most.
	trialTime = 2 * time.Second
	// longRun is the time beyond which a run is announced.
	longRun = time.Minute
)

// estimate is what a plan is expected to take.
type estimate struct {
	plan    *plan
	how     making
	threads int
	memory  uint64        // peak of tables in memory, bytes
	time    time.Duration // 0 if it is not known
	rate    float64       // positions per second of processor time
}

// longPositions is the number of positions below which no run takes a minute.
func (how *making) longPositions() uint64 {
	if how.solver == retro.Reference {
		return 1_000_000
	}
	return 60_000_000
}

// checkMemory reports that a table of a plan does not fit into memory.
func (how *making) checkMemory(p *plan) error {
	if how.memory == 0 {
		return nil
	}
	for _, b := range p.batches(how.verify) {
		for _, t := range b.tables {
			if need := retro.WorkBytes(p.variant, t.material, how.options(&b)); need > how.memory {
				return fmt.Errorf("%s %s takes %s of memory while it is made, and %s are allowed; see --memory",
					p.variant.Name, t.material, progress.Bytes(need), progress.Bytes(how.memory))
			}
		}
	}
	return nil
}

// processors is the number of threads that work.
func (how *making) processors() int {
	if how.threads > 0 {
		return how.threads
	}
	return runtime.GOMAXPROCS(0)
}

// peak estimates the most memory that the tables of a plan take together.
func (how *making) peak(p *plan) uint64 {
	most, largest := uint64(0), uint64(0)
	for _, b := range p.batches(how.verify) {
		opts := how.options(&b)
		for i := range b.tables {
			// As many tables as there are threads may be in work side by side.
			now := uint64(0)
			for _, t := range b.tables[i:min(i+how.processors(), len(b.tables))] {
				need := retro.WorkBytes(p.variant, t.material, opts)
				largest = max(largest, need)
				now += need
			}
			for _, m := range keptFor(b.tables, i) {
				now += retro.KeptBytes(p.variant, m, opts)
			}
			most = max(most, now)
		}
	}
	if how.memory > 0 {
		most = max(min(most, how.memory), largest)
	}
	return most
}

// keptFor returns the tables that are kept in memory while the i-th of a batch
// is made: those that it or a later one is solved from, and that are done.
func keptFor(batch []plannedTable, i int) []tables.Material {
	work := map[tables.Material]bool{}
	for _, t := range batch[i:] {
		work[t.material] = true
	}
	var list []tables.Material
	seen := map[tables.Material]bool{}
	for _, t := range batch[i:] {
		for _, d := range tables.Deps(t.material) {
			if !work[d] && !seen[d] {
				seen[d] = true
				list = append(list, d)
			}
		}
	}
	return list
}

// estimate estimates a plan.
func (a *app) estimate(ctx context.Context, p *plan, how making) (*estimate, error) {
	e := &estimate{plan: p, how: how, threads: how.processors(), memory: how.peak(p)}
	kinds := p.batches(how.verify)
	distinct := map[trialOf]bool{}
	for i := range kinds {
		distinct[kinds[i].trial()] = true
	}
	watches := map[trialOf]*stopwatch{}
	seconds := 0.0
	for i := range kinds {
		b := &kinds[i]
		kind := b.trial()
		w := watches[kind]
		if w == nil {
			var err error
			if w, err = a.trial(ctx, p, b, how, trialTime/time.Duration(len(distinct))); err != nil {
				return nil, err
			}
			watches[kind] = w
		}
		for _, t := range b.tables {
			positions := float64(tables.Positions(p.variant, t.material))
			seconds += positions * (w.cost(retro.Solving) + w.cost(retro.Storing))
			seconds += float64(verified(p.variant, t.material, b.verify)) * w.cost(retro.Verifying)
		}
	}
	if seconds > 0 {
		e.rate = float64(p.positions) / seconds
		e.time = time.Duration(seconds / float64(e.threads) * float64(time.Second))
	}
	return e, nil
}

// trialOf is the kind of a batch that a trial is made for.
type trialOf struct {
	distances bool
	profile   *draughts.Profile
	verify    retro.VerifyMode
}

func (b *batch) trial() trialOf { return trialOf{b.distances, b.profile, b.verify} }

// trial makes small tables in the way of a batch on one thread for a while.
func (a *app) trial(ctx context.Context, p *plan, b *batch, how making, limit time.Duration) (*stopwatch, error) {
	pieces := 0
	for _, t := range p.make {
		pieces = max(pieces, t.material.Pieces())
	}
	target, err := tables.ParseMaterial([]string{"KvK", "KMvK", "KMvKM"}[min(max(pieces, 2), 4)-2])
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	opts := how.options(b)
	opts.Threads, opts.Memory = 1, 0
	w, err := measure(ctx, p.variant, tables.Closure(target), opts, nil)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return w, nil
}

// stopwatch measures the phases of making tables one after the other.
type stopwatch struct {
	positions [retro.Done]uint64
	taken     [retro.Done]time.Duration // of processors
	phase     retro.Phase
	last      time.Duration
}

// measure makes tables in memory and in a directory of its own that it removes,
// and measures how long that takes. It counts only what is wanted, if anything
// is named. opts must have one thread. The error may be that of ctx, with what
// was measured until then.
func measure(ctx context.Context, v *draughts.Variant, list []tables.Material, opts retro.Options, only func(tables.Material) bool) (w *stopwatch, err error) {
	w = &stopwatch{phase: retro.Done, last: cpuTime()}
	// Where nothing can be written, storing is left out.
	dir, noDir := os.MkdirTemp("", "threekings-trial-")
	if noDir == nil {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		st, err := store.Open(dir, store.Options{Write: true, Threads: 1})
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
		opts.Publish = func(ctx context.Context, s *retro.Solution) error {
			_, err := st.Put(ctx, s.Table(), s.Metrics(), s, store.RunRecord{})
			return err
		}
	}
	opts.Progress = func(e retro.Event) {
		now := cpuTime()
		counts := only == nil || only(e.Material)
		if w.phase != retro.Done && counts {
			w.taken[w.phase] += now - w.last
		}
		w.last = now
		switch {
		case e.Phase == retro.Done && counts:
			w.positions[retro.Storing] += e.Positions
		case e.Positions > 0 && counts:
			w.positions[e.Phase] += e.Positions
		}
		w.phase = e.Phase
	}
	return w, retro.Generate(ctx, v, list, opts)
}

// cost returns the seconds of processor time that a position takes in a phase; 0
// if that is not known.
func (w *stopwatch) cost(p retro.Phase) float64 {
	if w.positions[p] == 0 {
		return 0
	}
	return w.taken[p].Seconds() / float64(w.positions[p])
}

// sizes says how much is made.
func (e *estimate) sizes() string {
	return fmt.Sprintf("%s: %d tables to make (%s), %d kept; %s positions",
		e.plan.variant.Name, len(e.plan.make), e.plan.metricNames(), len(e.plan.kept), progress.Count(e.plan.positions))
}

// needs says what that takes.
func (e *estimate) needs() string {
	parts := []string{
		"memory " + e.memoryText(),
		"disk up to " + progress.Bytes(e.plan.bytes()),
		"time " + e.timeText(),
	}
	return strings.Join(parts, "; ")
}

func (e *estimate) memoryText() string {
	text := "about " + progress.Bytes(e.memory) + " for tables"
	if e.how.memory > 0 {
		text += ", " + progress.Bytes(e.how.memory) + " allowed"
	}
	return text
}

func (e *estimate) timeText() string {
	if e.time == 0 {
		return "unknown"
	}
	return fmt.Sprintf("about %s on %s (%s positions/s each)",
		progress.Duration(e.time), count(e.threads, "thread", "threads"), progress.Count(uint64(e.rate)))
}

// dryRun prints a plan with its estimate and makes nothing.
func (a *app) dryRun(ctx context.Context, variant variantFlag, wanted []tables.Material, metrics []tables.Metric, how making) error {
	p, err := a.planFromDisk(variant, wanted, metrics)
	if err != nil {
		return err
	}
	if len(p.make) == 0 {
		fmt.Fprintf(a.out, "%s: all %d tables are stored\n", p.variant.Name, len(p.kept))
		return nil
	}
	e, err := a.estimate(ctx, p, how)
	if err != nil {
		return err
	}
	for _, b := range p.batches(how.verify) {
		for _, t := range b.tables {
			f := metricsFlag(t.missing)
			fmt.Fprintf(a.out, "%-11s %20d positions  %-11s  verify %s\n",
				t.material, tables.Positions(p.variant, t.material), f.String(), verifyNames[b.verify])
		}
	}
	if len(p.kept) > 0 {
		fmt.Fprintf(a.out, "kept: %s\n", nameTables(p.kept))
	}
	fmt.Fprintf(a.out, "\n%s\n", e.sizes())
	fmt.Fprintf(a.out, "memory: %s\ndisk: up to %s\ntime: %s\n", e.memoryText(), progress.Bytes(p.bytes()), e.timeText())
	// What stands in the way is said now rather than later.
	return errors.Join(a.checkSpace(p), how.checkMemory(p))
}
