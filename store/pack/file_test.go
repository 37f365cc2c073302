package pack

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// madeUp is a source of tables with made-up values.
type madeUp struct {
	tables map[tables.Key]*madeUpTable
	keys   []tables.Key
}

type madeUpTable struct {
	manifest *tables.Manifest
	values   [2][]tables.Plies
	free     [2][]bool
	coded    [2][][]byte
	layout   *Layout
}

func newMadeUp(t testing.TB) *madeUp {
	src := &madeUp{tables: map[tables.Key]*madeUpTable{}}
	src.add(t, "english", "KvK", tables.Outcomes, 300, 3)
	src.add(t, "english", "KvK", tables.DTW, 200, 40)
	src.add(t, "english", "KvM", tables.DTW, 300, 700)
	src.add(t, "international", "KvM", tables.Outcomes, 2000, 3)
	return src
}

func (src *madeUp) add(t testing.TB, variant, name string, metric tables.Metric, blockLen int, longest tables.Plies) {
	t.Helper()
	v, err := draughts.Lookup(variant)
	if err != nil {
		t.Fatal(err)
	}
	k := tables.Key{Variant: variant, Material: material(t, name), Metric: metric}
	n := tables.Count(v, k.Material)
	m := &tables.Manifest{
		Format: Format, Generator: "test", Variant: variant, Material: k.Material, Metric: metric,
		Positions: n, BlockLen: blockLen, Bits: 2, Digest: strings.Repeat("0123", 16),
	}
	if metric != tables.Outcomes {
		m.Bits = Width(longest)
	}
	table := &madeUpTable{manifest: m}
	if table.layout, err = NewLayout(m); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(n, uint64(len(src.keys))))
	e := NewEncoder()
	for s := range k.Material.Sides() {
		values, free := make([]tables.Plies, n), make([]bool, n)
		for i := range values {
			switch {
			case i > 0 && rng.IntN(6) > 0:
				values[i], free[i] = values[i-1], free[i-1]
			case rng.IntN(3) == 0:
				values[i] = tables.NoPlies
			default:
				values[i], free[i] = tables.Plies(rng.IntN(int(longest)+1)), rng.IntN(4) == 0
			}
		}
		table.values[s], table.free[s] = values, free
		m.Sides = append(m.Sides, tables.Summary{Draws: n})
		for b := range m.Blocks() {
			from := b * uint64(blockLen)
			to := from + uint64(m.BlockPositions(b))
			var coded []byte
			if metric == tables.Outcomes {
				var outcomes []tables.Outcome
				for _, p := range values[from:to] {
					outcomes = append(outcomes, p.Outcome())
				}
				coded, err = e.Outcomes(table.layout, tables.Side(s), b, nil, outcomes, free[from:to])
			} else {
				coded, err = e.Distances(table.layout, tables.Side(s), b, nil, values[from:to], free[from:to])
			}
			if err != nil {
				t.Fatal(err)
			}
			table.coded[s] = append(table.coded[s], coded)
			m.Bytes += uint64(len(coded))
		}
	}
	src.tables[k] = table
	src.keys = append(src.keys, k)
}

func (src *madeUp) Manifest(k tables.Key) (*tables.Manifest, error) {
	if t := src.tables[k]; t != nil {
		return t.manifest, nil
	}
	return nil, &tables.MissingError{Key: k}
}

func (src *madeUp) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	t := src.tables[k]
	return t.layout.Decode(t.coded[s][n], s, n, dst)
}

func (src *madeUp) Coded(k tables.Key, s tables.Side, n uint64, dst []byte) ([]byte, error) {
	return append(dst, src.tables[k].coded[s][n]...), nil
}

func (src *madeUp) pack(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	size, err := Write(t.Context(), &b, src, src.keys)
	if err != nil {
		t.Fatal(err)
	}
	if size != int64(b.Len()) {
		t.Fatalf("%d bytes are said to be %d", b.Len(), size)
	}
	return b.Bytes()
}

// compare reads all that a pack has, returns the errors, and fails if a value
// is not true.
func (src *madeUp) compare(t testing.TB, p *File) (errs []error) {
	t.Helper()
	var dst []byte
	for k, table := range src.tables {
		m, err := p.Manifest(k)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for s := range tables.Side(k.Material.Sides()) {
			for n := range m.Blocks() {
				b, err := p.Block(k, s, n, dst)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				dst = b.Data
				for i := range m.BlockPositions(n) {
					at := n*uint64(m.BlockLen) + uint64(i)
					if table.free[s][at] {
						continue
					}
					want := table.values[s][at]
					if k.Metric == tables.Outcomes && b.Outcome(i) != want.Outcome() || k.Metric != tables.Outcomes && b.Distance(i) != want {
						t.Fatalf("%s, side %d, position %d: not %d", k, s+1, at, want)
					}
				}
			}
		}
	}
	return errs
}

