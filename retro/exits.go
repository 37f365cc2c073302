package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// child is a finished table as it is seen from the one in work.
type child struct {
	t *laneTable
	// men are the men last looked up, page and base where their slice is: most
	// captures leave the men as they are.
	men  [2]word
	page *lanePage
	base uint64
	// turned: White's pieces here are the second side's there.
	turned bool
	// keepsLane: a king of our lane side can be the lane king there, so that a lane
	// word here is a lane word there.
	keepsLane bool
	// restarts: the moves that lead there restart the count of the draw rules.
	restarts bool
}

// slice returns the page and the first row of the slice with the given men.
func (c *child) slice(men *[2]word) (*lanePage, uint64) {
	if *men != c.men || c.page == nil {
		c.men = *men
		c.page, c.base = c.t.slice(c.t.sliceOf(men))
	}
	return c.page, c.base
}

// children are the finished tables that moves lead to, by what is on the board.
type children struct {
	list []child
	at   map[kindCounts]int
}

// add adds the table t, as seen where the material on the board is m and the
// lane king of own is left open.
func (cs *children) add(m tables.Material, own, t *laneTable) {
	counts := countsOf(m)
	c := child{t: t, turned: m != t.ix.Material()}
	if own.hasLane && t.hasLane {
		seen := own.lane
		if c.turned {
			seen = seen.Opponent()
		}
		c.keepsLane = seen == t.lane
	}
	c.restarts = own.rules.restartsTo(own.ix.Material(), m)
	cs.at[counts] = len(cs.list)
	cs.list = append(cs.list, c)
}

// exits collects, for one frame and colour to move, what the moves out of the
// unit lead to: captures, promotions and steps of men. Their values are known.
type exits struct {
	b         *laneBoard
	children  []child        // own copies: they remember
	which     [1 << 16]uint8 // by kindCounts
	hasLane   bool
	lane      draughts.Color
	distances bool

	// By lane: some move leads to a lost, won or drawn position.
	lost, won, drawn word
	// A move that restarts the count leads to a position that is lost or won fresh.
	freshLost, freshWon word
	quickest            [draughts.MaxSquares]tables.Plies // of the lost ones
	slowest             [draughts.MaxSquares]tables.Plies // of the won ones

	gathered [draughts.MaxSquares]tables.Plies
}

func (e *exits) reset() {
	e.lost, e.won, e.drawn = noSquares, noSquares, noSquares
	e.freshLost, e.freshWon = noSquares, noSquares
}

// allLost and allWon are the lanes in which some move leads to a lost or a won
// position, whether it restarts the count or not.
func (e *exits) allLost() word { return e.lost.or(e.freshLost) }
func (e *exits) allWon() word  { return e.won.or(e.freshWon) }

// fresh notes that a move that restarts the count leads to a lane word with the
// given wins and losses within the limit.
func (e *exits) fresh(lanes, win, loss word) {
	e.drawn = e.drawn.or(lanes.andNot(win).andNot(loss))
	e.freshWon, e.freshLost = e.freshWon.or(win.and(lanes)), e.freshLost.or(loss.and(lanes))
}

// freshOne notes that such a move leads to the same position for all lanes.
func (e *exits) freshOne(lanes word, outcome tables.Outcome) {
	switch outcome {
	case tables.Draw:
		e.drawn = e.drawn.or(lanes)
	case tables.Loss:
		e.freshLost = e.freshLost.or(lanes)
	case tables.Win:
		e.freshWon = e.freshWon.or(lanes)
	}
}

// decided notes that a move leads to the same decided position for all lanes.
func (e *exits) one(lanes word, outcome tables.Outcome, plies tables.Plies) {
	switch outcome {
	case tables.Draw:
		e.drawn = e.drawn.or(lanes)
	case tables.Loss:
		for m := lanes.and(e.lost); !m.isZero(); m = m.dropFirst() {
			l := m.first()
			e.quickest[l] = min(e.quickest[l], plies)
		}
		for m := lanes.andNot(e.lost); !m.isZero(); m = m.dropFirst() {
			e.quickest[m.first()] = plies
		}
		e.lost = e.lost.or(lanes)
	case tables.Win:
		for m := lanes.and(e.won); !m.isZero(); m = m.dropFirst() {
			l := m.first()
			e.slowest[l] = max(e.slowest[l], plies)
		}
		for m := lanes.andNot(e.won); !m.isZero(); m = m.dropFirst() {
			e.slowest[m.first()] = plies
		}
		e.won = e.won.or(lanes)
	}
}

// word notes that a move leads to a lane word with the given wins and losses;
// plies has their distances, if they count, by square: of the board as it is, or
// turned.
func (e *exits) word(lanes, win, loss word, plies []tables.Plies, turned bool) {
	e.drawn = e.drawn.or(lanes.andNot(win).andNot(loss))
	win, loss = win.and(lanes), loss.and(lanes)
	if e.distances {
		at, step := 0, 1
		if turned {
			at, step = e.b.squares-1, -1
		}
		for m := loss; !m.isZero(); m = m.dropFirst() {
			l := m.first()
			d := plies[at+step*int(l)]
			if !e.lost.has(l) || d < e.quickest[l] {
				e.quickest[l] = d
			}
		}
		for m := win; !m.isZero(); m = m.dropFirst() {
			l := m.first()
			d := plies[at+step*int(l)]
			if !e.won.has(l) || d > e.slowest[l] {
				e.slowest[l] = d
			}
		}
	}
	e.lost, e.won = e.lost.or(loss), e.won.or(win)
}

func (e *exits) child(counts kindCounts) *child { return &e.children[e.which[counts]] }

