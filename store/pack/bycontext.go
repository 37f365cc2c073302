package pack

import (
	"threekings/tables"
)

// contextCoder codes outcomes with the model of their side.
type contextCoder struct {
	filler
	eventsOf
	words []uint64
	model *model // whose costs the filler has
}

// place returns where a block lies.
func (l *Layout) place(s tables.Side, n uint64) place {
	p := place{rows: l.rows, start: n * uint64(l.blockLen), count: l.Positions(s, n), last: l.lastState}
	p.upTo = p.count
	if len(l.models) > 0 {
		p.model = l.models[s]
	}
	if len(l.halves) > 0 {
		p.halves = l.halves[s]
	}
	return p
}

// byContext codes the values in filled with a model, or plainly if that is shorter.
func (e *Encoder) byContext(dst []byte, at place) []byte {
	if e.context == nil {
		e.context = new(contextCoder)
	}
	c := e.context
	if c.model != at.model {
		c.model = at.model
		c.costsFrom(at.model)
	}
	if v, ok := oneValue(e.filled, e.free); ok {
		for i := range e.filled {
			e.filled[i] = v
		}
		return append(dst, byte(constant), byte(v))
	}
	c.fill(at.rows, at.start, e.filled, e.free)
	c.words = appendFields(c.words[:0], e.filled)
	c.events = c.events[:0]
	c.run(at.model, at.rows, at.start, at.count, c.words)
	start := len(dst)
	dst = c.write(append(dst, byte(byContext)), at.last)
	if most := 1 + (at.count+3)/4; len(dst)-start > most {
		dst = packOutcomes(append(dst[:start], byte(plain)), e.filled)
	}
	return dst
}

// oneValue returns the value of all that is not free, if it is one.
func oneValue(values []tables.Outcome, free freeSet) (v tables.Outcome, ok bool) {
	i := free.nextKept(0, len(values))
	if i == len(values) {
		return tables.Draw, true
	}
	v = values[i]
	for i < len(values) {
		end := free.next(i, len(values))
		differ := tables.Outcome(0)
		for _, o := range values[i:end] {
			differ |= o ^ v
		}
		if differ != 0 {
			return 0, false
		}
		i = free.nextKept(end, len(values))
	}
	return v, true
}

// halvesByContext codes the halves of distances whose outcomes have been coded,
// with a model, and gives free positions the halves that cost least.
func (e *Encoder) halvesByContext(dst []byte, at place, plies []tables.Plies, free []bool) []byte {
	e.values = e.values[:0]
	for _, p := range plies {
		v := halfValue(0)
		if o := p.Outcome(); o != tables.Draw {
			v = halfValue(p>>1)<<2 | halfValue(o)
		}
		e.values = append(e.values, v)
	}
	c := e.context
	c.events = c.events[:0]
	c.halfEvents(at.halves, at.rows, at.start, e.values, free)
	return c.write(dst, at.last)
}
