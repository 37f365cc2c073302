package pack

import (
	"encoding/binary"
	"math/bits"
)

// freeSet says which positions of a block may decode to anything, 64 to a word. It
// may end before the last position: what is beyond is not free.
type freeSet []uint64

func (s freeSet) has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }

// next returns the first free position from at on, or end if there is none before.
func (s freeSet) next(at, end int) int {
	for at < end && at>>6 < len(s) {
		if w := s[at>>6] >> (at & 63); w != 0 {
			return min(at+bits.TrailingZeros64(w), end)
		}
		at = at&^63 + 64
	}
	return end
}

// nextKept returns the first position from at on that is not free, or end if there is
// none before.
func (s freeSet) nextKept(at, end int) int {
	for at < end && at>>6 < len(s) {
		if w := ^s[at>>6] >> (at & 63); w != 0 {
			return min(at+bits.TrailingZeros64(w), end)
		}
		at = at&^63 + 64
	}
	return min(at, end)
}

// appendTrue appends the set of the positions that are true.
func appendTrue(s freeSet, free []bool) freeSet {
	for len(free) > 0 {
		var w uint64
		n := min(64, len(free))
		for i, f := range free[:n] {
			if f {
				w |= 1 << i
			}
		}
		s = append(s, w)
		free = free[n:]
	}
	return s
}

// appendFree appends the set of the fields with any bit of free.
func appendFree(s freeSet, fields []byte, free byte) freeSet {
	// pick moves the lowest bits of the bytes of a factor to the highest byte.
	const pick = 0x0102040810204080
	for len(fields) > 0 {
		var w uint64
		n := min(64, len(fields))
		i := 0
		for ; i+8 <= n; i += 8 {
			w |= anyOf(binary.LittleEndian.Uint64(fields[i:]), free) * pick >> 56 << i
		}
		for ; i < n; i++ {
			if fields[i]&free != 0 {
				w |= 1 << i
			}
		}
		s = append(s, w)
		fields = fields[n:]
	}
	return s
}

// each is 1 in each byte of a word.
const each = 0x0101010101010101

// anyOf returns 1 in the bytes that have any of some bits, 0 in the others.
func anyOf(fields uint64, any byte) uint64 {
	f := fields & (each * uint64(any))
	// A byte that is not 0 has its highest bit set, then its lowest alone.
	return (f | (f&(each*0x7F) + each*0x7F)) >> 7 & each
}
