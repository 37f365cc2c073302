package draughts

// quiet appends the moves that capture nothing. The caller has made sure that
// there is no capture.
func (g *geometry) quiet(p *Position, dst []Move) []Move {
	men, kings, enemyMen, enemyKings := g.sides(p)
	occupied := men.or(kings).or(enemyMen).or(enemyKings)
	b := g.board
	if !men.isZero() {
		empty := g.all.andNot(occupied)
		for ds := g.manBy[p.side]; ds != 0; ds = ds.dropFirst() {
			d := ds.first()
			for targets := g.step(men, d).and(empty); !targets.isZero(); targets = targets.dropFirst() {
				to := targets.first()
				dst = append(dst, Move{
					From: b.step[to][d.Opposite()], To: to,
					Promotes: g.promotion[p.side].has(to),
				})
			}
		}
	}
	for ; !kings.isZero(); kings = kings.dropFirst() {
		from := kings.first()
		for ds := g.rules.KingMoves; ds != 0; ds = ds.dropFirst() {
			d := ds.first()
			for to := b.step[from][d]; to != NoSquare && !occupied.has(to); to = b.step[to][d] {
				dst = append(dst, Move{From: from, To: to})
				if !g.rules.LongKing {
					break
				}
			}
		}
	}
	return dst
}

// countQuiet returns how many moves quiet appends.
func (g *geometry) countQuiet(p *Position) int {
	men, kings, enemyMen, enemyKings := g.sides(p)
	occupied := men.or(kings).or(enemyMen).or(enemyKings)
	empty := g.all.andNot(occupied)
	n := 0
	for ds := g.manBy[p.side]; ds != 0; ds = ds.dropFirst() {
		n += g.step(men, ds.first()).and(empty).len()
	}
	if kings.isZero() {
		return n
	}
	for ds := g.rules.KingMoves; ds != 0; ds = ds.dropFirst() {
		d := ds.first()
		for at := g.step(kings, d).and(empty); !at.isZero(); at = g.step(at, d).and(empty) {
			n += at.len()
			if !g.rules.LongKing {
				break
			}
		}
	}
	return n
}
