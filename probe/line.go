package probe

import (
	"context"
	"errors"

	"threekings/draughts"
	"threekings/tables"
)

// LineEnd says why a line goes no further.
type LineEnd uint8

// The ways in which a line ends.
const (
	// LineOver: the last position is the end of the game.
	LineOver LineEnd = iota
	// LineDrawn: with best play nobody wins, or nobody within the draw rules, so
	// that no line is better than another. Such a line has no plies.
	LineDrawn
	// LineCut: [LineOptions.MaxPlies] has been reached.
	LineCut
	// LineUnknown: what is needed to go on is not in the tables, or the search for
	// the way out of the material has given up. [Line.Err] says so.
	LineUnknown
)

// String returns the name that outputs use: "game_over", "draw", "cut" or
// "unknown".
func (e LineEnd) String() string {
	switch e {
	case LineOver:
		return "game_over"
	case LineDrawn:
		return "draw"
	case LineCut:
		return "cut"
	default:
		return "unknown"
	}
}

// LineOptions are what can be chosen for a line. The zero value plays to the
// end of the game.
type LineOptions struct {
	// MaxPlies is the largest number of plies; 0 is no limit. A line is never
	// longer than its distance to win if there are no draw rules. A line that is cut
	// is the beginning of the whole one.
	MaxPlies int
	// Rules are the draw rules to be kept to, none if their profile is nil.
	Rules Rules
}

// Line is best play from a position: the winner takes the shortest way, the
// loser the longest. Of moves of one worth the first in the order of
// [draughts.Variant.Moves] is taken, so that a position always has the same
// line.
//
// Under draw rules these are the shortest and the longest way, by DTW, among the
// moves that keep the verdict at the count at which they are made. Where that
// would bring a position back at the same or a higher count, the winner goes the
// quickest way to the next reset instead, as long as the material lasts, and where
// that would too, the shortest way out of the material, while the loser goes the
// longest. So a position comes again only at a lower count, after a reset.
type Line struct {
	// Outcome and DTW are those of the position, as in [Result].
	Outcome tables.Outcome
	DTW     tables.Plies
	// Ruling is what the position is worth under draw rules, nil without them, and
	// Rules are those that the line keeps to.
	Ruling *Ruling
	Rules  Rules
	// Moves are the plies in turn, each judged for the side that makes it: DTW
	// counts the move itself. Without draw rules it falls by one with every ply. Err
	// is never set.
	Moves []MoveValue
	End   LineEnd
	// Err says why the line is [LineUnknown].
	Err error
}

// errNoProgress means that the tables contradict each other.
var errNoProgress = errors.New("no move has the distance of its position")

// Line returns best play from a position. The error is that of [Prober.Probe], or
// of [Prober.ProbeUnder], for the position itself, or that of ctx; where only
// later positions are unknown, or the verdict, the line ends there.
func (p *Prober) Line(ctx context.Context, v *draughts.Variant, pos draughts.Position, opts LineOptions) (Line, error) {
	if opts.Rules.Profile != nil {
		return p.lineUnder(ctx, v, pos, opts, byWin, byReset, byWayOut)
	}
	r, err := p.Probe(v, pos)
	if err != nil {
		return Line{}, err
	}
	l := Line{Outcome: r.Outcome, DTW: r.DTW}
	if r.Outcome == tables.Draw {
		l.End = LineDrawn
		if v.Ended(pos) {
			l.End = LineOver
		}
		return l, nil
	}
	for {
		if err := ctx.Err(); err != nil {
			return Line{}, err
		}
		if len(r.Moves) == 0 {
			l.End = LineOver
			return l, nil
		}
		best := r.Moves[0]
		if best.Err != nil || best.DTW != r.DTW || r.DTW == tables.NoPlies {
			l.End, l.Err = LineUnknown, p.noBestMove(v, pos, r)
			return l, nil //nolint:nilerr // the line says why it ends
		}
		if opts.MaxPlies > 0 && len(l.Moves) == opts.MaxPlies {
			l.End = LineCut
			return l, nil
		}
		l.Moves = append(l.Moves, best)
		pos = best.Position
		if r, err = p.Probe(v, pos); err != nil {
			l.End, l.Err = LineUnknown, err
			return l, nil //nolint:nilerr // the line says why it ends
		}
	}
}

// noBestMove says why none of the moves of a decided position is known to be
// the best. Where distances are not stored, a move that keeps the outcome may
// lead in a circle: outcomes alone make no progress.
func (p *Prober) noBestMove(v *draughts.Variant, pos draughts.Position, r Result) error {
	if _, err := p.Distance(v, pos); err != nil {
		return err
	}
	for _, m := range r.Moves {
		if m.Err != nil {
			return m.Err
		}
		if _, err := p.Distance(v, m.Position); err != nil {
			return err
		}
	}
	return errNoProgress
}
