package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"threekings/tables"
)

// narrowLimit is the largest distance that fits 8 bits, where 255 is a draw.
const narrowLimit = 254

// Width returns how many bits the values of a table take whose longest distance
// is given.
func Width(longest tables.Plies) uint8 {
	if longest <= narrowLimit {
		return 8
	}
	return 16
}

// A split block of distances holds its outcomes as a block of outcomes does, and
// then the halves: half of each distance that is not a draw, rounded down. The
// outcome says the rest, since wins are odd and losses even. Halves of 16-bit
// values are all low bytes and then all high bytes.
const splitHeader = 2 // length of the outcomes, little-endian

// halfMethod is how halves are coded.
type halfMethod uint8

const (
	halvesPlain     halfMethod = iota
	halvesZstd                 // a zstd frame
	halvesHuff                 // huff0
	halvesStepsHuff            // differences, huff0
	halvesContext              // by the model of their side
)

// Distances appends to dst the coded block n of one side to move. Where free is
// true the block may decode to anything; nil means that all values count.
func (e *Encoder) Distances(l *Layout, s tables.Side, n uint64, dst []byte, values []tables.Plies, free []bool) ([]byte, error) {
	e.squeezer = e.forDistances
	if want := l.Positions(s, n); l.bits == 2 || len(values) != want || want == 0 || free != nil && len(free) != want {
		return nil, fmt.Errorf("code %s, side %d, block %d: %d values for %d positions", l.key, s+1, n, len(values), want)
	}
	at := l.place(s, n)
	e.plies = append(e.plies[:0], values...)
	if at.model == nil {
		fillDistances(e.plies, free)
	}
	e.filled = e.filled[:0]
	for _, p := range e.plies {
		e.filled = append(e.filled, p.Outcome())
	}
	e.head = append(e.head[:0], 0, 0)
	if at.model == nil {
		e.head = e.byRuns(e.head, e.filled)
	} else {
		e.free = appendTrue(e.free[:0], free)
		e.head = e.byContext(e.head, at)
		FollowOutcomes(e.plies, e.filled, free)
	}
	same := true
	for _, p := range e.plies {
		if l.bits == 8 && p > narrowLimit && p != tables.NoPlies {
			return nil, fmt.Errorf("code %s, side %d, block %d: a distance of %d plies in 8 bits", l.key, s+1, n, p)
		}
		same = same && p == e.plies[0]
	}
	start := len(dst)
	if same {
		dst = append(dst, byte(constant), byte(e.plies[0]), byte(e.plies[0]>>8))
	} else {
		dst = e.distances(dst, at, e.plies, free, l.bits)
	}
	return seal(dst, start, blockSeed(l.seed, s, n)), nil
}

// FollowOutcomes gives free positions distances that fit the outcomes they have
// been given: the last one with the same outcome.
func FollowOutcomes(values []tables.Plies, outcomes []tables.Outcome, free []bool) {
	last := [3]tables.Plies{tables.Draw: tables.NoPlies, tables.Win: 1, tables.Loss: 0}
	for o := range last {
		for i, f := range free {
			if !f && outcomes[i] == tables.Outcome(o) {
				last[o] = values[i]
				break
			}
		}
	}
	for i, f := range free {
		if f {
			values[i] = last[outcomes[i]]
		} else {
			last[outcomes[i]] = values[i]
		}
	}
}

// fillDistances gives free positions the value that stands before them.
func fillDistances(values []tables.Plies, free []bool) {
	last := tables.NoPlies
	for i, f := range free {
		if !f {
			last = values[i]
			break
		}
	}
	for i, f := range free {
		if f {
			values[i] = last
		} else {
			last = values[i]
		}
	}
}

func (e *Encoder) distances(dst []byte, at place, values []tables.Plies, free []bool, bits uint8) []byte {
	size := len(e.head) - splitHeader
	e.head[0], e.head[1] = byte(size), byte(size>>8)

	if at.halves != nil {
		e.coded = e.halvesByContext(e.coded[:0], at, values, free)
		if len(e.head)+1+len(e.coded) >= len(values)*int(bits/8) {
			return packDistances(append(dst, byte(plain)), values, bits)
		}
		dst = append(append(dst, byte(split)), e.head...)
		return append(append(dst, byte(halvesContext)), e.coded...)
	}
	e.packed = packDistances(e.packed[:0], values, bits)
	e.best = append(append(e.best[:0], byte(plain)), e.packed...)
	e.offer(plainZstd, e.squeezer.zstdFrame(e.packed))

	e.halves = e.halves[:0]
	for _, p := range values {
		if p != tables.NoPlies {
			e.halves = append(e.halves, byte(p>>1))
		}
	}
	if bits == 16 {
		for _, p := range values {
			if p != tables.NoPlies {
				e.halves = append(e.halves, byte(p>>9))
			}
		}
	}
	e.offerHalves(halvesPlain, e.halves)
	e.offerHalves(halvesZstd, e.squeezer.zstdFrame(e.halves))
	if bits == 8 {
		steps(e.halves, e.filled, &e.symbols)
		if stream, ok := e.squeezer.huffStream(e.symbols); ok {
			e.offerHalves(halvesStepsHuff, stream)
		}
		// huff0 sees no repetitions: for it free positions are best filled with
		// what is most frequent.
		favour(e.halves, e.filled, free)
	}
	if stream, ok := e.squeezer.huffStream(e.halves); ok {
		e.offerHalves(halvesHuff, stream)
	}
	return append(dst, e.best...)
}

