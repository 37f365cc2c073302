// Code generated from quiet.go by internal/widen; DO NOT EDIT.

package draughts

// quiet appends the moves that capture nothing. The caller has made sure that
// there is no capture.
func (g *wideGeometry) quiet(p *Position, dst []Move) []Move {
	men, kings, enemyMen, enemyKings := g.sides(p)
	occupied := men.or(kings).or(enemyMen).or(enemyKings)
	b := g.board
	for ; !men.isZero(); men = men.dropFirst() {
		from := men.first()
		for d := range directionCount {
			if !g.manBy[p.side].Has(d) {
				continue
			}
			if to := b.step[from][d]; to != NoSquare && !occupied.has(to) {
				dst = append(dst, Move{From: from, To: to, Promotes: g.promotion[p.side].has(to)})
			}
		}
	}
	for ; !kings.isZero(); kings = kings.dropFirst() {
		from := kings.first()
		for d := range directionCount {
			if !g.rules.KingMoves.Has(d) {
				continue
			}
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
