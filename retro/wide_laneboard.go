// Code generated from laneboard.go by internal/widen; DO NOT EDIT.

package retro

import (
	"threekings/draughts"
)

// laneBoard is a variant's geometry in the form in which the lanes solver reads
// it. Colours are those of a table: the first side plays as White.
type wideLaneBoard struct {
	v        *draughts.Variant
	squares  int
	all      wideWord
	oddRows  wideWord // every second row, from the second one on
	wideStep [draughts.MaxSquares][8]draughts.Square
	// rays[s][d] has the squares that a king on s reaches in direction d on an empty
	// board; only directions in which kings move.
	rays     [draughts.MaxSquares][8]wideWord
	adjacent [draughts.MaxSquares]wideWord // one king's step away
	// jumpRays is rays for directions in which kings capture, as far as a victim can
	// stand; preyFrom[s] has all squares whose piece a king on s could capture if
	// nothing else stood on the board.
	jumpRays      [draughts.MaxSquares][8]wideWord
	preyFrom      [draughts.MaxSquares]wideWord
	widePromotion [2]wideWord

	kingMoves    []draughts.Direction
	kingCaptures []draughts.Direction
	manMoves     [2][]draughts.Direction
	manCaptures  [2][]draughts.Direction
	immediate    bool
}

func newWideLaneBoard(v *draughts.Variant) *wideLaneBoard {
	b := &wideLaneBoard{v: v, squares: v.Squares(), all: wideWordOf(v.Board()), immediate: v.Removal == draughts.AtOnce}
	b.kingMoves = directions(v.KingMoves)
	b.kingCaptures = directions(v.KingCaptures)
	for c := draughts.White; c <= draughts.Black; c++ {
		b.widePromotion[c] = wideWordOf(v.PromotionRow(c))
		b.manMoves[c] = directions(v.ManMoves.Of(c))
		b.manCaptures[c] = directions(v.ManCaptures.Of(c))
	}
	for s := range draughts.Square(b.squares) {
		if row, _ := v.RowOf(s); row%2 == 1 {
			b.oddRows = b.oddRows.or(wideBit(s))
		}
		for d := range draughts.Direction(8) {
			b.wideStep[s][d] = v.Step(s, d)
		}
		for _, d := range b.kingMoves {
			for to := v.Step(s, d); to != draughts.NoSquare; to = v.Step(to, d) {
				b.rays[s][d] = b.rays[s][d].or(wideBit(to))
				if !v.LongKing {
					break
				}
			}
			if to := v.Step(s, d); to != draughts.NoSquare {
				b.adjacent[s] = b.adjacent[s].or(wideBit(to))
			}
		}
		for _, d := range b.kingCaptures {
			for to := v.Step(s, d); to != draughts.NoSquare; to = v.Step(to, d) {
				b.jumpRays[s][d] = b.jumpRays[s][d].or(wideBit(to))
				if v.Step(to, d) != draughts.NoSquare {
					b.preyFrom[s] = b.preyFrom[s].or(wideBit(to))
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
func (b *wideLaneBoard) reach(s draughts.Square, occupied wideWord) wideWord {
	var to wideWord
	for _, d := range b.kingMoves {
		ray := b.rays[s][d]
		if blockers := ray.and(occupied); !blockers.isZero() {
			first := wideNearest(blockers, d)
			ray = ray.andNot(b.rays[first][d]).andNot(wideBit(first))
		}
		to = to.or(ray)
	}
	return to
}

// nearest returns the square of w that comes first in direction d, for squares
// on one ray. Numbers grow to the right and down.
func wideNearest(w wideWord, d draughts.Direction) draughts.Square {
	if d == draughts.Up || d == draughts.UpRight || d >= draughts.Left {
		return w.last()
	}
	return w.first()
}

// slide returns the union of reach over the squares of w.
func (b *wideLaneBoard) slide(w, occupied wideWord) wideWord {
	var to wideWord
	for ; !w.isZero(); w = w.dropFirst() {
		to = to.or(b.reach(w.first(), occupied))
	}
	return to
}
