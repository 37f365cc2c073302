// Package index is a perfect index: for each material a bijection between the
// positions that its pieces can form and the numbers 0 to N-1, without holes.
//
// Men come first, then kings. All placements of the kings for one placement of
// the men, a slice, follow each other. This order is the canonical index order
// of the digest and never changes.
package index

import (
	"fmt"

	"threekings/draughts"
	"threekings/tables"
)

// Index is the index of one table: a material on the board of a variant. The
// first side plays as White. It is immutable and safe for concurrent use.
type Index struct {
	v        *draughts.Variant
	material tables.Material

	squares, row int // squares of the board, and of one row
	men, kings   [2]int
	symmetric    bool
	home         draughts.Set // the first side's own back row

	// backed[i] is the number of the first placement of men in which i men of the
	// first side stand on its own back row, where the second side's men, who would
	// be kings there, cannot stand; middle and others are how many ways there are to
	// place the remaining men of the first and the men of the second side.
	backed, middle, others [tables.MaxPieces + 1]uint64
	slices                 uint64
	second                 uint64 // placements of the second side's kings
	first                  uint64 // placements of the first side's kings if those of the second stand
	sliceSize              uint64

	// On boards of one word: the board, and how numbers are made of positions as
	// they are and of turned ones.
	board   uint64
	facings [2]facing
}

// New returns the index of the table that holds m, on the board of v.
func New(v *draughts.Variant, m tables.Material) (*Index, error) {
	table, _ := m.Table()
	if table.Pieces() < 2 || table.Pieces() > tables.MaxPieces {
		return nil, fmt.Errorf("%w: %q on the index", tables.ErrMaterial, m)
	}
	ix := &Index{v: v, material: table, squares: v.Squares(), row: v.RowLength(), symmetric: table.Symmetric(), home: v.PromotionRow(draughts.Black)}
	for s := tables.First; s <= tables.Second; s++ {
		ix.men[s] = table.Count(s, draughts.Man)
		ix.kings[s] = table.Count(s, draughts.King)
	}
	m1, m2 := ix.men[tables.First], ix.men[tables.Second]
	for i := 0; i <= m1; i++ {
		ix.backed[i] = ix.slices
		ix.middle[i] = choose[m1-i][ix.squares-2*ix.row]
		ix.others[i] = choose[m2][ix.squares-ix.row-(m1-i)]
		ix.slices += choose[i][ix.row] * ix.middle[i] * ix.others[i]
	}
	free := ix.squares - m1 - m2
	ix.second = choose[ix.kings[tables.Second]][free-ix.kings[tables.First]]
	if other := free - ix.kings[tables.Second]; other >= ix.kings[tables.First] {
		ix.first = choose[ix.kings[tables.First]][other]
	}
	ix.sliceSize = choose[ix.kings[tables.First]][free] * ix.second
	if ix.squares <= 64 {
		ix.newFacings()
	}
	return ix, nil
}

// Variant returns the variant on whose board the positions are.
func (ix *Index) Variant() *draughts.Variant { return ix.v }

// Material returns the material as its table is named.
func (ix *Index) Material() tables.Material { return ix.material }

// Size returns N, the number of positions of one side to move.
func (ix *Index) Size() uint64 { return ix.slices * ix.sliceSize }

// Slices returns the number of placements of the men.
func (ix *Index) Slices() uint64 { return ix.slices }

// SliceSize returns the number of placements of the kings for one placement of
// the men: slice n is the positions n*SliceSize to (n+1)*SliceSize-1.
func (ix *Index) SliceSize() uint64 { return ix.sliceSize }

// Rank returns the side to move of p in the table and its number, 0 to Size-1.
// The pieces of p must be those of the material, in either colour, standing
// where [draughts.Variant.Check] allows: nothing is checked.
func (ix *Index) Rank(p draughts.Position) (tables.Side, uint64) {
	return ix.RankIn(tables.Canonical, &p)
}

// RankIn is [Index.Rank] with the number that an order gives the position. It is
// the faster one, as it does not copy the position.
func (ix *Index) RankIn(o tables.Order, p *draughts.Position) (tables.Side, uint64) {
	side := ix.side(p)
	return side, ix.NumberIn(o, side, p)
}

// side returns which side is to move. White plays the first side if it has its
// pieces, or, where both sides have the same pieces, if it is to move.
func (ix *Index) side(p *draughts.Position) tables.Side {
	if ix.symmetric {
		return tables.First
	}
	men, kings, _, _ := p.Counts()
	other := tables.First
	if (men^ix.men[tables.First])|(kings^ix.kings[tables.First]) != 0 { // no branch: neither way is likelier
		other = tables.Second
	}
	return other ^ tables.Side(p.Side())
}

