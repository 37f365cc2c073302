package retro

import (
	"threekings/draughts"
)

// laneBoard is a variant's geometry in the form in which the lanes solver reads
// it. Colours are those of a table: the first side plays as White.
type laneBoard struct {
	v       *draughts.Variant
	squares int
	all     word
	oddRows word // every second row, from the second one on
	step    [draughts.MaxSquares][8]draughts.Square
	// rays[s][d] has the squares that a king on s reaches in direction d on an empty
	// board; only directions in which kings move.
	rays     [draughts.MaxSquares][8]word
	adjacent [draughts.MaxSquares]word // one king's step away
	// jumpRays is rays for directions in which kings capture, as far as a victim can
	// stand; preyFrom[s] has all squares whose piece a king on s could capture if
	// nothing else stood on the board.
	jumpRays  [draughts.MaxSquares][8]word
	preyFrom  [draughts.MaxSquares]word
	promotion [2]word

	kingMoves    []draughts.Direction
	kingCaptures []draughts.Direction
	manMoves     [2][]draughts.Direction
	manCaptures  [2][]draughts.Direction
	immediate    bool
}

func newLaneBoard(v *draughts.Variant) *laneBoard {
	b := &laneBoard{v: v, squares: v.Squares(), all: wordOf(v.Board()), immediate: v.Removal == draughts.AtOnce}
	b.kingMoves = directions(v.KingMoves)
	b.kingCaptures = directions(v.KingCaptures)
	for c := draughts.White; c <= draughts.Black; c++ {
		b.promotion[c] = wordOf(v.PromotionRow(c))
		b.manMoves[c] = directions(v.ManMoves.Of(c))
		b.manCaptures[c] = directions(v.ManCaptures.Of(c))
	}
	for s := range draughts.Square(b.squares) {
		if row, _ := v.RowOf(s); row%2 == 1 {
			b.oddRows = b.oddRows.or(bit(s))
		}
		for d := range draughts.Direction(8) {
			b.step[s][d] = v.Step(s, d)
		}
		for _, d := range b.kingMoves {
			for to := v.Step(s, d); to != draughts.NoSquare; to = v.Step(to, d) {
				b.rays[s][d] = b.rays[s][d].or(bit(to))
				if !v.LongKing {
					break
				}
			}
			if to := v.Step(s, d); to != draughts.NoSquare {
				b.adjacent[s] = b.adjacent[s].or(bit(to))
			}
		}
		for _, d := range b.kingCaptures {
			for to := v.Step(s, d); to != draughts.NoSquare; to = v.Step(to, d) {
				b.jumpRays[s][d] = b.jumpRays[s][d].or(bit(to))
				if v.Step(to, d) != draughts.NoSquare {
					b.preyFrom[s] = b.preyFrom[s].or(bit(to))
				}
				if !v.LongKing {
					break
				}
			}
		}
	}
	return b
}

// reach returns the squares to which a king on s can move quietly.
func (b *laneBoard) reach(s draughts.Square, occupied word) word {
	var to word
	for _, d := range b.kingMoves {
		ray := b.rays[s][d]
		if blockers := ray.and(occupied); !blockers.isZero() {
			first := nearest(blockers, d)
			ray = ray.andNot(b.rays[first][d]).andNot(bit(first))
		}
		to = to.or(ray)
	}
	return to
}

// nearest returns the square of w that comes first in direction d, for squares
// on one ray. Numbers grow to the right and down.
func nearest(w word, d draughts.Direction) draughts.Square {
	if d == draughts.Up || d == draughts.UpRight || d >= draughts.Left {
		return w.last()
	}
	return w.first()
}

// slide returns the union of reach over the squares of w.
func (b *laneBoard) slide(w, occupied word) word {
	var to word
	for ; !w.isZero(); w = w.dropFirst() {
		to = to.or(b.reach(w.first(), occupied))
	}
	return to
}
