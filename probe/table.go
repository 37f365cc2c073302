package probe

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// layer is one metric of one table, opened: all that turns a position into a
// place in a block.
type layer struct {
	id       uint64 // unique in the prober
	key      tables.Key
	number   int // of the table's material
	index    *index.Index
	manifest *tables.Manifest
	blockLen uint64
	order    tables.Order
	numbers  *tables.Renumbering
	leftOut  [2]tables.LeftOut // by side to move
	cached   [2]*shelf         // by side to move
}

// layerKey finds a layer. The material has the side to move first: both orders
// lead to the same layer, without naming the table, which would allocate.
type layerKey struct {
	family
	material tables.Material
}

// family is a metric of the tables of a variant.
type family struct {
	variant  *draughts.Variant
	distance bool
	profile  *draughts.Profile // of distances to reset; nil for those to win
}

// metric is what the layers hold.
func (f family) metric() tables.Metric {
	switch {
	case f.profile != nil:
		return tables.DTR(f.profile.Name)
	case f.distance:
		return tables.DTW
	default:
		return tables.Outcomes
	}
}

// openTables are the layers seen so far. Reading takes no lock: the list of
// families, which are few, is replaced, never changed, and so is each layer.
type openTables struct {
	src      tables.Source
	parts    tables.PartSource // the same, if it is one
	families atomic.Pointer[[]*openFamily]
	mu       sync.Mutex // held to open
	lastID   uint64
}

// openFamily has its layers, and what is held of them, by
// [tables.Material.Number].
type openFamily struct {
	family
	layers [tables.Materials]atomic.Pointer[layer]
	held   atomic.Pointer[[tables.Materials]atomic.Pointer[heldSide]] // nil if nothing is
}

func (t *openTables) get(k layerKey) (*layer, error) {
	if l := t.known(k.family, k.material.Number()); l != nil {
		return l, nil
	}
	return t.open(k)
}

// getOf is get for the table of a position, of which the material's number is
// known.
func (t *openTables) getOf(f family, pos *draughts.Position, number int) (*layer, error) {
	if l := t.known(f, number); l != nil {
		return l, nil
	}
	material, _ := tables.MaterialOf(*pos)
	return t.open(layerKey{f, material})
}

// seen returns a family of which a layer has been opened, nil if none has.
func (t *openTables) seen(k family) *openFamily {
	if families := t.families.Load(); families != nil {
		for _, f := range *families {
			if f.variant == k.variant && f.distance == k.distance && f.profile == k.profile {
				return f
			}
		}
	}
	return nil
}

// known returns a layer that has been opened, nil if it has not.
func (t *openTables) known(k family, number int) *layer {
	if f := t.seen(k); f != nil {
		return f.layers[number].Load()
	}
	return nil
}

