package pack

import (
	"math/bits"

	"threekings/tables"
)

// Training finds the model of a side from some of its blocks: fill the free
// positions as cheaply as the model so far has it, count, and make the model of
// that; a few times over.

// Sample is a part of a side for [Train]: the values of positions that follow
// each other from Start on. Train changes them where they are free.
type Sample struct {
	Start  uint64
	Values []tables.Outcome
	Free   []bool
}

// masks are the contexts to choose from, from few to many.
var masks = [...]uint16{
	3 << ctxLast,
	3<<ctxLast | 3<<ctxAbove,
	0xF<<ctxLast | 3<<ctxAbove,
	0xF<<ctxLast | 0xF<<ctxAbove,
	0xF<<ctxLast | 0xF<<ctxAbove | 3<<ctxAbove2,
	contexts - 1,
}

// trainingRounds is how often a sample is filled and counted.
const trainingRounds = 2

// Train returns a model for a side of a table with so many positions, in the
// form in which a manifest keeps it, and what it expects the side to take, in
// bits. Equal samples give equal models.
func Train(rows Rows, positions uint64, samples []Sample) (model []byte, size uint64) {
	t := new(trainer)
	t.prior()
	free := make([]freeSet, len(samples))
	for i, s := range samples {
		free[i] = appendTrue(nil, s.Free)
	}
	sampled := uint64(0)
	for range trainingRounds {
		t.counts = counts{}
		sampled = 0
		for i, s := range samples {
			t.fill(rows, s.Start, s.Values, free[i])
			t.words = appendFields(t.words[:0], s.Values)
			t.run(nil, rows, s.Start, len(s.Values), t.words)
			sampled += uint64(len(s.Values))
		}
		t.learn()
	}
	size = ^uint64(0)
	for _, mask := range masks {
		m, expected := t.model(mask)
		b := m.appendTo(nil)
		if s := expected/max(sampled, 1)*positions/256 + expected%max(sampled, 1)*positions/max(sampled, 1)/256 + 8*uint64(len(b)); s < size {
			model, size = b, s
		}
	}
	return model, size
}

// trainer is one Train.
type trainer struct {
	filler
	eventsOf
	words []uint64
}

// prior sets costs before anything is known: what stands before and above is
// expected.
func (t *trainer) prior() {
	for c := range t.cost {
		for y := range t.cost[c] {
			before, above := c>>ctxLast&3 == y, c>>ctxAbove&3 == y || c>>ctxAbove&3 == none
			switch {
			case before && above:
				t.cost[c][y] = 16
			case before || above:
				t.cost[c][y] = 400
			default:
				t.cost[c][y] = 1200
			}
		}
	}
}

// learn sets costs from counts.
func (t *trainer) learn() {
	for c := range t.cost {
		n := t.counts.outcomes[c]
		if v := c >> ctxLast & 3; v != none && c>>ctxLast&0xF == v*5 && c>>ctxAbove&3 == v {
			n = t.counts.exceptions[v]
			n[v] = t.counts.quiet[v]
		}
		t.cost[c] = costsOf(n)
	}
}

// costsOf returns what each of three values costs that were counted, in 1/256
// bit.
func costsOf(n [3]uint32) (costs [3]int32) {
	total := uint64(n[0]) + uint64(n[1]) + uint64(n[2])
	for y := range n {
		// As if each had been seen a little already.
		costs[y] = int32(log2(8*total+3)) - int32(log2(8*uint64(n[y])+1))
	}
	return costs
}

// log2 is the logarithm to base 2 of n > 0, in 1/256, rounded down: in whole
// numbers, so that it is the same on every machine.
func log2(n uint64) int {
	if n <= freqAll {
		return int(log2s[n])
	}
	return computeLog2(n)
}

// log2s are those of frequencies.
var log2s = func() (logs [freqAll + 1]uint16) {
	for n := uint64(1); n <= freqAll; n++ {
		logs[n] = uint16(computeLog2(n))
	}
	return logs
}()

func computeLog2(n uint64) int {
	e := bits.Len64(n) - 1
	x := n << (63 - e) >> 32 // 1 to 2, in 1/2^31
	r := e
	for range 8 {
		x = x * x >> 31
		r <<= 1
		if x >= 1<<32 {
			x >>= 1
			r |= 1
		}
	}
	return r
}

