package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"threekings/draughts"
	"threekings/tables"
)

// fake is made-up values of a table: structured or random, with captures.
type fake struct {
	distances [2][]tables.Plies
	captures  [2][]bool
}

// newFake makes up values up to the longest distance, in runs of about the
// given length.
func newFake(v *draughts.Variant, m tables.Material, seed uint64, longest tables.Plies, run int) *fake {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &fake{}
	n := tables.Count(v, m)
	for s := range m.Sides() {
		f.distances[s] = make([]tables.Plies, n)
		f.captures[s] = make([]bool, n)
		var value tables.Plies
		captures := false
		for i := range f.distances[s] {
			if rng.IntN(run) == 0 {
				value = tables.Plies(rng.IntN(int(longest) + 1))
				if rng.IntN(3) == 0 {
					value = tables.NoPlies
				}
			}
			if rng.IntN(run) == 0 {
				captures = rng.IntN(3) == 0
			}
			f.distances[s][i], f.captures[s][i] = value, captures
		}
	}
	return f
}

func (f *fake) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	for i := range dst {
		dst[i] = f.distances[s][start+uint64(i)].Outcome()
	}
}

func (f *fake) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	copy(dst, f.distances[s][start:])
}

func (f *fake) Captures(s tables.Side, start uint64, dst []bool) { copy(dst, f.captures[s][start:]) }

func material(t testing.TB, name string) tables.Material {
	t.Helper()
	m, err := tables.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var both = []tables.Metric{tables.Outcomes, tables.DTW}

// check compares every value of a stored table with the true ones and returns
// how many it could not read.
func check(t testing.TB, src tables.Source, v *draughts.Variant, m tables.Material, metric tables.Metric, f *fake) (unread int, errs []error) {
	t.Helper()
	k := tables.Key{Variant: v.Name, Material: m, Metric: metric}
	manifest, err := src.Manifest(k)
	if err != nil {
		return 1, []error{err}
	}
	numbers, err := tables.NewRenumbering(v, m, manifest.Order)
	if err != nil {
		t.Fatal(err)
	}
	var dst []byte
	canonical := make([]uint64, manifest.BlockLen)
	for s := range tables.Side(m.Sides()) {
		for n := range manifest.Blocks() {
			b, err := src.Block(k, s, n, dst)
			if err != nil {
				unread++
				errs = append(errs, err)
				continue
			}
			dst = b.Data
			canonical = canonical[:manifest.BlockPositions(n)]
			numbers.Canonical(n*uint64(manifest.BlockLen), canonical)
			for i, at := range canonical {
				if f.captures[s][at] {
					continue
				}
				want := f.distances[s][at]
				if metric == tables.Outcomes {
					if got := b.Outcome(i); got != want.Outcome() {
						t.Fatalf("%s side %d position %d: %v, want %v", k, s, at, got, want.Outcome())
					}
				} else if got := b.Distance(i); got != want {
					t.Fatalf("%s side %d position %d: %d, want %d", k, s, at, got, want)
				}
			}
		}
	}
	return unread, errs
}

func mustOpen(t testing.TB, dir string, opts Options) *Store {
	t.Helper()
	s, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustPut(t testing.TB, s *Store, v *draughts.Variant, m tables.Material, f *fake) {
	t.Helper()
	if _, err := s.Put(context.Background(), tables.Table{Variant: v, Material: m}, both, f, RunRecord{Seconds: 1.5, Threads: 2, Host: "host", Finished: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

func TestPutReadDrop(t *testing.T) {
	v, m := draughts.International, material(t, "KKvK")
	f := newFake(v, m, 1, 300, 20)
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := mustOpen(t, dir, Options{Write: true})
	mustPut(t, s, v, m, f)
	for _, metric := range both {
		if unread, errs := check(t, s, v, m, metric, f); unread > 0 {
			t.Fatal(errs)
		}
	}
	if _, err := s.Put(t.Context(), tables.Table{Variant: v, Material: m}, both, f, RunRecord{}); !errors.Is(err, ErrExists) {
		t.Fatalf("second Put: %v", err)
	}
	r := mustOpen(t, dir, Options{})
	for _, metric := range both {
		if unread, errs := check(t, r, v, m, metric, f); unread > 0 {
			t.Fatal(errs)
		}
	}
	a, err := s.List("")
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.List(v.Name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a, b, cmp.AllowUnexported(tables.Material{})); d != "" || len(a) != 2 {
		t.Fatal(len(a), d)
	}
	k := tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW}
	if err := s.Drop(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	if err := s.Drop(t.Context(), k); !errors.Is(err, tables.ErrMissing) {
		t.Fatalf("second Drop: %v", err)
	}
	if _, err := s.Manifest(k); !errors.Is(err, tables.ErrMissing) {
		t.Fatalf("Manifest after Drop: %v", err)
	}
	if _, err := s.Block(k, 0, 0, nil); !errors.Is(err, tables.ErrMissing) {
		t.Fatalf("Block after Drop: %v", err)
	}
	if unread, errs := check(t, s, v, m, tables.Outcomes, f); unread > 0 {
		t.Fatal(errs)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Manifest(k); !errors.Is(err, ErrClosed) {
		t.Fatalf("Manifest after Close: %v", err)
	}
}
