package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"threekings/draughts"
	"threekings/store/pack"
	"threekings/tables"
)

// readerDir tells a process that it is one of the readers of a test.
const readerDir = "THREEKINGS_TEST_READER"

// steady are tables that are there while others come and go.
func steady(t testing.TB) (v *draughts.Variant, names []string, fakes map[string]*fake) {
	fakes = map[string]*fake{}
	names = []string{"KvK", "KKvK", "KvM", "MvM"}
	for i, name := range names {
		fakes[name] = newFake(draughts.International, material(t, name), uint64(100+i), 200+100*tables.Plies(i%2), 12)
	}
	return draughts.International, names, fakes
}

// TestReaderProcess is not a test of its own: it is what the other processes
// run.
func TestReaderProcess(t *testing.T) {
	dir := os.Getenv(readerDir)
	if dir == "" {
		t.Skip("run by other tests")
	}
	v, names, fakes := steady(t)
	deadline := time.Now().Add(2 * time.Second)
	for rounds := 0; rounds == 0 || time.Now().Before(deadline) && rounds < 20; rounds++ {
		s := mustOpen(t, dir, Options{MaxOpenFiles: 16})
		for i, name := range names {
			for _, metric := range both {
				unread, errs := check(t, s, v, material(t, name), metric, fakes[name])
				for _, err := range errs {
					// The last two come and go.
					if i < 2 || !errors.Is(err, tables.ErrMissing) {
						t.Fatal(err)
					}
				}
				if i < 2 && unread > 0 {
					t.Fatal(unread)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// twentyReaders runs twenty processes that read a directory.
func twentyReaders(t *testing.T, dir string) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestReaderProcess$", "-test.count=1")
			cmd.Env = append(os.Environ(), readerDir+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("reader %d: %v\n%s", i, err, out)
			}
		})
	}
	wg.Wait()
}

func filled(t *testing.T, dir string) {
	t.Helper()
	v, names, fakes := steady(t)
	s := mustOpen(t, dir, Options{Write: true})
	for _, name := range names {
		mustPut(t, s, v, material(t, name), fakes[name])
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTwentyProcessesReadAtOnce(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	twentyReaders(t, dir)
}

func TestTwentyProcessesReadWhileOneWrites(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	v, names, fakes := steady(t)
	s := mustOpen(t, dir, Options{Write: true})
	defer s.Close()
	if _, err := Open(dir, Options{Write: true}); !errors.Is(err, ErrLocked) {
		t.Errorf("second writer: %v", err)
	}
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; !stop.Load(); n++ {
			for _, name := range names[2:] {
				for _, metric := range both {
					if err := s.Drop(t.Context(), tables.Key{Variant: v.Name, Material: material(t, name), Metric: metric}); err != nil {
						t.Error(err)
						return
					}
				}
				mustPut(t, s, v, material(t, name), fakes[name])
			}
		}
	})
	twentyReaders(t, dir)
	stop.Store(true)
	wg.Wait()
}

// TestReadOnlyDirectory reads from a read-only mount where one can be had, and
// from a directory without write permission; a file system that refuses every
// change stands in for a mount elsewhere.
func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	before := snapshot(t, dir)
	v, names, fakes := steady(t)
	h := &hook{fn: func(_ int, op errorfs.Op) error {
		if op.Kind == errorfs.OpFileClose {
			return nil
		}
		t.Errorf("a reader changes something: %v %s", op.Kind, op.Path)
		return syscall.EROFS
	}}
	s, err := open(errorfs.Wrap(vfs.Default, h), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if unread, errs := check(t, s, v, material(t, name), tables.DTW, fakes[name]); unread > 0 {
			t.Error(errs)
		}
	}
	if _, err := s.Put(t.Context(), tables.Table{Variant: v, Material: material(t, "KMvK")}, both, fakes["KvK"], RunRecord{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Put: %v", err)
	}
	if err := s.Drop(t.Context(), tables.Key{Variant: v.Name, Material: material(t, "KvK"), Metric: tables.DTW}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Drop: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if after := snapshot(t, dir); after != before {
		t.Errorf("files changed: %s, then %s", before, after)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	where := dir
	if mount := t.TempDir(); bindReadOnly(dir, mount) == nil {
		defer unmount(mount)
		where = mount
		if err := os.WriteFile(filepath.Join(mount, "x"), nil, 0o644); !errors.Is(err, syscall.EROFS) {
			t.Errorf("the mount is not read-only: %v", err)
		}
		if _, err := Open(mount, Options{Write: true}); err == nil || errors.Is(err, ErrLocked) || errors.Is(err, ErrDamaged) {
			t.Errorf("writing to a read-only mount: %v", err)
		}
	} else {
		t.Log("no read-only mount here")
	}
	twentyReaders(t, where)
}

// snapshot describes all files of a directory.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			fmt.Fprintf(&b, "%s %d %v\n", path, info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]error{"missing": ErrNoDatabase, "empty": ErrNoDatabase, "else": ErrNotDatabase, "file": ErrNotDatabase, "future": ErrFormat} {
		path := filepath.Join(dir, name)
		switch name {
		case "empty":
			mkdir(t, path)
		case "else":
			mkdir(t, path)
			write(t, filepath.Join(path, "letter.txt"), []byte("hello"))
		case "file":
			write(t, path, []byte("hello"))
		case "future":
			mkdir(t, path)
			text := fmt.Sprintf("%s%d\n", catalogHead, pack.Format+1)
			write(t, filepath.Join(path, catalogName), fmt.Appendf(nil, "%scrc32 %08x\n", text, crc(text)))
		}
		if _, err := Open(path, Options{}); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if errors.Is(want, ErrNoDatabase) {
			continue
		}
		if _, err := Open(path, Options{Write: true}); !errors.Is(err, want) {
			t.Errorf("%s, for writing: %v, want %v", name, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a reader made a directory:", err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestManyGoroutinesReadWhileOneWrites starts readers of tables that nobody has
// touched yet, with one damaged table among good ones, while others come and go.
func TestManyGoroutinesReadWhileOneWrites(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	v, names, fakes := steady(t)
	s := mustOpen(t, dir, Options{Write: true, CacheBytes: 1 << 12, MaxOpenFiles: 4})
	r := mustOpen(t, dir, Options{CacheBytes: 1 << 12, MaxOpenFiles: 4})
	gone := tables.Key{Variant: v.Name, Material: material(t, "KMvK"), Metric: tables.DTW}
	s.state.Lock()
	s.listed[gone] = true // as if it had been lost
	s.state.Unlock()
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 0))
			src := []*Store{s, r}[g%2]
			for range 6 {
				i := rng.IntN(len(names))
				for _, metric := range both {
					_, errs := check(t, src, v, material(t, names[i]), metric, fakes[names[i]])
					for _, err := range errs {
						if i < 2 || !errors.Is(err, tables.ErrMissing) {
							t.Error(err)
						}
					}
				}
				if _, err := s.Manifest(gone); !errors.Is(err, tables.ErrDamaged) {
					t.Errorf("a lost table: %v", err)
				}
				// Who reads the catalog that s has written hears of the lost table.
				var lost *tables.DamagedError
				if _, err := src.List(""); err != nil && (!errors.As(err, &lost) || lost.Key != gone) {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for range 5 {
			for _, name := range names[2:] {
				for _, metric := range both {
					if err := s.Drop(t.Context(), tables.Key{Variant: v.Name, Material: material(t, name), Metric: metric}); err != nil {
						t.Error(err)
					}
				}
				mustPut(t, s, v, material(t, name), fakes[name])
			}
		}
	})
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestReaderFollowsWriter: a reader that stays open sees what a writer adds and
// what it drops.
func TestReaderFollowsWriter(t *testing.T) {
	dir := t.TempDir()
	v, names, fakes := steady(t)
	s := mustOpen(t, dir, Options{Write: true})
	defer s.Close()
	r := mustOpen(t, dir, Options{})
	defer r.Close()
	m := material(t, names[0])
	k := tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW}
	if _, err := r.Manifest(k); !errors.Is(err, tables.ErrMissing) {
		t.Fatal(err)
	}
	mustPut(t, s, v, m, fakes[names[0]])
	if unread, errs := check(t, r, v, m, tables.DTW, fakes[names[0]]); unread > 0 {
		t.Fatal(errs)
	}
	if err := s.Drop(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	other := newFake(v, m, 77, 50, 3)
	if _, err := s.Put(t.Context(), tables.Table{Variant: v, Material: m}, []tables.Metric{tables.DTW}, other, RunRecord{}); err != nil {
		t.Fatal(err)
	}
	late := mustOpen(t, dir, Options{})
	defer late.Close()
	if unread, errs := check(t, late, v, m, tables.DTW, other); unread > 0 {
		t.Fatal(errs)
	}
}

// TestSameBytes: the number of threads and the order of tables do not show, nor
// whether metrics are stored together.
func TestSameBytes(t *testing.T) {
	v, names, fakes := steady(t)
	var want, signature string
	for _, threads := range []int{1, 2, 7} {
		dir := t.TempDir()
		s := mustOpen(t, dir, Options{Write: true, Threads: threads})
		order := rand.New(rand.NewPCG(uint64(threads), 0)).Perm(len(names))
		for _, i := range order {
			parts := [][]tables.Metric{both}
			if threads == 2 {
				parts = [][]tables.Metric{{tables.DTW}, {tables.Outcomes}}
			}
			for _, metrics := range parts {
				if _, err := s.Put(t.Context(), tables.Table{Variant: v, Material: material(t, names[i])}, metrics, fakes[names[i]], RunRecord{Threads: threads, Finished: time.Now()}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, metric := range both {
			k := tables.Key{Variant: v.Name, Material: material(t, "KKvK"), Metric: metric}
			if err := s.CheckBlocks(t.Context(), k); err != nil {
				t.Error(err)
			}
			if rec, err := s.RunRecord(k); err != nil || rec.Threads != threads {
				t.Error(rec, err)
			}
		}
		got, err := s.ContentDigest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.List("")
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want, signature = got, Signature(list)
		}
		if got != want || Signature(list) != signature {
			t.Errorf("%d threads, order %v: other bytes", threads, order)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterruptedPutLeavesNothing cancels Put at several moments.
func TestInterruptedPutLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	v, _, fakes := steady(t)
	s := mustOpen(t, dir, Options{Write: true})
	defer s.Close()
	m := material(t, "KKvK")
	for calls := range 12 {
		ctx, values := cancelAfter(t, fakes["KKvK"], calls*3)
		if _, err := s.Put(ctx, tables.Table{Variant: v, Material: m}, both, values, RunRecord{}); err == nil {
			break
		}
		if list, err := s.List(""); err != nil || len(list) > 0 {
			t.Fatal(list, err)
		}
		if names, _ := os.ReadDir(filepath.Join(dir, incomingName)); len(names) > 0 {
			t.Fatal("left over:", names)
		}
	}
}
