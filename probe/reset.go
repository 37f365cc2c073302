package probe

import (
	"threekings/draughts"
	"threekings/tables"
)

// valueUnder returns the value of a position under a profile: of its distance to
// reset, as [tables.Metric.Value] has it. Without a profile it is the distance to
// win.
func (p *Prober) valueUnder(v *draughts.Variant, pos draughts.Position, profile *draughts.Profile, s *scratch) (tables.Plies, error) {
	if profile == nil {
		return p.distance(v, pos, s)
	}
	if over, d := gameOver(v, &pos); over {
		return d, nil // in 0 or 1 plies a distance is its own value
	}
	base := len(s.moves)
	s.moves = v.Captures(pos, s.moves)
	end := len(s.moves)
	if base == end {
		number, _ := tables.NumberOf(&pos)
		return p.quietValue(v, &pos, profile, number)
	}
	var best bestChild
	var unknown error
	for i := base; i < end && best.win != 1; i++ {
		m := s.moves[i]
		child := pos.Play(m)
		value, err := p.valueUnder(v, child, profile, s)
		if err != nil {
			if unknown == nil {
				unknown = err
			}
			continue
		}
		best.add(reached(profile, pos, m, child, value))
	}
	s.moves = s.moves[:base]
	if best.win != 1 && unknown != nil {
		return tables.NoPlies, unknown
	}
	return anyDTR.Value(best.result()), nil
}

// reached returns what the child by a move counts, whose value is known: the
// outcome for its side to move, and the plies from it to the next reset. A move
// that restarts the count is itself the reset, and what it leads to counts as it
// is fresh.
func reached(profile *draughts.Profile, pos draughts.Position, m draughts.Move, child draughts.Position, value tables.Plies) (tables.Outcome, tables.Plies) {
	o, d := value.Outcome(), resetPlies(value)
	if o == tables.Draw || child.SideSet(child.Side()).IsEmpty() || !profile.MoveRestarts(pos, m) {
		return o, d
	}
	if limit, ok := profile.Limit(child, 0); ok && int(d) > limit {
		return tables.Draw, tables.NoPlies
	}
	return o, 0
}

// anyDTR has the values of distances to reset, under whatever profile.
var anyDTR = tables.DTR("none")

// resetPlies returns the distance to reset that a value stands for.
func resetPlies(value tables.Plies) tables.Plies { return anyDTR.Distance(value) }
