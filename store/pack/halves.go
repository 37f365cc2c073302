package pack

import (
	"encoding/binary"
	"fmt"
	"slices"

	"threekings/tables"
)

// Halves of distances by context. The model of a side says how frequent each half
// is after which halves around it that have the same outcome. All that is not in
// it is said at more length.
type halfModel struct {
	mask uint16
	// lists[0] and [1] are for wins and losses whatever stands around them, the
	// others for contexts. of finds a context's list.
	lists []halfList
	of    [halfContexts]uint16
}

// halfList are the halves of a context, the most frequent first; which of them
// begins where of 1 << freqBits. Some share is left at the end for all others.
type halfList struct {
	halves []uint8
	ends   []uint16 // one more than halves
}

// A context of halves: whether it is a loss; the half expected, of the same
// outcome, which is that of the row before, or the last one; how the last one
// differs from it; how the last one but one does; that after the one of the row
// before; that of two rows before. Differences go up to what their bits can say.
const (
	halfLoss     = 1
	halfExpected = 31 << 1
	halfLast     = 7 << 6
	halfLast2    = 3 << 9
	halfAfter    = 3 << 11
	halfAbove2   = 3 << 13
	halfContexts = 1 << 15

	expectedMost = 31
	// listedMost is the greatest half that a list may name; halfBits what any half
	// takes.
	listedMost = 254
	halfBits   = 15
)

// halfMasks are the contexts to choose from, from few to many.
var halfMasks = [...]uint16{
	halfLoss,
	halfLoss | halfExpected,
	halfLoss | halfExpected | halfLast,
	halfLoss | halfExpected | halfLast | halfLast2,
	halfLoss | halfExpected | halfLast | halfLast2 | halfAbove2,
	halfContexts - 1,
}

// appendTo appends the model in the form in which a manifest keeps it.
func (m *halfModel) appendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, m.mask)
	b = m.lists[0].appendTo(b)
	b = m.lists[1].appendTo(b)
	skipped := uint64(0)
	for c := range m.of {
		if uint16(c)&^m.mask != 0 {
			continue
		}
		i := m.of[c]
		if i < 2 {
			skipped++
			continue
		}
		b = binary.AppendUvarint(b, skipped)
		b = m.lists[i].appendTo(b)
		skipped = 0
	}
	return b
}

func (l *halfList) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(l.halves)))
	start := uint16(0)
	for i, h := range l.halves {
		b = binary.AppendUvarint(append(b, h), uint64(l.ends[i]-start))
		start = l.ends[i]
	}
	return b
}

// parseHalfModel reads what appendTo has written.
func parseHalfModel(b []byte) (*halfModel, error) {
	if len(b) < 2 {
		return nil, ErrShort
	}
	m := &halfModel{mask: binary.LittleEndian.Uint16(b)}
	if m.mask >= halfContexts || m.mask&halfLoss == 0 {
		return nil, fmt.Errorf("%w: a mask of %#x", ErrCoding, m.mask)
	}
	b = b[2:]
	bad := fmt.Errorf("%w: a list of halves", ErrCoding)
	number := func(limit uint64) (uint64, bool) {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > limit {
			return 0, false
		}
		b = b[size:]
		return n, true
	}
	list := func() bool {
		n, ok := number(listedMost + 1)
		if !ok {
			return false
		}
		var l halfList
		end := uint64(0)
		for range n {
			if len(b) == 0 || b[0] > listedMost || slices.Contains(l.halves, b[0]) {
				return false
			}
			l.halves = append(l.halves, b[0])
			b = b[1:]
			freq, ok := number(freqAll - 1 - end)
			if !ok || freq == 0 {
				return false
			}
			end += freq
			l.ends = append(l.ends, uint16(end))
		}
		l.ends = append(l.ends, freqAll)
		m.lists = append(m.lists, l)
		return true
	}
	for range 2 {
		if !list() {
			return nil, bad
		}
	}
	for c := range m.of {
		m.of[c] = uint16(c) & halfLoss
	}
	c := -1
	for len(b) > 0 {
		skip, ok := number(halfContexts)
		if !ok {
			return nil, bad
		}
		for n := int(skip); n >= 0; n-- {
			for c++; c < halfContexts && uint16(c)&^m.mask != 0; c++ {
			}
			if c >= halfContexts {
				return nil, fmt.Errorf("%w: too many contexts", ErrCoding)
			}
		}
		if !list() {
			return nil, bad
		}
		m.of[c] = uint16(len(m.lists) - 1)
	}
	for c := range m.of {
		m.of[c] = m.of[uint16(c)&m.mask]
	}
	return m, nil
}

