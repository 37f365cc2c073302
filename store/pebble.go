package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// fileSystem is where a database lives. Tests put one that fails in its place.
type fileSystem = vfs.FS

// database is Pebble as the store needs it: sorted tables are ingested whole and
// ranges cut out whole. Its log and its memtable stay empty, and nothing is ever
// compacted, so a reader needs no lock: whatever state it has read stays as it
// is until a file of it is deleted, and then reading that file is an error.
type database struct {
	dir  string
	fs   *guard
	db   *pebble.DB
	opts *pebble.Options
	lock io.Closer // of writers
}

const (
	lockName     = "LOCK"
	incomingName = "incoming" // sorted tables that are being written
	// pebbleFormat is the version of Pebble's own files: the first whose sorted
	// tables have a checksum everywhere.
	pebbleFormat = pebble.FormatTableFormatV6
	// dataBlock is the size of a block of Pebble's, which holds several of ours.
	dataBlock = 4 << 10
	// sortedTableSize is where the next sorted table begins.
	sortedTableSize = 256 << 20

	defaultCache     = 24 << 20
	defaultOpenFiles = 256
)

// place says what is found where a database should be.
type place int

const (
	nowhere place = iota // nothing, or nothing yet
	somethingElse
	aDatabase
)

// survey looks at a directory without opening it.
func survey(fsys fileSystem, dir string) (place, error) {
	info, err := fsys.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nowhere, nil
	case err != nil:
		return nowhere, err
	case !info.IsDir():
		return somethingElse, nil
	}
	names, err := fsys.List(dir)
	if err != nil {
		return nowhere, err
	}
	found := nowhere
	for _, name := range names {
		switch {
		case name == catalogName, strings.HasPrefix(name, "marker."):
			return aDatabase, nil
		case name == lockName, name == incomingName, strings.HasPrefix(name, catalogName):
		default:
			found = somethingElse
		}
	}
	return found, nil
}

// lockDatabase makes the directory if need be and takes the lock of writers. It
// is the store's and not Pebble's, so that it can be given back when Pebble
// hangs.
func lockDatabase(fsys fileSystem, dir string) (io.Closer, error) {
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := fsys.Lock(fsys.PathJoin(dir, lockName))
	if err == nil {
		return lock, nil
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, err
	}
	return nil, fmt.Errorf("%w (%w)", ErrLocked, err)
}

// openDatabase opens a database, for writing if the caller holds its lock, which
// the database then closes.
func openDatabase(fsys fileSystem, dir string, lock io.Closer, cache int64, openFiles int) (*database, error) {
	g := &guard{fileSystem: fsys, readOnly: lock == nil, stuck: make(chan struct{})}
	quiet := quietLogger{g}
	events := pebble.EventListener{
		DataCorruption:  func(pebble.DataCorruptionInfo) {},
		BackgroundError: g.backgroundError,
	}
	events.EnsureDefaults(quiet)
	opts := &pebble.Options{
		FS:                          g,
		ReadOnly:                    lock == nil,
		Logger:                      quiet,
		EventListener:               &events,
		CacheSize:                   cache,
		MaxOpenFiles:                openFiles,
		FormatMajorVersion:          pebbleFormat,
		DisableAutomaticCompactions: true,
		// A file of the wrong size must not make the others unreadable.
		DisableConsistencyCheck: true,
		DisableTableStats:       true,
		MemTableSize:            256 << 10, // it stays empty
	}
	opts.Experimental.FileCacheShards = 4
	opts.Experimental.ReadSamplingMultiplier = -1
	opts.Experimental.DisableIngestAsFlushable = func() bool { return true }
	for i := range opts.Levels {
		opts.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.NoCompression }
		opts.Levels[i].BlockSize = dataBlock
	}
	opts.EnsureDefaults()
	var db *pebble.DB
	err := g.run(func() (err error) {
		db, err = pebble.Open(dir, opts)
		return classify(err)
	})
	if err != nil {
		return nil, err
	}
	d := &database{dir: dir, fs: g, db: db, opts: opts, lock: lock}
	if err := g.failure(); err != nil {
		d.lock = nil // still the caller's
		_ = d.close()
		return nil, err
	}
	return d, nil
}

