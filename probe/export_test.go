package probe

import (
	"context"
	"errors"

	"threekings/draughts"
)

// Way is a way in which sides choose.
type Way = way

// The ways in which lines under draw rules are played.
const (
	ByWin    = byWin
	ByReset  = byReset
	ByWayOut = byWayOut
)

// LineBy is [Prober.Line] under draw rules, played in some of the ways. circles: a
// position came again at no lower count.
func (p *Prober) LineBy(ctx context.Context, v *draughts.Variant, pos draughts.Position, rules Rules, ways ...way) (l Line, circles bool, err error) {
	l, err = p.lineUnder(ctx, v, pos, LineOptions{Rules: rules}, ways...)
	return l, errors.Is(l.Err, errNoProgress), err
}

// FindWayOut searches for the way out among a number of positions.
func (p *Prober) FindWayOut(ctx context.Context, v *draughts.Variant, pos draughts.Position, rules Rules, wins bool, most int) error {
	_, err := p.findWayOut(ctx, v, pos, rules, wins, most)
	return err
}
