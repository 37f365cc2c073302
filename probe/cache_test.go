package probe

import (
	"testing"

	"pgregory.net/rapid"

	"threekings/tables"
)

// held adds up what the cache holds and checks its books.
func held(t interface{ Fatalf(string, ...any) }, c *cache) int64 {
	total := int64(0)
	for i := range c.shards {
		s := &c.shards[i]
		sum := int64(0)
		for j := range s.slots {
			e := s.slots[j].entry.Load()
			if (e != nil) != (s.slots[j].key.Load() != 0) || e != nil && e.key != s.slots[j].key.Load() {
				t.Fatalf("slot %d: key %d, entry %v", j, s.slots[j].key.Load(), e)
			}
			if e != nil {
				sum += int64(cap(e.block.Data)) + entryBytes
			}
		}
		if sum != s.bytes {
			t.Fatalf("shard %d holds %d bytes and counts %d", i, sum, s.bytes)
		}
		total += sum + int64(len(s.slots))*slotBytes
	}
	return total
}

func TestCacheStaysWithinItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.SampledFrom([]int64{0, 100, 1000, 20_000, 1 << 20, 9 << 20}).Draw(t, "budget")
		c := newCache(budget)
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			key := rapid.Uint64Range(1, 100).Draw(t, "key")
			size := rapid.SampledFrom([]int{0, 1, 10, 300, 4096, 32768}).Draw(t, "size")
			if b, ok := c.get(key); ok {
				if len(b.Data) > 0 && b.Data[0] != byte(key) {
					t.Fatalf("block %d is that of %d", key, b.Data[0])
				}
				continue
			}
			data := make([]byte, size)
			if size > 0 {
				data[0] = byte(key)
			}
			c.put(key, tables.Block{Bits: 2, Data: data})
			if total := held(t, c); total > budget {
				t.Fatalf("%d bytes held, budget %d", total, budget)
			}
		}
	})
}

// A working set that fits stays.
func TestCacheKeepsWhatFits(t *testing.T) {
	c := newCache(64 << 20)
	const blocks = 4000
	for key := uint64(1); key <= blocks; key++ {
		c.put(key, tables.Block{Bits: 2, Data: make([]byte, 4096)})
	}
	kept := 0
	for key := uint64(1); key <= blocks; key++ {
		if _, ok := c.get(key); ok {
			kept++
		}
	}
	if kept < blocks*99/100 {
		t.Errorf("%d of %d blocks are there", kept, blocks)
	}
}

// Blocks in use outlive those that are not.
func TestCacheEvictsUnusedBlocksFirst(t *testing.T) {
	c := newCache(1 << 20)
	const hot = 50
	hits := 0
	for round := range 200 {
		for key := uint64(1); key <= hot; key++ {
			if _, ok := c.get(key); ok {
				hits++
			} else {
				c.put(key, tables.Block{Bits: 2, Data: make([]byte, 4096)})
			}
		}
		for i := range uint64(20) {
			c.put(1000+uint64(round)*20+i, tables.Block{Bits: 2, Data: make([]byte, 4096)})
		}
	}
	if rate := float64(hits) / (200 * hot); rate < 0.9 {
		t.Errorf("hit rate of blocks in use: %.2f", rate)
	}
}

func TestCacheWithoutBudgetKeepsNothing(t *testing.T) {
	c := newCache(0)
	c.put(1, tables.Block{Bits: 2, Data: []byte{1}})
	if _, ok := c.get(1); ok {
		t.Error("a block was kept")
	}
}
