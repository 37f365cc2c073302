// Package pack codes blocks of outcomes and distances: true values in, a few
// bytes with a checksum out, and back. It knows nothing of the game and nothing
// of the database that keeps the bytes. The bytes are described in
// store/FORMAT.md.
package pack

import (
	"encoding/json"
	"errors"
	"fmt"

	"threekings/tables"
)

// Format is the version of the coding. It is part of every checksum. What is
// written has this one; formats from OldestFormat on are read.
const (
	Format       = 4
	OldestFormat = 1
)

// checkFormat reports a format that is not read.
func checkFormat(m *tables.Manifest, k tables.Key) error {
	if m.Format < OldestFormat || m.Format > Format {
		return fmt.Errorf("%w %d of %s: this program reads formats %d to %d", ErrFormat, m.Format, k, OldestFormat, Format)
	}
	return nil
}

// MaxBlockLen is the largest number of positions that a block may have.
const MaxBlockLen = 1 << 16

// What can be wrong with coded bytes. Errors that wrap these never come with a
// value.
var (
	// ErrFormat: written by a newer or older version of the program.
	ErrFormat = errors.New("unknown format")
	// ErrChecksum: the checksum does not fit the bytes, or they belong elsewhere.
	ErrChecksum = errors.New("checksum does not fit")
	// ErrShort: there are fewer bytes than there must be.
	ErrShort = errors.New("too short")
	// ErrCoding: the checksum fits, but the bytes are no coded block.
	ErrCoding = errors.New("bad coding")
)

// Layout is what must be known of a table's metric to code and decode its
// blocks. It is immutable and safe for concurrent use.
type Layout struct {
	key       tables.Key
	sides     int
	positions uint64
	blockLen  int
	bits      uint8
	seed      uint32
	rows      Rows
	lastState uint32   // at the end of streams by context
	models    []*model // by side; empty: blocks know nothing of each other
	halves    []*halfModel
}

// NewLayout returns the layout that a manifest describes. Of the manifest it
// needs the key, the format, the number of positions, the block length and the
// width of values, and refuses what cannot be.
func NewLayout(m *tables.Manifest) (*Layout, error) {
	k := tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}
	if err := checkFormat(m, k); err != nil {
		return nil, err
	}
	switch {
	case m.Metric == tables.Outcomes && m.Bits == 2:
	case m.Metric != tables.Outcomes && (m.Bits == 8 || m.Bits == 16):
	default:
		return nil, fmt.Errorf("%w: values of %d bits in %s", ErrCoding, m.Bits, k)
	}
	if m.BlockLen < 1 || m.BlockLen > MaxBlockLen {
		return nil, fmt.Errorf("%w: blocks of %d positions in %s", ErrCoding, m.BlockLen, k)
	}
	l := &Layout{
		key:       k,
		sides:     m.Material.Sides(),
		positions: m.Positions,
		blockLen:  m.BlockLen,
		bits:      m.Bits,
		rows:      Rows{m.RowSquares, m.RowPieces},
		seed:      layoutSeed(keySeed(k, Block), m),
	}
	if m.Format == 2 {
		l.lastState = stateLow
	}
	if m.Format == 1 && (len(m.Models)+len(m.HalfModels) > 0 || m.Order != tables.Canonical || l.rows != Rows{}) {
		return nil, fmt.Errorf("%w: models in format 1 of %s", ErrCoding, k)
	}
	if m.Format < 4 && len(m.LeftOut) > 0 {
		return nil, fmt.Errorf("%w: positions left out in format %d of %s", ErrCoding, m.Format, k)
	}
	if !l.rows.valid() {
		return nil, fmt.Errorf("%w: rows of %d pieces on %d squares in %s", ErrCoding, m.RowPieces, m.RowSquares, k)
	}
	if n := len(m.Models); n != 0 && n != l.sides {
		return nil, fmt.Errorf("%w: %d models in %s", ErrCoding, n, k)
	}
	for side, b := range m.Models {
		model, err := parseModel(b)
		if err != nil {
			return nil, fmt.Errorf("model of side %d of %s: %w", side+1, k, err)
		}
		l.models = append(l.models, model)
	}
	if n := len(m.HalfModels); n != 0 && (n != l.sides || n != len(m.Models) || l.bits == 2) {
		return nil, fmt.Errorf("%w: %d models of halves in %s", ErrCoding, n, k)
	}
	for side, b := range m.HalfModels {
		model, err := parseHalfModel(b)
		if err != nil {
			return nil, fmt.Errorf("model of halves of side %d of %s: %w", side+1, k, err)
		}
		l.halves = append(l.halves, model)
	}
	return l, nil
}

