package pack

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"sync/atomic"

	"threekings/tables"
)

// A pack is one file with any number of tables. It begins with a header; the
// manifest, blocks and block lengths of each table's metric follow, one metric
// after the other; then comes a directory and last a trailer that says where the
// directory is. So a pack can be written in one go, and no byte of it is without
// a checksum.
const (
	headerSize  = 16
	trailerSize = 32
)

// PackFormat is the version of the one-file format. What the blocks hold has a
// version of its own, [Format].
const PackFormat = 1

// packMagic begins a pack: the first byte is no text, and the line ends break
// where a transfer changes line ends.
var packMagic = [8]byte{0x93, '3', 'K', 'G', '\r', '\n', 0x1A, '\n'}

// trailerMagic is the first of a pack's last 32 bytes.
var trailerMagic = [8]byte{'3', 'K', 'G', ' ', 'e', 'n', 'd', '\n'}

// blockLengths is the kind of the list of block lengths, in checksums.
const blockLengths Kind = RunRecord + 1

// maxManifest is more bytes than any manifest has.
const maxManifest = 1 << 16

// minCoded is the least length of a coded block: method, one value, checksum.
const minCoded = 1 + 1 + checksumSize

// maxCoded returns the greatest length of a coded block: no coding is longer
// than plain values, but one value for all may be.
func (l *Layout) maxCoded() int {
	return 1 + max(2, tables.Block{Bits: l.bits}.Size(l.blockLen)) + checksumSize
}

// Errors of opening a pack, beside [ErrFormat] and those of the system.
var (
	// ErrNotPack: the file is something else.
	ErrNotPack = errors.New("not a pack of tables")
	// ErrPackDamaged: the pack's header, directory or trailer is damaged, or the
	// end of the file is missing. It matches [tables.ErrDamaged].
	ErrPackDamaged = fmt.Errorf("the pack is damaged (%w)", tables.ErrDamaged)
)

// Coded is a source whose blocks can be had as they are stored.
type Coded interface {
	tables.Source
	// Coded appends to dst the coded block n of one side to move. Its checksum is
	// not looked at.
	Coded(k tables.Key, s tables.Side, n uint64, dst []byte) ([]byte, error)
}

// File is an open pack. It is a [tables.Source]: a prober reads it as it reads a
// database. What it needs to know of a table it reads when the table is first
// asked for, and keeps: about four bytes for each block. It is safe for
// concurrent use.
type File struct {
	r        io.ReaderAt
	closer   io.Closer
	sections []*section
	byKey    map[tables.Key]*section
}

// section is one metric of one table in a pack.
type section struct {
	key      tables.Key
	offset   int64 // of the manifest; the blocks follow
	manifest int64 // its length
	blocks   int64 // their length
	lengths  int64 // length of the list of block lengths, which follows

	opened  atomic.Pointer[openSection]
	opening sync.Mutex
}

// end returns where the section ends. The fields must be in range.
func (s *section) end() int64 { return s.offset + s.manifest + s.blocks + s.lengths }

// openSection is a section whose manifest and block lengths have been read.
type openSection struct {
	manifest *tables.Manifest
	layout   *Layout
	// Block i, those of the second side after those of the first, ends at
	// groups[i/groupLen] + ends[i] in the file.
	groups []int64
	ends   []uint32
}

// groupLen is how many blocks share a 64-bit offset. Together they are shorter
// than 2^32 bytes.
const groupLen = 256

// OpenFile opens a pack on the disk. It must be closed.
func OpenFile(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotPack
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, err), f.Close())
	}
	p, err := Open(f, info.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, err), f.Close())
	}
	p.closer = f
	return p, nil
}