// fixed notes that a move leads, for all lanes, to one position with colour c to
// move.
func (e *exits) fixed(lanes word, p *pieces, c draughts.Color) {
	if p.of(c).isZero() {
		e.one(lanes, tables.Loss, 0)
		return
	}
	to := e.child(p.counts())
	if to.turned {
		turned := p.turned(e.b.squares)
		p, c = &turned, c.Opponent()
	}
	page, row := to.slice(&p.men)
	frame, lane := to.t.frameAt(p.kings)
	row += frame
	if to.restarts {
		e.freshOne(lanes, page.freshOutcome(c, row, lane))
		return
	}
	o := page.outcome(c, row, lane)
	plies := knownLevel(o)
	if o != tables.Draw && e.distances {
		plies = page.plies[c][row*uint64(to.t.stride)+uint64(lane)]
	}
	e.one(lanes, o, plies)
}

// open notes that a move leads to positions with colour c to move in which the
// lane king stands where it stood. p leaves it out.
func (e *exits) open(lanes word, p *pieces, c draughts.Color) {
	to := e.child(p.counts() + countKings(e.lane))
	lane := e.lane
	if to.turned {
		turned := p.turned(e.b.squares)
		p, c, lane = &turned, c.Opponent(), lane.Opponent()
	}
	t := to.t
	page, base := to.slice(&p.men)
	if to.keepsLane {
		row := base + t.frameOf(&p.kings)
		wins, losses := page.win[c], page.loss[c]
		if to.restarts {
			wins, losses = page.freshWin[c], page.freshLoss[c]
		}
		win, loss := wins[row], losses[row]
		if to.turned {
			win, loss = win.turned(e.b.squares), loss.turned(e.b.squares)
		}
		if to.restarts {
			e.fresh(lanes, win, loss)
			return
		}
		var plies []tables.Plies
		if e.distances {
			plies = page.plies[c][row*uint64(t.stride):]
		}
		e.word(lanes, win, loss, plies, to.turned)
		return
	}
	// Another king is the lane king there: go through ours one by one.
	kings := p.kings
	fixed := kings[t.lane].first()
	kings[t.lane] = kings[t.lane].dropFirst()
	in := newInsertion(kings[lane])
	var win, loss word
	for m := lanes; !m.isZero(); m = m.dropFirst() {
		l := m.first()
		at := l
		if to.turned {
			at = draughts.Square(e.b.squares-1) - l
		}
		row := base
		if lane == draughts.White {
			row += in.rank(at)*t.perBlack + rankWord(kings[draughts.Black])
		} else {
			row += rankWord(kings[draughts.White])*t.perBlack + in.rank(at)
		}
		o := page.outcome(c, row, fixed)
		if to.restarts {
			o = page.freshOutcome(c, row, fixed)
		}
		switch o {
		case tables.Win:
			win = win.or(bit(l))
		case tables.Loss:
			loss = loss.or(bit(l))
		default:
			continue
		}
		if e.distances && !to.restarts {
			e.gathered[l] = page.plies[c][row*uint64(t.stride)+uint64(fixed)]
		}
	}
	if to.restarts {
		e.fresh(lanes, win, loss)
		return
	}
	e.word(lanes, win, loss, e.gathered[:], false)
}

// insertion gives the ranks of the sets that one more square makes of a set.
type insertion struct {
	set  word
	base [tables.MaxPieces]uint64 // by how many members are lower than the square
}

func newInsertion(set word) insertion {
	in := insertion{set: set}
	n := 0
	for w := set; !w.isZero(); w = w.dropFirst() {
		s := w.first()
		for i := range n + 1 {
			in.base[i] += binomials[s][n+2] // above the new square
		}
		for i := n + 1; i < len(in.base); i++ {
			in.base[i] += binomials[s][n+1]
		}
		n++
	}
	return in
}

// rank returns the rank of the set with s, which it does not contain.
func (in *insertion) rank(s draughts.Square) uint64 {
	i := in.set.below(s)
	return in.base[i] + binomials[s][i+1]
}

// captures notes the captures that a walk has found from a frame.
func (e *exits) captures(w *captureWalk, p *pieces) {
	c, o := w.side, w.side.Opponent()
	for i := range w.results {
		r := &w.results[i]
		if r.lanes.isZero() {
			continue
		}
		after := *p
		after.men[o] = after.men[o].andNot(r.captured)
		after.kings[o] = after.kings[o].andNot(r.captured)
		if !r.laneMoves {
			if r.wasKing {
				after.kings[c] = after.kings[c].andNot(bit(r.from))
			} else {
				after.men[c] = after.men[c].andNot(bit(r.from))
			}
		}
		if r.byKing {
			after.kings[c] = after.kings[c].or(bit(r.to))
		} else {
			after.men[c] = after.men[c].or(bit(r.to))
		}
		if e.hasLane && !r.laneTaken && !r.laneMoves {
			if e.lane == c && after.of(o).isZero() {
				e.one(r.lanes, tables.Loss, 0)
			} else {
				e.open(r.lanes, &after, o)
			}
		} else {
			e.fixed(r.lanes, &after, o)
		}
	}
}

// promotion notes the quiet promotions of a man of colour c from a frame.
func (e *exits) promotion(lanes word, p *pieces, c draughts.Color, from, to draughts.Square) {
	after := *p
	after.men[c] = after.men[c].andNot(bit(from))
	after.kings[c] = after.kings[c].or(bit(to))
	if e.hasLane {
		e.open(lanes, &after, c.Opponent())
	} else {
		e.fixed(lanes, &after, c.Opponent())
	}
}
