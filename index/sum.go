package index

import (
	"math/bits"

	"threekings/draughts"
	"threekings/tables"
)

// A number is a sum with a term for each piece: what the piece adds to the rank
// of its set, times how many positions a rank of that set is worth. Which terms
// there are hangs on the material, on the order, on whether the board is turned,
// and on how many men of the first side stand on its own back row. So on boards
// of one word a position gets its number without turning it, and without a branch
// that depends on where its pieces stand. The numbers are those of [Index.Slice]
// and [Index.KingRank].

// sum are the terms of a number, set by set, and within a set in the order of
// the squares as they are, turned or not.
type sum struct {
	base  uint64
	n     int
	terms [tables.MaxPieces]term
}

// term says what a piece adds: weight x C(free, k), with so many free squares
// before it.
type term struct {
	weight uint64
	row    uint16 // where the C(n, k) begin in flat
	set    uint8  // to which the piece belongs
	begins uint8  // the set, if the piece is its first, else none
}

// The sets whose ranks make a number.
const (
	backMen   = iota // of the first side, on its own back row
	middleMen        // the others
	secondMen
	firstKings
	secondKings
	none
)

// flat has the rows of choose one behind the other.
var flat = func() (f [len(choose) * len(choose[0])]uint64) {
	for k := range choose {
		copy(f[k*len(choose[k]):], choose[k][:])
	}
	return f
}()

// facing is what numbers on a board of one word take that is turned, or not.
type facing struct {
	home, middle uint64   // the first side's own back row; all rows but the first and the last
	sums         [2][]sum // by order, and how many men stand at home
}

// newFacings makes the sums of an index that is complete but for them.
func (ix *Index) newFacings() {
	home, _ := ix.home.Words()
	goal, _ := ix.v.PromotionRow(draughts.White).Words()
	ix.board, _ = ix.v.Board().Words()
	for turned := range ix.facings {
		f := &ix.facings[turned]
		f.home, f.middle = home, ix.board&^home&^goal
		if turned == 1 {
			f.home = goal
		}
		for o := range f.sums {
			for atHome := range ix.men[tables.First] + 1 {
				f.sums[o] = append(f.sums[o], ix.newSum(tables.Order(o), turned == 1, atHome))
			}
		}
	}
}

func (ix *Index) newSum(o tables.Order, turned bool, atHome int) sum {
	s := sum{base: ix.backed[atHome] * ix.sliceSize}
	add := func(set uint8, pieces int, weight uint64) {
		for i := range pieces {
			k, begins := i+1, set
			if turned {
				k = pieces - i
			}
			if i > 0 {
				begins = none
			}
			s.terms[s.n] = term{weight, uint16(k * len(choose[0])), set, begins}
			s.n++
		}
	}
	first, second := ix.second, uint64(1)
	if o == tables.FirstKings {
		first, second = 1, ix.first
	}
	add(backMen, atHome, ix.middle[atHome]*ix.others[atHome]*ix.sliceSize)
	add(middleMen, ix.men[tables.First]-atHome, ix.others[atHome]*ix.sliceSize)
	add(secondMen, ix.men[tables.Second], ix.sliceSize)
	add(firstKings, ix.kings[tables.First], first)
	add(secondKings, ix.kings[tables.Second], second)
	return s
}

// NumberIn is the number of [Index.RankIn] where it is known already which side
// of the table is to move: [tables.Material.Table] tells it.
func (ix *Index) NumberIn(o tables.Order, side tables.Side, p *draughts.Position) uint64 {
	turned := side ^ tables.Side(p.Side()) // then White plays the second side
	if ix.squares > 64 {
		return ix.ranks(o, turned, p)
	}
	_, whiteMen, whiteKings, blackMen, blackKings := p.Split()
	men, _ := whiteMen.Words()
	kings, _ := whiteKings.Words()
	others, _ := blackMen.Words()
	otherKings, _ := blackKings.Words()
	flip := -uint64(turned & 1) // all bits if the board is turned
	swapMen, swapKings := (men^others)&flip, (kings^otherKings)&flip
	men, others = men^swapMen, others^swapMen
	kings, otherKings = kings^swapKings, otherKings^swapKings

	f := &ix.facings[turned&1]
	back, middle := men&f.home, men&^f.home
	free := ix.board &^ (men | others)
	late := -uint64(o & 1)     // all bits if the first side's kings come after the second's
	var pieces, room [8]uint64 // of each set, and all squares where they could stand
	pieces[backMen], room[backMen] = back, f.home
	pieces[middleMen], room[middleMen] = middle, f.middle
	pieces[secondMen], room[secondMen] = others, ix.board&^middle
	pieces[firstKings], room[firstKings] = kings, free&^(otherKings&late)
	pieces[secondKings], room[secondKings] = otherKings, free&^(kings&^late)
	s := &f.sums[o&1][bits.OnesCount64(back)]
	n, left := s.base, uint64(0)
	for i := range s.terms[:s.n] {
		t := &s.terms[i]
		left |= pieces[t.begins&7] // of the set before nothing is left
		rest := left & (left - 1)
		// Seen from the other end of the board the squares before a piece are those
		// from it on, without itself.
		before := room[t.set&7] & (((left ^ rest) - 1) ^ flip)
		left = rest
		n += t.weight * flat[uint64(t.row)+uint64(bits.OnesCount64(before))+flip]
	}
	return n
}