// Open opens a pack of the given size in bytes. It reads the directory and
// nothing else; r is used as long as the pack is. The error wraps [ErrNotPack],
// [ErrFormat] or [ErrPackDamaged], or comes from r.
func Open(r io.ReaderAt, size int64) (*File, error) {
	var header [headerSize]byte
	if size < int64(len(packMagic)) {
		return nil, ErrNotPack
	}
	if err := readAt(r, header[:min(size, headerSize)], 0); err != nil {
		return nil, err
	}
	if !bytes.Equal(header[:8], packMagic[:]) {
		return nil, ErrNotPack
	}
	if size < headerSize+checksumSize+trailerSize {
		return nil, fmt.Errorf("%w: it ends after %d bytes", ErrPackDamaged, size)
	}
	if _, err := unseal(header[:], 0); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrPackDamaged, err)
	}
	if v := binary.LittleEndian.Uint32(header[8:]); v != PackFormat {
		return nil, fmt.Errorf("%w %d of the pack: this program reads format %d", ErrFormat, v, PackFormat)
	}
	var trailer [trailerSize]byte
	if err := readAt(r, trailer[:], size-trailerSize); err != nil {
		return nil, err
	}
	if !bytes.Equal(trailer[:8], trailerMagic[:]) {
		return nil, fmt.Errorf("%w: the end is missing, or something follows it", ErrPackDamaged)
	}
	if _, err := unseal(trailer[:], 0); err != nil {
		return nil, fmt.Errorf("%w: trailer: %w", ErrPackDamaged, err)
	}
	start := binary.LittleEndian.Uint64(trailer[8:])
	length := binary.LittleEndian.Uint64(trailer[16:])
	count := binary.LittleEndian.Uint32(trailer[24:])
	if start < headerSize || start > math.MaxInt64 || length > math.MaxInt64 || int64(start) > size || int64(length) != size-trailerSize-int64(start) {
		return nil, fmt.Errorf("%w: directory of %d bytes at %d in a file of %d", ErrPackDamaged, length, start, size)
	}
	directory := make([]byte, length)
	if err := readAt(r, directory, int64(start)); err != nil {
		return nil, err
	}
	p := &File{r: r, byKey: map[tables.Key]*section{}}
	if err := p.parseDirectory(directory, count, int64(start)); err != nil {
		return nil, fmt.Errorf("%w: directory: %w", ErrPackDamaged, err)
	}
	return p, nil
}

// readAt fills b from r.
func readAt(r io.ReaderAt, b []byte, offset int64) error {
	n, err := r.ReadAt(b, offset)
	switch {
	case n == len(b):
		return nil
	case err == nil, errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it ends at byte %d", ErrPackDamaged, offset+int64(n))
	}
	return err
}

// parseDirectory takes the directory apart. Sections must follow each other
// without gaps up to end, in order.
func (p *File) parseDirectory(b []byte, count uint32, end int64) error {
	b, err := unseal(b, 0)
	if err != nil {
		return err
	}
	offset := int64(headerSize)
	for len(b) > 0 {
		s := new(section)
		if b, err = s.parse(b, offset, end); err != nil {
			return err
		}
		if n := len(p.sections); n > 0 && compareKeys(p.sections[n-1].key, s.key) >= 0 {
			return fmt.Errorf("%w: %s after %s", ErrCoding, s.key, p.sections[n-1].key)
		}
		p.sections = append(p.sections, s)
		p.byKey[s.key] = s
		offset = s.end()
	}
	if uint64(len(p.sections)) != uint64(count) || offset != end {
		return fmt.Errorf("%w: %d entries up to byte %d; there must be %d up to byte %d", ErrCoding, len(p.sections), offset, count, end)
	}
	return nil
}

// parse reads an entry of the directory, which must lie between two offsets, and
// returns what follows it.
func (s *section) parse(b []byte, offset, end int64) ([]byte, error) {
	var fields [3]string
	for i := range fields {
		if len(b) == 0 || len(b) < 1+int(b[0]) {
			return nil, ErrShort
		}
		fields[i] = string(b[1 : 1+b[0]])
		b = b[1+b[0]:]
	}
	s.key.Variant, s.key.Metric = fields[0], tables.Metric(fields[2])
	var err error
	if s.key.Material, err = tables.ParseMaterial(fields[1]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCoding, err)
	}
	if s.key.Material.String() != fields[1] {
		return nil, fmt.Errorf("%w: material %q", ErrCoding, fields[1])
	}
	var sizes [4]int64
	if len(b) < 8*len(sizes) {
		return nil, ErrShort
	}
	for i := range sizes {
		n := binary.LittleEndian.Uint64(b[8*i:])
		if n > uint64(end) {
			return nil, fmt.Errorf("%w: %s is said to reach beyond the directory", ErrCoding, s.key)
		}
		sizes[i] = int64(n)
	}
	s.offset, s.manifest, s.blocks, s.lengths = sizes[0], sizes[1], sizes[2], sizes[3]
	if s.offset != offset || s.manifest > end-offset || s.blocks > end-offset-s.manifest || s.lengths > end-offset-s.manifest-s.blocks {
		return nil, fmt.Errorf("%w: %s is said to lie elsewhere", ErrCoding, s.key)
	}
	return b[8*len(sizes):], nil
}

