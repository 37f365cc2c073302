// Package index is a perfect index: for each material a bijection between the
// positions that its pieces can form and the numbers 0 to N-1, without holes.
//
// Men come first, then kings. All placements of the kings for one placement of
// the men, a slice, follow each other. This order is the canonical index order
// of the digest and never changes.
package index

import (
	"fmt"
	"math/bits"

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

	// backed[i] is the number of the first placement of men in which i men of the
	// first side stand on its own back row, where the second side's men, who would
	// be kings there, cannot stand; middle and others are how many ways there are to
	// place the remaining men of the first and the men of the second side.
	backed, middle, others [tables.MaxPieces + 1]uint64
	slices                 uint64
	second                 uint64 // placements of the second side's kings
	sliceSize              uint64
}

// New returns the index of the table that holds m, on the board of v.
func New(v *draughts.Variant, m tables.Material) (*Index, error) {
	table, _ := m.Table()
	if table.Pieces() < 2 || table.Pieces() > tables.MaxPieces {
		return nil, fmt.Errorf("%w: %q on the index", tables.ErrMaterial, m)
	}
	ix := &Index{v: v, material: table, squares: v.Squares(), row: v.RowLength()}
	for s := tables.First; s <= tables.Second; s++ {
		ix.men[s] = table.Count(s, draughts.Man)
		ix.kings[s] = table.Count(s, draughts.King)
	}
	m1, m2 := ix.men[tables.First], ix.men[tables.Second]
	for i := 0; i <= m1; i++ {
		ix.backed[i] = ix.slices
		ix.middle[i] = choose[ix.squares-2*ix.row][m1-i]
		ix.others[i] = choose[ix.squares-ix.row-(m1-i)][m2]
		ix.slices += choose[ix.row][i] * ix.middle[i] * ix.others[i]
	}
	free := ix.squares - m1 - m2
	ix.second = choose[free-ix.kings[tables.First]][ix.kings[tables.Second]]
	ix.sliceSize = choose[free][ix.kings[tables.First]] * ix.second
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
	side := tables.Side(p.Side())
	if !ix.upright(&p) {
		p = ix.v.Twin(p)
		side = side.Other()
	}
	return side, ix.rank(&p)
}

// upright reports whether White plays the first side in p. If both sides have
// the same pieces, White does when it is to move.
func (ix *Index) upright(p *draughts.Position) bool {
	if ix.material.Symmetric() {
		return p.Side() == draughts.White
	}
	return p.Count(draughts.White, draughts.Man) == ix.men[tables.First] &&
		p.Count(draughts.White, draughts.King) == ix.kings[tables.First]
}

func (ix *Index) rank(p *draughts.Position) uint64 {
	white := p.Pieces(draughts.White, draughts.Man)
	black := p.Pieces(draughts.Black, draughts.Man)
	slice := uint64(0)
	taken := white.Or(black)
	if !taken.IsEmpty() {
		slice = ix.Slice(white, black)
	}
	first := p.Pieces(draughts.White, draughts.King)
	r1 := rankSet(first, 0, taken)
	r2 := rankSet(p.Pieces(draughts.Black, draughts.King), 0, taken.Or(first))
	return slice*ix.sliceSize + r1*ix.second + r2
}

// Slice returns the number of the slice with the given men, the first side's as
// White's: nothing is checked.
func (ix *Index) Slice(white, black draughts.Set) uint64 {
	home := ix.v.PromotionRow(draughts.Black)
	back, middle := white.And(home), white.AndNot(home)
	i := back.Len()
	slice := rankSet(back, ix.squares-ix.row, draughts.Set{})
	slice = slice*ix.middle[i] + rankSet(middle, ix.row, draughts.Set{})
	slice = slice*ix.others[i] + rankSet(black, 0, middle)
	return ix.backed[i] + slice
}

// rankSet returns the rank of a set among the sets of its size. Squares count
// from base, and squares in taken, which are not in the set, do not count.
func rankSet(set draughts.Set, base int, taken draughts.Set) uint64 {
	lo, hi := set.Words()
	takenLo, takenHi := taken.Words()
	var rank uint64
	k := 1
	for ; lo != 0; lo &= lo - 1 {
		below := lo&-lo - 1
		rank += choose[bits.TrailingZeros64(lo)-base-bits.OnesCount64(takenLo&below)][k]
		k++
	}
	if hi != 0 {
		base += bits.OnesCount64(takenLo)
		for ; hi != 0; hi &= hi - 1 {
			below := hi&-hi - 1
			rank += choose[64+bits.TrailingZeros64(hi)-base-bits.OnesCount64(takenHi&below)][k]
			k++
		}
	}
	return rank
}

// Position returns the position with the given side to move and number, which
// must be below Size. The first side plays as White.
func (ix *Index) Position(side tables.Side, n uint64) draughts.Position {
	p := ix.Men(n / ix.sliceSize).WithSide(side.Color())
	n %= ix.sliceSize
	taken := p.Occupied()
	place(&p, tables.First, draughts.King, ix.kings[tables.First], n/ix.second, 0, ix.squares, taken)
	taken = taken.Or(p.Pieces(draughts.White, draughts.King))
	place(&p, tables.Second, draughts.King, ix.kings[tables.Second], n%ix.second, 0, ix.squares, taken)
	return p
}

// Men returns the men of a slice, without kings and with White to move.
func (ix *Index) Men(slice uint64) draughts.Position {
	var p draughts.Position
	if ix.slices == 1 {
		return p
	}
	i := ix.men[tables.First]
	for ix.backed[i] > slice {
		i--
	}
	slice -= ix.backed[i]
	black := slice % ix.others[i]
	slice /= ix.others[i]
	middle, back := slice%ix.middle[i], slice/ix.middle[i]

	m1, m2 := ix.men[tables.First], ix.men[tables.Second]
	place(&p, tables.First, draughts.Man, m1-i, middle, ix.row, ix.squares-2*ix.row, draughts.Set{})
	taken := p.Occupied()
	place(&p, tables.First, draughts.Man, i, back, ix.squares-ix.row, ix.row, draughts.Set{})
	place(&p, tables.Second, draughts.Man, m2, black, 0, ix.squares-ix.row, taken)
	return p
}

// place puts count pieces on the squares of the set with the given rank: what
// rankSet counts. n is how many squares from base on there are, taken or not.
func place(p *draughts.Position, s tables.Side, k draughts.Kind, count int, rank uint64, base, n int, taken draughts.Set) {
	var members [tables.MaxPieces]uint8
	subset := members[:count]
	unrank(rank, n, subset)
	for _, m := range subset {
		// Step over the taken squares at or below: members count free squares only.
		square := int(m) + base
		for t := taken; !t.IsEmpty(); {
			at := t.First()
			if int(at) > square {
				break
			}
			square++
			t = t.Without(at)
		}
		p.Put(s.Color(), k, draughts.Square(square))
	}
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
	var levels [][]uint64
	for slice := range ix.slices {
		walk := ix.Walk(slice)
		for len(levels) <= walk {
			levels = append(levels, nil)
		}
		levels[walk] = append(levels[walk], slice)
	}
	for len(levels) > 1 && len(levels[0]) == 0 {
		levels = levels[1:]
	}
	return levels
}