func (e *Encoder) offerHalves(m halfMethod, coded []byte) {
	e.offer(split, e.head, []byte{byte(m)}, coded)
}

// steps writes to dst the differences of each half from the one before it with
// the same outcome, modulo 256.
func steps(halves []byte, outcomes []tables.Outcome, dst *[]byte) {
	*dst = (*dst)[:0]
	var last [3]byte
	i := 0
	for _, o := range outcomes {
		if o != tables.Draw {
			*dst = append(*dst, halves[i]-last[o])
			last[o] = halves[i]
			i++
		}
	}
}

// favour gives the halves of free positions the value that is most frequent
// with their outcome where values count.
func favour(halves []byte, outcomes []tables.Outcome, free []bool) {
	if free == nil {
		return
	}
	var count [3][256]int
	i := 0
	for at, o := range outcomes {
		if o != tables.Draw {
			if !free[at] {
				count[o][halves[i]]++
			}
			i++
		}
	}
	var most [3]byte
	for o := range count {
		for h, n := range count[o] {
			if n > count[o][most[o]] {
				most[o] = byte(h)
			}
		}
	}
	i = 0
	for at, o := range outcomes {
		if o != tables.Draw {
			if free[at] {
				halves[i] = most[o]
			}
			i++
		}
	}
}

// packDistances appends the values as in [tables.Block].
func packDistances(dst []byte, values []tables.Plies, bits uint8) []byte {
	for _, p := range values {
		if bits == 8 {
			dst = append(dst, byte(p))
		} else {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(p))
		}
	}
	return dst
}

// decodeDistances fills dst with the values of a block.
func (sc *scratch) decodeDistances(m method, in []byte, at place, bits uint8, dst []byte) error {
	positions := at.count
	switch m {
	case constant:
		if len(in) != 2 {
			return ErrCoding
		}
		if p := tables.Plies(in[0]) | tables.Plies(in[1])<<8; bits == 8 && p > narrowLimit && p != tables.NoPlies {
			return ErrCoding
		}
		if bits == 8 {
			for i := range dst {
				dst[i] = in[0]
			}
			return nil
		}
		for i := range positions {
			dst[2*i], dst[2*i+1] = in[0], in[1]
		}
		return nil
	case plain:
		if len(in) != len(dst) {
			return ErrCoding
		}
		copy(dst, in)
		return nil
	case plainZstd:
		out, err := sc.unzstd(in, dst)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCoding, err)
		}
		if len(out) != len(dst) {
			return ErrCoding
		}
		return nil
	case split:
		return sc.decodeSplit(in, at, bits, dst)
	default:
		return fmt.Errorf("%w: method %d", ErrCoding, m)
	}
}

// decodeSplit puts outcomes and halves together.
func (sc *scratch) decodeSplit(in []byte, at place, bits uint8, dst []byte) error {
	positions := at.count
	if len(in) < splitHeader {
		return ErrShort
	}
	size := int(in[0]) | int(in[1])<<8
	in = in[splitHeader:]
	if size < 1 || len(in) < size+1 {
		return ErrShort
	}
	sc.outcomes = grow(sc.outcomes, (positions+3)/4)
	if err := sc.decodeOutcomes(method(in[0]), in[1:size], at, sc.outcomes); err != nil {
		return err
	}
	if halfMethod(in[size]) == halvesContext {
		return sc.decodeHalvesByContext(in[size+1:], at, bits, dst)
	}
	decided := 0
	for _, b := range sc.outcomes {
		decided += int(decidedOf[b])
	}
	halves, err := sc.decodeHalves(halfMethod(in[size]), in[size+1:], decided*int(bits/8))
	if err != nil {
		return err
	}
	steps := halfMethod(in[size]) == halvesStepsHuff
	switch {
	case bits == 8:
		if steps {
			unsteps(sc.outcomes, halves, positions)
		}
		return joinNarrow(sc.outcomes, append(halves, 0), positions, dst)
	case steps:
		return ErrCoding
	default:
		return joinWide(sc.outcomes, halves, positions, dst)
	}
}

