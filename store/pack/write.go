package pack

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"threekings/tables"
)

// Write writes a pack of the given tables to w in one go, in the order of
// [File.Keys] whatever the order of keys, and returns how many bytes it has. The
// same tables give the same bytes. Every block is checked on the way: a damaged
// one is an error.
func Write(ctx context.Context, w io.Writer, src Coded, keys []tables.Key) (int64, error) {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, compareKeys)
	for i, k := range keys {
		if i > 0 && k == keys[i-1] {
			return 0, fmt.Errorf("pack %s: named twice", k)
		}
	}
	p := &writer{w: w, src: src}
	header := append(make([]byte, 0, headerSize), packMagic[:]...)
	header = binary.LittleEndian.AppendUint32(header, PackFormat)
	if err := p.write(seal(header, 0, 0)); err != nil {
		return p.size, err
	}
	var directory []byte
	for _, k := range keys {
		s, err := p.section(ctx, k)
		if err != nil {
			return p.size, fmt.Errorf("pack %s: %w", k, err)
		}
		for _, field := range []string{k.Variant, k.Material.String(), string(k.Metric)} {
			if len(field) > 255 {
				return p.size, fmt.Errorf("pack %s: a name of %d bytes", k, len(field))
			}
			directory = append(append(directory, byte(len(field))), field...)
		}
		for _, n := range []int64{s.offset, s.manifest, s.blocks, s.lengths} {
			directory = binary.LittleEndian.AppendUint64(directory, uint64(n))
		}
	}
	start := p.size
	if err := p.write(seal(directory, 0, 0)); err != nil {
		return p.size, err
	}
	trailer := append(make([]byte, 0, trailerSize), trailerMagic[:]...)
	trailer = binary.LittleEndian.AppendUint64(trailer, uint64(start))
	trailer = binary.LittleEndian.AppendUint64(trailer, uint64(p.size-start))
	trailer = binary.LittleEndian.AppendUint32(trailer, uint32(len(keys)))
	return p.size, p.write(seal(trailer, 0, 0))
}

// writer is one Write.
type writer struct {
	w       io.Writer
	src     Coded
	size    int64 // what has been written
	coded   []byte
	decoded []byte
}

func (p *writer) write(b []byte) error {
	n, err := p.w.Write(b)
	p.size += int64(n)
	return err
}

// section writes one metric of one table.
func (p *writer) section(ctx context.Context, k tables.Key) (*section, error) {
	s := &section{key: k, offset: p.size}
	m, err := p.src.Manifest(k)
	if err != nil {
		return nil, err
	}
	layout, err := NewLayout(m)
	if err != nil {
		return nil, err
	}
	sealed, err := SealManifest(m)
	if err != nil {
		return nil, err
	}
	s.manifest = int64(len(sealed))
	if err := p.write(sealed); err != nil {
		return nil, err
	}
	var lengths []byte
	for side := range tables.Side(m.Material.Sides()) {
		for n := range layout.Blocks() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if p.coded, err = p.src.Coded(k, side, n, p.coded[:0]); err != nil {
				return nil, err
			}
			b, err := layout.Decode(p.coded, side, n, p.decoded)
			if err != nil {
				return nil, err
			}
			p.decoded = b.Data
			if err := p.write(p.coded); err != nil {
				return nil, err
			}
			s.blocks += int64(len(p.coded))
			lengths = binary.AppendUvarint(lengths, uint64(len(p.coded)))
		}
	}
	if uint64(s.blocks) != m.Bytes {
		return nil, &tables.DamagedError{Key: k, Manifest: true, Err: fmt.Errorf("blocks of %d bytes, not %d", s.blocks, m.Bytes)}
	}
	lengths = seal(lengths, 0, keySeed(k, blockLengths))
	s.lengths = int64(len(lengths))
	return s, p.write(lengths)
}
