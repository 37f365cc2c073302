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

// byContext codes with a model, or plainly if that is shorter.
func (e *Encoder) byContext(dst []byte, at place, values []tables.Outcome, free []bool) []byte {
	if e.context == nil {
		e.context = new(contextCoder)
	}
	c := e.context
	if c.model != at.model {
		c.model = at.model
		c.costsFrom(at.model)
	}
	e.filled = append(e.filled[:0], values...)
	if free != nil {
		if v, ok := oneValue(values, free); ok {
			for i := range e.filled {
				e.filled[i] = v
			}
		} else {
			c.fill(at.rows, at.start, e.filled, free)
		}
	}
	if same(e.filled, e.filled[0]) {
		return append(dst, byte(constant), byte(e.filled[0]))
	}
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
func oneValue(values []tables.Outcome, free []bool) (v tables.Outcome, ok bool) {
	found := false
	for i, f := range free {
		switch {
		case f:
		case !found:
			v, found = values[i], true
		case values[i] != v:
			return 0, false
		}
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