// A value of a distance as the coder keeps it: the outcome in the two lowest
// bits, the half above them.
type halfValue = uint32

// halfWalker gives the contexts of halves.
type halfWalker struct {
	rowWalker
	last, last2 [3]halfValue // by outcome; the outcome is 0 where there is none
}

// context returns that of a position with an outcome.
func (w *halfWalker) context(values []halfValue, at int, o halfValue) uint16 {
	last, last2 := w.last[o], w.last2[o]
	expected, known := last, false
	after, above2 := halfValue(0), halfValue(0)
	if w.above != 0 && at > w.above {
		if v := values[at-w.above]; v&3 == o {
			expected, known = v, true
		}
		after = values[at-w.above+1]
		if w.above2 != 0 && at >= w.above2 {
			above2 = values[at-w.above2]
		}
	}
	c := uint16(o-1) | uint16(min(expected>>2, expectedMost))<<1
	// 0 to 4: from two or more below to two or more above; 5 if nothing stands
	// above, 6 if there is no last one.
	switch {
	case last == 0:
		c |= 6 << 6
	case !known:
		c |= 5 << 6
	default:
		c |= uint16(difference(last, expected, 2)) << 6
	}
	c |= third(last2, expected, o) << 9
	c |= third(after, expected, o) << 11
	c |= third(above2, expected, o) << 13
	return c
}

// third says whether a half is less, the same or greater, 3 if its outcome is
// another.
func third(v, expected, o halfValue) uint16 {
	if v&3 != o {
		return 3
	}
	return uint16(difference(v, expected, 1))
}

// difference is that of two halves, from -most to most, counted from 0.
func difference(v, expected halfValue, most int) int {
	return max(-most, min(most, int(v>>2)-int(expected>>2))) + most
}

func (w *halfWalker) saw(o, v halfValue) {
	w.last2[o], w.last[o] = w.last[o], v
}

// decodeHalves decodes the halves of a block, as far as they are asked for: values
// hold the outcomes and are given their halves.
func (m *halfModel) decodeHalves(in []byte, b *place, values []halfValue) error {
	if len(in) < stateBytes || len(in)&1 != 0 {
		return ErrShort
	}
	x, p := binary.LittleEndian.Uint32(in), stateBytes
	var w halfWalker
	w.start(b.rows, b.start)
	for at := 0; at < len(values); w.next() {
		for to := min(at+w.length-w.x, len(values)); at < to; at++ {
			o := values[at]
			if o == 0 {
				continue
			}
			half := uint32(0)
			list := &m.lists[m.of[w.context(values, at, o)]]
			for tries := 0; ; tries++ {
				slot := x & (freqAll - 1)
				i, start := 0, uint32(0)
				for slot >= uint32(list.ends[i]) {
					start = uint32(list.ends[i])
					i++
				}
				x = (uint32(list.ends[i])-start)*(x>>freqBits) + slot - start
				if x < stateLow && p < len(in) {
					x = x<<16 | uint32(in[p]) | uint32(in[p+1])<<8
					p += 2
				}
				if i < len(list.halves) {
					half = uint32(list.halves[i])
					break
				}
				if tries == 0 {
					list = &m.lists[o-1]
					continue
				}
				half = x & (1<<halfBits - 1)
				x >>= halfBits
				if x < stateLow && p < len(in) {
					x = x<<16 | uint32(in[p]) | uint32(in[p+1])<<8
					p += 2
				}
				break
			}
			values[at] = half<<2 | o
			w.saw(o, values[at])
		}
	}
	if b.upTo == b.count && (p < len(in) || x != b.last) {
		return ErrCoding
	}
	return nil
}