// calm turns a panic of Pebble's on damaged files into an error.
func (g *guard) calm(panicked any, err error) error {
	if panicked == nil {
		return err
	}
	err, ok := panicked.(error)
	if !ok {
		err = fmt.Errorf("%v", panicked)
	}
	g.fail(err)
	return classify(err)
}

// run calls fn, and stops waiting for it when Pebble hangs.
func (g *guard) run(fn func() error) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- g.calm(recover(), err) }()
		err = fn()
	}()
	select {
	case err := <-done:
		return err
	case <-g.stuck:
		return g.failure()
	}
}

// backgroundError is called by Pebble when a flush fails. Pebble tries again at
// once and for ever, for others to wait; but what has failed here is a write, and
// after that nothing is written any more. So the flush ends, and run no longer
// waits for those who wait for it.
func (g *guard) backgroundError(err error) {
	g.fail(err)
	g.mu.Lock()
	select {
	case <-g.stuck:
	default:
		close(g.stuck)
	}
	g.mu.Unlock()
	runtime.Goexit()
}

// classify tells damaged files from what the system refuses.
func classify(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	var system syscall.Errno
	switch {
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return ErrNoDatabase
	case pebble.IsCorruptionError(err):
		// Without what Pebble adds for its own listeners, a line of no meaning.
		if info := pebble.ExtractDataCorruptionInfo(err); info != nil {
			err = info.Details
		}
	case errors.As(err, &system), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, ErrFailed), errors.Is(err, ErrReadOnly):
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

func (d *database) close() error {
	err := d.fs.run(d.db.Close)
	if d.lock != nil {
		err = errors.Join(err, d.lock.Close())
	}
	return err
}

// get returns the value of a key, valid until the closer is closed.
func (d *database) get(key []byte) (value []byte, closer io.Closer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = d.fs.calm(p, nil)
		}
	}()
	value, closer, err = d.db.Get(key)
	switch {
	case err == nil:
		return value, closer, nil
	case errors.Is(err, pebble.ErrNotFound):
		return nil, nil, errNotFound
	}
	return nil, nil, classify(err)
}

// scan calls fn for every key from lower up to but not including upper, in
// order. What fn is given is valid during the call.
func (d *database) scan(ctx context.Context, lower, upper []byte, fn func(key, value []byte) error) (err error) {
	defer func() { err = d.fs.calm(recover(), err) }()
	it, err := d.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return classify(err)
	}
	defer func() {
		if e := it.Close(); err == nil {
			err = classify(e)
		}
	}()
	for ok := it.First(); ok; ok = it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := it.ValueAndErr()
		if err != nil {
			return classify(err)
		}
		if err := fn(it.Key(), value); err != nil {
			return err
		}
	}
	return classify(it.Error())
}

// firstKeys returns the first key of every sorted table, without opening them.
func (d *database) firstKeys() (keys [][]byte, err error) {
	defer func() { err = d.fs.calm(recover(), err) }()
	levels, err := d.db.SSTables()
	if err != nil {
		return nil, classify(err)
	}
	for _, level := range levels {
		for _, t := range level {
			keys = append(keys, bytes.Clone(t.Smallest.UserKey))
		}
	}
	return keys, nil
}

// excise removes all keys from lower up to but not including upper, durably.
func (d *database) excise(ctx context.Context, lower, upper []byte) error {
	return d.change(func() error { return d.db.Excise(ctx, pebble.KeyRange{Start: lower, End: upper}) })
}

// ingest takes sorted tables in, all at once and durably.
func (d *database) ingest(ctx context.Context, paths []string) error {
	return d.change(func() error { return d.db.Ingest(ctx, paths) })
}

// replace takes sorted tables in and removes all keys from lower up to but not
// including upper that were there before, all at once and durably.
func (d *database) replace(ctx context.Context, paths []string, lower, upper []byte) error {
	return d.change(func() error {
		_, err := d.db.IngestAndExcise(ctx, paths, nil, nil, pebble.KeyRange{Start: lower, End: upper})
		return err
	})
}

