package pack

import (
	"encoding/binary"
	"fmt"
	"slices"

	"threekings/tables"
)

// method is the first byte of a coded block.
type method uint8

// The ways to code a block.
const (
	constant  method = iota // one value for all
	plain                   // values as in [tables.Block]
	runs                    // outcomes: run bytes
	runsZstd                // outcomes: run bytes in a zstd frame
	runsHuff                // outcomes: run bytes, huff0
	plainZstd               // values as in [tables.Block] in a zstd frame
	split                   // distances: outcomes, then halves
	byContext               // outcomes: by the model of their side
)

// runLengths are the lengths that one run byte can say. A longer run takes
// several, the largest first.
var runLengths = func() (lengths [runClasses]int) {
	n, step := 0, 1
	for i := range lengths {
		n += step
		lengths[i] = n
		if n >= 16*step {
			step *= 2
		}
	}
	return lengths
}()

// runClasses is how many lengths there are: a run byte is the outcome times
// runClasses plus the class of its length.
const runClasses = 85

// runClass is the class of the greatest length that is no longer than a run, by
// the run's length.
var runClass = func() []uint8 {
	classes := make([]uint8, runLengths[runClasses-1]+1)
	c := 0
	for n := range classes {
		if c+1 < runClasses && runLengths[c+1] <= n {
			c++
		}
		classes[n] = uint8(c)
	}
	return classes
}()

// Encoder codes blocks. It is for one goroutine; equal values give equal bytes
// whatever it has coded before.
type Encoder struct {
	squeezer                  *squeezer // the one of the kind of block under way
	forOutcomes, forDistances *squeezer
	filled                    []tables.Outcome
	free                      freeSet // of filled
	plies                     []tables.Plies
	symbols                   []byte
	packed                    []byte
	halves                    []byte
	head                      []byte // the outcomes of a split block
	context                   *contextCoder
	values                    []halfValue
	coded                     []byte // halves by context
	best                      []byte // the shortest coding so far
}

// NewEncoder returns an encoder.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.forOutcomes, e.forDistances = newSqueezers()
	return e
}

// Outcomes appends to dst the coded block n of one side to move. Where free is
// true the block may decode to anything; nil means that all values count.
func (e *Encoder) Outcomes(l *Layout, s tables.Side, n uint64, dst []byte, values []tables.Outcome, free []bool) ([]byte, error) {
	if free != nil && len(free) != len(values) {
		return nil, fmt.Errorf("code %s, side %d, block %d: %d values, %d of which may be free", l.key, s+1, n, len(values), len(free))
	}
	e.filled = append(e.filled[:0], values...)
	e.free = appendTrue(e.free[:0], free)
	return e.filledOutcomes(l, s, n, dst)
}

// Fields is [Encoder.Outcomes] for fields ([tables.FieldOutcome]), of which those
// with any bit of free may decode to anything.
func (e *Encoder) Fields(l *Layout, s tables.Side, n uint64, dst, fields []byte, free byte) ([]byte, error) {
	e.filled = slices.Grow(e.filled[:0], len(fields))[:len(fields)]
	for i, f := range fields {
		e.filled[i] = tables.Outcome(f & tables.FieldOutcome)
	}
	e.free = appendFree(e.free[:0], fields, free)
	return e.filledOutcomes(l, s, n, dst)
}

// filledOutcomes codes a block whose values have been put into filled, and into free
// which of them may be anything.
func (e *Encoder) filledOutcomes(l *Layout, s tables.Side, n uint64, dst []byte) ([]byte, error) {
	e.squeezer = e.forOutcomes
	if want := l.Positions(s, n); l.bits != 2 || len(e.filled) != want || want == 0 {
		return nil, fmt.Errorf("code %s, side %d, block %d: %d values for %d positions", l.key, s+1, n, len(e.filled), want)
	}
	start := len(dst)
	dst = e.outcomes(dst, l.place(s, n))
	return seal(dst, start, blockSeed(l.seed, s, n)), nil
}

// SameFields returns how many positions a decoded block of outcomes has in common
// with fields from the first one on, those with any bit of free left out of account.
func SameFields(b tables.Block, fields []byte, free byte) int {
	n, i := len(fields), 0
	for ; i+8 <= n; i += 8 {
		f := binary.LittleEndian.Uint64(fields[i:])
		outcomes := uint64(apart[b.Data[i>>2]]) | uint64(apart[b.Data[i>>2+1]])<<32
		if (f^outcomes)&(each*tables.FieldOutcome)&^(anyOf(f, free)*tables.FieldOutcome) != 0 {
			break
		}
	}
	for i < n && (b.Outcome(i) == tables.Outcome(fields[i]&tables.FieldOutcome) || fields[i]&free != 0) {
		i++
	}
	return i
}

// apart has the four outcomes of a byte as bytes.
var apart = func() (a [256]uint32) {
	for b := range a {
		for i := range 4 {
			a[b] |= uint32(b>>(2*i)&3) << (8 * i)
		}
	}
	return a
}()

// fillOutcomes gives free positions the value that stands before them, so that
// runs grow.
func fillOutcomes(values []tables.Outcome, free freeSet) {
	last := tables.Draw
	if i := free.nextKept(0, len(values)); i < len(values) {
		last = values[i]
	}
	for i := range values {
		if free.has(i) {
			values[i] = last
		} else {
			last = values[i]
		}
	}
}

// outcomes appends the method and what it makes of the values in filled. Afterwards
// filled holds what the block decodes to.
func (e *Encoder) outcomes(dst []byte, at place) []byte {
	if at.model != nil {
		return e.byContext(dst, at)
	}
	fillOutcomes(e.filled, e.free)
	return e.byRuns(dst, e.filled)
}

