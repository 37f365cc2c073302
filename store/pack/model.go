package pack

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A model says how frequent each outcome is after which others, for one side of
// a table. With it a block is a row of bits that means as little as it can: what
// is expected costs next to nothing.
//
// The context of a position are the six values around it: the two before it and
// four of the two rows before. Where the first three agree the position is
// quiet: as a rule it has their value too, and the coder says only how many
// quiet positions there are up to the next exception. All other positions are
// coded one by one.
type model struct {
	mask uint16 // of the context: what counts
	// outcomes are the frequencies of outcomes by context, for those that count
	// and all others alike: where each outcome begins of 1 << freqBits.
	outcomes [contexts]frequencies
	// gaps are those of the number of quiet positions up to an exception, by class;
	// gapAt finds the class. exceptions is how often the exception is the smaller of
	// the two values left.
	gaps       [3][gapClasses + 1]uint16
	gapAt      [3][1 << freqBits]uint8
	exceptions [3]uint16
}

type frequencies [4]uint16

const (
	freqBits = 12
	freqAll  = 1 << freqBits

	// A context has two bits for each value, 3 where there is none: from the
	// lowest, one row before those of the square before, the square itself and the
	// square after; then the value before, the one before that, and the value two
	// rows before.
	contextBits = 12
	contexts    = 1 << contextBits
	ctxBefore   = 0
	ctxAbove    = 2
	ctxAfter    = 4
	ctxLast     = 6
	ctxAbove2   = 10
	none        = 3

	// Numbers of quiet positions below 2 are classes of their own. A larger one of
	// n bits has class 2n-2, or 2n-1 if its second bit is set, and n-2 bits follow.
	// The last class says that there is no exception up to the end of the block.
	gapClasses = 33
	gapToEnd   = gapClasses - 1
)

// low has the lower bit of each field of two.
const low = 0x5555555555555555

// gapClass returns the class of a number of quiet positions, what follows it and
// how many bits that takes.
func gapClass(n int) (class uint8, extra uint16, extraBits uint8) {
	if n < 2 {
		return uint8(n), 0, 0
	}
	e := bits.Len(uint(n)) - 1
	return uint8(2*e + n>>(e-1)&1), uint16(n & (1<<(e-1) - 1)), uint8(e - 1)
}

// appendTo appends the model in the form in which a manifest keeps it.
func (m *model) appendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, m.mask)
	for v := range 3 {
		b = binary.AppendUvarint(b, uint64(m.exceptions[v]))
		for c := range gapClasses {
			b = binary.AppendUvarint(b, uint64(m.gaps[v][c+1]-m.gaps[v][c]))
		}
	}
	skipped := uint64(0)
	for c := range m.outcomes {
		if uint16(c)&^m.mask != 0 {
			continue
		}
		f := &m.outcomes[c]
		if *f == defaultFrequencies(c) {
			skipped++
			continue
		}
		b = binary.AppendUvarint(b, skipped)
		b = binary.AppendUvarint(b, uint64(f[1]))
		b = binary.AppendUvarint(b, uint64(f[2]-f[1]))
		skipped = 0
	}
	return b
}

// parseModel reads what appendTo has written.
func parseModel(b []byte) (*model, error) {
	if len(b) < 2 {
		return nil, ErrShort
	}
	m := &model{mask: binary.LittleEndian.Uint16(b)}
	if m.mask >= contexts {
		return nil, fmt.Errorf("%w: a mask of %#x", ErrCoding, m.mask)
	}
	b = b[2:]
	var err error
	next := func(limit uint64) uint16 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > limit {
			err = fmt.Errorf("%w: a frequency", ErrCoding)
			b = nil
			return 0
		}
		b = b[size:]
		return uint16(n)
	}
	for v := range 3 {
		m.exceptions[v] = next(freqAll - 1)
		if m.exceptions[v] == 0 && err == nil {
			err = fmt.Errorf("%w: an exception that cannot be", ErrCoding)
		}
		sum := uint16(0)
		for c := range gapClasses {
			n := next(uint64(freqAll - sum))
			for i := range n {
				m.gapAt[v][sum+i] = uint8(c)
			}
			sum += n
			m.gaps[v][c+1] = sum
		}
		if sum != freqAll && err == nil {
			err = fmt.Errorf("%w: frequencies that make %d", ErrCoding, sum)
		}
		if err != nil {
			return nil, err
		}
	}
	for c := range m.outcomes {
		m.outcomes[c] = defaultFrequencies(c)
	}
	c := -1 // the last context that counts
	for len(b) > 0 {
		for n := int(next(contexts)); n >= 0; n-- {
			for c++; c < contexts && uint16(c)&^m.mask != 0; c++ {
			}
			if c >= contexts {
				return nil, fmt.Errorf("%w: too many contexts", ErrCoding)
			}
		}
		f1 := next(freqAll - 2)
		f2 := f1 + next(freqAll-1)
		if err != nil {
			return nil, err
		}
		if f1 == 0 || f2 <= f1 || f2 >= freqAll {
			return nil, fmt.Errorf("%w: an outcome that cannot be", ErrCoding)
		}
		m.outcomes[c] = frequencies{0, f1, f2, freqAll}
	}
	m.spread()
	return m, nil
}

// spread gives every context the frequencies of the one that counts.
func (m *model) spread() {
	for c := range m.outcomes {
		m.outcomes[c] = m.outcomes[uint16(c)&m.mask]
	}
}

// defaultFrequencies are those of contexts that a model does not name: the value
// before is expected again.
func defaultFrequencies(c int) frequencies {
	switch c >> ctxLast & 3 {
	case 0:
		return frequencies{0, freqAll - 512, freqAll - 256, freqAll}
	case 1:
		return frequencies{0, 256, freqAll - 256, freqAll}
	case 2:
		return frequencies{0, 256, 512, freqAll}
	default:
		return frequencies{0, freqAll / 3, freqAll * 2 / 3, freqAll}
	}
}
