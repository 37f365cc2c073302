package retro

import (
	"math/bits"

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
	rating rating     // of own values
	scores [2][]score // by colour to move: row*squares + square
}

func newSheet(ix *index.Index, rating rating) *sheet {
	m := ix.Material()
	s := &sheet{ix: ix, squares: ix.Variant().Squares(), open: draughts.Black, rating: rating}
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
	for c := range s.scores {
		clear(s.scores[c])
	}
	start := slice * s.ix.SliceSize()
	var turned twin
	if s.ix.Material().Symmetric() {
		turned = s.twin(own, &s.men)
	}
	s.eachRow(func(row int, base draughts.Position) bool {
		number := s.numbering(base)
		occupied := base.Occupied()
		for c := range s.scores {
			scores := s.scores[c][row*s.squares:][:s.squares]
			if c == int(draughts.Black) && s.ix.Material().Symmetric() {
				turned.place(&base)
				for _, sq := range s.free {
					if !occupied.Has(sq) {
						scores[sq] = s.rating.score(turned.at(sq))
					}
				}
				continue
			}
			values := own.plies[c][start:]
			for _, sq := range s.free {
				if !occupied.Has(sq) {
					scores[sq] = s.rating.score(values[number.at(sq)])
				}
			}
		}
		return true
	})
}

// twin reads the values of positions of a symmetric table with Black to move and
// given men: what is stored is the same position turned, with White to move.
type twin struct {
	s      *sheet
	men    draughts.Set // turned
	values []tables.Plies
	// The kings, turned: White's, to which the open one belongs, and Black's.
	white, black draughts.Set
}

func (s *sheet) twin(own *flat, men *draughts.Position) twin {
	v := s.ix.Variant()
	_, white, _, black, _ := men.Split()
	white, black = v.Turn(black), v.Turn(white)
	return twin{s: s, men: white.Or(black), values: own.plies[draughts.White][s.ix.Slice(white, black)*s.ix.SliceSize():]}
}

// place sets the kings but for the open one, which is Black's where both sides
// have the same pieces.
func (t *twin) place(base *draughts.Position) {
	v := t.s.ix.Variant()
	t.white = v.Turn(base.Pieces(draughts.Black, draughts.King))
	t.black = v.Turn(base.Pieces(draughts.White, draughts.King))
}

// at returns the value with the open king on a square.
func (t *twin) at(sq draughts.Square) tables.Plies {
	turned := draughts.Square(t.s.squares-1) - sq
	return t.values[t.s.ix.KingRank(t.men, t.white.With(turned), t.black)]
}

// eachRow calls do with every row and its pieces, the open king left out, until
// it returns false.
func (s *sheet) eachRow(do func(row int, base draughts.Position) bool) {
	white := subset(s.others[draughts.White])
	row := 0
	for more := true; more; more = white.next(len(s.free)) {
		base := s.men
		for _, at := range white {
			base.Put(draughts.White, draughts.King, s.free[at])
		}
		black := subset(s.others[draughts.Black])
		for more := true; more; more = black.next(len(s.free)) {
			p, placed := base, true
			for _, at := range black {
				placed = placed && !base.Occupied().Has(s.free[at])
				p.Put(draughts.Black, draughts.King, s.free[at])
			}
			if placed && !do(row, p) {
				return
			}
			row++
		}
	}
}

// lowest returns the squares on which the open king is the lowest of its colour in
// a row, so that each position is met once.
func (s *sheet) lowest(base *draughts.Position) draughts.Set {
	squares := s.ix.Variant().Board().AndNot(base.Occupied())
	if kings := base.Pieces(s.open, draughts.King); !kings.IsEmpty() {
		squares = squares.And(lower(kings.First()))
	}
	return squares
}

// numbering gives the numbers within a slice of positions that differ only in
// where the open king stands.
type numbering struct {
	fixed   uint64       // what the other side's kings add
	blocked draughts.Set // squares that the index leaves out for the open king
	others  draughts.Set // further kings of the open king's side
	// base is what those add, by how many of them stand below the open king.
	base [tables.MaxPieces]uint64
}

// numbering returns the numbering of a row of pieces, whatever their slice.
func (s *sheet) numbering(base draughts.Position) numbering {
	n := numbering{
		blocked: base.Pieces(draughts.White, draughts.Man).Or(base.Pieces(draughts.Black, draughts.Man)),
		others:  base.Pieces(s.open, draughts.King),
	}
	if s.open == draughts.Black {
		white := base.Pieces(draughts.White, draughts.King)
		k := 0
		for sq := range white.All() {
			k++
			n.fixed += binomials[int(sq)-below(n.blocked, sq)][k]
		}
		n.blocked = n.blocked.Or(white)
		n.fixed *= binomials[s.squares-n.blocked.Len()][n.others.Len()+1]
	}
	k := 0
	for sq := range n.others.All() {
		at := int(sq) - below(n.blocked, sq)
		for i := range n.base {
			if i > k {
				n.base[i] += binomials[at][k+1]
			} else {
				n.base[i] += binomials[at][k+2]
			}
		}
		k++
	}
	return n
}

// at returns the number of the position with the open king on a square.
func (n *numbering) at(sq draughts.Square) uint64 {
	i := below(n.others, sq)
	return n.fixed + n.base[i] + binomials[int(sq)-below(n.blocked, sq)][i+1]
}

// below returns how many squares of a set are lower than sq.
func below(set draughts.Set, sq draughts.Square) int {
	lo, hi := set.Words()
	if sq < 64 {
		return bits.OnesCount64(lo & (1<<(sq&63) - 1))
	}
	return bits.OnesCount64(lo) + bits.OnesCount64(hi&(1<<(sq&63)-1))
}

// lower returns the squares lower than sq.
func lower(sq draughts.Square) draughts.Set {
	if sq < 64 {
		return draughts.SetFromWords(1<<sq-1, 0)
	}
	return draughts.SetFromWords(^uint64(0), 1<<(sq-64)-1)
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
func (c members) rank() int {
	r := uint64(0)
	for i, m := range c {
		r += binomials[m][i+1]
	}
	return int(r)
}
