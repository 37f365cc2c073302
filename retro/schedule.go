package retro

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// Phase is what is being done to a table.
type Phase uint8

// The phases, in order.
const (
	Solving Phase = iota
	Verifying
	Storing
	Done
)

var phaseNames = [...]string{"solving", "verifying", "storing", "done"}

// String returns the phase's name.
func (p Phase) String() string { return phaseNames[p] }

// Event tells of progress.
type Event struct {
	Material tables.Material
	Phase    Phase
	// Positions is how many more positions have gone through the phase, one side to
	// move each; 0 when the phase begins. For Done it is the size of the table.
	Positions uint64
}

// Solver is a way to solve tables. All give the same values.
type Solver uint8

// The solvers.
const (
	// Lanes is the fast one: word-parallel retrograde analysis.
	Lanes Solver = iota
	// Reference is the plain one that defines what the values are.
	Reference
)

// solver solves the tables of one variant, each from those kept before or read
// from a tables.Reader. It is safe for concurrent use.
type solver interface {
	// solve solves one table with up to threads goroutines. progress is told how
	// many more positions are done.
	solve(ctx context.Context, ix *index.Index, threads int, progress func(uint64)) (tables.Values, error)
	// lookup returns a kept table to read single values from, or reads one.
	lookup(ctx context.Context, m tables.Material) (lookup, error)
	// keep keeps a solved table for later ones.
	keep(solved tables.Values)
	// failure returns the error of reading a finished table while another one was
	// solved or proved, after which the values of that are worth nothing.
	failure() error
	// release forgets a table that no later one needs.
	release(m tables.Material)
}

// Options say how tables are generated. The zero value solves outcomes and
// distances on all cores, and proves every position.
type Options struct {
	// OutcomesOnly leaves out distances.
	OutcomesOnly bool
	// Profile, if set, solves distances to reset under these draw rules instead of
	// outcomes and distances to win.
	Profile *draughts.Profile
	// Solver is the way to solve; the zero value is [Lanes].
	Solver Solver
	// Threads is the number of goroutines that solve; 0 takes one for each
	// processor.
	Threads int
	// Verify is how much of each table is proved before it is published; the zero
	// value is all of it.
	Verify VerifyMode
	// Memory is how many bytes tables may take, those in work and those kept for
	// later ones; 0 is no limit. If there is one, published tables must be readable
	// from Finished: those that do not fit are read again, bit by bit.
	Memory uint64
	// Journal is a directory in which the slices of tables that take long are kept
	// until the table is published, so that an interrupted run does not begin them
	// again; none if it is empty. JournalEvery is about how much work such a run
	// may lose; 0 is 30 seconds. The largest tables of kings alone, one slice of over
	// 256 MiB each, are not kept. Only one run may use a directory at a time.
	Journal      string
	JournalEvery time.Duration
	// Generator names the program that solves: what one has left in a journal another
	// one does not go on from.
	Generator string
	// Finished reads the tables that are needed and not among those to be made.
	Finished tables.Reader
	// Publish, if set, is given every table when it is proved. It is called from
	// several goroutines. An error stops the run.
	Publish func(ctx context.Context, s *Solution) error
	// Progress, if set, is told of every step. It is called from several
	// goroutines.
	Progress func(Event)

	// provedApart: what is solved is not proved from what the solver has read.
	provedApart bool
}

// metric is what is solved, and read of tables that are finished.
func (o *Options) metric() tables.Metric {
	switch {
	case o.Profile != nil:
		return tables.DTR(o.Profile.Name)
	case o.OutcomesOnly:
		return tables.Outcomes
	default:
		return tables.DTW
	}
}

