// Code generated from geometry.go by internal/widen; DO NOT EDIT.

package draughts

// geometry is a variant's board in the form in which the generator reads it.
type wideGeometry struct {
	rules  *Rules
	board  *board
	manBy  [2]Directions // ManMoves and
	jumpBy [2]Directions // ManCaptures, by colour, as seen on the board

	// lines[a] has the squares v whose piece a king on a could capture if nothing
	// stood in between: in line, and with a square behind.
	lines [wideSpan]wideWord
	// clear[a][v] has the squares that must be empty for that: those between a and
	// v, and the one behind v.
	clear [wideSpan][wideSpan]wideWord
	// toward[a][v] is the direction from a to v where lines[a] has v.
	toward [wideSpan][wideSpan]Direction

	promotion [2]wideWord
}

func newWideGeometry(r *Rules, b *board) *wideGeometry {
	g := &wideGeometry{rules: r, board: b}
	for c := White; c <= Black; c++ {
		g.manBy[c], g.jumpBy[c] = r.ManMoves.Of(c), r.ManCaptures.Of(c)
		g.promotion[c] = wideWordOf(b.promotion[c])
	}
	for a := range Square(b.squares) {
		for d := range directionCount {
			if !r.KingCaptures.Has(d) {
				continue
			}
			var between wideWord
			for v := b.step[a][d]; v != NoSquare; v = b.step[v][d] {
				behind := b.step[v][d]
				if behind == NoSquare {
					break
				}
				g.lines[a] = g.lines[a].or(wideBit(v))
				g.clear[a][v] = between.or(wideBit(behind))
				g.toward[a][v] = d
				if !r.LongKing {
					break
				}
				between = between.or(wideBit(v))
			}
		}
	}
	return g
}

// sides returns the bitboards of the side to move and of its opponent.
func (g *wideGeometry) sides(p *Position) (men, kings, enemyMen, enemyKings wideWord) {
	own, enemy := plane(p.side, Man), plane(p.side.Opponent(), Man)
	return p.wideWord(own), p.wideWord(own + 1), p.wideWord(enemy), p.wideWord(enemy + 1)
}

func (g *wideGeometry) moves(p *Position, dst []Move) []Move {
	n := len(dst)
	if dst = g.captures(p, dst); len(dst) > n {
		return dst
	}
	return g.quiet(p, dst)
}
