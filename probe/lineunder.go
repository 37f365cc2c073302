package probe

import (
	"context"

	"threekings/draughts"
	"threekings/tables"
)

// lineUnder is Line under draw rules.
//
// The shortest way may be barred, by a class whose limit it cannot keep, just
// where it would arrive. Then the move that looks shortest can lead round in a
// circle, and the distance to reset shows the way: it falls with every ply until
// the count restarts.
func (p *Prober) lineUnder(ctx context.Context, v *draughts.Variant, pos draughts.Position, opts LineOptions) (Line, error) {
	l, circles, err := p.walkUnder(ctx, v, pos, opts, byWin)
	if err != nil || !circles {
		return l, err
	}
	if l, circles, err = p.walkUnder(ctx, v, pos, opts, byReset); circles {
		l.End, l.Err = LineUnknown, errNoProgress
	}
	return l, err
}

// way is how the winner chooses.
type way uint8

const (
	byWin   way = iota // the smallest distance to win
	byReset            // the smallest distance to reset
)

// walkUnder plays the line. circles: it ends with a position that it has seen
// before.
func (p *Prober) walkUnder(ctx context.Context, v *draughts.Variant, pos draughts.Position, opts LineOptions, how way) (l Line, circles bool, err error) {
	rules := opts.Rules
	r, err := p.ProbeUnder(v, pos, rules)
	if err != nil {
		return Line{}, false, err
	}
	l = Line{Outcome: r.Outcome, DTW: r.DTW, Ruling: r.Ruling, Rules: opts.Rules}
	seen := map[draughts.Position]bool{pos: true}
	for {
		if err := ctx.Err(); err != nil {
			return Line{}, false, err
		}
		verdict := r.Ruling.Verdict
		switch {
		case verdict == NoVerdict:
			l.End, l.Err = LineUnknown, r.Ruling.Err
			return l, false, nil
		case v.Ended(pos), len(r.Moves) == 0:
			l.End = LineOver
			return l, false, nil
		case verdict.Outcome() == tables.Draw:
			l.End = LineDrawn
			return l, false, nil
		}
		best := chooseUnder(r, how)
		if best.Ruling.Verdict != verdict {
			l.End, l.Err = LineUnknown, whyUnknown(r)
			return l, false, nil
		}
		if opts.MaxPlies > 0 && len(l.Moves) == opts.MaxPlies {
			l.End = LineCut
			return l, false, nil
		}
		l.Moves = append(l.Moves, best)
		pos, rules.Count = best.Position, best.Ruling.Count
		if seen[pos] {
			return l, true, nil
		}
		seen[pos] = true
		if r, err = p.ProbeUnder(v, pos, rules); err != nil {
			l.End, l.Err = LineUnknown, err
			return l, false, nil //nolint:nilerr // the line says why it ends
		}
	}
}

// chooseUnder returns the best of the moves of a position that is decided under
// the rules. Moves come with the best verdict first, and among those by DTW.
// Where that is not stored the distance to reset decides.
func chooseUnder(r Result, how way) MoveValue {
	best := r.Moves[0]
	win := r.Ruling.Verdict == VerdictWin
	if best.DTW != tables.NoPlies && (how == byWin || !win) {
		return best
	}
	for _, m := range r.Moves[1:] {
		if m.Ruling.Verdict != best.Ruling.Verdict {
			break
		}
		if win && m.Ruling.DTR < best.Ruling.DTR || !win && m.Ruling.DTR > best.Ruling.DTR {
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
