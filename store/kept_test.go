package store

import (
	"bytes"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/store/pack"
	"threekings/tables"
)

func keptCount(k *kept) (blocks int, size int64) {
	for i := range k.places {
		if b := k.places[i].Load(); b != nil {
			blocks++
			size += b.size()
		}
	}
	return blocks, size
}

// Blocks that were read are kept, and what is kept is checked each time: whatever
// happens to it, the values are those of the database.
func TestKeptBlocksAreChecked(t *testing.T) {
	v, m := draughts.International, material(t, "KKvK")
	f := newFake(v, m, 5, 60, 9)
	s := mustOpen(t, t.TempDir(), Options{Write: true})
	defer s.Close()
	mustPut(t, s, v, m, f)
	for damage := range 4 {
		for _, metric := range both {
			if unread, errs := check(t, s, v, m, metric, f); unread > 0 {
				t.Fatalf("damage %d: %v", damage, errs)
			}
		}
		blocks, size := keptCount(s.kept)
		if blocks < 10 || damage == 0 && size != s.kept.bytes.Load() {
			t.Fatalf("%d blocks of %d bytes, counted %d", blocks, size, s.kept.bytes.Load())
		}
		var last *keptBlock
		for i := range s.kept.places {
			b := s.kept.places[i].Load()
			if b == nil {
				continue
			}
			switch damage {
			case 0: // a bit
				b.coded[i%len(b.coded)] ^= 1 << (i % 8)
			case 1: // cut off
				b.coded = b.coded[:len(b.coded)/2]
			case 2: // another block of the same table
				if last != nil && last.entry == b.entry {
					b.coded = bytes.Clone(last.coded)
				}
			}
			last = b
		}
	}
}

// What is kept of a table goes with it: after it was replaced the values are the
// new ones.
func TestKeptBlocksGoWithTheirTable(t *testing.T) {
	v, m := draughts.International, material(t, "KKvK")
	k := tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW}
	s := mustOpen(t, t.TempDir(), Options{Write: true})
	defer s.Close()
	for seed := range uint64(3) {
		f := newFake(v, m, 5, 60, 9)
		for side := range f.distances { // as well coded as before, so of the same shape
			for i, d := range f.distances[side] {
				if d != tables.NoPlies {
					f.distances[side][i] = d + 2*tables.Plies(seed)
				}
			}
		}
		if _, err := s.Put(t.Context(), tables.Table{Variant: v, Material: m}, []tables.Metric{tables.DTW}, f, RunRecord{}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if unread, errs := check(t, s, v, m, tables.DTW, f); unread > 0 {
				t.Fatal(errs)
			}
		}
		if err := s.Drop(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Block(k, 0, 0, nil); err == nil {
			t.Error("a block of a table that was dropped")
		}
	}
}

// The budget holds, however many put blocks at a time; a block is found under its
// own number only, and only that of its own entry.
func TestKeptBlocksStayWithinTheBudget(t *testing.T) {
	layout, err := pack.NewLayout(&tables.Manifest{
		Variant: "international", Material: material(t, "KKvK"), Metric: tables.Outcomes,
		Format: 1, Positions: 57600, BlockLen: 100, Bits: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	a, b := &entry{layout: layout}, &entry{layout: layout, place: 7}
	for _, budget := range []int64{0, 100, 1000, 5000, 100000} {
		k := newKept(budget)
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for n := range layout.Blocks() {
					for side := range tables.Side(2) {
						for i, e := range []*entry{a, b} {
							coded := bytes.Repeat([]byte{byte(n), byte(side), byte(i)}, 1+int(n)%40)
							k.put(e, side, n, coded)
							clear(coded) // the caller's again
							at := (n*uint64(g+1) + 1) % layout.Blocks()
							want := bytes.Repeat([]byte{byte(at), byte(side), byte(i)}, 1+int(at)%40)
							if got := k.get(e, side, at); got != nil && !bytes.Equal(got, want) {
								t.Errorf("block %d, side %d of entry %d is %v", at, side, i, got)
							}
						}
					}
				}
			})
		}
		wg.Wait()
		blocks, size := keptCount(k)
		if size > budget || size != k.bytes.Load() || budget >= 5000 && blocks < int(budget/500) {
			t.Errorf("budget %d: %d blocks of %d bytes, counted %d", budget, blocks, size, k.bytes.Load())
		}
		if other := (&entry{layout: layout}); k.get(other, 0, 3) != nil {
			t.Error("found for an entry that has put nothing")
		}
		k.put(a, 0, 5, make([]byte, budget))
		if k.get(a, 0, 5) != nil && len(k.get(a, 0, 5)) == int(budget) && budget > 0 {
			t.Errorf("budget %d: a block as large is kept", budget)
		}
	}
}
