// Package tables is what the solver, the store and the prober have in common:
// materials and their order, sizes and dependencies, outcomes and distances,
// manifests, and the interfaces through which finished tables are read.
package tables

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"threekings/draughts"
)

// MaxPieces is the largest number of pieces a table may have. Sizes up to it
// fit 64 bits on every board.
const MaxPieces = 8

// Side names a side of a [Material]: the one written first or second.
type Side uint8

// The sides of a material. In a table the first side plays as White.
const (
	First Side = iota
	Second
)

// Other returns the other side.
func (s Side) Other() Side { return s ^ 1 }

// Color returns the colour with which a side plays in a table.
func (s Side) Color() draughts.Color { return draughts.Color(s) }

// Material is how many men and kings each side has. It is written kings before
// men, the first side first: KMvK. A Material is comparable; the zero value is
// not a material.
type Material struct {
	counts [2][2]uint8 // by Side and Kind
}

// ErrMaterial: the text or the counts are not a material of a table.
var ErrMaterial = errors.New("bad material")

// NewMaterial returns the material with the given numbers of kings and men. Both
// sides must have a piece, and both together at most [MaxPieces].
func NewMaterial(firstKings, firstMen, secondKings, secondMen int) (Material, error) {
	n := [...]int{firstKings, firstMen, secondKings, secondMen}
	total := 0
	for _, c := range n {
		if c < 0 || c > MaxPieces {
			return Material{}, fmt.Errorf("%w: %d pieces of one kind; tables have at most %d pieces", ErrMaterial, c, MaxPieces)
		}
		total += c
	}
	switch {
	case firstKings+firstMen == 0 || secondKings+secondMen == 0:
		return Material{}, fmt.Errorf("%w: a side without pieces", ErrMaterial)
	case total > MaxPieces:
		return Material{}, fmt.Errorf("%w: %d pieces; tables have at most %d", ErrMaterial, total, MaxPieces)
	}
	return makeMaterial(firstKings, firstMen, secondKings, secondMen), nil
}

func makeMaterial(firstKings, firstMen, secondKings, secondMen int) Material {
	return Material{[2][2]uint8{
		{uint8(firstMen), uint8(firstKings)},
		{uint8(secondMen), uint8(secondKings)},
	}}
}

// ParseMaterial reads a material such as KMvK. Kings and men may come in any
// order, and letters in either case.
func ParseMaterial(text string) (Material, error) {
	at := strings.IndexAny(text, "vV")
	if at < 0 {
		return Material{}, fmt.Errorf("%w %q: write the pieces of both sides with a v between them, such as KKKvK", ErrMaterial, text)
	}
	var n [2][2]int
	for side, pieces := range []string{text[:at], text[at+1:]} {
		for _, letter := range pieces {
			switch letter {
			case 'm', 'M':
				n[side][draughts.Man]++
			case 'k', 'K':
				n[side][draughts.King]++
			default:
				return Material{}, fmt.Errorf("%w %q: found %q; K is a king, M a man", ErrMaterial, text, letter)
			}
		}
	}
	m, err := NewMaterial(n[First][draughts.King], n[First][draughts.Man], n[Second][draughts.King], n[Second][draughts.Man])
	if err != nil {
		return Material{}, fmt.Errorf("%q: %w", text, err)
	}
	return m, nil
}

// MaterialOf returns the material of a position with the side to move first. ok
// is false if a side has no piece or there are too many: then no table holds
// the position.
func MaterialOf(p draughts.Position) (m Material, ok bool) {
	ownMen, ownKings, otherMen, otherKings := countsOf(&p)
	if !countsFit(ownMen, ownKings, otherMen, otherKings) {
		return Material{}, false
	}
	return makeMaterial(ownKings, ownMen, otherKings, otherMen), true
}

// NumberOf returns the [Material.Number] of what [MaterialOf] returns.
func NumberOf(p *draughts.Position) (n int, ok bool) {
	ownMen, ownKings, otherMen, otherKings := countsOf(p)
	if !countsFit(ownMen, ownKings, otherMen, otherKings) {
		return 0, false
	}
	return number(ownMen, ownKings, otherMen, otherKings), true
}

// countsOf counts the pieces of the side to move and of the other. There is no
// branch, as either side is as likely to move.
func countsOf(p *draughts.Position) (ownMen, ownKings, otherMen, otherKings int) {
	ownMen, ownKings, otherMen, otherKings = p.Counts()
	black := -int(p.Side())
	men, kings := (ownMen^otherMen)&black, (ownKings^otherKings)&black
	return ownMen ^ men, ownKings ^ kings, otherMen ^ men, otherKings ^ kings
}

func countsFit(ownMen, ownKings, otherMen, otherKings int) bool {
	own, other := ownMen+ownKings, otherMen+otherKings
	return own != 0 && other != 0 && own+other <= MaxPieces
}

