package probe

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"threekings/tables"
)

// cache keeps decoded blocks within a hard budget of bytes.
//
// It is a hash table of sets of a few slots each. Looking up takes no lock and,
// as a rule, writes nothing, so that readers scale with cores. Storing locks one
// shard, which owns a fixed part of the slots and of the budget, and evicts there
// by the clock: a block that was used since the hand last passed stays for
// another round. Blocks are immutable; a reader may go on using one that has
// been evicted.
type cache struct {
	shards []cacheShard
}

type cacheShard struct {
	slots []cacheSlot
	sets  uint64

	mu     sync.Mutex
	budget int64
	bytes  int64
	hand   int
}

// cacheSlot is a key, 0 if the slot is empty, beside its entry: four of them are
// a line of the processor's cache.
type cacheSlot struct {
	key   atomic.Uint64
	entry atomic.Pointer[cacheEntry]
}

type cacheEntry struct {
	key   uint64
	block tables.Block
	used  atomic.Bool
}

const (
	cacheWays = 8
	// slotBytes is what a slot itself takes, entryBytes what an entry takes
	// beside its data.
	slotBytes  = 16
	entryBytes = 64
	// bytesPerSlot decides the number of slots: smaller blocks than this leave
	// some of the budget unused.
	bytesPerSlot = 2048
	// shardBytes is the smallest budget of a shard if there are several: many
	// blocks must fit in each.
	shardBytes = 4 << 20
	maxShards  = 32
)

func newCache(budget int64) *cache {
	shards := int64(1)
	for shards < maxShards && budget/(2*shards) >= shardBytes {
		shards *= 2
	}
	c := &cache{shards: make([]cacheShard, shards)}
	for i := range c.shards {
		c.shards[i].init(budget / shards)
	}
	return c
}

func (s *cacheShard) init(budget int64) {
	slots := budget / bytesPerSlot / cacheWays * cacheWays
	if slots == 0 {
		if budget < cacheWays*slotBytes {
			return // no room for anything
		}
		slots = cacheWays
	}
	s.slots = make([]cacheSlot, slots)
	s.sets = uint64(slots / cacheWays)
	s.budget = budget - slots*slotBytes
}

// find returns the shard of a key and the first slot of its set there.
func (c *cache) find(key uint64) (s *cacheShard, first int) {
	// The finaliser of SplitMix64: every bit of the key moves every bit of the hash.
	h := key
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	s = &c.shards[h&uint64(len(c.shards)-1)]
	if s.sets == 0 {
		return s, -1
	}
	set, _ := bits.Mul64(h, s.sets)
	return s, int(set) * cacheWays
}

// get returns a block if it is there.
func (c *cache) get(key uint64) (tables.Block, bool) {
	s, first := c.find(key)
	if first < 0 {
		return tables.Block{}, false
	}
	for i := range s.slots[first : first+cacheWays] {
		slot := &s.slots[first+i]
		if slot.key.Load() != key {
			continue
		}
		// The slot may have been given away since: the entry itself decides.
		if e := slot.entry.Load(); e != nil && e.key == key {
			if !e.used.Load() {
				e.used.Store(true)
			}
			return e.block, true
		}
	}
	return tables.Block{}, false
}

// put keeps a block, unless it alone is over the budget of its shard.
func (c *cache) put(key uint64, b tables.Block) {
	s, first := c.find(key)
	size := entrySize(b)
	if first < 0 || size > s.budget {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := first; i < first+cacheWays; i++ {
		if s.slots[i].key.Load() == key {
			return // another goroutine was faster
		}
	}
	slot := s.freeSlot(first)
	for s.bytes+size > s.budget {
		s.tick()
	}
	s.bytes += size
	s.slots[slot].entry.Store(&cacheEntry{key: key, block: b})
	s.slots[slot].key.Store(key)
}

func entrySize(b tables.Block) int64 { return int64(cap(b.Data)) + entryBytes }

// freeSlot empties a slot of a set if none is empty: the first that was not used
// lately.
func (s *cacheShard) freeSlot(first int) int {
	for i := first; i < first+cacheWays; i++ {
		if s.slots[i].key.Load() == 0 {
			return i
		}
	}
	for i := first; i < first+cacheWays; i++ {
		if !s.slots[i].entry.Load().used.Swap(false) {
			s.evict(i)
			return i
		}
	}
	s.evict(first)
	return first
}

// tick moves the hand by one slot and evicts what it finds unused.
func (s *cacheShard) tick() {
	if e := s.slots[s.hand].entry.Load(); e != nil && !e.used.Swap(false) {
		s.evict(s.hand)
	}
	s.hand = (s.hand + 1) % len(s.slots)
}

func (s *cacheShard) evict(slot int) {
	s.bytes -= entrySize(s.slots[slot].entry.Load().block)
	s.slots[slot].key.Store(0)
	s.slots[slot].entry.Store(nil)
}