// change calls fn unless writing has failed before. If it fails so that Pebble
// cannot go on, the error is that failure rather than what came of it.
func (d *database) change(fn func() error) error {
	if err := d.fs.failure(); err != nil {
		return err
	}
	err := d.fs.run(fn)
	if failure := d.fs.failure(); failure != nil {
		return failure
	}
	return err
}

// sortedTables writes keys and values in order to sorted tables beside the
// database.
type sortedTables struct {
	d     *database
	w     *sstable.Writer
	paths []string
}

// incoming is where sorted tables are written.
func (d *database) incoming() string { return d.fs.PathJoin(d.dir, incomingName) }

// clearIncoming removes what a crash has left.
func clearIncoming(fsys fileSystem, dir string) error {
	err := fsys.RemoveAll(fsys.PathJoin(dir, incomingName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (t *sortedTables) set(key, value []byte) error {
	if t.w != nil && t.w.Raw().EstimatedSize() >= sortedTableSize {
		if err := t.finish(); err != nil {
			return err
		}
	}
	if t.w == nil {
		if err := t.d.fs.failure(); err != nil {
			return err
		}
		if err := t.d.fs.MkdirAll(t.d.incoming(), 0o755); err != nil {
			return err
		}
		path := t.d.fs.PathJoin(t.d.incoming(), fmt.Sprintf("%d.sst", t.d.fs.nextFile.Add(1)))
		f, err := t.d.fs.Create(path, vfs.WriteCategoryUnspecified)
		if err != nil {
			return err
		}
		t.paths = append(t.paths, path)
		t.w = sstable.NewWriter(objstorageprovider.NewFileWritable(f), t.d.opts.MakeWriterOptions(6, pebbleFormat.MaxTableFormat()))
	}
	return t.w.Set(key, value)
}

// finish ends the sorted table that is being written. The next key begins
// another.
func (t *sortedTables) finish() error {
	if t.w == nil {
		return nil
	}
	w := t.w
	t.w = nil
	return w.Close()
}

// discard removes what has been written and not ingested.
func (t *sortedTables) discard() {
	_ = t.finish()
	for _, path := range t.paths {
		_ = t.d.fs.Remove(path) // gone if ingested; else the next open clears it
	}
}

// readFile returns what a file holds.
func readFile(fsys fileSystem, path string) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, errors.Join(err, f.Close())
}

// replaceFile puts a new file in the place of an old one, durably: after a crash
// there is the one or the other.
func replaceFile(fsys fileSystem, dir, name string, b []byte) error {
	path := fsys.PathJoin(dir, name)
	f, err := fsys.Create(path+".new", vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if _, err = f.Write(bytes.Clone(b)); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := fsys.Rename(path+".new", path); err != nil {
		return err
	}
	return syncDir(fsys, dir)
}

// syncDir makes what has happened in a directory durable.
func syncDir(fsys fileSystem, dir string) error {
	d, err := fsys.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// listing returns the names of all files of a database.
func listing(fsys fileSystem, dir string) (string, error) {
	names, err := fsys.List(dir)
	slices.Sort(names)
	return strings.Join(names, "\n"), err
}

// defaultFS is the file system of the machine.
func defaultFS() fileSystem { return vfs.Default }

// quietLogger keeps Pebble quiet: what matters comes back as an error. Pebble
// calls Fatalf where it cannot go on, and its own logger then ends the process;
// here the database refuses to change anything from then on.
type quietLogger struct{ guard *guard }

func (quietLogger) Infof(string, ...any)  {}
func (quietLogger) Errorf(string, ...any) {}
func (q quietLogger) Fatalf(format string, args ...any) {
	f := &fatalError{text: fmt.Sprintf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			f.cause = err
		}
	}
	q.guard.fail(f)
}

// fatalError is what Pebble calls fatal.
type fatalError struct {
	text  string
	cause error
}

func (f *fatalError) Error() string { return f.text }
func (f *fatalError) Unwrap() error { return f.cause }

// guard is the file system as Pebble sees it. It takes no lock: writers hold
// the store's, readers need none. For reading it changes nothing. For writing it changes nothing once something has failed so
// that nobody knows whether it is on the disk: the files stay as they are, for
// the next open to find the old state or the new one.
//
// It keeps obsolete sorted tables until it is known that none is missing from
// the database by damage.
type guard struct {
	fileSystem
	readOnly bool
	nextFile atomic.Uint64

	stuck    chan struct{} // closed when Pebble hangs
	mu       sync.Mutex
	failed   error
	sorted   bool // whether obsolete sorted tables may go
	obsolete []string
}

func (g *guard) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed == nil {
		g.failed = fmt.Errorf("%w: %w", ErrFailed, err)
	}
}

// failure returns what has failed.
func (g *guard) failure() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed
}

// refuse returns why nothing may be changed.
func (g *guard) refuse() error {
	if g.readOnly {
		return ErrReadOnly
	}
	return g.failure()
}

// keep reports whether an obsolete sorted table must not be removed yet.
func (g *guard) keep(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.sorted {
		g.obsolete = append(g.obsolete, name)
	}
	return !g.sorted
}

// removeObsolete removes the sorted tables that were kept, and any that become
// obsolete later at once.
func (g *guard) removeObsolete() {
	g.mu.Lock()
	obsolete := g.obsolete
	g.obsolete, g.sorted = nil, true
	g.mu.Unlock()
	for _, path := range obsolete {
		_ = g.Remove(path) // if this fails, the next open tries again
	}
}

type noLock struct{}

func (noLock) Close() error { return nil }

func (g *guard) Lock(string) (io.Closer, error) { return noLock{}, nil }

// directory is an open directory of a guard's.
type directory struct {
	vfs.File
	guard *guard
}

// Sync reports no error, because Pebble panics in places where it gets one. The
// guard lets nothing be changed afterwards, and whoever has asked for the change
// learns of it.
func (d directory) Sync() error {
	if err := d.File.Sync(); err != nil {
		d.guard.fail(err)
	}
	return nil
}

func (g *guard) OpenDir(name string) (vfs.File, error) {
	f, err := g.fileSystem.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return directory{f, g}, nil
}

func (g *guard) Unwrap() vfs.FS { return g.fileSystem }

func (g *guard) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := g.refuse(); err != nil {
		return nil, err
	}
	if err := g.settle(name); err != nil {
		return nil, err
	}
	return g.fileSystem.Create(name, c)
}