// ranks is the number made of the ranks of the sets, on any board. The position
// is turned if it is not White that plays the first side.
func (ix *Index) ranks(o tables.Order, turned tables.Side, p *draughts.Position) uint64 {
	_, men, kings, otherMen, otherKings := p.Split()
	if turned != 0 {
		men, otherMen = ix.v.Turn(otherMen), ix.v.Turn(men)
		kings, otherKings = ix.v.Turn(otherKings), ix.v.Turn(kings)
	}
	n := uint64(0)
	if ix.slices > 1 {
		n = ix.Slice(men, otherMen) * ix.sliceSize
	}
	men = men.Or(otherMen)
	if o == tables.FirstKings {
		n += rankSet(otherKings, 0, men) * ix.first
		return n + rankSet(kings, 0, men.Or(otherKings))
	}
	return n + ix.KingRank(men, kings, otherKings)
}

// KingRank returns the number within its slice of the position with the given
// men, of both sides together, and kings, the first side's as White's: nothing
// is checked.
func (ix *Index) KingRank(men, white, black draughts.Set) uint64 {
	return rankSet(white, 0, men)*ix.second + rankSet(black, 0, men.Or(white))
}

// Slice returns the number of the slice with the given men, the first side's as
// White's: nothing is checked.
func (ix *Index) Slice(white, black draughts.Set) uint64 {
	back, middle := white.And(ix.home), white.AndNot(ix.home)
	i := back.Len()
	slice := rankSet(back, ix.squares-ix.row, draughts.Set{})
	slice = slice*ix.middle[i] + rankSet(middle, ix.row, draughts.Set{})
	slice = slice*ix.others[i] + rankSet(black, 0, middle)
	return ix.backed[i] + slice
}

// Position returns the position with the given side to move and number, which
// must be below Size. The first side plays as White.
func (ix *Index) Position(side tables.Side, n uint64) draughts.Position {
	var men, otherMen draughts.Set
	if ix.slices > 1 {
		men, otherMen = ix.placeMen(n / ix.sliceSize)
		n %= ix.sliceSize
	}
	taken := men.Or(otherMen)
	kings := place(ix.kings[tables.First], n/ix.second, 0, taken)
	otherKings := place(ix.kings[tables.Second], n%ix.second, 0, taken.Or(kings))
	return draughts.PositionOf(side.Color(), men, kings, otherMen, otherKings)
}

// Men returns the men of a slice, without kings and with White to move.
func (ix *Index) Men(slice uint64) draughts.Position {
	white, black := ix.placeMen(slice)
	return draughts.PositionOf(draughts.White, white, draughts.Set{}, black, draughts.Set{})
}

// placeMen returns the men of a slice: what Slice counts.
func (ix *Index) placeMen(slice uint64) (white, black draughts.Set) {
	i := ix.men[tables.First]
	for ix.backed[i] > slice {
		i--
	}
	slice -= ix.backed[i]
	slice, others := slice/ix.others[i], slice%ix.others[i]
	back, middle := slice/ix.middle[i], slice%ix.middle[i]
	white = place(ix.men[tables.First]-i, middle, ix.row, draughts.Set{})
	black = place(ix.men[tables.Second], others, 0, white)
	return white.Or(place(i, back, ix.squares-ix.row, draughts.Set{})), black
}

// Walk returns how many rows the men of a slice still have to go, all together.
// A man's quiet move, but for a sideways step, leads to a slice with one row
// less, or promotes.
func (ix *Index) Walk(slice uint64) int {
	p := ix.Men(slice)
	walk := 0
	for s := range p.Pieces(draughts.White, draughts.Man).All() {
		row, _ := ix.v.RowOf(s)
		walk += row
	}
	for s := range p.Pieces(draughts.Black, draughts.Man).All() {
		row, _ := ix.v.RowOf(s)
		walk += ix.v.Height - 1 - row
	}
	return walk
}

// Levels returns all slices grouped by [Index.Walk], in ascending order: the
// order in which they can be solved.
func (ix *Index) Levels() [][]uint64 {
	walks := make([]uint8, ix.slices) // tables.MaxPieces men walk less than 256 rows
	var sizes []int
	for slice := range walks {
		walk := ix.Walk(uint64(slice))
		for len(sizes) <= walk {
			sizes = append(sizes, 0)
		}
		walks[slice] = uint8(walk)
		sizes[walk]++
	}
	levels := make([][]uint64, len(sizes))
	for walk, size := range sizes {
		levels[walk] = make([]uint64, 0, size)
	}
	for slice, walk := range walks {
		levels[walk] = append(levels[walk], uint64(slice))
	}
	for len(levels) > 1 && len(levels[0]) == 0 {
		levels = levels[1:]
	}
	return levels
}