// model makes the model with the contexts of a mask, and says what the sample
// takes with it, in 1/256 bit.
func (t *trainer) model(mask uint16) (m *model, size uint64) {
	m = &model{mask: mask}
	var merged [contexts][3]uint32
	for c := range t.counts.outcomes {
		for y, n := range t.counts.outcomes[c] {
			merged[uint16(c)&mask][y] += n
		}
	}
	for c := range m.outcomes {
		n := merged[c]
		m.outcomes[c] = defaultFrequencies(c)
		if n[0]+n[1]+n[2] >= fewest {
			f := share(n[:])
			m.outcomes[c] = frequencies{0, f[0], f[0] + f[1], freqAll}
		}
		for y := range n {
			size += cost(n[y], m.outcomes[c][y+1]-m.outcomes[c][y])
		}
	}
	for v := range uint64(3) {
		a, b := exceptionsOf(v)
		n := []uint32{t.counts.exceptions[v][a], t.counts.exceptions[v][b]}
		f := share(n)
		m.exceptions[v] = f[0]
		size += cost(n[0], f[0]) + cost(n[1], f[1])
		g := share(t.counts.gaps[v][:])
		for c := range g {
			m.gaps[v][c+1] = m.gaps[v][c] + g[c]
			size += cost(t.counts.gaps[v][c], g[c])
		}
	}
	m.spread()
	return m, size + 256*t.counts.extra
}

// fewest is how often a context must occur in a sample to have frequencies of
// its own.
const fewest = 24

func cost(n uint32, freq uint16) uint64 { return uint64(n) * uint64(freqBits*256-log2(uint64(freq))) }

// share shares out freqAll by counts, at least 1 to each.
func share(n []uint32) []uint16 {
	total := uint64(0)
	for _, c := range n {
		total += uint64(c)
	}
	f := make([]uint16, len(n))
	left, most := freqAll, 0
	for i, c := range n {
		f[i] = 1
		if total > 0 {
			f[i] = uint16(max(1, (uint64(c)*freqAll+total/2)/total))
		}
		left -= int(f[i])
		if c > n[most] {
			most = i
		}
	}
	if total == 0 {
		most = len(n) - 1
	}
	// Rounding: the most frequent can bear it. With many rare ones it may not
	// suffice.
	for left != 0 {
		d := max(left, 1-int(f[most]))
		f[most] = uint16(int(f[most]) + d)
		if left -= d; left != 0 {
			for i := range f {
				if f[i] > f[most] {
					most = i
				}
			}
		}
	}
	return f
}

// appendFields appends outcomes as fields, and a word more.
func appendFields(dst []uint64, values []tables.Outcome) []uint64 {
	for len(values) >= 32 {
		var w uint64
		for i, v := range values[:32] {
			w |= uint64(v) << (2 * i)
		}
		dst = append(dst, w)
		values = values[32:]
	}
	var w uint64
	for i, v := range values {
		w |= uint64(v) << (2 * i)
	}
	return append(dst, w, 0)
}

// costsFrom sets the costs that a model makes.
func (f *filler) costsFrom(m *model) {
	for c := range f.cost {
		o := &m.outcomes[c]
		for y := range f.cost[c] {
			f.cost[c][y] = int32(freqBits*256 - log2(uint64(o[y+1]-o[y])))
		}
	}
	for v := range uint64(3) {
		// The mean length of gaps tells how rare exceptions are.
		var total, quiet uint64
		for c := range gapClasses - 1 {
			n := uint64(m.gaps[v][c+1] - m.gaps[v][c])
			length := uint64(c)
			if c >= 2 {
				length = uint64(2|c&1) << (c>>1 - 1) * 5 / 4
			}
			total += n
			quiet += n * length
		}
		quiet += uint64(freqAll-m.gaps[v][gapToEnd]) * 4096
		a, b := exceptionsOf(v)
		n := [3]uint32{}
		n[v] = uint32(quiet)
		n[a] = uint32(total * uint64(m.exceptions[v]) / freqAll)
		n[b] = uint32(total) - n[a]
		costs := costsOf(n)
		for c := range f.cost {
			if c>>ctxLast&0xF == int(v)*5 && c>>ctxAbove&3 == int(v) {
				f.cost[c] = costs
			}
		}
	}
}