// compareKeys orders keys by variant, number of pieces, material and metric.
func compareKeys(a, b tables.Key) int {
	return cmp.Or(
		cmp.Compare(a.Variant, b.Variant),
		cmp.Compare(a.Material.Pieces(), b.Material.Pieces()),
		cmp.Compare(a.Material.String(), b.Material.String()),
		cmp.Compare(a.Metric, b.Metric),
	)
}

// Close closes the file of a pack that [OpenFile] has opened.
func (p *File) Close() error {
	if p.closer == nil {
		return nil
	}
	return p.closer.Close()
}

// Keys returns what the directory lists, sorted by variant, pieces, material and
// metric.
func (p *File) Keys() []tables.Key {
	keys := make([]tables.Key, len(p.sections))
	for i, s := range p.sections {
		keys[i] = s.key
	}
	return keys
}

// List returns the manifests of all tables of a variant, or of all if variant is
// empty, in the order of [File.Keys]. Damaged ones are left out and come joined
// in the error, so that both results may be used.
func (p *File) List(variant string) ([]*tables.Manifest, error) {
	var list []*tables.Manifest
	var damaged []error
	for _, s := range p.sections {
		if variant != "" && s.key.Variant != variant {
			continue
		}
		m, err := p.Manifest(s.key)
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		list = append(list, m)
	}
	return list, errors.Join(damaged...)
}

// Manifest implements [tables.Source]. The manifest is the caller's to change.
func (p *File) Manifest(k tables.Key) (*tables.Manifest, error) {
	_, o, err := p.open(k)
	if err != nil {
		return nil, err
	}
	m := *o.manifest
	m.Sides = append([]tables.Summary(nil), m.Sides...)
	return &m, nil
}