// decidedOf is how many of the four outcomes in a byte are not draws.
var decidedOf = func() (count [256]uint8) {
	for b := range count {
		for i := range 4 {
			if b>>(2*i)&3 != 0 {
				count[b]++
			}
		}
	}
	return count
}()

// decodeHalves returns n bytes of halves, with room for one more.
func (sc *scratch) decodeHalves(m halfMethod, in []byte, n int) ([]byte, error) {
	sc.symbols = grow(sc.symbols, n+1)[:n]
	switch m {
	case halvesPlain:
		if len(in) != n {
			return nil, ErrCoding
		}
		copy(sc.symbols, in)
		return sc.symbols, nil
	case halvesZstd:
		out, err := sc.unzstd(in, sc.symbols)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCoding, err)
		}
		if len(out) != n {
			return nil, ErrCoding
		}
		copy(sc.symbols, out) // where it is already, unless the decoder moved it
		return sc.symbols, nil
	case halvesHuff, halvesStepsHuff:
		if err := sc.unhuff(in, sc.symbols); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCoding, err)
		}
		return sc.symbols, nil
	default:
		return nil, fmt.Errorf("%w: method %d of halves", ErrCoding, m)
	}
}

// joinNarrow writes 8-bit distances. There is one half more than there are
// decided positions, so that none is read out of range; which is why the loop
// needs no branch.
func joinNarrow(outcomes, halves []byte, positions int, dst []byte) error {
	var (
		decided = [4]uint8{0, 1, 1, 1}
		draw    = [4]byte{0xFF, 0, 0, 0}
		tooLong byte // the top bit of any half
		n       = 0
	)
	for _, h := range halves {
		tooLong |= h
	}
	dst = dst[:positions]
	for at := range dst {
		o := outcomes[at>>2] >> (at & 3 << 1) & 3
		dst[at] = halves[n]<<1 | o&1 | draw[o]
		n += int(decided[o])
	}
	if tooLong > narrowLimit/2 || bytes.Count(dst, []byte{0xFF}) != positions-n {
		return ErrCoding // too long for 8 bits, or a win that reads as a draw
	}
	return nil
}

// unsteps turns differences back into halves.
func unsteps(outcomes, halves []byte, positions int) {
	var last [4]byte
	n := 0
	for at := range positions {
		if o := outcomes[at>>2] >> (at & 3 << 1) & 3; o != 0 {
			last[o] += halves[n]
			halves[n] = last[o]
			n++
		}
	}
}

// joinWide writes 16-bit distances.
func joinWide(outcomes, halves []byte, positions int, dst []byte) error {
	low, high := halves[:len(halves)/2], halves[len(halves)/2:]
	n := 0
	for at := range positions {
		d := uint16(tables.NoPlies)
		if o := outcomes[at>>2] >> (at & 3 << 1) & 3; o != 0 {
			h := uint16(low[n]) | uint16(high[n])<<8
			n++
			d = h<<1 | uint16(o&1)
			if h >= 1<<15 || d == uint16(tables.NoPlies) {
				return ErrCoding
			}
		}
		binary.LittleEndian.PutUint16(dst[2*at:], d)
	}
	return nil
}

// decodeHalvesByContext puts outcomes, which have been decoded, and halves by
// context together.
func (sc *scratch) decodeHalvesByContext(in []byte, at place, bits uint8, dst []byte) error {
	if at.halves == nil {
		return fmt.Errorf("%w: method %d of halves without a model", ErrCoding, halvesContext)
	}
	if cap(sc.values) < at.count {
		sc.values = make([]halfValue, MaxBlockLen)
	}
	values := sc.values[:at.upTo]
	for i := range values {
		values[i] = halfValue(sc.outcomes[i>>2] >> (i & 3 << 1) & 3)
	}
	if err := at.halves.decodeHalves(in, &at, values); err != nil {
		return err
	}
	limit := halfValue(tables.NoPlies)
	if bits == 8 {
		limit = narrowLimit + 1
	}
	for i, v := range values {
		d := limit // a draw
		if v != 0 {
			if d = v>>2<<1 | v&1; d >= limit {
				return ErrCoding
			}
		}
		if bits == 8 {
			dst[i] = byte(d)
		} else {
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(d))
		}
	}
	return nil
}
