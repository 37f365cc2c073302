package retro

import "threekings/draughts"

// openRow implements [rowReader].
func (t *laneTable) openRow(base *draughts.Position, open draughts.Color) (rowValues, bool) {
	q, c := piecesOf(base), base.Side()
	full := countsOf(t.ix.Material())
	r := rowValues{last: draughts.Square(t.board.squares - 1)}
	if q.counts()+countKings(open) != full || open != t.lane {
		// Both colours to move are kept: if the material is symmetric, either way up
		// will do.
		q, c, open = q.turned(t.board.squares), c.Opponent(), open.Opponent()
		if q.counts()+countKings(open) != full || open != t.lane {
			return r, false
		}
		r.turned = true
	}
	page, row := t.slice(t.sliceOf(&q.men))
	row += t.frameOf(&q.kings)
	r.win, r.loss = page.win[c][row].set(), page.loss[c][row].set()
	if page.plies[c] != nil {
		r.plies = page.plies[c][row*uint64(t.stride):][:t.stride]
	}
	return r, true
}