// open returns the opened section of k.
func (p *File) open(k tables.Key) (*section, *openSection, error) {
	s := p.byKey[k]
	if s == nil {
		return nil, nil, &tables.MissingError{Key: k}
	}
	if o := s.opened.Load(); o != nil {
		return s, o, nil
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if o := s.opened.Load(); o != nil {
		return s, o, nil
	}
	o, err := s.read(p.r)
	switch {
	case err == nil:
		s.opened.Store(o)
		return s, o, nil
	case errors.Is(err, tables.ErrDamaged), errors.Is(err, ErrFormat):
		return nil, nil, err
	}
	return nil, nil, fmt.Errorf("read %s, manifest: %w", k, err)
}

// read reads the manifest and the block lengths.
func (s *section) read(r io.ReaderAt) (*openSection, error) {
	damaged := func(err error) error { return &tables.DamagedError{Key: s.key, Manifest: true, Err: err} }
	if s.manifest > maxManifest {
		return nil, damaged(fmt.Errorf("%w: a manifest of %d bytes", ErrCoding, s.manifest))
	}
	b := make([]byte, s.manifest)
	if err := readAt(r, b, s.offset); err != nil {
		return nil, err
	}
	o := new(openSection)
	var err error
	if o.manifest, o.layout, err = OpenManifest(s.key, b); err != nil {
		return nil, err
	}
	if o.manifest.Bytes != uint64(s.blocks) {
		return nil, damaged(fmt.Errorf("%w: blocks of %d bytes, not %d", ErrCoding, s.blocks, o.manifest.Bytes))
	}
	// Each length takes a byte at least, so that no more memory is asked for than
	// the file is long.
	blocks := o.layout.Blocks() * uint64(o.layout.sides)
	if s.lengths < checksumSize || blocks > uint64(s.lengths) || uint64(s.lengths)-checksumSize > blocks*binary.MaxVarintLen32 {
		return nil, damaged(fmt.Errorf("%w: %d bytes of lengths for %d blocks", ErrCoding, s.lengths, blocks))
	}
	b = make([]byte, s.lengths)
	if err := readAt(r, b, s.offset+s.manifest+s.blocks); err != nil {
		return nil, err
	}
	if b, err = unseal(b, keySeed(s.key, blockLengths)); err != nil {
		return nil, damaged(fmt.Errorf("block lengths: %w", err))
	}
	if err := o.parseLengths(b, blocks, s.offset+s.manifest, s.blocks); err != nil {
		return nil, damaged(fmt.Errorf("block lengths: %w", err))
	}
	return o, nil
}

// parseLengths works out where each block ends from the lengths of all; size is
// what they must add up to.
func (o *openSection) parseLengths(b []byte, blocks uint64, start, size int64) error {
	o.ends = make([]uint32, 0, blocks)
	o.groups = make([]int64, 0, (blocks+groupLen-1)/groupLen)
	limit := uint64(o.layout.maxCoded())
	at := int64(0) // from start on
	for i := range blocks {
		length, n := binary.Uvarint(b)
		if n <= 0 || length < minCoded || length > limit || int64(length) > size-at {
			return fmt.Errorf("%w: that of block %d", ErrCoding, i)
		}
		b = b[n:]
		if i%groupLen == 0 {
			o.groups = append(o.groups, start+at)
		}
		at += int64(length)
		o.ends = append(o.ends, uint32(start+at-o.groups[i/groupLen]))
	}
	if len(b) > 0 || at != size {
		return fmt.Errorf("%w: they make %d bytes, not %d", ErrCoding, at, size)
	}
	return nil
}

// place returns where block n of one side to move begins and how long it is.
func (o *openSection) place(s tables.Side, n uint64) (offset int64, length int) {
	i := uint64(s)*o.layout.Blocks() + n
	group, end := o.groups[i/groupLen], o.ends[i]
	start := uint32(0)
	if i%groupLen > 0 {
		start = o.ends[i-1]
	}
	return group + int64(start), int(end - start)
}

// Coded implements [Coded].
func (p *File) Coded(k tables.Key, s tables.Side, n uint64, dst []byte) ([]byte, error) {
	_, o, err := p.open(k)
	if err != nil {
		return nil, err
	}
	return p.coded(o, s, n, dst)
}

func (p *File) coded(o *openSection, s tables.Side, n uint64, dst []byte) ([]byte, error) {
	k := o.layout.key
	if o.layout.Positions(s, n) == 0 {
		return nil, fmt.Errorf("read %s: there is no side %d, block %d", k, s+1, n)
	}
	offset, length := o.place(s, n)
	at := len(dst)
	dst = growBy(dst, length)
	switch err := readAt(p.r, dst[at:], offset); {
	case errors.Is(err, ErrPackDamaged): // the file has become shorter
		return nil, &tables.DamagedError{Key: k, Side: s, Block: n, Err: ErrShort}
	case err != nil:
		return nil, fmt.Errorf("read %s, side %d, block %d: %w", k, s+1, n, err)
	}
	return dst, nil
}

// growBy returns b with n more bytes.
func growBy(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	return append(b, make([]byte, n)...)
}

// codedBuffers hold coded blocks while they are decoded.
var codedBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Block implements [tables.Source]: one read of the file. Nothing is allocated
// if dst is large enough.
func (p *File) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	return p.BlockPart(k, s, n, MaxBlockLen, dst)
}

// BlockPart implements [tables.PartSource].
func (p *File) BlockPart(k tables.Key, s tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	_, o, err := p.open(k)
	if err != nil {
		return tables.Block{}, err
	}
	buf := codedBuffers.Get().(*[]byte)
	defer codedBuffers.Put(buf)
	coded, err := p.coded(o, s, n, (*buf)[:0])
	if err != nil {
		return tables.Block{}, err
	}
	*buf = coded
	return o.layout.DecodePart(coded, s, n, upTo, dst)
}