// halfEvents goes through the halves of a block and tells what decodeHalves must
// be told. Free positions are given the half that costs least.
func (e *eventsOf) halfEvents(m *halfModel, rows Rows, position uint64, values []halfValue, free []bool) {
	var w halfWalker
	w.start(rows, position)
	for at := 0; at < len(values); w.next() {
		for to := min(at+w.length-w.x, len(values)); at < to; at++ {
			o := values[at] & 3
			if o == 0 {
				continue
			}
			list := &m.lists[m.of[w.context(values, at, o)]]
			if free != nil && free[at] {
				values[at] = list.cheapest(m, o)<<2 | o
			}
			half := values[at] >> 2
			for tries := 0; ; tries++ {
				i := list.find(half)
				start := uint16(0)
				if i > 0 {
					start = list.ends[i-1]
				}
				e.events = append(e.events, event{start, list.ends[i] - start, freqBits})
				if i < len(list.halves) {
					break
				}
				if tries == 0 {
					list = &m.lists[o-1]
					continue
				}
				e.events = append(e.events, event{uint16(half), 1, halfBits})
				break
			}
			w.saw(o, values[at])
		}
	}
}

// cheapest returns the half that a free position is given.
func (l *halfList) cheapest(m *halfModel, o halfValue) halfValue {
	if len(l.halves) > 0 {
		return halfValue(l.halves[0])
	}
	if l = &m.lists[o-1]; len(l.halves) > 0 {
		return halfValue(l.halves[0])
	}
	return 0
}

// find returns the place of a half in the list, its length if it is not there.
func (l *halfList) find(half halfValue) int {
	for i, h := range l.halves {
		if halfValue(h) == half {
			return i
		}
	}
	return len(l.halves)
}

// HalfSample is a part of a side for [TrainHalves].
type HalfSample struct {
	Start  uint64
	Values []tables.Plies
	Free   []bool
}

// TrainHalves returns a model of the halves of distances for a side of a table,
// in the form in which a manifest keeps it, and what it expects them to take, in
// bits. The outcomes of free positions are taken from Values.
func TrainHalves(rows Rows, positions uint64, samples []HalfSample) (model []byte, size uint64) {
	t := &halfTrainer{rows: rows}
	sampled := uint64(0)
	for _, s := range samples {
		values := make([]halfValue, len(s.Values))
		for i, p := range s.Values {
			if o := p.Outcome(); o != tables.Draw {
				values[i] = halfValue(p>>1)<<2 | halfValue(o)
			}
		}
		t.samples = append(t.samples, values)
		sampled += uint64(len(values))
	}
	// Free positions are filled as a first model has it.
	first, _ := t.model(halfMasks[firstHalfMask], t.count(nil, samples))
	counted := t.count(first, samples)
	size = ^uint64(0)
	sampled = max(sampled, 1)
	for _, mask := range halfMasks {
		m, expected := t.model(mask, counted)
		b := m.appendTo(nil)
		if len(b) > mostHalfModel {
			continue
		}
		expected /= 256
		if s := expected/sampled*positions + expected%sampled*positions/sampled + 8*uint64(len(b)); s < size {
			model, size = b, s
		}
	}
	return model, size
}

// firstHalfMask is the place of the contexts with which free positions are
// filled for training.
const firstHalfMask = 2

// mostHalfModel is how long a model may be: two of them must fit a manifest.
const mostHalfModel = 16 << 10

type halfTrainer struct {
	rows    Rows
	samples [][]halfValue
}

// halfCounts are how often halves stand in contexts of all that counts.
type halfCounts struct {
	of     [halfContexts]int32 // a context's place in lists, plus one
	lists  []*listCounts
	all    [2]listCounts // of wins and of losses
	others int           // halves that no list names
	end    int           // more than any half that was counted
}

type listCounts [listedMost + 1]uint32

