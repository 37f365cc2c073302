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

// Format is the version of the coding. It is part of every checksum.
const Format = 1

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
}

// NewLayout returns the layout that a manifest describes. Of the manifest it
// needs the key, the format, the number of positions, the block length and the
// width of values, and refuses what cannot be.
func NewLayout(m *tables.Manifest) (*Layout, error) {
	k := tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}
	if m.Format != Format {
		return nil, fmt.Errorf("%w %d of %s: this program reads format %d", ErrFormat, m.Format, k, Format)
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
	return &Layout{
		key:       k,
		sides:     m.Material.Sides(),
		positions: m.Positions,
		blockLen:  m.BlockLen,
		bits:      m.Bits,
		seed:      layoutSeed(keySeed(k, Block), m.Positions, m.BlockLen, m.Bits),
	}, nil
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
	block, err := l.decode(coded, s, n, dst)
	if err != nil {
		return tables.Block{}, &tables.DamagedError{Key: l.key, Side: s, Block: n, Err: err}
	}
	return block, nil
}

func (l *Layout) decode(coded []byte, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
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
	block := tables.Block{Bits: l.bits}
	size := block.Size(positions)
	if cap(dst) < size {
		dst = make([]byte, size)
	}
	block.Data = dst[:size]
	sc := scratches.Get().(*scratch)
	if l.bits == 2 {
		err = sc.decodeOutcomes(method(body[0]), body[1:], positions, block.Data)
	} else {
		err = sc.decodeDistances(method(body[0]), body[1:], positions, l.bits, block.Data)
	}
	scratches.Put(sc)
	return block, err
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
	if m.Format != Format {
		return nil, nil, fmt.Errorf("%w %d of %s: this program reads format %d", ErrFormat, m.Format, k, Format)
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
