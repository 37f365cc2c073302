package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"threekings/draughts"
	"threekings/tables"
)

// script is a history of a database, step by step. Each step has a state: which
// tables there are after it.
type script struct {
	v     *draughts.Variant
	fakes map[string]*fake
	coded *Store // has all tables
}

func newScript(t testing.TB) *script {
	sc := &script{v: draughts.International, fakes: map[string]*fake{}}
	for i, name := range []string{"KvK", "KvM", "MvM"} {
		sc.fakes[name] = newFake(sc.v, material(t, name), uint64(i), 60, 9)
	}
	var err error
	if sc.coded, err = open(vfs.NewMem(), memDir, Options{Write: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sc.coded.Close() })
	for name, f := range sc.fakes {
		mustPut(t, sc.coded, sc.v, material(t, name), f)
	}
	return sc
}

type step struct {
	name  string
	state string // which tables there are when it is done
}

var steps = []step{
	{"open", ""},
	{"put KvK", "KvK outcome, KvK dtw"},
	{"put KvM", "KvK outcome, KvK dtw, KvM outcome, KvM dtw"},
	{"drop KvK dtw", "KvK outcome, KvM outcome, KvM dtw"},
	{"close", "KvK outcome, KvM outcome, KvM dtw"},
	{"open", "KvK outcome, KvM outcome, KvM dtw"},
	{"put MvM", "KvK outcome, KvM outcome, KvM dtw, MvM outcome, MvM dtw"},
	{"drop KvM outcome", "KvK outcome, KvM dtw, MvM outcome, MvM dtw"},
	{"recode KvM dtw", "KvK outcome, KvM dtw, MvM outcome, MvM dtw"},
	{"add KvK dtw", "KvK outcome, KvK dtw, KvM dtw, MvM outcome, MvM dtw"},
	{"recode MvM outcome", "KvK outcome, KvK dtw, KvM dtw, MvM outcome, MvM dtw"},
	{"close", "KvK outcome, KvK dtw, KvM dtw, MvM outcome, MvM dtw"},
}

// run takes the steps on a file system. It calls before at the beginning of
// each and stops at the first error.
func (sc *script) run(t testing.TB, fsys fileSystem, before func(i int)) error {
	var s *Store
	defer func() {
		if s != nil {
			_ = s.Close()
		}
	}()
	for i, st := range steps {
		before(i)
		var err error
		fields := strings.Fields(st.name)
		switch fields[0] {
		case "open":
			s, err = open(fsys, memDir, Options{Write: true, Threads: 1})
		case "close":
			err = s.Close()
			s = nil
		case "put":
			_, err = s.Put(t.Context(), tables.Table{Variant: sc.v, Material: material(t, fields[1])}, both, sc.fakes[fields[1]], RunRecord{})
		case "drop":
			err = s.Drop(t.Context(), sc.key(t, fields))
		case "add":
			err = s.Add(t.Context(), sc.coded, []tables.Key{sc.key(t, fields)}, RunRecord{})
		case "recode":
			_, _, err = s.Recode(t.Context(), tables.Table{Variant: sc.v, Material: material(t, fields[1])}, tables.Metric(fields[2]), readFake{sc.fakes[fields[1]], nil})
		}
		if err != nil {
			return fmt.Errorf("step %d, %s: %w", i, st.name, err)
		}
	}
	return nil
}

// key returns the key that a step names.
func (sc *script) key(t testing.TB, fields []string) tables.Key {
	return tables.Key{Variant: sc.v.Name, Material: material(t, fields[1]), Metric: tables.Metric(fields[2])}
}

