package probe

import (
	"errors"

	"threekings/draughts"
	"threekings/tables"
)

// outcomeAtOnce returns the outcome of a position if that takes no looking ahead:
// the game is over, its table is held, or there is no capture and the table keeps
// it.
func (p *Prober) outcomeAtOnce(v *draughts.Variant, pos *draughts.Position) (o tables.Outcome, done bool, err error) {
	number, ok := tables.NumberOf(pos)
	if ok {
		if h, at := p.held(family{variant: v}, pos, number); h != nil {
			return h.values.Outcome(at), true, nil
		}
		if v.Ended(*pos) {
			return tables.Draw, true, nil
		}
	} else if over, d := gameOver(v, pos); over {
		return d.Outcome(), true, nil
	}
	if v.HasCapture(*pos) {
		return tables.Draw, false, nil
	}
	return p.quietOutcome(v, pos, number)
}

// outcome returns the true outcome of a position.
func (p *Prober) outcome(v *draughts.Variant, pos draughts.Position, s *scratch) (tables.Outcome, error) {
	if o, done, err := p.outcomeAtOnce(v, &pos); done {
		return o, err
	}
	return p.movesOutcome(v, pos, s)
}

// movesOutcome works out the outcome of a position from its moves: captures, or
// all others of one that is left out. A move that is known to win is enough,
// whatever stands behind the others.
func (p *Prober) movesOutcome(v *draughts.Variant, pos draughts.Position, s *scratch) (tables.Outcome, error) {
	base := len(s.moves)
	s.moves = v.Moves(pos, s.moves)
	end := len(s.moves)
	best := tables.Loss
	var unknown error
	for i := base; i < end && best != tables.Win; i++ {
		child, err := p.outcome(v, pos.Play(s.moves[i]), s)
		switch {
		case err != nil:
			if unknown == nil {
				unknown = err
			}
		case child == tables.Loss:
			best = tables.Win
		case child == tables.Draw:
			best = tables.Draw
		}
	}
	s.moves = s.moves[:base]
	if best == tables.Win || unknown == nil {
		return best, nil
	}
	if errors.Is(unknown, tables.ErrMissing) && !v.HasCapture(pos) {
		// It is left out: distances, which leave out nothing, tell outcomes too.
		if d, err := p.distance(v, pos, s); err == nil {
			return d.Outcome(), nil
		}
	}
	return tables.Draw, unknown
}

// distanceAtOnce is outcomeAtOnce for distances to win.
func (p *Prober) distanceAtOnce(v *draughts.Variant, pos *draughts.Position) (d tables.Plies, done bool, err error) {
	number, ok := tables.NumberOf(pos)
	if ok {
		if h, at := p.held(family{variant: v, distance: true}, pos, number); h != nil {
			return h.values.Distance(at), true, nil
		}
		if v.Ended(*pos) {
			return tables.NoPlies, true, nil
		}
	} else if over, d := gameOver(v, pos); over {
		return d, true, nil
	}
	if v.HasCapture(*pos) {
		return tables.NoPlies, false, nil
	}
	d, err = p.quietValue(v, pos, nil, number)
	return d, true, err
}

// distance returns the true distance to win of a position. Every capture must
// be known, but for a win in one, which cannot be bettered.
func (p *Prober) distance(v *draughts.Variant, pos draughts.Position, s *scratch) (tables.Plies, error) {
	if d, done, err := p.distanceAtOnce(v, &pos); done {
		return d, err
	}
	return p.captureDistance(v, pos, s)
}

// captureDistance is distance where there are captures.
func (p *Prober) captureDistance(v *draughts.Variant, pos draughts.Position, s *scratch) (tables.Plies, error) {
	base := len(s.moves)
	s.moves = v.Captures(pos, s.moves)
	end := len(s.moves)
	var best bestChild
	var unknown error
	for i := base; i < end && best.win != 1; i++ {
		child, err := p.distance(v, pos.Play(s.moves[i]), s)
		if err != nil {
			if unknown == nil {
				unknown = err
			}
			continue
		}
		best.add(child.Outcome(), child)
	}
	s.moves = s.moves[:base]
	if best.win != 1 && unknown != nil {
		return tables.NoPlies, unknown
	}
	_, d := best.result()
	return d, nil
}

// bestChild works out a position's outcome and distance from those of all its
// children. The zero value has seen none.
type bestChild struct {
	win   tables.Plies // 1 plus the quickest loss of the opponent, 0 if there is none
	loss  tables.Plies // 1 plus the slowest win of the opponent
	draws bool
}

func (b *bestChild) add(o tables.Outcome, d tables.Plies) {
	switch o {
	case tables.Loss:
		if b.win == 0 || d+1 < b.win {
			b.win = d + 1
		}
	case tables.Win:
		b.loss = max(b.loss, d+1)
	case tables.Draw:
		b.draws = true
	}
}

func (b *bestChild) result() (tables.Outcome, tables.Plies) {
	switch {
	case b.win != 0:
		return tables.Win, b.win
	case b.draws:
		return tables.Draw, tables.NoPlies
	default:
		return tables.Loss, b.loss
	}
}

// gameOver returns the value of positions that need no table: a game ended by a
// special rule, and a side without pieces.
func gameOver(v *draughts.Variant, pos *draughts.Position) (over bool, d tables.Plies) {
	side, whiteMen, whiteKings, blackMen, blackKings := pos.Split()
	own, other := whiteMen.Or(whiteKings), blackMen.Or(blackKings)
	if side == draughts.Black {
		own, other = other, own
	}
	switch {
	case own.IsEmpty():
		return true, 0
	case other.IsEmpty():
		if stuck(v, *pos) {
			return true, 0 // its own pieces are in the way
		}
		return true, 1
	case v.Ended(*pos):
		return true, tables.NoPlies
	}
	return false, 0
}

// stuck reports whether the side to move, which cannot capture, cannot move
// either. It has lost, and no table is needed to know it.
func stuck(v *draughts.Variant, pos draughts.Position) bool {
	return len(v.Moves(pos, nil)) == 0
}
