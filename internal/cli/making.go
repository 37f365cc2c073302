package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"threekings/internal/progress"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// making says how tables are made. The zero value is the fastest way on all
// processors.
type making struct {
	solver  retro.Solver
	threads int
}

// produce makes the tables of a plan and stores each as soon as it is proved. If
// it is interrupted, those stored until then are kept. It returns the bytes
// stored.
func (a *app) produce(ctx context.Context, st *store.Store, p *plan, how making) (bytes uint64, err error) {
	// Every position is solved and verified.
	meter := progress.Start(a.stderr, a.errTerminal, p.positions, 2, "positions")
	defer meter.Close()
	host, _ := os.Hostname() // only for the record

	var mu sync.Mutex
	started := map[tables.Material]time.Time{}
	err = retro.Generate(ctx, p.variant, p.materials(), retro.Options{
		OutcomesOnly: !slices.Contains(p.metrics, tables.DTW),
		Solver:       how.solver,
		Threads:      how.threads,
		Finished:     probe.Open(st, probe.Options{}),
		Publish: func(ctx context.Context, s *retro.Solution) error {
			mu.Lock()
			seconds := time.Since(started[s.Material]).Seconds()
			mu.Unlock()
			record := store.RunRecord{Seconds: seconds, Threads: how.threads, Host: host, Finished: time.Now().UTC()}
			manifests, err := st.Put(ctx, p.variant, s.Material, p.missing(s.Material), s, record)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range manifests {
				bytes += m.Bytes
			}
			return err
		},
		Progress: func(e retro.Event) {
			switch {
			case e.Phase == retro.Done:
			case e.Positions > 0:
				meter.Add(e.Positions)
			default:
				meter.Doing(e.Phase.String() + " " + e.Material.String())
				if e.Phase == retro.Solving {
					mu.Lock()
					started[e.Material] = time.Now()
					mu.Unlock()
				}
			}
		},
	})
	return bytes, err
}

// lockPoll is how often a command that waits for another one to finish writing
// looks again.
const lockPoll = 100 * time.Millisecond

// openWrite opens the tables for writing. With wait it waits for a process that
// has them open for writing.
func (a *app) openWrite(ctx context.Context, threads int, wait bool) (*store.Store, error) {
	dir, err := a.tableDir()
	if err != nil {
		return nil, err
	}
	said := false
	for {
		st, err := store.Open(dir, store.Options{Write: true, Threads: threads, Generator: "threekings " + Version})
		if !wait || !errors.Is(err, store.ErrLocked) {
			return st, err
		}
		if !said {
			a.say("another process is writing to %s; waiting", dir)
			said = true
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openRead opens the tables for reading. Without any it returns nil.
func (a *app) openRead() (*store.Store, error) {
	dir, err := a.tableDir()
	if err != nil {
		return nil, err
	}
	st, err := store.Open(dir, store.Options{})
	if errors.Is(err, store.ErrNoDatabase) {
		return nil, nil
	}
	return st, err
}

// checkSpace reports that the disk has no room for the tables of a plan.
func (a *app) checkSpace(p *plan) error {
	dir, err := a.tableDir()
	if err != nil {
		return err
	}
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	free, err := a.freeSpace(dir)
	if err != nil {
		return nil //nolint:nilerr // what cannot be asked cannot be checked
	}
	if need := p.bytes(); need > free {
		return fmt.Errorf("no room on the disk: %d tables may need %s, and %s has %s free",
			len(p.make), progress.Bytes(need), dir, progress.Bytes(free))
	}
	return nil
}

// noTables is the source where nothing is stored yet.
type noTables struct{}

func (noTables) Manifest(k tables.Key) (*tables.Manifest, error) {
	return nil, &tables.MissingError{Key: k}
}

func (noTables) Block(k tables.Key, _ tables.Side, _ uint64, _ []byte) (tables.Block, error) {
	return tables.Block{}, &tables.MissingError{Key: k}
}
