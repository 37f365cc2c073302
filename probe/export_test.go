package probe

import (
	"context"

	"threekings/draughts"
)

// LineByReset is [Prober.Line] under draw rules with the winner always going the
// quickest way to the next reset. circles: a position came again.
func (p *Prober) LineByReset(ctx context.Context, v *draughts.Variant, pos draughts.Position, rules Rules) (l Line, circles bool, err error) {
	return p.walkUnder(ctx, v, pos, LineOptions{Rules: rules}, byReset)
}
