package retro

import (
	"context"
	"fmt"
	"runtime"

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

// Options say how tables are generated. The zero value solves outcomes and
// distances on all cores, and proves every position.
type Options struct {
	// OutcomesOnly leaves out distances.
	OutcomesOnly bool
	// Threads is the number of goroutines that solve; 0 takes one for each
	// processor.
	Threads int
	// SkipVerify leaves out the proof.
	SkipVerify bool
	// Finished reads the tables that are needed and not among those to be made.
	Finished tables.Reader
	// Publish, if set, is given every table when it is proved. It is called from
	// several goroutines. An error stops the run.
	Publish func(ctx context.Context, s *Solution) error
	// Progress, if set, is told of every step. It is called from several
	// goroutines.
	Progress func(Event)
}

// Generate solves, proves and publishes the tables of the given materials, each
// as soon as those it depends on are done. A dependency that is not among the
// materials must be readable from opts.Finished. The error is the context's if
// the run was interrupted; tables published until then are whole.
func Generate(ctx context.Context, v *draughts.Variant, materials []tables.Material, opts Options) error {
	if opts.Progress == nil {
		opts.Progress = func(Event) {}
	}
	lib := newLibrary(v, !opts.OutcomesOnly, opts.Finished)
	done := map[tables.Material]chan struct{}{}
	var order []tables.Material
	for _, m := range materials {
		table, _ := m.Table()
		if done[table] == nil {
			done[table] = make(chan struct{})
			order = append(order, table)
		}
	}
	slots := semaphore.NewWeighted(int64(threads(opts.Threads)))
	g, ctx := errgroup.WithContext(ctx)
	for _, m := range order {
		g.Go(func() error {
			for _, d := range tables.Deps(m) {
				if c := done[d]; c != nil {
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
			if err := generate(ctx, v, m, lib, opts); err != nil {
				return fmt.Errorf("generate %s %s: %w", v.Name, m, err)
			}
			close(done[m])
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

// generate makes one table.
func generate(ctx context.Context, v *draughts.Variant, m tables.Material, lib *library, opts Options) error {
	ix, err := index.New(v, m)
	if err != nil {
		return err
	}
	deps, err := lib.dependencies(ctx, m)
	if err != nil {
		return err
	}
	report := func(phase Phase) func(uint64) {
		opts.Progress(Event{Material: m, Phase: phase})
		return func(n uint64) { opts.Progress(Event{Material: m, Phase: phase, Positions: n}) }
	}
	own, err := solveReference(ctx, ix, deps, lib.distances, report(Solving))
	if err != nil {
		return err
	}
	if !opts.SkipVerify {
		err := prove(ctx, own, deps, lib.distances, VerifyOptions{Threads: 1, Progress: report(Verifying)})
		if err != nil {
			return err
		}
	}
	if opts.Publish != nil {
		report(Storing)
		if err := opts.Publish(ctx, &Solution{Variant: v, Material: m, HasDistances: lib.distances, Values: own}); err != nil {
			return err
		}
	}
	lib.add(own)
	opts.Progress(Event{Material: m, Phase: Done, Positions: tables.Positions(v, m)})
	return nil
}