func (e *Encoder) byRuns(dst []byte, values []tables.Outcome) []byte {
	e.symbols = e.symbols[:0]
	changes := false
	for i := 0; i < len(values); {
		v := values[i]
		n := 1
		for i+n < len(values) && values[i+n] == v {
			n++
		}
		changes = changes || n < len(values)
		i += n
		for n > 0 {
			class := runClass[min(n, len(runClass)-1)]
			e.symbols = append(e.symbols, uint8(v)*runClasses+class)
			n -= runLengths[class]
		}
	}
	if !changes {
		return append(dst, byte(constant), byte(values[0]))
	}
	e.packed = packOutcomes(e.packed[:0], values)
	e.best = append(append(e.best[:0], byte(plain)), e.packed...)
	e.offer(runs, e.symbols)
	e.offer(runsZstd, e.squeezer.zstdFrame(e.symbols))
	e.offer(plainZstd, e.squeezer.zstdFrame(e.packed))
	if stream, ok := e.squeezer.huffStream(e.symbols); ok {
		n := len(e.symbols) - 1
		e.offer(runsHuff, []byte{byte(n), byte(n >> 8)}, stream)
	}
	return append(dst, e.best...)
}

// offer keeps a coding if it is the shortest so far.
func (e *Encoder) offer(m method, parts ...[]byte) {
	size := 1
	for _, p := range parts {
		size += len(p)
	}
	if size >= len(e.best) {
		return
	}
	e.best = append(e.best[:0], byte(m))
	for _, p := range parts {
		e.best = append(e.best, p...)
	}
}

// packOutcomes appends the values as in [tables.Block].
func packOutcomes(dst []byte, values []tables.Outcome) []byte {
	for ; len(values) >= 4; values = values[4:] {
		dst = append(dst, byte(values[0]|values[1]<<2|values[2]<<4|values[3]<<6))
	}
	if len(values) > 0 {
		var b byte
		for i, v := range values {
			b |= byte(v) << (2 * i)
		}
		dst = append(dst, b)
	}
	return dst
}

// decodeOutcomes fills dst with the values of a block. Bits of the last byte
// beyond the last position are 0.
func (sc *scratch) decodeOutcomes(m method, in []byte, at place, dst []byte) error {
	positions := at.count
	switch m {
	case byContext:
		if at.model == nil {
			return fmt.Errorf("%w: method %d without a model", ErrCoding, m)
		}
		return sc.decodeContexts(in, at, dst) // it knows three outcomes only
	case constant:
		if len(in) != 1 || in[0] > byte(tables.Loss) {
			return ErrCoding
		}
		fillRun(dst, 0, positions, in[0])
		if r := positions & 3; r != 0 {
			dst[len(dst)-1] &= 1<<(2*r) - 1
		}
		return nil
	case plain:
		if len(in) != len(dst) {
			return ErrCoding
		}
		copy(dst, in)
		return checkOutcomes(dst, positions)
	case plainZstd:
		out, err := sc.unzstd(in, dst)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCoding, err)
		}
		if len(out) != len(dst) {
			return ErrCoding
		}
		return checkOutcomes(dst, positions)
	case runs:
		return decodeRuns(in, positions, dst)
	case runsZstd:
		sc.symbols = grow(sc.symbols, positions)
		symbols, err := sc.unzstd(in, sc.symbols)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCoding, err)
		}
		return decodeRuns(symbols, positions, dst)
	case runsHuff:
		if len(in) < 2 {
			return ErrShort
		}
		n := int(in[0]) | int(in[1])<<8 + 1
		if n > positions {
			return ErrCoding
		}
		sc.symbols = grow(sc.symbols, n)
		if err := sc.unhuff(in[2:], sc.symbols); err != nil {
			return fmt.Errorf("%w: %w", ErrCoding, err)
		}
		return decodeRuns(sc.symbols, positions, dst)
	default:
		return fmt.Errorf("%w: method %d", ErrCoding, m)
	}
}

// checkOutcomes refuses the value 3 and anything beyond the last position.
func checkOutcomes(data []byte, positions int) error {
	var bad byte
	for _, b := range data {
		bad |= b & (b >> 1)
	}
	if bad&0x55 != 0 {
		return ErrCoding
	}
	if r := positions & 3; r != 0 && data[len(data)-1]>>(2*r) != 0 {
		return ErrCoding
	}
	return nil
}

// decodeRuns writes the runs that symbols tell.
func decodeRuns(symbols []byte, positions int, dst []byte) error {
	at := 0
	for _, b := range symbols {
		value, class := b/runClasses, b%runClasses
		n := runLengths[class]
		if value > byte(tables.Loss) || n > positions-at {
			return ErrCoding
		}
		fillRun(dst, at, n, value)
		at += n
	}
	if at != positions {
		return ErrCoding
	}
	return nil
}

// fillRun writes n equal outcomes from position at on. What stands in the byte
// of position at before it is kept, everything after it is overwritten.
func fillRun(dst []byte, at, n int, value byte) {
	word := value * 0x55
	i, r := at>>2, at&3
	if r != 0 {
		b := dst[i]&(1<<(2*r)-1) | word<<(2*r)
		if r+n < 4 {
			b &= 1<<(2*(r+n)) - 1
		}
		dst[i] = b
		n -= 4 - r
		i++
	}
	for ; n >= 4; n -= 4 {
		dst[i] = word
		i++
	}
	if n > 0 {
		dst[i] = word & (1<<(2*n) - 1)
	}
}
