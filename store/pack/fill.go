package pack

import (
	"math/bits"

	"threekings/tables"
)

// filler gives free positions the values that cost least. It is for one
// goroutine.
type filler struct {
	// cost is what an outcome costs by context, in 1/256 bit.
	cost [contexts][3]int32
	// from[i][s] is the state before position i of a stretch on the cheapest way to
	// state s: the value there and the one before it, two bits each, lowest first
	// as in last of the coder.
	from [maxRowSquares + 1][16]uint8
}

// fill sets the free values of a block. A stretch of free positions, up to the
// end of its row, is filled in the cheapest way for itself and the positions
// after it whose contexts it is part of, the rows before being as they are.
func (f *filler) fill(rows Rows, position uint64, values []tables.Outcome, free freeSet) {
	var w rowWalker
	w.start(rows, position)
	last := uint8(none<<2 | none)
	for at := 0; at < len(values); w.next() {
		end := min(at+w.length-w.x, len(values))
		hasAbove := w.above != 0 && at > w.above
		if hasAbove {
			last = uint8(values[at-w.above]) * 5
		}
		for at < end {
			from := at
			at = free.next(at, end)
			switch n := at - from; {
			case n == 1:
				last = last<<2&0xF | uint8(values[from])
			case n > 1:
				last = uint8(values[at-2]<<2 | values[at-1])
			}
			if at == end {
				break
			}
			to := free.nextKept(at, end)
			v := last & 3
			if hasAbove && last == v*5 && (to == end || uint8(values[to]) == v) && same(values[at-w.above:to-w.above], tables.Outcome(v)) {
				for i := at; i < to; i++ {
					values[i] = tables.Outcome(v)
				}
				at = to
				continue
			}
			at, last = f.stretch(&w, at, to, end, last, values, free)
		}
	}
}

func same(values []tables.Outcome, v tables.Outcome) bool {
	for _, o := range values {
		if o != v {
			return false
		}
	}
	return true
}

// stretch fills the free positions from at on, up to where two that are not free
// follow each other or the row ends. It returns where it has got to and the
// values before that.
func (f *filler) stretch(w *rowWalker, at, to, end int, last uint8, values []tables.Outcome, free freeSet) (int, uint8) {
	// What may stand in free positions: what stands around them.
	candidates := uint(1) << (last & 3)
	if to < end {
		candidates |= 1 << values[to]
	}
	hasAbove := w.above != 0 && at > w.above
	if hasAbove {
		for _, o := range values[at-w.above : to-w.above] {
			candidates |= 1 << o
		}
	}
	if candidates &= 7; candidates == 0 {
		candidates = 7
	}
	var costs [2][16]int32 // of the states before a position and after it, in turn
	cost, next := &costs[0], &costs[1]
	states := uint(1) << last // those that can be
	i := at
	for ; i < end; i++ {
		kept := !free.has(i)
		if kept && bits.OnesCount(states) == 1 {
			break
		}
		context := 0x3F
		if hasAbove {
			context = int(values[i-w.above-1]) | int(values[i-w.above])<<ctxAbove | int(values[i-w.above+1])<<ctxAfter
		}
		if w.above2 != 0 && hasAbove && i >= w.above2 {
			context |= int(values[i-w.above2]) << ctxAbove2
		} else {
			context |= none << ctxAbove2
		}
		allowed := candidates
		if kept {
			allowed = 1 << values[i]
		}
		after := uint(0)
		from := &f.from[i-at]
		for todo := states; todo != 0; todo &= todo - 1 {
			s := bits.TrailingZeros(todo) & 15
			prices := &f.cost[(context|s<<ctxLast)&(contexts-1)]
			for ys := allowed; ys != 0; ys &= ys - 1 {
				y := bits.TrailingZeros(ys) & 3
				t := (s<<2 | y) & 15
				if c := cost[s] + prices[min(y, 2)]; after>>t&1 == 0 || c < next[t] {
					next[t], from[t] = c, uint8(s)
					after |= 1 << t
				}
			}
		}
		cost, next, states = next, cost, after
	}
	best := bits.TrailingZeros(states)
	for s := best + 1; s < 16; s++ {
		if states>>s&1 != 0 && cost[s] < cost[best] {
			best = s
		}
	}
	for j, s := i-1, best; j >= at; j-- {
		values[j] = tables.Outcome(s & 3)
		s = int(f.from[j-at][s])
	}
	return i, uint8(best)
}
