package store

import (
	"errors"
	"fmt"

	"threekings/store/pack"
	"threekings/tables"
)

// Errors to be told apart with errors.Is. What is wrong with a single table is a
// [*tables.MissingError] or a [*tables.DamagedError].
var (
	// ErrNoDatabase: there is nothing at that place, or an empty directory.
	ErrNoDatabase = errors.New("no tables there")
	// ErrNotDatabase: there is something else at that place.
	ErrNotDatabase = errors.New("not a directory of tables")
	// ErrLocked: another process, or this one, has the directory open for writing.
	ErrLocked = errors.New("already open for writing")
	// ErrReadOnly: the directory was opened for reading only.
	ErrReadOnly = errors.New("open for reading only")
	// ErrClosed: the store is closed.
	ErrClosed = errors.New("store is closed")
	// ErrExists: the table is there already. The error is an [*ExistsError].
	ErrExists = errors.New("table exists")
	// ErrFailed: writing failed before in a way that only opening the directory
	// anew can mend. What was stored before is safe.
	ErrFailed = errors.New("writing failed; open the directory again")
	// ErrChanged: a table was coded anew in another shape while the directory was
	// open.
	ErrChanged = errors.New("the table was coded anew; open the directory again")
	// ErrFormat: written by another version of the program in a format that this
	// one does not know.
	ErrFormat = pack.ErrFormat
	// ErrDamaged is [tables.ErrDamaged], also for damage that concerns no single
	// table.
	ErrDamaged = tables.ErrDamaged
)

// errNotFound: there is no such key.
var errNotFound = errors.New("key not found")

// errLost is why a table that the catalog lists, but the database does not have,
// is damaged.
var errLost = errors.New("the table was stored and is gone; drop it and generate it again")

// errBlockMissing is why a table without one of its blocks is damaged.
var errBlockMissing = errors.New("the block is gone")

// ExistsError says which table is stored already.
type ExistsError struct{ Key tables.Key }

// Error names the table.
func (e *ExistsError) Error() string { return fmt.Sprintf("table exists: %s; drop it first", e.Key) }

// Is makes errors.Is(err, ErrExists) true.
func (e *ExistsError) Is(target error) bool { return target == ErrExists }
