package pack

import (
	"encoding/binary"
	"math/bits"
)

// The coder of outcomes by context. Outcomes are fields of two bits, 32 to a
// word. A row is gone through in chunks: the values of the row before that its
// contexts need fit one word.

// chunkLen is the most positions of a chunk: one more field of the row before is
// needed on either side.
const chunkLen = 30

// repeated is a word of one outcome.
var repeated = [4]uint64{0, low, low << 1, low * 3}

// fields returns 32 fields from a position on. There is a word more than the
// positions take.
func fields(words []uint64, at int) uint64 {
	i, shift := at>>5, uint(at&31)*2
	return words[i]>>shift | words[i+1]<<1<<(63-shift)
}

// setFields writes n fields where all were 0.
func setFields(words []uint64, at int, f uint64) {
	i, shift := at>>5, uint(at&31)*2
	words[i] |= f << shift
	words[i+1] |= f >> 1 >> (63 - shift)
}

// around returns the fields of the rows before for the contexts of a chunk at a
// position of the block, and how long it may be: of the row before, from one
// field earlier on, and of two rows before. Where there are none all bits are
// set.
func (w *rowWalker) around(words []uint64, at, left int) (above, above2 uint64, n int) {
	above, above2, n = ^uint64(0), ^uint64(0), min(left, chunkLen)
	if w.above == 0 || at <= w.above {
		return above, above2, n
	}
	n = min(n, w.above-1)
	above = fields(words, at-w.above-1)
	if w.above2 != 0 && at >= w.above2 {
		above2 = fields(words, at-w.above2)
	}
	return above, above2, n
}

// quietFields returns how many positions from t on have the value v above them.
func quietFields(above uint64, t, n int, v uint64) int {
	differ := above>>(2*t+ctxAbove) ^ repeated[v]
	return min(bits.TrailingZeros64((differ|differ>>1)&low)>>1, n-t)
}

// The entropy coder is rANS: between two symbols its state is below stateLow << 16,
// and two bytes are read where it falls below stateLow, as long as there are any.
// At the end it is 0; in format 2 it is stateLow.
const (
	stateLow   = 1 << 16
	stateBytes = 4 // what the state takes at the beginning
)

// decode decodes the outcomes of a block, as far as they are asked for, to words,
// which are 0 and one more than all of them take.
func (m *model) decode(in []byte, b *place, words []uint64) error {
	if len(in) < stateBytes || len(in)&1 != 0 {
		return ErrShort
	}
	x, p := binary.LittleEndian.Uint32(in), stateBytes
	var w rowWalker
	w.start(b.rows, b.start)
	count, upTo := b.count, b.upTo
	last := uint64(none<<2 | none)
	gaps := [4]int{-1, -1, -1, -1} // quiet positions left of each value; below 0: not known
	at := 0
	for ; at < upTo; w.next() {
		rowStart := true
		for left := min(w.length-w.x, count-at); left > 0; {
			// As around has it, but two rows before only when it is needed.
			above, n := ^uint64(0), min(left, chunkLen)
			above2, has2 := ^uint64(0), false
			if w.above != 0 && at > w.above {
				n = min(n, w.above-1)
				above = fields(words, at-w.above-1)
				has2 = w.above2 != 0 && at >= w.above2
				if rowStart {
					last = above >> ctxAbove & 3 * 5
				}
			}
			rowStart = false
			var out uint64
			for t := 0; t < n; {
				v := last & 3
				if last == v*5 && v != none {
					if q := quietFields(above, t, n, v); q > 0 {
						gap := gaps[v]
						if gap < 0 {
							slot := x & (freqAll - 1)
							class := m.gapAt[v][slot]
							start := uint32(m.gaps[v][class])
							x = (uint32(m.gaps[v][class+1])-start)*(x>>freqBits) + slot - start
							if x < stateLow && p < len(in) {
								x = x<<16 | uint32(in[p]) | uint32(in[p+1])<<8
								p += 2
							}
							switch {
							case class < 2:
								gap = int(class)
							case class == gapToEnd:
								gap = MaxBlockLen
							default:
								e := class>>1 - 1
								gap = int(2|class&1)<<e | int(x&(1<<e-1))
								x >>= e
								if x < stateLow && p < len(in) {
									x = x<<16 | uint32(in[p]) | uint32(in[p+1])<<8
									p += 2
								}
							}
							gaps[v] = gap
						}
						if gap >= q {
							out |= repeated[v] & (1<<(2*q) - 1) << (2 * t)
							gaps[v] -= q
							t += q
							continue
						}
						out |= repeated[v] & (1<<(2*gap) - 1) << (2 * t)
						t += gap
						gaps[v] = -1
						// The exception is one of the two other values.
						a, b := exceptionsOf(v)
						slot, f := x&(freqAll-1), uint32(m.exceptions[v])
						y := a
						if slot < f {
							x = f*(x>>freqBits) + slot
						} else {
							y = b
							x = (freqAll-f)*(x>>freqBits) + slot - f
						}
						if x < stateLow && p < len(in) {
							x = x<<16 | uint32(in[p]) | uint32(in[p+1])<<8
							p += 2
						}
						out |= y << (2 * t)
						last = last<<2&0xF | y
						t++
						continue
					}
				}
				if has2 {
					above2, has2 = fields(words, at-w.above2), false
				}
				f := &m.outcomes[above>>(2*t)&0x3F|last<<ctxLast|above2>>(2*t)&3<<ctxAbove2]
				slot := x & (freqAll - 1)
				// Branches and not a table: most outcomes are foreseen, by the processor
				// too.
				y := uint64(0)
				switch a, b := uint32(f[1]), uint32(f[2]); {
				case slot < a:
					x = a*(x>>freqBits) + slot
				case slot < b:
					y = 1
					x = (b-a)*(x>>freqBits) + slot - a
				default:
					y = 2
					x = (freqAll-b)*(x>>freqBits) + slot - b
				}
				if x < stateLow && p < len(in) {
					x = x<<16 | uint32(in[p]) | uint32(in[p+1])<<8
					p += 2
				}
				out |= y << (2 * t)
				last = last<<2&0xF | y
				t++
			}
			setFields(words, at, out)
			at += n
			left -= n
		}
	}
	if at >= count && (p < len(in) || x != b.last) {
		return ErrCoding
	}
	return nil
}

// exceptionsOf returns the two values that are not v.
func exceptionsOf(v uint64) (a, b uint64) {
	switch v {
	case 0:
		return 1, 2
	case 1:
		return 0, 2
	default:
		return 0, 1
	}
}

// decodeContexts decodes into the form of [tables.Block], as far as it is asked for.
func (sc *scratch) decodeContexts(in []byte, at place, dst []byte) error {
	n := (at.count+31)/32 + 1
	if cap(sc.words) < n {
		sc.words = make([]uint64, MaxBlockLen/32+1)
	}
	words := sc.words[:n]
	clear(words)
	if err := at.model.decode(in, &at, words); err != nil {
		return err
	}
	whole := len(dst) / 8
	for i, w := range words[:whole] {
		binary.LittleEndian.PutUint64(dst[8*i:], w)
	}
	rest := words[whole]
	for i := 8 * whole; i < len(dst); i++ {
		dst[i] = byte(rest)
		rest >>= 8
	}
	return nil
}
