package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"threekings/draughts"
	"threekings/tables"
)

// sample is a database in memory and what it must hold.
type sample struct {
	v     *draughts.Variant
	names []string
	fakes map[string]*fake
	files map[string][]byte
}

const memDir = "/db"

func newSample(t testing.TB, names ...string) *sample {
	t.Helper()
	smp := &sample{v: draughts.International, names: names, fakes: map[string]*fake{}, files: map[string][]byte{}}
	mem := vfs.NewMem()
	// Put in two goes, so that Pebble's manifest has a history, and with a table
	// that was dropped.
	for i, name := range append(names, "KMvM") {
		s, err := open(mem, memDir, Options{Write: true, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		m := material(t, name)
		smp.fakes[name] = newFake(smp.v, m, uint64(i), 40+300*tables.Plies(i%2), 9)
		mustPut(t, s, smp.v, m, smp.fakes[name])
		if i == len(names) {
			for _, metric := range both {
				if err := s.Drop(t.Context(), tables.Key{Variant: smp.v.Name, Material: m, Metric: metric}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	list, err := mem.List(memDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range list {
		if info, err := mem.Stat(memDir + "/" + name); err != nil || info.IsDir() {
			continue
		}
		b, err := readFile(mem, memDir+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		smp.files[name] = b
	}
	return smp
}

// fs returns a copy of the files.
func (smp *sample) fs(t testing.TB) *vfs.MemFS {
	mem := vfs.NewMem()
	if err := mem.MkdirAll(memDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, b := range smp.files {
		f, err := mem.Create(memDir+"/"+name, vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(bytes.Clone(b)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return mem
}

// probe reads every value of every table. A value that is not true fails the
// test; so does a table that is said to be missing. It returns how many blocks
// and manifests could not be read.
func (smp *sample) probe(t testing.TB, fsys fileSystem, opts Options, what string) (unread int) {
	t.Helper()
	s, err := open(fsys, memDir, opts)
	if err != nil {
		if errors.Is(err, ErrNoDatabase) {
			t.Fatalf("%s: %v", what, err)
		}
		return 1
	}
	for _, name := range smp.names {
		for _, metric := range both {
			n, errs := check(t, s, smp.v, material(t, name), metric, smp.fakes[name])
			unread += n
			for _, err := range errs {
				if !errors.Is(err, tables.ErrDamaged) || strings.Contains(err.Error(), "\n") {
					t.Fatalf("%s: %v", what, err)
				}
			}
		}
	}
	if manifests, err := s.List(""); err == nil && unread == 0 && len(manifests) != 2*len(smp.names) {
		t.Fatalf("%s: %d tables listed", what, len(manifests))
	}
	_ = s.Close()
	return unread
}

// TestFlippedBits flips a bit anywhere in any file of a database, thousands of
// times, and reads everything: each value is true or an error.
func TestFlippedBits(t *testing.T) {
	t.Run("small", func(t *testing.T) { flipBits(t, 8500, "KvK", "KvM") })
	t.Run("many blocks", func(t *testing.T) { flipBits(t, 500, "KKvK") })
}

func flipBits(t *testing.T, flips int, tableNames ...string) {
	if testing.Short() || raceEnabled {
		flips /= 20
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	smp := newSample(t, tableNames...)
	var names []string
	total := 0
	for name, b := range smp.files {
		if len(b) > 0 {
			names = append(names, name)
			total += len(b)
		}
	}
	if smp.probe(t, smp.fs(t), Options{}, "untouched") != 0 {
		t.Fatal("the untouched database does not read")
	}
	noticed := 0
	byFile := map[string][2]int{}
	for i := range flips {
		name := names[rng.IntN(len(names))]
		b := smp.files[name]
		bit := rng.IntN(8 * len(b))
		b[bit/8] ^= 1 << (bit % 8)
		// Open for writing now and then: what a writer does must not make it worse.
		unread := smp.probe(t, smp.fs(t), Options{Write: i%16 == 0}, fmt.Sprintf("seed %d, flip %d: bit %d of %s", seed, i, bit, name))
		b[bit/8] ^= 1 << (bit % 8)
		kind := strings.TrimRight(name, "-.0123456789")
		if kind == "" || strings.HasPrefix(name, "0") {
			kind = name[strings.LastIndex(name, "."):]
		}
		n := byFile[kind]
		n[0]++
		if unread > 0 {
			noticed++
			n[1]++
		}
		byFile[kind] = n
	}
	t.Logf("%d flips in %d files, %d bytes; %d made something unreadable: %v", flips, len(names), total, noticed, byFile)
}

// TestFlippedBitsUnderGoodChecksums flips bits in keys and values before they
// reach Pebble, so that only the store's own checksums can notice.
func TestFlippedBitsUnderGoodChecksums(t *testing.T) {
	flips := 1000
	if testing.Short() || raceEnabled {
		flips = 100
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	smp := newSample(t, "KvK")
	type pair struct{ key, value []byte }
	var content []pair
	s, err := open(smp.fs(t), memDir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.All(t.Context(), func(key, value []byte, _ bool) error {
		content = append(content, pair{bytes.Clone(key), bytes.Clone(value)})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kinds := map[byte]int{}
	for i := range flips {
		at := rng.IntN(len(content))
		p := content[at]
		flipped := p.value
		if i%4 == 0 {
			flipped = p.key
		}
		bit := rng.IntN(8 * len(flipped))
		flipped[bit/8] ^= 1 << (bit % 8)
		mem := vfs.NewMem()
		w, err := open(mem, memDir, Options{Write: true})
		if err != nil {
			t.Fatal(err)
		}
		out := &sortedTables{d: w.db}
		ordered := true
		for j, q := range content {
			ordered = ordered && (j == 0 || bytes.Compare(content[j-1].key, q.key) < 0)
			if ordered {
				if err := out.set(q.key, q.value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := out.finish(); err != nil {
			t.Fatal(err)
		}
		if err := w.db.ingest(t.Context(), out.paths); err != nil {
			t.Fatal(err)
		}
		for _, metric := range both {
			w.listed[tables.Key{Variant: smp.v.Name, Material: material(t, "KvK"), Metric: metric}] = true
		}
		if err := w.writeCatalog(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("seed %d, flip %d: key %d, bit %d", seed, i, at, bit)
		unread := smp.probe(t, mem, Options{}, what)
		flipped[bit/8] ^= 1 << (bit % 8)
		parsed, err := parseKey(p.key)
		if err != nil {
			t.Fatal(err)
		}
		kinds[parsed.kind]++
		if parsed.kind != runKind && unread == 0 {
			t.Fatalf("%s: not noticed", what)
		}
		if !ordered {
			continue
		}
		r, err := open(mem, memDir, Options{})
		if err != nil {
			continue
		}
		if bad := checkAll(r); !bad {
			t.Fatalf("%s: CheckBlocks did not notice", what)
		}
		_ = r.Close()
	}
	t.Logf("flips by kind of key: %v", kinds)
}

// checkAll reports whether CheckBlocks finds anything.
func checkAll(s *Store) bool {
	list, err := s.List("")
	if err != nil || len(list) == 0 {
		return true
	}
	for _, m := range list {
		if s.CheckBlocks(context.Background(), tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}) != nil {
			return true
		}
	}
	return false
}

// TestLostFilesAreDamage removes or cuts off each file in turn.
func TestLostFilesAreDamage(t *testing.T) {
	smp := newSample(t, "KvK", "KvM")
	for name, b := range smp.files {
		if name == "LOCK" {
			continue
		}
		for _, size := range []int{-1, 0, len(b) / 2, len(b) - 1} {
			if size >= len(b) {
				continue
			}
			if size < 0 {
				delete(smp.files, name)
			} else {
				smp.files[name] = b[:size]
			}
			what := fmt.Sprintf("%s cut to %d of %d bytes", name, size, len(b))
			unread := smp.probe(t, smp.fs(t), Options{}, what)
			if strings.HasSuffix(name, ".sst") && unread == 0 {
				t.Errorf("%s: not noticed", what)
			}
			if all := 2 * len(smp.names) * 2; strings.HasSuffix(name, ".sst") && unread >= all {
				t.Errorf("%s: one bad file makes all tables unreadable", what)
			}
			smp.probe(t, smp.fs(t), Options{Write: true}, what)
		}
		smp.files[name] = b
	}
}
