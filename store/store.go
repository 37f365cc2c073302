// Package store keeps finished tables in a directory: coded blocks in a Pebble
// database, each with a checksum that covers which block it is, and a manifest
// for every metric of a table. A table and its manifest appear together or not
// at all. The bytes on disk are described in FORMAT.md.
//
// Any number of processes may read a directory while one writes to it.
package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"sync"

	"threekings/store/pack"
	"threekings/tables"
)

// Options are how a directory is opened. The zero value opens for reading.
type Options struct {
	// Write opens for writing, and makes the directory if there is none. Only one
	// process can do that at a time.
	Write bool
	// Threads is how many blocks are coded at a time; 0 means one per CPU.
	Threads int
	// CacheBytes is the budget for coded blocks in memory; 0 means 24 MiB.
	CacheBytes int64
	// MaxOpenFiles limits the files that are open at a time; 0 means 256.
	MaxOpenFiles int
	// LeaveOutFrom is the size in bytes, about, from which on tables of outcomes leave
	// out positions whose values follow from those of their moves ([tables.LeftOut]).
	// That makes them smaller, but to answer such a position as many blocks may have to
	// be read as it has moves. 0 means 256 KiB; below 0 tables keep all.
	LeaveOutFrom int64
	// Generator goes into the manifests of tables that are stored: the version of
	// the program that solved them. Empty means "threekings".
	Generator string
}

// Store is an open directory of tables. It is a [tables.Source]. It is safe for
// concurrent use.
type Store struct {
	dir  string
	opts Options
	fs   fileSystem

	writing sync.Mutex // one Put or Drop at a time
	// moving is held for writing, for the moment that it takes, while tables come
	// and go, and for reading to try again what has failed: what then fails again
	// has not failed because of a writer that shares this store.
	moving sync.RWMutex

	// mu is held for reading while the database is in use and for writing to
	// replace or close it.
	mu     sync.RWMutex
	db     *database
	closed bool

	state sync.RWMutex
	state_
	// shapes are the shapes of all tables that were ever opened, guarded by state.
	// A table that is coded anew in another shape is refused: whoever has its old
	// manifest would take its blocks for others.
	shapes map[tables.Key]shape
	places uint64 // of kept blocks, given to entries; guarded by state
	kept   *kept
}

// shape says which positions a block holds and in what form.
type shape struct {
	blockLen int
	bits     uint8
	order    tables.Order
	leftOut  [2]tables.LeftOut
}

func shapeOf(m *tables.Manifest) shape {
	return shape{m.BlockLen, m.Bits, m.Order, [2]tables.LeftOut{m.LeftOutOf(tables.First), m.LeftOutOf(tables.Second)}}
}

// state_ is what is known of the database's content, guarded by Store.state.
type state_ struct {
	entries map[tables.Key]*entry
	listed  map[tables.Key]bool // by the catalog
	changes uint64              // how often a writer of this store has changed what is there
	doubt   bool                // the catalog is damaged: a table may be lost
	catalog []byte              // as it was read
	files   string              // the names of all files, as they were
}

// entry is an opened table's metric.
type entry struct {
	manifest *tables.Manifest
	layout   *pack.Layout
	prefix   []byte
	place    uint64 // of its first block among those kept
}

// Open opens a directory of tables. The error wraps [ErrNoDatabase],
// [ErrNotDatabase], [ErrLocked], [ErrFormat] or [ErrDamaged], or comes from the
// system.
func Open(dir string, opts Options) (*Store, error) { return open(defaultFS(), dir, opts) }