func (t *openTables) open(k layerKey) (*layer, error) {
	metric := k.metric()
	table, _ := k.material.Table()
	key := tables.Key{Variant: k.variant.Name, Material: table, Metric: metric}
	manifest, err := t.src.Manifest(key)
	if err != nil {
		return nil, err
	}
	ix, err := index.New(k.variant, table)
	if err != nil {
		return nil, err
	}
	// The manifest says where blocks begin: it must fit the index.
	err = manifest.Check(key)
	if err == nil && !bitsFit(metric, manifest.Bits) {
		err = fmt.Errorf("values of %d bits", manifest.Bits)
	}
	if err != nil {
		return nil, &tables.DamagedError{Key: key, Manifest: true, Err: err}
	}

	numbers, err := tables.NewRenumbering(k.variant, table, manifest.Order)
	if err != nil {
		return nil, err
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.known(k.family, k.material.Number()); l != nil {
		return l, nil // another goroutine was faster
	}
	t.lastID++
	l := &layer{
		id: t.lastID, key: key, number: table.Number(), index: ix,
		manifest: manifest, blockLen: uint64(manifest.BlockLen), order: manifest.Order, numbers: numbers,
	}
	for side := range tables.Side(table.Sides()) {
		l.leftOut[side] = manifest.LeftOutOf(side)
		l.cached[side] = newShelf(l.id+uint64(side), manifest.Blocks())
	}
	f := t.family(k.family)
	f.layers[k.material.Number()].Store(l)
	f.layers[k.material.Reverse().Number()].Store(l)
	return l, nil
}

// family returns an open family. The caller holds mu.
func (t *openTables) family(k family) *openFamily {
	if f := t.seen(k); f != nil {
		return f
	}
	var families []*openFamily
	if old := t.families.Load(); old != nil {
		families = *old
	}
	f := &openFamily{family: k}
	families = append(slices.Clone(families), f)
	t.families.Store(&families)
	return f
}

func bitsFit(metric tables.Metric, bits uint8) bool {
	if metric == tables.Outcomes {
		return bits == 2
	}
	return bits == 8 || bits == 16
}

// side returns the side to move in the table of a position whose material has a
// number.
func (l *layer) side(number int) tables.Side {
	if number != l.number {
		return tables.Second
	}
	return tables.First
}

// rank returns the side to move of a position in the table and its stored number.
// The number of its material tells which side that is.
func (l *layer) rank(pos *draughts.Position, number int) (tables.Side, uint64) {
	side := l.side(number)
	return side, l.index.NumberIn(l.order, side, pos)
}

// block returns a decoded block from the cache or the source.
func (p *Prober) block(l *layer, side tables.Side, n uint64) (*packed, error) {
	size := l.manifest.BlockPositions(n)
	if b := l.cached[side].get(n); b != nil && b.Len() >= size {
		return b, nil
	}
	return p.read(l, side, n, size)
}

// blockAt returns a block of distances that is decoded up to position i at least.
// Of a block that is new to the cache no more than that is decoded; when a
// position further on is asked for, all of it.
func (p *Prober) blockAt(l *layer, side tables.Side, n uint64, i int) (*packed, error) {
	upTo := i + 1
	if b := l.cached[side].get(n); b != nil {
		if i < b.Len() {
			return b, nil
		}
		upTo = l.manifest.BlockPositions(n)
	}
	return p.read(l, side, n, upTo)
}

// read decodes a block up to a position at least and puts it into the cache.
func (p *Prober) read(l *layer, side tables.Side, n uint64, upTo int) (*packed, error) {
	var s *scratch
	if l.key.Metric == tables.Outcomes {
		s = p.scratch.Get().(*scratch)
		defer p.scratch.Put(s)
	}
	b, err := p.decode(l, side, n, upTo, s)
	if err != nil {
		return nil, err
	}
	return p.cache.put(l.cached[side], n, pack(b)), nil
}

// decode decodes a block up to a position at least: outcomes into working memory,
// if there is some.
func (p *Prober) decode(l *layer, side tables.Side, n uint64, upTo int, s *scratch) (b tables.Block, err error) {
	var dst []byte
	if s != nil {
		s.block = slices.Grow(s.block[:0], tables.Block{Bits: 2}.Size(int(l.blockLen)))
		dst = s.block
	}
	if p.tables.parts != nil {
		b, err = p.tables.parts.BlockPart(l.key, side, n, upTo, dst)
	} else {
		b, err = p.tables.src.Block(l.key, side, n, dst)
	}
	if err != nil {
		return tables.Block{}, err
	}
	if !bitsFit(l.key.Metric, b.Bits) {
		return tables.Block{}, damagedBlock(l, side, n, fmt.Errorf("values of %d bits", b.Bits))
	}
	if want := b.Size(upTo); len(b.Data) < want {
		return tables.Block{}, damagedBlock(l, side, n, fmt.Errorf("%d bytes of %d", len(b.Data), want))
	}
	return b, nil
}

// outcomeAt reads the outcome of position i of a block, of which it decodes what
// blockAt does.
func (p *Prober) outcomeAt(l *layer, side tables.Side, n uint64, i int) (tables.Outcome, error) {
	upTo := i + 1
	if b := l.cached[side].get(n); b != nil {
		if i < b.Len() {
			return checked(l, side, n, i, b.Outcome(i))
		}
		upTo = l.manifest.BlockPositions(n)
	}
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	b, err := p.decode(l, side, n, upTo, s)
	if err != nil {
		return tables.Draw, err
	}
	if p.cache.keeps() {
		p.cache.put(l.cached[side], n, pack(b))
	}
	return checked(l, side, n, i, b.Outcome(i))
}

func damagedBlock(l *layer, side tables.Side, n uint64, err error) error {
	return &tables.DamagedError{Key: l.key, Side: side, Block: n, Err: err}
}

// quietOutcome reads the outcome of a position without captures, whose material
// has a number, unless it is left out.
func (p *Prober) quietOutcome(v *draughts.Variant, pos *draughts.Position, number int) (o tables.Outcome, kept bool, err error) {
	l, err := p.tables.getOf(family{variant: v}, pos, number)
	if err != nil {
		if !errors.Is(err, tables.ErrMissing) {
			return tables.Draw, true, err
		}
		// Distances tell outcomes too.
		d, errDistance := p.quietValue(v, pos, nil, number)
		if errDistance == nil {
			return d.Outcome(), true, nil
		}
		if errors.Is(errDistance, tables.ErrMissing) {
			return tables.Draw, true, err
		}
		return tables.Draw, true, errDistance
	}
	side := l.side(number)
	if l.leftOut[side].Leaves(v, pos) {
		return tables.Draw, false, nil
	}
	at := l.index.NumberIn(l.order, side, pos)
	n := at / l.blockLen
	o, err = p.outcomeAt(l, side, n, int(at-n*l.blockLen))
	return o, true, err
}

// checked returns the outcome of position i of a block, which is damaged if it is
// none.
func checked(l *layer, side tables.Side, n uint64, i int, o tables.Outcome) (tables.Outcome, error) {
	if o > tables.Loss {
		return tables.Draw, damagedBlock(l, side, n, fmt.Errorf("%v at position %d", o, i))
	}
	return o, nil
}

// quietValue reads the value of a position without captures, whose material has a
// number: of its distance to reset under a profile, or to win without one.
func (p *Prober) quietValue(v *draughts.Variant, pos *draughts.Position, profile *draughts.Profile, number int) (tables.Plies, error) {
	l, err := p.tables.getOf(family{v, true, profile}, pos, number)
	if err != nil {
		if errors.Is(err, tables.ErrMissing) && stuck(v, *pos) {
			return 0, nil
		}
		return tables.NoPlies, err
	}
	side, at := l.rank(pos, number)
	n := at / l.blockLen
	b, err := p.blockAt(l, side, n, int(at-n*l.blockLen))
	if err != nil {
		return tables.NoPlies, err
	}
	return b.Distance(int(at - n*l.blockLen)), nil
}
