package probe

import (
	"sync"
	"sync/atomic"
)

// cache keeps decoded blocks within a hard budget of bytes.
//
// A block is found by its number alone: each layer has a [shelf] for either side
// to move. Looking up takes no lock and, as a rule, writes nothing, so that
// readers scale with cores. Storing locks one part, which owns a fixed share of
// the budget, and evicts there by the clock: a block that was used since the hand
// last passed stays for another round. Blocks are immutable; a reader may go on
// using one that has been evicted.
type cache struct {
	parts []cachePart
}

type cachePart struct {
	mu     sync.Mutex
	budget int64
	bytes  int64
	ring   []inRing // all that it holds
	hand   int
}

// cached is a block in the cache, or its first positions.
//
// It is 64 bytes long, which a probe finds in one line of the processor's cache.
type cached struct {
	packed
	used atomic.Bool
	at   uint32 // in the ring
}

type inRing struct {
	block *cached
	place *cachePlace // where it is found
}

// cachePlace is where a block is found; nil if it is not in the cache.
type cachePlace = atomic.Pointer[cached]

// shelf are the places of the blocks of one side to move, made as they are
// needed and kept from then on: eight bytes a block.
type shelf struct {
	id     uint64 // which shelf it is
	places []atomic.Pointer[[shelfPart]cachePlace]
}

// shelfPart is how many places are made at a time.
const shelfPart = 1 << 9

func newShelf(id, blocks uint64) *shelf {
	return &shelf{id, make([]atomic.Pointer[[shelfPart]cachePlace], (blocks+shelfPart-1)/shelfPart)}
}

// get returns as much of block n as is in the cache; nil if nothing is.
func (s *shelf) get(n uint64) *packed {
	part := s.places[n/shelfPart].Load()
	if part == nil {
		return nil
	}
	e := part[n%shelfPart].Load()
	if e == nil {
		return nil
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return &e.packed
}

// place returns the place of block n.
func (s *shelf) place(n uint64) *cachePlace {
	p := &s.places[n/shelfPart]
	part := p.Load()
	if part == nil {
		p.CompareAndSwap(nil, new([shelfPart]cachePlace))
		part = p.Load()
	}
	return &part[n%shelfPart]
}

const (
	// entryBytes is what a block takes beside its data.
	entryBytes = 96
	// partBytes is the smallest budget of a part if there are several: many blocks
	// must fit in each.
	partBytes = 4 << 20
	maxParts  = 32
)

func newCache(budget int64) *cache {
	parts := int64(1)
	for parts < maxParts && budget/(2*parts) >= partBytes {
		parts *= 2
	}
	c := &cache{parts: make([]cachePart, parts)}
	for i := range c.parts {
		c.parts[i].budget = budget / parts
	}
	return c
}

// keeps reports whether there is room for blocks at all.
func (c *cache) keeps() bool { return c.parts[0].budget > entryBytes }

// put keeps block n of a shelf, or its first positions, unless it alone is over
// the budget of its part or there is more of it already. It returns the block.
func (c *cache) put(s *shelf, n uint64, b packed) *packed {
	p := &c.parts[(s.id+n)%uint64(len(c.parts))]
	e := &cached{packed: b}
	size := e.size()
	if size > p.budget {
		return &e.packed
	}
	place := s.place(n)
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := place.Load(); old != nil {
		if old.n >= b.n {
			return &e.packed // another goroutine was faster
		}
		p.remove(old)
	}
	for p.bytes+size > p.budget {
		p.tick()
	}
	e.at = uint32(len(p.ring))
	p.bytes += size
	p.ring = append(p.ring, inRing{e, place})
	place.Store(e)
	return &e.packed
}

func (e *cached) size() int64 { return int64(cap(e.data)) + entryBytes }

// tick moves the hand by one block, which it evicts if it was not used.
func (p *cachePart) tick() {
	if p.hand >= len(p.ring) {
		p.hand = 0
	}
	if e := p.ring[p.hand].block; e.used.Swap(false) {
		p.hand++
	} else {
		p.remove(e) // and the last one takes its place in the ring
	}
}

func (p *cachePart) remove(e *cached) {
	p.ring[e.at].place.Store(nil)
	p.bytes -= e.size()
	end := len(p.ring) - 1
	last := p.ring[end]
	p.ring[e.at], last.block.at = last, e.at
	p.ring[end] = inRing{}
	p.ring = p.ring[:end]
}