// Blocks returns the number of blocks of each side to move.
func (l *Layout) Blocks() uint64 {
	return (l.positions + uint64(l.blockLen) - 1) / uint64(l.blockLen)
}

// Positions returns how many positions block n has, 0 if there is no such
// block.
func (l *Layout) Positions(s tables.Side, n uint64) int {
	if int(s) >= l.sides || n >= l.Blocks() {
		return 0
	}
	return int(min(uint64(l.blockLen), l.positions-n*uint64(l.blockLen)))
}

// Decode decodes block n of one side to move into dst, which is grown if it is
// too small. The error is a [*tables.DamagedError]. Whatever coded holds, no more
// is written than the block must have. Nothing is allocated if dst is large
// enough.
func (l *Layout) Decode(coded []byte, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	return l.DecodePart(coded, s, n, l.blockLen, dst)
}

// DecodePart is like Decode, but may leave out positions from number upTo of the
// block on: what is returned is as long as the positions that it has. The
// checksum is that of the whole block.
func (l *Layout) DecodePart(coded []byte, s tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	block, err := l.decode(coded, s, n, upTo, dst)
	if err != nil {
		return tables.Block{}, &tables.DamagedError{Key: l.key, Side: s, Block: n, Err: err}
	}
	return block, nil
}

func (l *Layout) decode(coded []byte, s tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	positions := l.Positions(s, n)
	if positions == 0 {
		return tables.Block{}, fmt.Errorf("%w: there is no such block", ErrCoding)
	}
	body, err := unseal(coded, blockSeed(l.seed, s, n))
	if err != nil {
		return tables.Block{}, err
	}
	if len(body) == 0 {
		return tables.Block{}, ErrShort
	}
	at := l.place(s, n)
	if upTo = (max(upTo, 1) + 3) &^ 3; upTo < positions && hasParts(body, l.bits) {
		at.upTo = upTo // a whole number of bytes
	}
	block := tables.Block{Bits: l.bits}
	size := block.Size(at.upTo)
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	block.Data = dst[:size]
	sc := scratches.Get().(*scratch)
	if l.bits == 2 {
		err = sc.decodeOutcomes(method(body[0]), body[1:], at, block.Data)
	} else {
		err = sc.decodeDistances(method(body[0]), body[1:], at, l.bits, block.Data)
	}
	scratches.Put(sc)
	return block, err
}

// hasParts reports whether the first positions of a block can be decoded without
// the others: whether it is coded by context.
func hasParts(body []byte, bits uint8) bool {
	if bits == 2 {
		return method(body[0]) == byContext
	}
	if method(body[0]) != split || len(body) < 1+splitHeader {
		return false
	}
	halves := 1 + splitHeader + int(body[1]) + int(body[2])<<8
	return halves < len(body) && halfMethod(body[halves]) == halvesContext
}

// place is where a block lies, and the models of its side if there are any.
type place struct {
	rows   Rows
	start  uint64 // its first position
	count  int
	upTo   int // how many of its positions are asked for, from the first on
	model  *model
	halves *halfModel // of distances
	last   uint32     // the state at the end of what is coded by them
}

// SealManifest returns the bytes under which a manifest is stored.
func SealManifest(m *tables.Manifest) ([]byte, error) {
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return Seal(tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}, Manifest, b), nil
}

// OpenManifest reads what [SealManifest] has written for k, and refuses what
// cannot be the manifest of k. The error is a [*tables.DamagedError], or wraps
// [ErrFormat].
func OpenManifest(k tables.Key, b []byte) (*tables.Manifest, *Layout, error) {
	damaged := func(err error) (*tables.Manifest, *Layout, error) {
		return nil, nil, &tables.DamagedError{Key: k, Manifest: true, Err: err}
	}
	body, err := Unseal(k, Manifest, b)
	if err != nil {
		return damaged(err)
	}
	m := new(tables.Manifest)
	if err := json.Unmarshal(body, m); err != nil {
		return damaged(fmt.Errorf("%w: %v", ErrCoding, err))
	}
	if err := checkFormat(m, k); err != nil {
		return nil, nil, err
	}
	if err := m.Check(k); err != nil {
		return damaged(err)
	}
	l, err := NewLayout(m)
	if err != nil {
		return damaged(err)
	}
	return m, l, nil
}