// String returns the material as it is written, such as KMvK.
func (m Material) String() string {
	var b strings.Builder
	for side := First; side <= Second; side++ {
		if side == Second {
			b.WriteByte('v')
		}
		b.WriteString(strings.Repeat("K", m.Count(side, draughts.King)))
		b.WriteString(strings.Repeat("M", m.Count(side, draughts.Man)))
	}
	return b.String()
}

// MarshalText writes the material as [Material.String] does.
func (m Material) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what [Material.MarshalText] has written.
func (m *Material) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMaterial(string(text))
	return err
}

// Count returns how many pieces of a kind a side has.
func (m Material) Count(s Side, k draughts.Kind) int { return int(m.counts[s][k]) }

// SidePieces returns how many pieces a side has.
func (m Material) SidePieces(s Side) int { return m.Count(s, draughts.Man) + m.Count(s, draughts.King) }

// Force returns what a side has, as draw rules see it.
func (m Material) Force(s Side) draughts.Force {
	return draughts.Force{Men: m.Count(s, draughts.Man), Kings: m.Count(s, draughts.King)}
}

// Pieces returns the number of pieces on the board.
func (m Material) Pieces() int { return m.SidePieces(First) + m.SidePieces(Second) }

// Men returns the number of men on the board.
func (m Material) Men() int { return m.Count(First, draughts.Man) + m.Count(Second, draughts.Man) }

// Kings returns the number of kings on the board.
func (m Material) Kings() int { return m.Pieces() - m.Men() }

// Reverse returns the material with its sides exchanged.
func (m Material) Reverse() Material {
	m.counts[First], m.counts[Second] = m.counts[Second], m.counts[First]
	return m
}

// Symmetric reports whether both sides have the same pieces. Then one side to
// move is enough: the other is its twin.
func (m Material) Symmetric() bool { return m.counts[First] == m.counts[Second] }

// Sides returns how many sides to move the table of m holds: 1 if m is
// symmetric, else 2.
func (m Material) Sides() int {
	if m.Symmetric() {
		return 1
	}
	return 2
}

// Materials is how many numbers [Material.Number] has: the ways to have up to
// [MaxPieces] pieces of the four sorts.
const Materials = (MaxPieces + 1) * (MaxPieces + 2) * (MaxPieces + 3) * (MaxPieces + 4) / 24

// Number returns a number below [Materials] that no other material has: for tables
// that are looked up by material.
func (m Material) Number() int {
	return number(int(m.counts[First][draughts.Man]), int(m.counts[First][draughts.King]),
		int(m.counts[Second][draughts.Man]), int(m.counts[Second][draughts.King]))
}

func number(firstMen, firstKings, secondMen, secondKings int) int {
	a := firstMen
	b := a + firstKings
	c := b + secondMen
	d := c + secondKings
	return int(numbering[0][a&15]) + int(numbering[1][b&15]) + int(numbering[2][c&15]) + int(numbering[3][d&15])
}

// numbering[i][n] is C(n+i, i+1): the rank of the set of the sums of the first
// one, two, three and four counts, each more than the one before by the way that
// it is counted.
var numbering = func() (table [4][16]uint16) {
	for i := range table {
		for n := range MaxPieces + 1 {
			table[i][n] = uint16(Binomial(n+i, i+1))
		}
	}
	return table
}()

// Table returns the material under whose name the table that holds m is
// stored, the ASCII-smaller of the two orders, and the side of that table that
// is m's first.
func (m Material) Table() (table Material, first Side) {
	// K sorts before M, and M before the v: more kings first, then more men.
	by := cmp.Or(
		cmp.Compare(m.Count(Second, draughts.King), m.Count(First, draughts.King)),
		cmp.Compare(m.Count(Second, draughts.Man), m.Count(First, draughts.Man)),
	)
	if by > 0 {
		return m.Reverse(), Second
	}
	return m, First
}

// Compare orders materials as they are solved: fewer pieces first, then fewer
// men, then by name.
func (m Material) Compare(o Material) int {
	return cmp.Or(
		cmp.Compare(m.Pieces(), o.Pieces()),
		cmp.Compare(m.Men(), o.Men()),
		cmp.Compare(m.String(), o.String()),
	)
}

// All returns the tables of all materials with 2 to pieces pieces, in the order
// in which they are solved.
func All(pieces int) []Material {
	var all []Material
	for n := 2; n <= min(pieces, MaxPieces); n++ {
		for first := 1; first < n; first++ {
			for k1 := 0; k1 <= first; k1++ {
				for k2 := 0; k2 <= n-first; k2++ {
					m := makeMaterial(k1, first-k1, k2, n-first-k2)
					if _, side := m.Table(); side == First {
						all = append(all, m)
					}
				}
			}
		}
	}
	slices.SortFunc(all, Material.Compare)
	return all
}

// Ordered returns the two orders of a table's material, or the one if it is
// symmetric: the rows that people read, with the side to move first.
func (m Material) Ordered() []Material {
	if m.Symmetric() {
		return []Material{m}
	}
	return []Material{m, m.Reverse()}
}