func TestPackComesBack(t *testing.T) {
	src := newMadeUp(t)
	packed := src.pack(t)
	name := filepath.Join(t.TempDir(), "pack")
	if err := os.WriteFile(name, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if errs := src.compare(t, p); errs != nil {
		t.Fatal(errs)
	}
	if got, want := fmt.Sprint(p.Keys()), fmt.Sprint([]string{"english KvK dtw", "english KvK outcome", "english KvM dtw", "international KvM outcome"}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	list, err := p.List("english")
	if err != nil || len(list) != 3 {
		t.Errorf("%d manifests, %v", len(list), err)
	}
	missing := tables.Key{Variant: "english", Material: material(t, "MvM"), Metric: tables.DTW}
	if _, err := p.Block(missing, 0, 0, nil); !errors.Is(err, tables.ErrMissing) {
		t.Error(err)
	}
	for _, at := range []struct {
		side  tables.Side
		block uint64
	}{{1, 0}, {0, 5}, {0, 1 << 40}} {
		if _, err := p.Block(src.keys[0], at.side, at.block, nil); err == nil {
			t.Errorf("%+v is a block", at)
		}
	}
}

func TestPackHasTheSameBytesEveryTime(t *testing.T) {
	a, b := newMadeUp(t), newMadeUp(t)
	b.keys[0], b.keys[3] = b.keys[3], b.keys[0]
	first := a.pack(t)
	if !bytes.Equal(first, b.pack(t)) {
		t.Fatal("the order in which tables are named matters")
	}
	// A pack is a source as well.
	p, err := Open(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := Write(t.Context(), &again, p, p.Keys()); err != nil || !bytes.Equal(first, again.Bytes()) {
		t.Fatal("a pack of a pack is another", err)
	}
}

func TestEmptyPack(t *testing.T) {
	var b bytes.Buffer
	if _, err := Write(t.Context(), &b, newMadeUp(t), nil); err != nil {
		t.Fatal(err)
	}
	p, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(p.Keys()) != 0 {
		t.Fatal(p, err)
	}
}

func TestPackOfWhatIsDamagedOrMissing(t *testing.T) {
	src := newMadeUp(t)
	k := src.keys[1]
	if _, err := Write(t.Context(), io.Discard, src, append(src.keys, k)); err == nil {
		t.Error("a table twice in a pack")
	}
	k.Material = material(t, "MvM")
	if _, err := Write(t.Context(), io.Discard, src, []tables.Key{k}); !errors.Is(err, tables.ErrMissing) {
		t.Error(err)
	}
	src.tables[src.keys[1]].coded[0][2][7] ^= 1
	var damaged *tables.DamagedError
	if _, err := Write(t.Context(), io.Discard, src, src.keys); !errors.As(err, &damaged) || damaged.Key != src.keys[1] || damaged.Block != 2 {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, io.Discard, src, src.keys); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// fullDisk takes so many bytes and then no more.
type fullDisk struct{ room int }

var errFull = errors.New("full")

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		return d.room, errFull
	}
	d.room -= len(b)
	return len(b), nil
}

func TestPackOnFullDisk(t *testing.T) {
	src := newMadeUp(t)
	for room := range len(src.pack(t)) {
		if room%13 != 0 {
			continue
		}
		if _, err := Write(t.Context(), &fullDisk{room}, src, src.keys); !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
	}
}

// TestAnyChangedBitOfAPackIsNoticed changes one bit after the other, some in
// almost every byte. Wherever it is, what is read is true, something is an error,
// and other tables are not affected unless it is the directory that is damaged.
func TestAnyChangedBitOfAPackIsNoticed(t *testing.T) {
	src := newMadeUp(t)
	good := src.pack(t)
	p, err := Open(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	step := 7
	if testing.Short() || raceEnabled {
		step = 51
	}
	b := bytes.Clone(good)
	for bit := 0; bit < 8*len(b); bit += step {
		at := int64(bit / 8)
		var hit *section
		for _, s := range p.sections {
			if at >= s.offset && at < s.end() {
				hit = s
			}
		}
		b[at] ^= 1 << (bit % 8)
		bad, err := Open(bytes.NewReader(b), int64(len(b)))
		switch {
		case err != nil && hit == nil:
			if !errors.Is(err, ErrNotPack) && !errors.Is(err, tables.ErrDamaged) {
				t.Fatalf("bit %d: %v", bit, err)
			}
		case err != nil:
			t.Fatalf("bit %d, in %s: %v", bit, hit.key, err)
		case hit == nil:
			t.Fatalf("bit %d, outside of the tables: not noticed", bit)
		default:
			errs := src.compare(t, bad)
			var damaged *tables.DamagedError
			if len(errs) != 1 || !errors.As(errs[0], &damaged) || damaged.Key != hit.key {
				t.Fatalf("bit %d, in %s: %v", bit, hit.key, errs)
			}
			if inBlocks := at >= hit.offset+hit.manifest && at < hit.end()-hit.lengths; inBlocks == damaged.Manifest {
				t.Fatalf("bit %d, in %s: %v", bit, hit.key, damaged)
			}
		}
		b[at] ^= 1 << (bit % 8)
	}
}

func TestShortenedPackIsRefused(t *testing.T) {
	good := newMadeUp(t).pack(t)
	for size := range good {
		_, err := Open(bytes.NewReader(good[:size]), int64(size))
		if !errors.Is(err, ErrNotPack) && !errors.Is(err, ErrPackDamaged) {
			t.Fatalf("%d bytes of %d: %v", size, len(good), err)
		}
	}
	longer := append(bytes.Clone(good), 0)
	if _, err := Open(bytes.NewReader(longer), int64(len(longer))); !errors.Is(err, ErrPackDamaged) {
		t.Fatalf("a byte more: %v", err)
	}
	// The file becomes shorter while it is in use.
	p, err := Open(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	k := p.Keys()[3]
	if _, err := p.Manifest(k); err != nil {
		t.Fatal(err)
	}
	p.r = bytes.NewReader(good[:200])
	if _, err := p.Block(k, 0, 0, nil); !errors.Is(err, tables.ErrDamaged) {
		t.Fatal(err)
	}
}

func TestNewerPackIsRefused(t *testing.T) {
	b := newMadeUp(t).pack(t)
	binary.LittleEndian.PutUint32(b[8:], PackFormat+1)
	seal(b[:12], 0, 0)
	if _, err := Open(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrFormat) {
		t.Fatal(err)
	}
}

// TestForgedDirectoryIsRefused has right checksums over figures that cannot be.
func TestForgedDirectoryIsRefused(t *testing.T) {
	src := newMadeUp(t)
	good := src.pack(t)
	trailer := len(good) - trailerSize
	start := int(binary.LittleEndian.Uint64(good[trailer+8:]))
	entry := start + 1 + len("english") + 1 + len("KvK") + 1 + len("dtw")
	for _, at := range []int{entry, entry + 8, entry + 16, entry + 24, trailer + 8, trailer + 16, trailer + 24} {
		for _, value := range []uint64{0, 1, 15, 17, uint64(start), 1 << 31, 1 << 32, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
			b := bytes.Clone(good)
			if at == trailer+24 {
				binary.LittleEndian.PutUint32(b[at:], uint32(value))
			} else {
				binary.LittleEndian.PutUint64(b[at:], value)
			}
			seal(b[start:trailer-checksumSize], 0, 0)
			seal(b[trailer:len(b)-checksumSize], 0, 0)
			if bytes.Equal(b, good) {
				continue
			}
			p, err := Open(bytes.NewReader(b), int64(len(b)))
			if err == nil {
				// Two lengths that make the same sum would do.
				t.Errorf("figure at %d is %d: %v", at, value, p.Keys())
			}
		}
	}
}

// TestPackForManyReaders: the first use of every table by all of them at once.
func TestPackForManyReaders(t *testing.T) {
	src := newMadeUp(t)
	good := src.pack(t)
	p, err := Open(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if errs := src.compare(t, p); errs != nil {
				t.Error(errs)
			}
		})
	}
	wg.Wait()
}

func TestReadingAPackDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget on purpose")
	}
	src := newMadeUp(t)
	good := src.pack(t)
	p, err := Open(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 4096)
	for _, k := range p.Keys() {
		allocs := testing.AllocsPerRun(20, func() {
			if _, err := p.Block(k, 0, 0, dst); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 0 {
			t.Errorf("%s: %v allocations", k, allocs)
		}
	}
}

// FuzzPack changes a pack; with reseal the checksums of directory and trailer
// are made to fit.
func FuzzPack(f *testing.F) {
	src := newMadeUp(f)
	good := src.pack(f)
	f.Add(good, false)
	f.Add(good[:len(good)/2], false)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		b := bytes.Clone(good)
		for range 1 + rng.IntN(4) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		f.Add(b, rng.IntN(2) == 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, reseal bool) {
		if reseal && len(b) >= headerSize+trailerSize {
			b = bytes.Clone(b)
			trailer := len(b) - trailerSize
			start := binary.LittleEndian.Uint64(b[trailer+8:])
			if start < uint64(trailer-checksumSize) {
				seal(b[start:trailer-checksumSize], 0, 0)
			}
			seal(b[:headerSize-checksumSize], 0, 0)
			seal(b[trailer:len(b)-checksumSize], 0, 0)
		}
		p, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		_, _ = p.List("")
		// What is read of the tables that are known must be true.
		src.compare(t, p)
	})
}
