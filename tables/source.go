package tables

import (
	"context"
	"errors"
	"fmt"
)

// Key names one metric of one table.
type Key struct {
	Variant  string
	Material Material // as [Material.Table] names it
	Metric   Metric
}

// String returns the key as people read it, such as "international KKKvK dtw".
func (k Key) String() string {
	return fmt.Sprintf("%s %s %s", k.Variant, k.Material, k.Metric)
}

// Errors of reading, to be told apart with errors.Is.
var (
	// ErrMissing: the table is not there. The error is a [*MissingError].
	ErrMissing = errors.New("missing table")
	// ErrDamaged: what is stored does not pass its checks. The error is a
	// [*DamagedError].
	ErrDamaged = errors.New("damaged table")
)

// MissingError says which table is missing.
type MissingError struct{ Key Key }

// Error names the table and the command that makes it.
func (e *MissingError) Error() string {
	metric := string(e.Key.Metric)
	if profile, ok := e.Key.Metric.Profile(); ok {
		metric = "dtr --profile " + profile
	}
	return fmt.Sprintf("missing table: %s %s has no %s; make it with: threekings generate --variant %s --material %s --metric %s",
		e.Key.Variant, e.Key.Material, e.Key.Metric, e.Key.Variant, e.Key.Material, metric)
}

// Is makes errors.Is(err, ErrMissing) true.
func (e *MissingError) Is(target error) bool { return target == ErrMissing }

// DamagedError says what is damaged. Side and Block mean nothing where Manifest
// is set.
type DamagedError struct {
	Key      Key
	Manifest bool // the manifest, not a block, is damaged
	Side     Side
	Block    uint64
	Err      error // what is wrong with it
}

// Error names the table and the block.
func (e *DamagedError) Error() string {
	if e.Manifest {
		return fmt.Sprintf("damaged table: %s, manifest: %v", e.Key, e.Err)
	}
	return fmt.Sprintf("damaged table: %s, side %d, block %d: %v", e.Key, e.Side+1, e.Block, e.Err)
}

// Is makes errors.Is(err, ErrDamaged) true.
func (e *DamagedError) Is(target error) bool { return target == ErrDamaged }

// Unwrap returns what is wrong.
func (e *DamagedError) Unwrap() error { return e.Err }

// Source is where finished tables are stored, as coded blocks that it decodes.
// Where the side to move must capture, and where a position is left out
// ([Manifest.LeftOut]), an outcome block may hold anything: the prober looks ahead
// itself. Sources are safe for concurrent use.
type Source interface {
	// Manifest returns what is known of a finished table. The error is a
	// [*MissingError] or a [*DamagedError] or comes from the system.
	Manifest(k Key) (*Manifest, error)
	// Block decodes block n of one side to move into dst, which is grown if it is
	// too small, and returns it.
	Block(k Key, s Side, n uint64, dst []byte) (Block, error)
}

// PartSource is a [Source] that need not decode the whole of a block.
type PartSource interface {
	Source
	// BlockPart is like Block, but may leave out positions from number upTo of the
	// block on. What it returns is as long as the positions that it has.
	BlockPart(k Key, s Side, n uint64, upTo int, dst []byte) (Block, error)
}

// Reader gives true values of finished tables in bulk, also where captures are
// pending. Readers are safe for concurrent use.
type Reader interface {
	// Outcomes fills dst with the outcomes of the positions from start on.
	Outcomes(ctx context.Context, k Key, s Side, start uint64, dst []Outcome) error
	// Distances fills dst with the values of the positions from start on, as
	// [Metric.Value] gives them: distances, or for a DTR distances with their
	// outcomes; [NoPlies] for draws. The key's metric is a distance.
	Distances(ctx context.Context, k Key, s Side, start uint64, dst []Plies) error
}

// StoredReader is a [Reader] that can also give values as they are stored, which
// is many times as fast: true where the side to move has no capture, the game goes
// on and the table leaves nothing out, anything elsewhere. It is safe for
// concurrent use.
type StoredReader interface {
	Reader
	// LeftOut returns what each side to move leaves out of the table from which
	// stored values of a metric are read.
	LeftOut(k Key) ([2]LeftOut, error)
	// StoredOutcomes is like Outcomes with stored values.
	StoredOutcomes(ctx context.Context, k Key, s Side, start uint64, dst []Outcome) error
	// StoredDistances is like Distances with stored values. The key's metric is a
	// distance of any kind.
	StoredDistances(ctx context.Context, k Key, s Side, start uint64, dst []Plies) error
}

// Values are the true values of one solved table in index order: what is stored
// and proved. They are safe for concurrent reading.
type Values interface {
	// Outcomes fills dst with the outcomes of the positions from start on.
	Outcomes(s Side, start uint64, dst []Outcome)
	// Distances fills dst with the values of the table's metric of distances, as
	// [Metric.Value] gives them. It is an error in the program to ask for them where
	// only outcomes were solved.
	Distances(s Side, start uint64, dst []Plies)
	// Captures fills dst with whether the side to move must capture. Of a symmetric
	// table too there is a second side: the same placements with the other side to
	// move.
	Captures(s Side, start uint64, dst []bool)
}

// Block is a decoded block: consecutive values of one side to move in a packed
// form that is cheap to keep and to read.
type Block struct {
	// Bits is the width of a value: 2 for outcomes, 8 or 16 for distances, where
	// the largest number of the width stands for [NoPlies].
	Bits uint8
	// Data holds the values, lowest bits first, little-endian.
	Data []byte
}

// Outcome returns the outcome of position i of a block of outcomes.
func (b Block) Outcome(i int) Outcome {
	return Outcome(b.Data[i>>2] >> (i & 3 << 1) & 3)
}

// Distance returns the distance of position i of a block of distances.
func (b Block) Distance(i int) Plies {
	if b.Bits == 8 {
		if d := b.Data[i]; d != 0xFF {
			return Plies(d)
		}
		return NoPlies
	}
	return Plies(b.Data[2*i]) | Plies(b.Data[2*i+1])<<8
}

// Len returns how many positions there is room for in the data.
func (b Block) Len() int { return 8 * len(b.Data) / int(b.Bits) }

// Size returns how many bytes the values of n positions take.
func (b Block) Size(n int) int { return (n*int(b.Bits) + 7) / 8 }
