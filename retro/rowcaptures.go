package retro

import "threekings/draughts"

// captures works out the best children of those positions of a row with the open
// king on squares in which the side to move must capture, and returns the other
// squares. Where the open king can neither capture nor stand in the way nor be
// taken, the captures are those of the row without it: the generator says on which
// squares they depend. Everywhere else they are played position by position.
func (p *prover) captures(base *draughts.Position, squares draughts.Set) (quiet draughts.Set) {
	open := p.sheet.open
	own := base.Side() == open
	var apart draughts.Set // where the open king makes a difference
	p.moves, apart = p.v.CapturesAndScope(*base, p.moves[:0])
	switch {
	case len(p.moves) > 0 && own:
		apart = apart.Or(p.v.KingsCaptureFrom(*base))
	case len(p.moves) > 0:
	case own:
		apart = p.v.KingsCaptureFrom(*base)
	default:
		apart = p.v.KingsTakenOn(*base)
	}
	apart = apart.And(squares)
	beside := squares.AndNot(apart)
	if len(p.moves) == 0 {
		quiet = beside
	}
	for i := range p.moves {
		p.leads(base, &p.moves[i], beside)
	}
	for sq := range apart.All() {
		p.position = with(base, open, sq)
		p.moves = p.v.Captures(p.position, p.moves[:0])
		if len(p.moves) == 0 {
			quiet = quiet.With(sq)
			continue
		}
		best := noScore
		for i := range p.moves {
			m := &p.moves[i]
			if m.From == sq || m.Captured.Has(sq) {
				best = max(best, p.end(&p.position, m, sq))
			} else if row := p.rowAfter(base, m); row != nil {
				best = max(best, row.rating.score(row.values.at(sq)))
			} else {
				best = max(best, p.known(&p.position, m))
			}
		}
		p.bests[sq] = best
	}
	return quiet
}

// with returns a position with one more king.
func with(base *draughts.Position, c draughts.Color, sq draughts.Square) draughts.Position {
	position := *base
	position.Put(c, draughts.King, sq)
	return position
}

// leads takes a capture or a promotion into account that can be played with the
// open king on any of some squares and leaves it there.
func (p *prover) leads(base *draughts.Position, m *draughts.Move, squares draughts.Set) {
	if squares.IsEmpty() {
		return
	}
	if row := p.rowAfter(base, m); row != nil {
		for sq := range squares.All() {
			p.bests[sq] = max(p.bests[sq], row.rating.score(row.values.at(sq)))
		}
		return
	}
	for sq := range squares.All() {
		position := with(base, p.sheet.open, sq)
		p.bests[sq] = max(p.bests[sq], p.known(&position, m))
	}
}

// known returns the score of the child by a capture or a promotion, which is in a
// finished table or ends the game.
func (p *prover) known(position *draughts.Position, m *draughts.Move) score {
	p.child = *position
	p.child.Make(*m)
	rating := p.ratings.after(m, &p.child)
	return rating.score(p.deps.known(&p.child, p.distances))
}

// end is known for a capture that moves or takes the open king, which stands on
// a square. Where a king ends it, the child is one of those that differ in where
// that king stands: wherever the open king was, and wherever the capture ends.
func (p *prover) end(position *draughts.Position, m *draughts.Move, open draughts.Square) score {
	key := *m
	if key.From == open {
		key.From = draughts.NoSquare
	} else {
		key.Captured = key.Captured.Without(open)
	}
	c := position.Side()
	if m.Promotes || position.Pieces(c, draughts.King).Has(m.From) {
		key.To = draughts.NoSquare
		e, found := p.rows.row(&key)
		if !found {
			p.child = *position
			p.child.Make(*m)
			e.rating = p.ratings.after(m, &p.child)
			p.child.Remove(m.To)
			e.values, e.ok = p.openRow(c)
		}
		if e.ok {
			return e.rating.score(e.values.at(m.To))
		}
		key.To = m.To
	}
	e, found := p.rows.end(&key)
	if !found {
		e.score = p.known(position, m)
	}
	return e.score
}

// openRow returns the values of the child with one more king of a colour.
func (p *prover) openRow(c draughts.Color) (rowValues, bool) {
	values, ok := p.deps.openRow(&p.child, c)
	if !p.distances {
		values.plies = nil
	}
	return values, ok
}

// rowAfter returns the values of the children by a move, a capture or a
// promotion, that leaves the open king where it is, wherever that is; nil if it
// has to be looked up for each square.
func (p *prover) rowAfter(base *draughts.Position, m *draughts.Move) *moveRow {
	e, found := p.rows.row(m)
	if !found {
		p.child = *base
		p.child.Make(*m)
		e.values, e.ok = p.openRow(p.sheet.open)
		if e.ok && p.ratings.profile != nil {
			// All positions of the row have the same pieces.
			p.child.Put(p.sheet.open, draughts.King, p.freeSquare(&p.child))
			e.rating = p.ratings.after(m, &p.child)
		}
	}
	if !e.ok {
		return nil
	}
	return e
}
