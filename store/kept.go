package store

import (
	"bytes"
	"math/bits"
	"sync/atomic"

	"threekings/tables"
)

// kept keeps coded blocks as they came from the database, where finding one again
// costs as much as decoding a part of it. What is kept is checked like what the
// database gives, each time that it is decoded.
//
// Each block has one place, which it shares with others once there are more blocks
// than places. Looking up takes no lock and writes nothing. A block belongs to an
// entry, and is out of reach once its table is forgotten.
type kept struct {
	budget int64
	bytes  atomic.Int64
	hand   atomic.Uint64               // the place that is emptied next when the budget is spent
	places []atomic.Pointer[keptBlock] // a power of two, or none
}

type keptBlock struct {
	entry *entry
	side  tables.Side
	n     uint64
	coded []byte
}

const (
	// keptBlockBytes is what a block takes beside its bytes.
	keptBlockBytes = 64
	// keptPlaceBytes is the budget for which there is a place: less than any block
	// takes with what is beside it.
	keptPlaceBytes = 128
)

func newKept(budget int64) *kept {
	k := &kept{budget: budget}
	if n := uint64(max(budget, 0)) / keptPlaceBytes; n > 0 {
		k.places = make([]atomic.Pointer[keptBlock], 1<<(bits.Len64(n)-1))
	}
	return k
}

func (k *kept) at(n uint64) *atomic.Pointer[keptBlock] {
	return &k.places[n&uint64(len(k.places)-1)]
}

// place returns the place of a block. The blocks of a table follow each other.
func (k *kept) place(e *entry, side tables.Side, n uint64) *atomic.Pointer[keptBlock] {
	return k.at(e.place + uint64(side)*e.layout.Blocks() + n)
}

// get returns a coded block, nil if it is not kept. It must not be changed.
func (k *kept) get(e *entry, side tables.Side, n uint64) []byte {
	if len(k.places) == 0 {
		return nil
	}
	b := k.place(e, side, n).Load()
	if b == nil || b.entry != e || b.side != side || b.n != n {
		return nil
	}
	return b.coded
}

// put keeps a copy of a coded block, and drops others if the budget is spent.
func (k *kept) put(e *entry, side tables.Side, n uint64, coded []byte) {
	if len(k.places) == 0 || int64(len(coded)) > k.budget/8-keptBlockBytes {
		return
	}
	k.set(k.place(e, side, n), &keptBlock{e, side, n, bytes.Clone(coded)})
	for k.bytes.Load() > k.budget {
		k.set(k.at(k.hand.Add(1)), nil)
	}
}

func (k *kept) set(place *atomic.Pointer[keptBlock], b *keptBlock) {
	old := place.Swap(b)
	k.bytes.Add(b.size() - old.size())
}

func (b *keptBlock) size() int64 {
	if b == nil {
		return 0
	}
	return int64(len(b.coded)) + keptBlockBytes
}