func open(fsys fileSystem, dir string, opts Options) (*Store, error) {
	opts.Threads = cmp.Or(opts.Threads, runtime.GOMAXPROCS(0))
	opts.CacheBytes = cmp.Or(opts.CacheBytes, defaultCache)
	opts.MaxOpenFiles = cmp.Or(opts.MaxOpenFiles, defaultOpenFiles)
	opts.Generator = cmp.Or(opts.Generator, "threekings")
	// A third of the budget is for blocks as they are, the rest for Pebble's cache.
	own := opts.CacheBytes / 3
	opts.CacheBytes -= own
	s := &Store{dir: dir, opts: opts, fs: fsys, shapes: map[tables.Key]shape{}, kept: newKept(own)}
	where, err := survey(fsys, dir)
	switch {
	case err != nil:
	case where == somethingElse:
		err = ErrNotDatabase
	case opts.Write:
		err = s.openWrite()
	case where == nowhere:
		err = ErrNoDatabase
	default:
		err = s.openRead()
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	return s, nil
}

// attempts is how often a reader tries again when a writer changes the files
// under its hands.
const attempts = 10

// openRead opens the database for reading. The caller holds mu, or nobody else
// has the store yet.
func (s *Store) openRead() error {
	var err error
	for range attempts {
		var st state_
		// The files and the catalog first: what they tell of is at least as old as
		// the database then read.
		if st.files, err = listing(s.fs, s.dir); err != nil {
			return err
		}
		if err = st.readCatalog(s.fs, s.dir); err != nil {
			return err
		}
		if s.db, err = openDatabase(s.fs, s.dir, nil, s.opts.CacheBytes, s.opts.MaxOpenFiles); err == nil {
			st.entries = map[tables.Key]*entry{}
			s.state.Lock()
			s.state_ = st
			s.state.Unlock()
			return nil
		}
		if errors.Is(err, ErrNoDatabase) {
			if !st.doubt && len(st.listed) == 0 {
				return err // a writer is just making it, or was killed when it did
			}
			err = fmt.Errorf("%w: the database is gone, its catalog is not", ErrDamaged)
		}
		if now, _ := listing(s.fs, s.dir); now == st.files {
			return err
		}
	}
	return err
}

// readCatalog reads the catalog. If it is damaged or gone, any table may be
// lost.
func (st *state_) readCatalog(fsys fileSystem, dir string) (err error) {
	st.catalog, err = readFile(fsys, fsys.PathJoin(dir, catalogName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	st.listed, err = parseCatalog(st.catalog)
	if errors.Is(err, ErrFormat) {
		return err
	}
	st.doubt = err != nil
	return nil
}

func (s *Store) openWrite() (err error) {
	lock, err := lockDatabase(s.fs, s.dir)
	if err != nil {
		return err
	}
	defer func() {
		switch {
		case err == nil:
		case s.db != nil:
			_ = s.db.close()
			s.db = nil
		default:
			_ = lock.Close()
		}
	}()
	if err := clearIncoming(s.fs, s.dir); err != nil {
		return err
	}
	where, err := survey(s.fs, s.dir) // again, now that nobody else changes it
	if err != nil {
		return err
	}
	var st state_
	if where == nowhere {
		if err := replaceFile(s.fs, s.dir, catalogName, formatCatalog(nil)); err != nil {
			return err
		}
	}
	if err := st.readCatalog(s.fs, s.dir); err != nil {
		return err
	}
	if s.db, err = openDatabase(s.fs, s.dir, lock, s.opts.CacheBytes, s.opts.MaxOpenFiles); err != nil {
		return err
	}
	st.entries = map[tables.Key]*entry{}
	s.state_ = st
	present, err := s.present()
	if err != nil {
		return err
	}
	lost := false
	for k := range st.listed {
		lost = lost || !present[k]
	}
	if !lost && !st.doubt {
		s.db.fs.removeObsolete()
	}
	if st.listed == nil {
		st.listed = map[tables.Key]bool{}
	}
	maps.Copy(st.listed, present)
	s.state_ = st
	s.doubt = false
	return s.writeCatalog()
}

// present returns the tables that the database has.
func (s *Store) present() (map[tables.Key]bool, error) {
	keys, err := s.db.firstKeys()
	if err != nil {
		return nil, err
	}
	present := map[tables.Key]bool{}
	for _, key := range keys {
		p, err := parseKey(key)
		if err != nil {
			return nil, err
		}
		present[p.key] = true
	}
	return present, nil
}

// writeCatalog writes the catalog if it is not as it must be.
func (s *Store) writeCatalog() error {
	s.state.Lock()
	defer s.state.Unlock()
	b := formatCatalog(s.listed)
	if bytes.Equal(b, s.state_.catalog) {
		return nil
	}
	if err := s.db.fs.refuse(); err != nil {
		return err
	}
	if err := replaceFile(s.db.fs, s.dir, catalogName, b); err != nil {
		return err
	}
	s.state_.catalog = b
	return nil
}

// Close closes the store. It waits for what is going on. Every other use after
// that gives [ErrClosed].
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.closed = true
	return s.closeDatabase()
}

func (s *Store) closeDatabase() error {
	if s.db == nil {
		return nil
	}
	err := s.db.close()
	s.db = nil
	return err
}

// Manifest implements [tables.Source]. The manifest is the caller's to change.
func (s *Store) Manifest(k tables.Key) (*tables.Manifest, error) {
	var m *tables.Manifest
	err := s.read(func() error {
		e, err := s.entry(k)
		if err == nil {
			m = new(*e.manifest)
			m.Sides = slices.Clone(m.Sides)
		}
		return err
	})
	return m, err
}

// Block implements [tables.Source]. If dst is large enough and the block was read
// before and is kept, nothing is allocated.
func (s *Store) Block(k tables.Key, side tables.Side, n uint64, dst []byte) (tables.Block, error) {
	return s.BlockPart(k, side, n, pack.MaxBlockLen, dst)
}

// BlockPart implements [tables.PartSource], with the allocations of Block.
func (s *Store) BlockPart(k tables.Key, side tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	b, err := s.block(k, side, n, upTo, dst)
	if err != nil {
		err = s.retry(err, func() (err error) {
			b, err = s.block(k, side, n, upTo, dst)
			return err
		})
	}
	return b, err
}

var keyBuffers = sync.Pool{New: func() any { return new([128]byte) }}

func (s *Store) block(k tables.Key, side tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return tables.Block{}, ErrClosed
	}
	e, err := s.entry(k)
	if err != nil {
		return tables.Block{}, err
	}
	if coded := s.kept.get(e, side, n); coded != nil {
		if b, err := e.layout.DecodePart(coded, side, n, upTo, dst); err == nil {
			return b, nil
		}
	}
	coded, closer, err := s.coded(e, k, side, n)
	if err != nil {
		return tables.Block{}, err
	}
	b, err := e.layout.DecodePart(coded, side, n, upTo, dst)
	if err == nil {
		s.kept.put(e, side, n, coded)
	}
	_ = closer.Close()
	return b, err
}

// Coded implements [pack.Coded].
func (s *Store) Coded(k tables.Key, side tables.Side, n uint64, dst []byte) ([]byte, error) {
	start := len(dst)
	err := s.read(func() error {
		e, err := s.entry(k)
		if err != nil {
			return err
		}
		coded, closer, err := s.coded(e, k, side, n)
		if err == nil {
			dst = append(dst[:start], coded...)
			_ = closer.Close()
		}
		return err
	})
	return dst, err
}

// coded returns a coded block of the database, valid until the closer is closed.
// The caller holds mu.
func (s *Store) coded(e *entry, k tables.Key, side tables.Side, n uint64) ([]byte, io.Closer, error) {
	if e.layout.Positions(side, n) == 0 {
		return nil, nil, fmt.Errorf("read %s: there is no side %d, block %d", k, side+1, n)
	}
	buf := keyBuffers.Get().(*[128]byte)
	coded, closer, err := s.db.get(appendBlockKey(buf[:0], e.prefix, side, n))
	keyBuffers.Put(buf)
	switch {
	case err == nil:
		return coded, closer, nil
	case errors.Is(err, errNotFound):
		err = &tables.DamagedError{Key: k, Side: side, Block: n, Err: errBlockMissing}
	case errors.Is(err, ErrDamaged):
		err = &tables.DamagedError{Key: k, Side: side, Block: n, Err: err}
	default:
		err = fmt.Errorf("read %s, side %d, block %d: %w", k, side+1, n, err)
	}
	return nil, nil, err
}

// entry returns the opened manifest of k. The caller holds mu.
func (s *Store) entry(k tables.Key) (*entry, error) {
	s.state.RLock()
	e, changes := s.entries[k], s.changes
	s.state.RUnlock()
	if e != nil {
		return e, nil
	}
	e = &entry{prefix: keyPrefix(k)}
	value, closer, err := s.db.get(appendKey(nil, e.prefix, manifestKind))
	switch {
	case errors.Is(err, errNotFound):
		s.state.RLock()
		defer s.state.RUnlock()
		if s.doubt || s.listed[k] {
			return nil, &tables.DamagedError{Key: k, Manifest: true, Err: errLost}
		}
		return nil, &tables.MissingError{Key: k}
	case errors.Is(err, ErrDamaged):
		return nil, &tables.DamagedError{Key: k, Manifest: true, Err: err}
	case err != nil:
		return nil, fmt.Errorf("read %s, manifest: %w", k, err)
	}
	e.manifest, e.layout, err = pack.OpenManifest(k, value)
	_ = closer.Close()
	if err != nil {
		return nil, err
	}
	s.state.Lock()
	defer s.state.Unlock()
	now := shapeOf(e.manifest)
	if was, ok := s.shapes[k]; ok && was != now {
		return nil, fmt.Errorf("read %s: %w", k, ErrChanged)
	}
	s.shapes[k] = now
	e.place = s.places
	s.places += 2 * e.layout.Blocks()
	if s.changes == changes { // else it may be gone by now
		s.entries[k] = e
	}
	return e, nil
}

// list notes that tables are there, or not. The caller holds moving.
func (s *Store) list(there bool, keys ...tables.Key) {
	s.state.Lock()
	defer s.state.Unlock()
	for _, k := range keys {
		if there {
			s.listed[k] = true
		} else {
			delete(s.listed, k)
		}
	}
}

// forget makes the next read of a table look at its manifest again. The caller
// holds moving and has changed what is there.
func (s *Store) forget(k tables.Key) {
	s.state.Lock()
	defer s.state.Unlock()
	s.changes++
	delete(s.entries, k)
}

// read calls fn, and again if a writer has changed the database meanwhile.
func (s *Store) read(fn func() error) error {
	once := func() error {
		s.mu.RLock()
		defer s.mu.RUnlock()
		if s.db == nil {
			return ErrClosed
		}
		return fn()
	}
	err := once()
	if err != nil {
		err = s.retry(err, once)
	}
	return err
}

// retry calls fn, which has failed with err, again as long as that may have been
// because of a writer. It returns the last error.
func (s *Store) retry(err error, fn func() error) error {
	if s.opts.Write {
		s.moving.RLock()
		defer s.moving.RUnlock()
		return fn()
	}
	for tries := 0; err != nil && tries < attempts && s.reload(err); tries++ {
		err = fn()
	}
	return err
}

// reload opens the database of a reader again if what it has read may be out of
// date, and reports whether it did.
func (s *Store) reload(err error) bool {
	if s.opts.Write || errors.Is(err, ErrClosed) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	s.state.RLock()
	old, files := s.state_.catalog, s.files
	s.state.RUnlock()
	now, readErr := readFile(s.fs, s.fs.PathJoin(s.dir, catalogName))
	changed := readErr == nil && !bytes.Equal(now, old)
	if !changed && !errors.Is(err, tables.ErrMissing) {
		names, listErr := listing(s.fs, s.dir)
		changed = listErr == nil && names != files
	}
	if !changed {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	before := s.db
	if s.openRead() != nil {
		s.db = before
		return false
	}
	if before != nil {
		_ = before.close()
	}
	return true
}

// List returns the manifests of all tables of a variant, or of all if variant is
// empty, sorted by variant, pieces, material and metric. Damaged ones are left
// out and come joined in the error, so that both results may be used.
func (s *Store) List(variant string) ([]*tables.Manifest, error) {
	var list []*tables.Manifest
	err := s.read(func() error {
		keys, err := s.present()
		if err != nil {
			return err
		}
		s.state.RLock()
		maps.Copy(keys, s.listed)
		s.state.RUnlock()
		var damaged []error
		list = nil
		for k := range keys {
			if variant != "" && k.Variant != variant {
				continue
			}
			e, err := s.entry(k)
			if err != nil {
				damaged = append(damaged, err)
				continue
			}
			m := *e.manifest
			m.Sides = slices.Clone(m.Sides)
			list = append(list, &m)
		}
		slices.SortFunc(list, compareManifests)
		slices.SortFunc(damaged, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
		return errors.Join(damaged...)
	})
	return list, err
}

func compareManifests(a, b *tables.Manifest) int {
	return cmp.Or(
		cmp.Compare(a.Variant, b.Variant),
		cmp.Compare(a.Material.Pieces(), b.Material.Pieces()),
		cmp.Compare(a.Material.String(), b.Material.String()),
		cmp.Compare(a.Metric, b.Metric),
	)
}