// count counts the halves of the samples. With a model it gives free positions
// the halves that cost least.
func (t *halfTrainer) count(m *halfModel, samples []HalfSample) *halfCounts {
	n := new(halfCounts)
	for i, values := range t.samples {
		var w halfWalker
		w.start(t.rows, samples[i].Start)
		for at := 0; at < len(values); w.next() {
			for to := min(at+w.length-w.x, len(values)); at < to; at++ {
				o := values[at] & 3
				if o == 0 {
					continue
				}
				c := w.context(values, at, o)
				if m != nil && samples[i].Free[at] {
					values[at] = m.lists[m.of[c]].cheapest(m, o)<<2 | o
				}
				w.saw(o, values[at])
				half := values[at] >> 2
				if half > listedMost {
					n.others++
					continue
				}
				if n.of[c] == 0 {
					n.lists = append(n.lists, new(listCounts))
					n.of[c] = int32(len(n.lists))
				}
				n.lists[n.of[c]-1][half]++
				n.all[o-1][half]++
				n.end = max(n.end, int(half)+1)
			}
		}
	}
	return n
}

// under returns the counts by the contexts of a mask.
func (n *halfCounts) under(mask uint16) *halfCounts {
	m := &halfCounts{all: n.all, others: n.others, end: n.end}
	for c, at := range n.of {
		if at == 0 {
			continue
		}
		to := &m.of[uint16(c)&mask]
		if *to == 0 {
			m.lists = append(m.lists, new(listCounts))
			*to = int32(len(m.lists))
		}
		sum := m.lists[*to-1]
		for half, count := range n.lists[at-1][:n.end] {
			sum[half] += count
		}
	}
	return m
}

// model makes the model with the contexts of a mask, and says what the samples
// take with it, in 1/256 bit.
func (t *halfTrainer) model(mask uint16, counted *halfCounts) (m *halfModel, size uint64) {
	n := counted.under(mask)
	m = &halfModel{mask: mask}
	m.lists = append(m.lists, listOf(n.all[0][:n.end]), listOf(n.all[1][:n.end]))
	size = uint64(n.others) * 256 * (2*freqBits + halfBits)
	for c := range m.of {
		m.of[c] = uint16(c) & halfLoss
		if n.of[c] == 0 {
			continue
		}
		counts := n.lists[n.of[c]-1][:n.end]
		list := listOf(counts)
		plain, own := m.lists[c&halfLoss].size(counts), list.size(counts)
		if own+256*8*uint64(len(list.appendTo(nil))+1) < plain {
			m.of[c] = uint16(len(m.lists))
			m.lists = append(m.lists, list)
			size += own
		} else {
			size += plain
		}
	}
	for c := range m.of {
		m.of[c] = m.of[uint16(c)&mask]
	}
	return m, size
}

// size is what so many halves take with a list, in 1/256 bit. What is not in the
// list costs about what is rare costs.
func (l *halfList) size(counts []uint32) (size uint64) {
	for h, n := range counts {
		if n == 0 {
			continue
		}
		i := l.find(halfValue(h))
		start := uint16(0)
		if i > 0 {
			start = l.ends[i-1]
		}
		size += cost(n, l.ends[i]-start)
		if i == len(l.halves) {
			size += uint64(n) * 8 * 256
		}
	}
	return size
}

// listOf makes the list of what was counted.
func listOf(counts []uint32) halfList {
	var l halfList
	var n []uint32
	once, total := uint32(1), uint32(0)
	for _, c := range counts {
		total += c
		if c == 1 {
			once++
		}
	}
	for h, c := range counts {
		// What is rarer than the share that it would get is left out.
		if c > 0 && uint64(c)*2*freqAll >= uint64(total) {
			l.halves = append(l.halves, uint8(h))
		}
	}
	slices.SortStableFunc(l.halves, func(a, b uint8) int { return int(counts[b]) - int(counts[a]) })
	listed := uint32(0)
	for _, h := range l.halves {
		n = append(n, counts[h])
		listed += counts[h]
	}
	n = append(n, once+total-listed)
	end := uint16(0)
	for _, f := range share(n) {
		end += f
		l.ends = append(l.ends, end)
	}
	return l
}
