package store

import (
	"math/rand/v2"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

func benchStore(t testing.TB) (s *Store, v *draughts.Variant, m tables.Material, positions uint64) {
	v, m = draughts.International, material(t, "KKvK")
	s = mustOpen(t, t.TempDir(), Options{Write: true})
	t.Cleanup(func() { _ = s.Close() })
	mustPut(t, s, v, m, newFake(v, m, 3, 60, 9))
	return s, v, m, tables.Positions(v, m)
}

func TestBlockAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	s, v, m, _ := benchStore(t)
	dst := make([]byte, 1<<16)
	for _, metric := range both {
		k := tables.Key{Variant: v.Name, Material: m, Metric: metric}
		allocs := testing.AllocsPerRun(100, func() {
			if _, err := s.Block(k, 1, 2, dst); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", k, allocs)
		}
	}
}

// BenchmarkBlock reads random blocks that are in Pebble's cache.
func BenchmarkBlock(b *testing.B) {
	s, v, m, _ := benchStore(b)
	for _, metric := range both {
		b.Run(string(metric), func(b *testing.B) {
			k := tables.Key{Variant: v.Name, Material: m, Metric: metric}
			manifest, err := s.Manifest(k)
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				block, err := s.Block(k, tables.First, rng.Uint64N(manifest.Blocks()), dst)
				if err != nil {
					b.Fatal(err)
				}
				dst = block.Data
			}
		})
	}
}

// BenchmarkPut codes and stores a table with both metrics.
func BenchmarkPut(b *testing.B) {
	s, v, m, positions := benchStore(b)
	f := newFake(v, m, 3, 60, 9)
	for b.Loop() {
		for _, metric := range both {
			if err := s.Drop(b.Context(), tables.Key{Variant: v.Name, Material: m, Metric: metric}); err != nil {
				b.Fatal(err)
			}
		}
		mustPut(b, s, v, m, f)
	}
	b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkOpen opens a directory for reading and reads a manifest.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	v := draughts.International
	s := mustOpen(b, dir, Options{Write: true})
	for i, m := range tables.All(3) {
		mustPut(b, s, v, m, newFake(v, m, uint64(i), 60, 9))
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	k := tables.Key{Variant: v.Name, Material: material(b, "KvK"), Metric: tables.DTW}
	for b.Loop() {
		r := mustOpen(b, dir, Options{})
		if _, err := r.Manifest(k); err != nil {
			b.Fatal(err)
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
