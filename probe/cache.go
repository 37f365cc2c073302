package probe

import (
	"sync"
	"sync/atomic"

	"threekings/tables"
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
	ring   []*cached // all that it holds
	hand   int
}

// cached is a block in the cache, or its first positions.
type cached struct {
	block tables.Block
	used  atomic.Bool
	place *cachePlace
	at    int // in the ring
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
func (s *shelf) get(n uint64) *cached {
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
	return e
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
	entryBytes = 80
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

// put keeps block n of a shelf, or its first positions, unless it alone is over
// the budget of its part or there is more of it already.
func (c *cache) put(s *shelf, n uint64, b tables.Block) {
	p := &c.parts[(s.id+n)%uint64(len(c.parts))]
	size := entrySize(b)
	if size > p.budget {
		return
	}
	place := s.place(n)
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := place.Load(); old != nil {
		if len(old.block.Data) >= len(b.Data) {
			return // another goroutine was faster
		}
		p.remove(old)
	}
	for p.bytes+size > p.budget {
		p.tick()
	}
	e := &cached{block: b, place: place, at: len(p.ring)}
	p.bytes += size
	p.ring = append(p.ring, e)
	place.Store(e)
}

func entrySize(b tables.Block) int64 { return int64(cap(b.Data)) + entryBytes }

// tick moves the hand by one block, which it evicts if it was not used.
func (p *cachePart) tick() {
	if p.hand >= len(p.ring) {
		p.hand = 0
	}
	if e := p.ring[p.hand]; e.used.Swap(false) {
		p.hand++
	} else {
		p.remove(e) // and the last one takes its place in the ring
	}
}

func (p *cachePart) remove(e *cached) {
	e.place.Store(nil)
	p.bytes -= entrySize(e.block)
	end := len(p.ring) - 1
	last := p.ring[end]
	p.ring[e.at], last.at = last, e.at
	p.ring[end] = nil
	p.ring = p.ring[:end]
}
