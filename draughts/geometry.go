package draughts

// geometry is a variant's board in the form in which the generator reads it.
type geometry struct {
	rules  *Rules
	board  *board
	manBy  [2]Directions // ManMoves and
	jumpBy [2]Directions // ManCaptures, by colour, as seen on the board

	// lines[a] has the squares v whose piece a king on a could capture if nothing
	// stood in between: in line, and with a square behind.
	lines [span]word
	// clear[a][v] has the squares that must be empty for that: those between a and
	// v, and the one behind v.
	clear [span][span]word
	// toward[a][v] is the direction from a to v where lines[a] has v.
	toward [span][span]Direction

	promotion [2]word
}

func newGeometry(r *Rules, b *board) *geometry {
	g := &geometry{rules: r, board: b}
	for c := White; c <= Black; c++ {
		g.manBy[c], g.jumpBy[c] = r.ManMoves.Of(c), r.ManCaptures.Of(c)
		g.promotion[c] = wordOf(b.promotion[c])
	}
	for a := range Square(b.squares) {
		for d := range directionCount {
			if !r.KingCaptures.Has(d) {
				continue
			}
			var between word
			for v := b.step[a][d]; v != NoSquare; v = b.step[v][d] {
				behind := b.step[v][d]
				if behind == NoSquare {
					break
				}
				g.lines[a] = g.lines[a].or(bit(v))
				g.clear[a][v] = between.or(bit(behind))
				g.toward[a][v] = d
				if !r.LongKing {
					break
				}
				between = between.or(bit(v))
			}
		}
	}
	return g
}

// sides returns the bitboards of the side to move and of its opponent.
func (g *geometry) sides(p *Position) (men, kings, enemyMen, enemyKings word) {
	own, enemy := plane(p.side, Man), plane(p.side.Opponent(), Man)
	return p.word(own), p.word(own + 1), p.word(enemy), p.word(enemy + 1)
}

func (g *geometry) moves(p *Position, dst []Move) []Move {
	n := len(dst)
	if dst = g.captures(p, dst); len(dst) > n {
		return dst
	}
	return g.quiet(p, dst)
}