// Generate solves, proves and publishes the tables of the given materials, each
// as soon as those it depends on are done. A dependency that is not among the
// materials must be readable from opts.Finished. The error is the context's if
// the run was interrupted; tables published until then are whole.
func Generate(ctx context.Context, v *draughts.Variant, materials []tables.Material, opts Options) error {
	if opts.Progress == nil {
		opts.Progress = func(Event) {}
	}
	run := newGeneration(v, materials, opts)
	slots := semaphore.NewWeighted(int64(threads(opts.Threads)))
	g, ctx := errgroup.WithContext(ctx)
	for _, m := range run.order {
		g.Go(func() error {
			for _, d := range tables.Deps(m) {
				if c := run.done[d]; c != nil {
					select {
					case <-c:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
			}
			if err := slots.Acquire(ctx, 1); err != nil {
				return err
			}
			defer slots.Release(1)
			if err := run.table(ctx, m); err != nil {
				return fmt.Errorf("generate %s %s: %w", v.Name, m, err)
			}
			close(run.done[m])
			return nil
		})
	}
	return g.Wait()
}

func threads(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// generation is a run of Generate.
type generation struct {
	v      *draughts.Variant
	opts   Options
	solver solver
	memory *memory
	order  []tables.Material
	done   map[tables.Material]chan struct{}

	mu    sync.Mutex
	needs map[tables.Material]int // how many tables yet to be made are solved from this one
}

func newGeneration(v *draughts.Variant, materials []tables.Material, opts Options) *generation {
	run := &generation{
		v: v, opts: opts, memory: newMemory(opts.Memory),
		done: map[tables.Material]chan struct{}{}, needs: map[tables.Material]int{},
	}
	for _, m := range materials {
		table, _ := m.Table()
		if run.done[table] == nil {
			run.done[table] = make(chan struct{})
			run.order = append(run.order, table)
			for _, d := range tables.Deps(table) {
				run.needs[d]++
			}
		}
	}
	if opts.Solver == Reference {
		run.solver = newReferenceMachine(v, opts)
	} else {
		run.solver = newLanesSolver(v, opts, run.memory)
	}
	return run
}

// newLanesSolver returns the lanes solver for the board of v.
func newLanesSolver(v *draughts.Variant, opts Options, memory *memory) solver {
	if v.Squares() > 64 {
		return newWideLaneMachine(v, opts, memory)
	}
	return newLaneMachine(v, opts, memory)
}

// table makes one table.
func (run *generation) table(ctx context.Context, m tables.Material) error {
	ix, err := index.New(run.v, m)
	if err != nil {
		return err
	}
	opts := &run.opts
	report := func(phase Phase) func(uint64) {
		opts.Progress(Event{Material: m, Phase: phase})
		return func(n uint64) { opts.Progress(Event{Material: m, Phase: phase, Positions: n}) }
	}
	bytes := WorkBytes(run.v, m, *opts)
	if err := run.memory.reserve(ctx, run.v, m, bytes); err != nil {
		return err
	}
	defer run.memory.free(bytes)
	values, err := run.solver.solve(ctx, ix, threads(opts.Threads), report(Solving))
	if err != nil {
		return err
	}
	if opts.Verify != VerifyNone {
		// What was read wrongly is said first.
		err := run.prove(ctx, ix, values, report(Verifying))
		if failure := run.solver.failure(); failure != nil {
			return failure
		}
		var difference *DifferenceError
		if errors.As(err, &difference) {
			err = errors.Join(err, RemoveJournal(opts.Journal, run.v, m, opts.metric()))
		}
		if err != nil {
			return err
		}
	}
	if opts.Publish != nil {
		report(Storing)
		if err := opts.Publish(ctx, &Solution{Variant: run.v, Material: m, HasDistances: !opts.OutcomesOnly, Profile: opts.Profile, Values: values}); err != nil {
			return err
		}
	}
	if err := RemoveJournal(opts.Journal, run.v, m, opts.metric()); err != nil {
		return err
	}
	run.solver.keep(values)
	run.finish(m)
	opts.Progress(Event{Material: m, Phase: Done, Positions: tables.Positions(run.v, m)})
	return nil
}

// prove proves a solved table by playing forward.
func (run *generation) prove(ctx context.Context, ix *index.Index, values tables.Values, progress func(uint64)) error {
	deps, err := dependenciesOf(ctx, ix.Material(), run.solver.lookup)
	if err != nil {
		return err
	}
	job := &proof{
		ix: ix, v: run.v, deps: deps, distances: !run.opts.OutcomesOnly,
		ratings: newRatings(run.opts.Profile, ix.Material()),
	}
	opts := VerifyOptions{Threads: run.opts.Threads, Progress: progress}
	if run.opts.Verify == VerifySample {
		return job.sample(ctx, values.(lookup), opts)
	}
	own, err := flatOf(ctx, ix, values)
	if err != nil {
		return err
	}
	return job.all(ctx, own, opts)
}

// finish lets go of the tables that m was the last to need.
func (run *generation) finish(m tables.Material) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.needs[m] == 0 {
		run.solver.release(m)
	}
	for _, d := range tables.Deps(m) {
		run.needs[d]--
		if run.needs[d] == 0 {
			run.solver.release(d)
		}
	}
}
