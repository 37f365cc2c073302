package probe

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"threekings/tables"
)

// packed are the values of consecutive positions of one side to move as the cache
// keeps them: a decoded block or its first positions.
//
// Distances are as a [tables.Block] has them. Outcomes are in at most 64 groups,
// of 32, 64, 128 ... positions each. Of a group whose positions have one outcome
// nothing is kept but that outcome, here; of one with two outcomes a bit a
// position, of one with three, two. So of most positions all that is read is one
// line of the processor's cache, and of the others one more from a place that is
// several times as small as two bits for each.
//
// It is immutable.
type packed struct {
	// A bit for each group, the first lowest. Where stored is 0, high and low are
	// the two bits of the group's outcome, elsewhere what missing says.
	stored, low, high uint64
	// Outcomes: planes of a bit a position, the first lowest, of the groups that are
	// stored, one after the other. Two outcomes have the bits of ofTwo, three a plane
	// of their lower and one of their higher bits. Distances: the block's data.
	data  []byte
	n     uint32 // positions
	bits  uint8  // of a value in a block
	shift uint8  // there are 1<<shift positions in a group
}

const (
	groups = 64
	// smallestGroup is the least shift: two bits a position are 64 bits of a block.
	smallestGroup = 5
	// lowBits are the lower bits of 32 outcomes.
	lowBits = 0x5555555555555555
)

// pack returns the values of a block. Distances keep the block's data, outcomes do
// not.
func pack(b tables.Block) packed {
	p := packed{n: uint32(b.Len()), bits: b.Bits, shift: smallestGroup}
	if b.Bits != 2 {
		p.data = b.Data
		return p
	}
	for p.n > groups<<p.shift {
		p.shift++
	}
	var room [2048]byte // for most blocks enough
	planes := room[:0]
	size := 1 << p.shift / 4 // bytes of a group in the block
	for g := 0; g*size < len(b.Data); g++ {
		group := b.Data[g*size : min((g+1)*size, len(b.Data))]
		class := uint(group[0] & 3)
		differ := uint64(0)
		for at := 0; at < len(group); at += 8 {
			differ |= word(group[at:]) ^ lowBits*uint64(class)
		}
		if differ != 0 || class == 3 {
			p.stored |= 1 << g
			class = missing(seenIn(group))
			if class >= uint(tables.Loss) {
				planes = appendPlane(planes, group, size, 0)
			}
			if class != uint(tables.Loss) {
				planes = appendPlane(planes, group, size, 1)
			}
		}
		p.low |= uint64(class&1) << g
		p.high |= uint64(class>>1) << g
	}
	p.data = slices.Clone(planes)
	return p
}

// seenIn returns which outcomes there are in a part of a block: bit 1<<o for each.
// Bit 1<<3 is for what is none, which may stand where there are captures.
func seenIn(group []byte) (seen uint) {
	var draws, wins, losses, others uint64
	for at := 0; at < len(group); at += 8 {
		w := word(group[at:])
		low, high := w&lowBits, w>>1&lowBits
		draws |= lowBits &^ (low | high)
		wins |= low &^ high
		losses |= high &^ low
		others |= low & high
	}
	return some(draws)<<tables.Draw | some(wins)<<tables.Win | some(losses)<<tables.Loss | some(others)<<3
}

// some is 1 if there are some positions, else 0.
func some(positions uint64) uint { return uint((positions | -positions) >> 63) }

// missing returns the class of a group that has some outcomes, as seenIn gives
// them: the greatest outcome that it does not have, 3 if it takes two bits a
// position.
func missing(seen uint) uint {
	switch {
	case seen >= 1<<3-1:
		return 3
	case seen>>tables.Loss&1 == 0:
		return uint(tables.Loss)
	case seen>>tables.Win&1 == 0:
		return uint(tables.Win)
	default:
		return uint(tables.Draw)
	}
}

// ofTwo returns the outcome of a position in a group of two, one of which is
// missing: the smaller one for 0 and the greater one for 1. So the bit is the lower
// bit of the outcome if losses are missing, else the higher one.
func ofTwo(missing, bit uint) tables.Outcome {
	const table = uint(tables.Win|tables.Loss<<2) | uint(tables.Draw|tables.Loss<<2)<<4 | uint(tables.Draw|tables.Win<<2)<<8
	return tables.Outcome(table >> (4*missing + 2*bit) & 3)
}

// word returns the first 32 outcomes of some. Where there are less, those of the
// last byte come again.
func word(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return tail(b)
}

func tail(b []byte) uint64 {
	var word [8]byte
	for i := copy(word[:], b); i < len(word); i++ {
		word[i] = b[len(b)-1]
	}
	return binary.LittleEndian.Uint64(word[:])
}

// appendPlane appends the lower or the higher bits of the outcomes of a group that
// has so many bytes in a block, or less of them.
func appendPlane(dst, group []byte, size, bit int) []byte {
	end := len(dst) + size/2
	for at := 0; at < len(group); at += 8 {
		w := word(group[at:]) >> bit & lowBits
		w = (w | w>>1) & 0x3333333333333333
		w = (w | w>>2) & 0x0F0F0F0F0F0F0F0F
		w = (w | w>>4) & 0x00FF00FF00FF00FF
		w = (w | w>>8) & 0x0000FFFF0000FFFF
		dst = binary.LittleEndian.AppendUint32(dst, uint32(w|w>>16))
	}
	for len(dst) < end {
		dst = append(dst, 0)
	}
	return dst
}

// Len returns how many positions there are.
func (p *packed) Len() int { return int(p.n) }

// Outcome returns the outcome of position i below Len. It may be 3, which is none.
func (p *packed) Outcome(i int) tables.Outcome {
	g := uint(i) >> (p.shift & 63) & (groups - 1)
	class := uint(p.low>>g&1 | p.high>>g&1<<1)
	if p.stored>>g&1 == 0 {
		return tables.Outcome(class)
	}
	below := p.stored & (1<<g - 1)
	planes := uint(bits.OnesCount64(below) + bits.OnesCount64(below&p.low&p.high))
	at := planes<<(p.shift&63) | uint(i)&(1<<(p.shift&63)-1)
	bit := uint(p.data[at>>3]>>(at&7)) & 1
	if class != 3 {
		return ofTwo(class, bit)
	}
	at += 1 << (p.shift & 63)
	return tables.Outcome(bit | uint(p.data[at>>3]>>(at&7))&1<<1)
}

// Outcomes fills dst with the outcomes of the positions from number i on.
func (p *packed) Outcomes(i int, dst []tables.Outcome) {
	size := 1 << (p.shift & 63)
	for len(dst) > 0 {
		n := min(len(dst), size-i&(size-1))
		if g := i >> (p.shift & 63); p.stored>>g&1 == 0 {
			o := p.Outcome(i)
			for j := range n {
				dst[j] = o
			}
		} else {
			for j := range n {
				dst[j] = p.Outcome(i + j)
			}
		}
		i, dst = i+n, dst[n:]
	}
}

// Distance returns the distance of position i.
func (p *packed) Distance(i int) tables.Plies {
	return tables.Block{Bits: p.bits, Data: p.data}.Distance(i)
}
