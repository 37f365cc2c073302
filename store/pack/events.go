package pack

import "slices"

// event is something that the entropy coder says: one of a number of things that
// is a power of two, of which freq are alike and begin at start.
type event struct {
	start, freq uint16
	bits        uint8
}

// eventsOf goes through the outcomes of a block as the decoder will and tells
// what it must be told. It is for one goroutine.
type eventsOf struct {
	events []event
	counts counts
}

// counts are how often each thing was told.
type counts struct {
	outcomes   [contexts][3]uint32 // by context, where it is not quiet
	quiet      [3]uint32           // quiet positions without exceptions
	exceptions [3][3]uint32        // by value before and value
	gaps       [3][gapClasses]uint32
	extra      uint64 // bits that follow gaps
}

// run goes through a block. With a model it writes events, without it counts.
func (e *eventsOf) run(m *model, rows Rows, position uint64, count int, words []uint64) {
	var w rowWalker
	w.start(rows, position)
	last := uint64(none<<2 | none)
	var open, gaps [3]int // the event kept for a gap, plus one; and its length so far
	for at := 0; at < count; w.next() {
		rowStart := true
		for left := min(w.length-w.x, count-at); left > 0; {
			above, above2, n := w.around(words, at, left)
			if rowStart && above != ^uint64(0) {
				last = above >> ctxAbove & 3 * 5
			}
			rowStart = false
			in := fields(words, at)
			for t := 0; t < n; {
				v := last & 3
				if last == v*5 && v != none {
					if q := quietFields(above, t, n, v); q > 0 {
						if open[v] == 0 {
							e.events = append(e.events, event{}, event{freq: 1})
							open[v], gaps[v] = len(e.events)-1, 0
						}
						same := quietFields(in<<ctxAbove, t, t+q, v)
						gaps[v] += same
						t += same
						e.counts.quiet[v] += uint32(same)
						if same == q {
							continue
						}
						e.close(m, v, open[v]-1, gaps[v])
						open[v] = 0
						y := in >> (2 * t) & 3
						e.exception(m, v, y)
						last = last<<2&0xF | y
						t++
						continue
					}
				}
				c := above>>(2*t)&0x3F | last<<ctxLast | above2>>(2*t)&3<<ctxAbove2
				y := in >> (2 * t) & 3
				if m != nil {
					f := &m.outcomes[c]
					e.events = append(e.events, event{f[y], f[y+1] - f[y], freqBits})
				} else {
					e.counts.outcomes[c][y]++
				}
				last = last<<2&0xF | y
				t++
			}
			at += n
			left -= n
		}
	}
	for v := range uint64(3) {
		if open[v] != 0 {
			e.gap(m, v, open[v]-1, gapToEnd, 0, 0)
		}
	}
	if m == nil {
		e.events = e.events[:0]
	}
}

// close tells a gap that ends with an exception.
func (e *eventsOf) close(m *model, v uint64, at, length int) {
	class, extra, extraBits := gapClass(length)
	e.gap(m, v, at, class, extra, extraBits)
}

func (e *eventsOf) gap(m *model, v uint64, at int, class uint8, extra uint16, extraBits uint8) {
	if m == nil {
		e.counts.gaps[v][class]++
		e.counts.extra += uint64(extraBits)
		return
	}
	g := &m.gaps[v]
	e.events[at] = event{g[class], g[class+1] - g[class], freqBits}
	e.events[at+1] = event{extra, 1, extraBits}
}

func (e *eventsOf) exception(m *model, v, y uint64) {
	if m == nil {
		e.counts.exceptions[v][y]++
		return
	}
	f := m.exceptions[v]
	if a, _ := exceptionsOf(v); y == a {
		e.events = append(e.events, event{0, f, freqBits})
	} else {
		e.events = append(e.events, event{f, freqAll - f, freqBits})
	}
}

// write appends what says the events, in the order in which they were told, and
// leaves the decoder with a last state.
func (e *eventsOf) write(dst []byte, last uint32) []byte {
	start := len(dst)
	x := last
	for i := len(e.events) - 1; i >= 0; i-- {
		ev := e.events[i]
		f := uint32(ev.freq)
		if uint64(x) >= stateLow>>ev.bits<<16*uint64(f) {
			dst = append(dst, byte(x>>8), byte(x))
			x >>= 16
		}
		x = x/f<<ev.bits + x%f + uint32(ev.start)
	}
	dst = append(dst, byte(x>>24), byte(x>>16), byte(x>>8), byte(x))
	slices.Reverse(dst[start:])
	return dst
}