// settle makes what has happened in the directory durable before a marker file
// comes or goes. A marker says which of Pebble's files counts, and Pebble makes
// that file, the new marker, removes the old one, and only then syncs the
// directory: a crash might leave a marker without its file, or no marker.
func (g *guard) settle(name string) error {
	if !strings.HasPrefix(g.PathBase(name), "marker.") {
		return nil
	}
	return syncDir(g.fileSystem, g.PathDir(name))
}

func (g *guard) Link(oldname, newname string) error {
	if err := g.refuse(); err != nil {
		return err
	}
	return g.fileSystem.Link(oldname, newname)
}

func (g *guard) OpenReadWrite(name string, c vfs.DiskWriteCategory, o ...vfs.OpenOption) (vfs.File, error) {
	if err := g.refuse(); err != nil {
		return nil, err
	}
	return g.fileSystem.OpenReadWrite(name, c, o...)
}

func (g *guard) Remove(name string) error {
	if err := g.refuse(); err != nil {
		return err
	}
	if strings.HasSuffix(name, ".sst") && g.keep(name) {
		return nil
	}
	if err := g.settle(name); err != nil {
		return err
	}
	return g.fileSystem.Remove(name)
}

func (g *guard) RemoveAll(name string) error {
	if err := g.refuse(); err != nil {
		return err
	}
	return g.fileSystem.RemoveAll(name)
}

func (g *guard) Rename(oldname, newname string) error {
	if err := g.refuse(); err != nil {
		return err
	}
	return g.fileSystem.Rename(oldname, newname)
}

func (g *guard) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := g.refuse(); err != nil {
		return nil, err
	}
	return g.fileSystem.ReuseForWrite(oldname, newname, c)
}

func (g *guard) MkdirAll(name string, perm os.FileMode) error {
	if err := g.refuse(); err != nil {
		return err
	}
	return g.fileSystem.MkdirAll(name, perm)
}
