package pack

import (
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

// Distances appends to dst the coded block n of one side to move. Where free is
// true the block may decode to anything; nil means that all values count.
func (e *Encoder) Distances(l *Layout, s tables.Side, n uint64, dst []byte, values []tables.Plies, free []bool) ([]byte, error) {
	if want := l.Positions(s, n); l.bits == 2 || len(values) != want || want == 0 || free != nil && len(free) != want {
		return nil, fmt.Errorf("code %s, side %d, block %d: %d values for %d positions", l.key, s+1, n, len(values), want)
	}
	e.plies = append(e.plies[:0], values...)
	fillDistances(e.plies, free)
	constantBlock := true
	for _, p := range e.plies {
		if l.bits == 8 && p > narrowLimit && p != tables.NoPlies {
			return nil, fmt.Errorf("code %s, side %d, block %d: a distance of %d plies in 8 bits", l.key, s+1, n, p)
		}
		constantBlock = constantBlock && p == e.plies[0]
	}
	start := len(dst)
	if constantBlock {
		dst = append(dst, byte(constant), byte(e.plies[0]), byte(e.plies[0]>>8))
	} else {
		e.packed = packDistances(e.packed[:0], e.plies, l.bits)
		e.best = append(append(e.best[:0], byte(plain)), e.packed...)
		e.offer(plainZstd, e.squeezer.zstdFrame(e.packed))
		dst = append(dst, e.best...)
	}
	return seal(dst, start, blockSeed(l.seed, s, n)), nil
}

// fillDistances gives free positions the value that stands before them.
func fillDistances(values []tables.Plies, free []bool) {
	if free == nil {
		return
	}
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
func (sc *scratch) decodeDistances(m method, in []byte, positions int, bits uint8, dst []byte) error {
	switch m {
	case constant:
		if len(in) != 2 {
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
	default:
		return fmt.Errorf("%w: method %d", ErrCoding, m)
	}
}
