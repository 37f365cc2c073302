package probe

import (
	"testing"

	"pgregory.net/rapid"

	"threekings/tables"
)

// held adds up what the cache holds and checks its books.
func held(t interface{ Fatalf(string, ...any) }, c *cache, shelves ...*shelf) int64 {
	total, entries := int64(0), 0
	for i := range c.parts {
		p := &c.parts[i]
		sum := int64(0)
		for j, e := range p.ring {
			if e.place.Load() != e.block || e.block.at != uint32(j) {
				t.Fatalf("block %d of part %d is not in its place", j, i)
			}
			sum += e.block.size()
		}
		if sum != p.bytes {
			t.Fatalf("part %d holds %d bytes and counts %d", i, sum, p.bytes)
		}
		entries += len(p.ring)
		total += sum
	}
	for _, s := range shelves {
		for i := range s.places {
			if part := s.places[i].Load(); part != nil {
				for j := range part {
					if part[j].Load() != nil {
						entries--
					}
				}
			}
		}
	}
	if entries != 0 {
		t.Fatalf("%d blocks more than there are in their places", entries)
	}
	return total
}

func TestCacheStaysWithinItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.SampledFrom([]int64{0, 100, 1000, 20_000, 1 << 20, 9 << 20}).Draw(t, "budget")
		c := newCache(budget)
		shelves := []*shelf{newShelf(1, 1000), newShelf(2, 1000)}
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			of := rapid.IntRange(0, 1).Draw(t, "shelf")
			n := rapid.Uint64Range(0, 49).Draw(t, "block") * 20
			size := rapid.SampledFrom([]int{0, 1, 10, 300, 4096, 32768}).Draw(t, "size")
			id := byte(n/20)<<1 | byte(of)
			old := shelves[of].get(n)
			if old != nil && len(old.data) > 0 && old.data[0] != id {
				t.Fatalf("block %d of shelf %d is %d", n, of, old.data[0])
			}
			data := make([]byte, size)
			if size > 0 {
				data[0] = id
			}
			c.put(shelves[of], n, pack(tables.Block{Bits: 8, Data: data}))
			if e := shelves[of].get(n); e != nil && old != nil && len(e.data) < len(old.data) {
				t.Fatalf("block %d of shelf %d has become shorter", n, of)
			}
			if total := held(t, c, shelves...); total > budget {
				t.Fatalf("%d bytes held, budget %d", total, budget)
			}
		}
	})
}

// A working set that fits stays.
func TestCacheKeepsWhatFits(t *testing.T) {
	c := newCache(64 << 20)
	const blocks = 15_000
	s := newShelf(1, blocks)
	for n := range uint64(blocks) {
		c.put(s, n, pack(tables.Block{Bits: 8, Data: make([]byte, 4096)}))
	}
	kept := 0
	for n := range uint64(blocks) {
		if s.get(n) != nil {
			kept++
		}
	}
	if kept != blocks {
		t.Errorf("%d of %d blocks are there", kept, blocks)
	}
}

// Blocks in use outlive those that are not.
func TestCacheEvictsUnusedBlocksFirst(t *testing.T) {
	c := newCache(1 << 20)
	const hot = 50
	s := newShelf(1, 10_000)
	hits := 0
	for round := range 200 {
		for n := range uint64(hot) {
			if s.get(n) != nil {
				hits++
			} else {
				c.put(s, n, pack(tables.Block{Bits: 8, Data: make([]byte, 4096)}))
			}
		}
		for i := range uint64(20) {
			c.put(s, 1000+uint64(round)*20+i, pack(tables.Block{Bits: 8, Data: make([]byte, 4096)}))
		}
	}
	if rate := float64(hits) / (200 * hot); rate < 0.9 {
		t.Errorf("hit rate of blocks in use: %.2f", rate)
	}
}

func TestCacheWithoutBudgetKeepsNothing(t *testing.T) {
	c, s := newCache(0), newShelf(1, 1)
	c.put(s, 0, pack(tables.Block{Bits: 2, Data: []byte{1}}))
	if s.get(0) != nil {
		t.Error("a block was kept")
	}
}
