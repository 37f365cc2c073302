package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"threekings/internal/progress"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// making says how tables are made. The zero value is the fastest way on all
// processors, with all the memory there is.
type making struct {
	solver  retro.Solver
	threads int
	verify  verifyFlag
	memory  uint64 // bytes; 0 is no limit
	// leaveOut says which tables leave out what follows from the rest.
	leaveOut leaveOutFlag
	// journal keeps the solved part of tables that take long.
	journal      bool
	journalEvery time.Duration // 0 is the usual
}

// usualMaking is how tables are made if nothing is said about it.
func usualMaking() making { return making{memory: usualMemory()} }

// usualMemory is what tables may take in memory if nothing else is asked for:
// half of what there is.
func usualMemory() uint64 { return min(machineMemory()/2, math.MaxInt) }

// unfinishedDir is the directory, within that of the tables, of what is kept of
// tables that take long until they are stored.
const unfinishedDir = "unfinished"

// options are those of a batch.
func (how *making) options(b *batch) retro.Options {
	return retro.Options{
		OutcomesOnly: !b.distances, Profile: b.profile, Solver: how.solver, Threads: how.threads, Verify: b.verify, Memory: how.memory,
	}
}

// produce makes the tables of a plan and stores each as soon as it is proved. If
// it is interrupted, those stored until then are kept. It returns the bytes
// stored.
func (a *app) produce(ctx context.Context, st *store.Store, p *plan, how making) (bytes uint64, err error) {
	defer limitHeap(how.memory)()
	meter := progress.StartWork(a.stderr, a.errTerminal, p.positions, p.work(how.verify), "positions")
	defer meter.Close()
	host, _ := os.Hostname() // only for the record
	journal := ""
	if how.journal {
		dir, err := a.tableDir()
		if err != nil {
			return 0, err
		}
		journal = filepath.Join(dir, unfinishedDir)
		// A run that was killed between storing a table and forgetting its journal.
		for _, m := range p.kept {
			for _, metric := range p.wanted(m) {
				if err := retro.RemoveJournal(journal, p.variant, m, metric); err != nil {
					return 0, err
				}
			}
		}
		// What is in it belongs to other tables.
		defer func() { _ = os.Remove(journal) }()
	}

	var mu sync.Mutex
	started := map[tables.Material]time.Time{}
	proof := retro.VerifyNone
	publish := func(ctx context.Context, s *retro.Solution) error {
		mu.Lock()
		seconds := time.Since(started[s.Material]).Seconds()
		mu.Unlock()
		record := store.RunRecord{
			Seconds: seconds, Threads: cmp.Or(how.threads, runtime.GOMAXPROCS(0)),
			Host: host, Finished: time.Now().UTC(), Proof: verifyNames[proof],
		}
		profile := ""
		if s.Profile != nil {
			profile = s.Profile.Name
		}
		manifests, err := st.Put(ctx, s.Table(), runsOf(p.missing(s.Material))[profile], s, record)
		mu.Lock()
		defer mu.Unlock()
		for _, m := range manifests {
			bytes += m.Size()
		}
		return err
	}
	report := func(e retro.Event) {
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
	}
	finished := probe.Open(st, probe.Options{})
	for _, b := range p.batches(how.verify) {
		opts := how.options(&b)
		proof = opts.Verify
		opts.Journal, opts.JournalEvery, opts.Generator = journal, how.journalEvery, generator
		opts.Finished, opts.Publish, opts.Progress = finished, publish, report
		if err := retro.Generate(ctx, p.variant, plannedMaterials(b.tables), opts); err != nil {
			return bytes, err
		}
	}
	return bytes, nil
}

// besideTables is what the program takes beside tables: what is being coded and
// the database's own memory.
const besideTables = 256 << 20

// smallGarbage is how much garbage there may be, in percent of what lives, while
// tables are made: most of what lives are tables, which cost the collector
// nothing to look at.
const smallGarbage = 25

// limitHeap makes the garbage collector work harder as soon as the process has
// what tables may take, and keeps garbage small before, instead of letting it
// double what lives. Lower limits that are set already, as with GOMEMLIMIT and
// GOGC, stay. The returned function takes the limits back.
func limitHeap(memory uint64) (restore func()) {
	percent := debug.SetGCPercent(smallGarbage)
	if percent < smallGarbage { // or off
		debug.SetGCPercent(percent)
	}
	usual := debug.SetMemoryLimit(-1)
	if memory != 0 && memory <= uint64(usual)-besideTables {
		debug.SetMemoryLimit(int64(memory + besideTables))
	}
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(usual)
	}
}

// generator is the program's name in what it stores.
const generator = "threekings " + Version

// lockPoll is how often a command that waits for another one to finish writing
// looks again.
const lockPoll = 100 * time.Millisecond

// openWrite opens the tables for writing. With wait it waits for a process that
// has them open for writing.
func (a *app) openWrite(ctx context.Context, threads int, wait bool) (*store.Store, error) {
	return a.openWriteAs(ctx, store.Options{Threads: threads}, wait)
}

// openWriteAs is openWrite with options.
func (a *app) openWriteAs(ctx context.Context, opts store.Options, wait bool) (*store.Store, error) {
	opts.Write, opts.Generator = true, generator
	dir, err := a.tableDir()
	if err != nil {
		return nil, err
	}
	said := false
	for {
		st, err := store.Open(dir, opts)
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
