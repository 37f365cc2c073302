package retro

import (
	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// score is a value in the form in which the parent of a position takes the
// maximum of its children: 0 is no value, then come won positions (the slower
// the better for the parent), drawn ones, and lost ones (the quicker the
// better).
type score uint16

const (
	noScore   score = 0
	drawScore score = 0x8000
)

// scoreOf returns noScore for distances so large that they would pass for
// others: no game lasts that long, so they are wrong wherever they stand.
func scoreOf(value tables.Plies) score {
	switch {
	case value == tables.NoPlies:
		return drawScore
	case value >= tables.Plies(drawScore):
		return noScore
	case value%2 == 1:
		return score(value)
	default:
		return 0xFFFF - score(value)
	}
}

// parent returns the value of a position whose best child has the score.
func (s score) parent() tables.Plies {
	switch {
	case s == noScore:
		return 0 // no move
	case s == drawScore:
		return tables.NoPlies
	case s < drawScore:
		return tables.Plies(s) + 1
	default:
		return tables.Plies(0xFFFF-s) + 1
	}
}

// sheet is one slice spread out by square, so that a proof can read the children
// of many positions one after the other: a row has the scores of the positions
// that differ only in where one king stands, the open king. That is a king of
// the second side if it has any, else of the first; with several of them a
// position occurs once for each.
type sheet struct {
	ix      *index.Index
	squares int
	men     draughts.Position
	free    []draughts.Square // without men, ascending
	place   [draughts.MaxSquares]int

	open   draughts.Color
	others [2]int // kings of each colour that are not the open one
	second int    // placements of Black's others
	rows   int
	scores [2][]score // by colour to move: row*squares + square
}

func newSheet(ix *index.Index) *sheet {
	m := ix.Material()
	s := &sheet{ix: ix, squares: ix.Variant().Squares(), open: draughts.Black}
	s.others = [2]int{m.Count(tables.First, draughts.King), m.Count(tables.Second, draughts.King)}
	if s.others[draughts.Black] == 0 {
		s.open = draughts.White
	}
	s.others[s.open]--
	n := s.squares - m.Men()
	s.second = int(binomials[n][s.others[draughts.Black]])
	s.rows = int(binomials[n][s.others[draughts.White]]) * s.second
	for c := range s.scores {
		s.scores[c] = make([]score, s.rows*s.squares)
	}
	return s
}

// read spreads out a slice of own.
func (s *sheet) read(own *flat, slice uint64) {
	s.men = s.ix.Men(slice)
	s.free = s.free[:0]
	men := s.men.Occupied()
	for sq := range draughts.Square(s.squares) {
		if !men.Has(sq) {
			s.place[sq] = len(s.free)
			s.free = append(s.free, sq)
		}
	}
	start := slice * s.ix.SliceSize()
	symmetric := s.ix.Material().Symmetric()
	for c := range s.scores {
		clear(s.scores[c])
		if symmetric && c == int(draughts.Black) {
			s.eachPlacement(func(n uint64, kings [2][]int) {
				side, at := s.ix.Rank(s.position(kings).WithSide(draughts.Black))
				s.write(c, kings, scoreOf(own.plies[side][at]))
			})
		} else if values := own.plies[c][start:]; s.lone() {
			s.writeRows(c, values)
		} else {
			s.eachPlacement(func(n uint64, kings [2][]int) {
				s.write(c, kings, scoreOf(values[n]))
			})
		}
	}
}

// lone reports whether Black has one king only. Then a row is a run of the index.
func (s *sheet) lone() bool {
	return s.open == draughts.Black && s.others[draughts.Black] == 0
}

// writeRows sets all scores where Black has one king only.
func (s *sheet) writeRows(c int, values []tables.Plies) {
	first := subset(s.others[draughts.White])
	n := 0
	for row, more := 0, true; more; row, more = row+1, first.next(len(s.free)) {
		scores := s.scores[c][row*s.squares:][:s.squares]
		k := 0
		for i, sq := range s.free {
			if k < len(first) && first[k] == i {
				k++
				continue
			}
			scores[sq] = scoreOf(values[n])
			n++
		}
	}
}

// eachPlacement calls do for every placement of the kings in index order. Kings
// are given as numbers of free squares.
func (s *sheet) eachPlacement(do func(n uint64, kings [2][]int)) {
	m := s.ix.Material()
	first := subset(m.Count(tables.First, draughts.King))
	n := uint64(0)
	left := make([]int, 0, len(s.free)) // free squares without the first side's kings
	for more := true; more; more = first.next(len(s.free)) {
		left = left[:0]
		k := 0
		for i := range s.free {
			if k < len(first) && first[k] == i {
				k++
			} else {
				left = append(left, i)
			}
		}
		second := subset(m.Count(tables.Second, draughts.King))
		kings := make([]int, len(second))
		for more := true; more; more = second.next(len(left)) {
			for i, at := range second {
				kings[i] = left[at]
			}
			do(n, [2][]int{first, kings})
			n++
		}
	}
}

// members are the members of a set of numbers, ascending.
type members []int

// subset returns the first set of k numbers in the order of the index.
func subset(k int) members {
	c := make(members, k)
	for i := range c {
		c[i] = i
	}
	return c
}

// next makes c the next set of numbers below n and reports whether there is
// one: the smallest member that can grow does, and those below start again.
func (c members) next(n int) bool {
	for i := range c {
		if i+1 < len(c) && c[i]+1 == c[i+1] {
			c[i] = i
			continue
		}
		c[i]++
		return c[i] < n
	}
	return false
}

// rank returns the number of the set in this order.
func (c members) rank(without int) int {
	r, k := uint64(0), 1
	for i, m := range c {
		if i != without {
			r += binomials[m][k]
			k++
		}
	}
	return int(r)
}

// write sets the score of a position in every row in which it occurs.
func (s *sheet) write(c int, kings [2][]int, v score) {
	other := members(kings[s.open.Opponent()]).rank(-1)
	for i, at := range kings[s.open] {
		row := members(kings[s.open]).rank(i)
		if s.open == draughts.Black {
			row += other * s.second
		} else {
			row = row*s.second + other
		}
		s.scores[c][row*s.squares+int(s.free[at])] = v
	}
}

// position returns the position with the given kings and White to move.
func (s *sheet) position(kings [2][]int) draughts.Position {
	p := s.men
	for c, list := range kings {
		for _, at := range list {
			p.Put(draughts.Color(c), draughts.King, s.free[at])
		}
	}
	return p
}
