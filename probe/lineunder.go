package probe

import (
	"context"
	"errors"

	"threekings/draughts"
	"threekings/tables"
)

// way is how sides choose among the moves that keep the verdict.
type way uint8

// The ways, in the order in which they are tried.
const (
	byWin    way = iota // the shortest and the longest distance to win
	byReset             // the winner takes the shortest distance to reset
	byWayOut            // the shortest and the longest way out of the material
)

// spot is a position on the way, at the count that its result names.
type spot struct {
	pos    draughts.Position
	result Result
}

// lineUnder is Line under draw rules. It is played leg by leg: a leg lasts as
// long as the material.
//
// The shortest way may be barred, by a limit that it cannot keep, just where it
// would arrive. Then the move that looks shortest can lead round in a circle, and
// the distance to reset shows the way: it falls with every ply until the count
// restarts. Only if men step sideways, so that one reset can lead back to another,
// the way out must be searched for.
func (p *Prober) lineUnder(ctx context.Context, v *draughts.Variant, pos draughts.Position, opts LineOptions, ways ...way) (Line, error) {
	r, err := p.ProbeUnder(v, pos, opts.Rules)
	if err != nil {
		return Line{}, err
	}
	l := Line{Outcome: r.Outcome, DTW: r.DTW, Ruling: r.Ruling, Rules: opts.Rules}
	for at := (&spot{pos, r}); at != nil; {
		from := len(l.Moves)
		var next *spot
		for _, how := range ways {
			l.Moves = l.Moves[:from]
			next, l.End, l.Err = p.legUnder(ctx, v, &l, *at, how)
			if !errors.Is(l.Err, errNoProgress) {
				break
			}
		}
		at = next
	}
	if err := ctx.Err(); err != nil {
		return Line{}, err
	}
	if opts.MaxPlies > 0 && len(l.Moves) > opts.MaxPlies {
		l.Moves, l.End, l.Err = l.Moves[:opts.MaxPlies], LineCut, nil
	}
	return l, nil
}

// legUnder plays on until the material changes, and returns where the next leg
// begins, or why the line ends. It does not go on to a position that it has been
// to at the same or a lower count, with [errNoProgress]: from there the winner has
// come nowhere.
func (p *Prober) legUnder(ctx context.Context, v *draughts.Variant, l *Line, at spot, how way) (*spot, LineEnd, error) {
	var out *wayOut
	seen := map[draughts.Position]int{}
	for {
		if err := ctx.Err(); err != nil {
			return nil, LineUnknown, err
		}
		r, verdict := at.result, at.result.Ruling.Verdict
		switch {
		case verdict == NoVerdict:
			return nil, LineUnknown, r.Ruling.Err
		case v.Ended(at.pos), len(r.Moves) == 0:
			return nil, LineOver, nil
		case verdict.Outcome() == tables.Draw:
			return nil, LineDrawn, nil
		}
		if count, ok := seen[at.pos]; ok && count <= r.Rules.Count {
			return nil, LineUnknown, errNoProgress
		}
		seen[at.pos] = r.Rules.Count
		if how == byWayOut && out == nil {
			var err error
			if out, err = p.findWayOut(ctx, v, at.pos, r.Rules, verdict == VerdictWin, maxWayOut); err != nil {
				return nil, LineUnknown, err
			}
		}
		best := chooseUnder(r, how, out)
		if best.Ruling.Verdict != verdict {
			return nil, LineUnknown, whyUnknown(r)
		}
		l.Moves = append(l.Moves, best)
		next, err := p.ProbeUnder(v, best.Position, Rules{r.Rules.Profile, best.Ruling.Count})
		if err != nil {
			return nil, LineUnknown, err
		}
		if at = (spot{best.Position, next}); leaves(best.Move) {
			return &at, LineOver, nil
		}
	}
}

// chooseUnder returns the best of the moves of a position that is decided under
// the rules. Moves come with the best verdict first, and among those by DTW.
// Where that is not stored the distance to reset decides.
func chooseUnder(r Result, how way, out *wayOut) MoveValue {
	best := r.Moves[0]
	win := r.Ruling.Verdict == VerdictWin
	plies := func(m MoveValue) int { return int(m.Ruling.DTR) }
	switch {
	case how == byWayOut:
		plies = out.plies
	case best.DTW != tables.NoPlies && (how == byWin || !win):
		return best
	}
	for _, m := range r.Moves[1:] {
		if m.Ruling.Verdict != best.Ruling.Verdict {
			break
		}
		if win && plies(m) < plies(best) || !win && plies(m) > plies(best) {
			best = m
		}
	}
	return best
}

// whyUnknown returns the first reason why a move has no verdict.
func whyUnknown(r Result) error {
	for _, m := range r.Moves {
		if m.Err != nil {
			return m.Err
		}
		if m.Ruling.Err != nil {
			return m.Ruling.Err
		}
	}
	return errNoProgress
}