// look returns which tables can be read, and fails if a value is not true or a
// table is damaged.
func (sc *script) look(t testing.TB, fsys fileSystem, opts Options, what string) string {
	t.Helper()
	s, err := open(fsys, memDir, opts)
	if errors.Is(err, ErrNoDatabase) {
		return ""
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer s.Close()
	var found []string
	for _, name := range []string{"KvK", "KvM", "MvM"} {
		for _, metric := range both {
			unread, errs := check(t, s, sc.v, material(t, name), metric, sc.fakes[name])
			if unread == 0 {
				found = append(found, name+" "+string(metric))
			} else if !errors.Is(errs[0], tables.ErrMissing) {
				t.Fatalf("%s: %v", what, errs[0])
			}
		}
	}
	return strings.Join(found, ", ")
}

// oldOrNew fails unless the database is as before or after step i.
func (sc *script) oldOrNew(t testing.TB, fsys fileSystem, i int, what string) {
	t.Helper()
	before := ""
	if i > 0 {
		before = steps[i-1].state
	}
	for _, opts := range []Options{{}, {Write: true}, {}} {
		got := sc.look(t, fsys, opts, fmt.Sprintf("%s, opened with %+v", what, opts))
		if got != before && got != steps[i].state {
			t.Fatalf("%s: found %q; want %q or %q", what, got, before, steps[i].state)
		}
		if opts.Write {
			if names, err := fsys.List(memDir + "/" + incomingName); err == nil && len(names) > 0 {
				t.Fatalf("%s: left over: %v", what, names)
			}
		}
	}
}

// hook calls fn at every operation that may change files.
type hook struct {
	mu sync.Mutex
	n  int
	fn func(n int, op errorfs.Op) error
}

func (h *hook) String() string { return "hook" }

func (h *hook) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n++
	return h.fn(h.n, op)
}

// TestCrashAnywhereLeavesOldOrNew takes what a crash would leave at every
// operation in turn, with none, some or all of what was not synced.
func TestCrashAnywhereLeavesOldOrNew(t *testing.T) {
	sc := newScript(t)
	mem := vfs.NewCrashableMem()
	type crash struct {
		fs   *vfs.MemFS
		step int
		what string
	}
	var crashes []crash
	now := 0
	h := &hook{fn: func(n int, op errorfs.Op) error {
		for _, percent := range []int{0, 50, 100} {
			clone := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(uint64(n), uint64(percent)))})
			crashes = append(crashes, crash{clone, now, fmt.Sprintf("crash in %s, operation %d (%v %s), %d %% of what was not synced", steps[now].name, n, op.Kind, op.Path, percent)})
		}
		return nil
	}}
	if err := sc.run(t, errorfs.Wrap(mem, h), func(i int) { h.mu.Lock(); defer h.mu.Unlock(); now = i }); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d operations", h.n)
	if h.n < 100 {
		t.Fatal("too few operations: is the file system hooked?")
	}
	for i, c := range crashes {
		if (testing.Short() || raceEnabled) && i%7 != 0 {
			continue
		}
		sc.oldOrNew(t, c.fs, c.step, c.what)
	}
}

// TestFailureAnywhereLeavesOldOrNew makes one operation fail, or all from it on
// (a full disk), at every operation in turn.
func TestFailureAnywhereLeavesOldOrNew(t *testing.T) {
	sc := newScript(t)
	for _, mode := range []string{"one fails", "disk full"} {
		t.Run(mode, func(t *testing.T) {
			failed := 0
			for at := 1; ; at++ {
				if (testing.Short() || raceEnabled) && at%7 != 0 {
					continue
				}
				mem := vfs.NewCrashableMem()
				now, on, what := 0, true, ""
				h := &hook{fn: func(n int, op errorfs.Op) error {
					if !on || n < at || n > at && mode == "one fails" {
						return nil
					}
					switch op.Kind {
					case errorfs.OpFileClose, errorfs.OpRemove, errorfs.OpRemoveAll:
						if mode == "disk full" {
							return nil
						}
					}
					if n == at {
						what = fmt.Sprintf("%v %s", op.Kind, op.Path)
					}
					return &vfsError{op.Path}
				}}
				err := sc.run(t, errorfs.Wrap(mem, h), func(i int) { now = i })
				h.mu.Lock()
				on = false
				n := h.n
				h.mu.Unlock()
				what = fmt.Sprintf("%s at operation %d (%s) in %s: %v", mode, at, what, steps[now].name, err)
				if err != nil {
					failed++
					if !errors.Is(err, syscall.ENOSPC) {
						t.Fatalf("%s: the cause is lost", what)
					}
				}
				sc.oldOrNew(t, mem, now, what)
				if err == nil && sc.look(t, mem, Options{}, what) != steps[len(steps)-1].state {
					t.Fatalf("%s: no error, but not the last state", what)
				}
				// What a crash right after it leaves must do as well.
				crashed := mem.CrashClone(vfs.CrashCloneCfg{})
				sc.oldOrNew(t, crashed, now, what+", then a crash")
				if n < at {
					t.Logf("%d operations, %d failures", n, failed)
					break
				}
			}
		})
	}
}

type vfsError struct{ path string }

func (e *vfsError) Error() string { return "write " + e.path + ": no space left on device" }
func (e *vfsError) Unwrap() error { return syscall.ENOSPC }
