package store

import (
	"math/big"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// numberOf numbers a position as FORMAT.md says it, word for word. Squares of
// the sets are in ascending order.
func numberOf(squares, row int, whiteMen, whiteKings, blackMen, blackKings []int) uint64 {
	c := func(n, k int) uint64 { return new(big.Int).Binomial(int64(n), int64(k)).Uint64() }
	rank := func(set []int, base int, without ...int) (r uint64) {
		for k, s := range set {
			n := s - base
			for _, w := range without {
				if w < s {
					n--
				}
			}
			r += c(n, k+1)
		}
		return r
	}
	var back, others []int
	for _, s := range whiteMen {
		if s >= squares-row {
			back = append(back, s)
		} else {
			others = append(others, s)
		}
	}
	m1, m2, i := len(whiteMen), len(blackMen), len(back)
	ways := func(j int) (w, v uint64) { return c(squares-2*row, m1-j), c(squares-row-(m1-j), m2) }
	w, v := ways(i)
	slice := (rank(back, squares-row)*w+rank(others, row))*v + rank(blackMen, 0, others...)
	for j := range i {
		w, v := ways(j)
		slice += c(row, j) * w * v
	}
	men := slices.Concat(whiteMen, blackMen)
	d, e := rank(whiteKings, 0, men...), rank(blackKings, 0, slices.Concat(men, whiteKings)...)
	free := squares - m1 - m2
	k1, k2 := len(whiteKings), len(blackKings)
	return (slice*c(free, k1)+d)*c(free-k1, k2) + e
}

func TestPositionsAreNumberedAsDocumented(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.International, draughts.English, draughts.Canadian, draughts.Turkish} {
		for _, name := range []string{"KvK", "MMvM", "KMvKM", "KKMvMM", "KMMvKKM"} {
			ix, err := index.New(v, material(t, name))
			if err != nil {
				t.Fatal(err)
			}
			list := func(p draughts.Position, c draughts.Color, kind draughts.Kind) (squares []int) {
				for s := range p.Pieces(c, kind).All() {
					squares = append(squares, int(s))
				}
				return squares
			}
			for i := range uint64(200) {
				n := i * (ix.Size() - 1) / 199
				p := ix.Position(tables.First, n)
				got := numberOf(v.Squares(), v.RowLength(),
					list(p, draughts.White, draughts.Man), list(p, draughts.White, draughts.King),
					list(p, draughts.Black, draughts.Man), list(p, draughts.Black, draughts.King))
				if got != n {
					t.Fatalf("%s %s: position %d has the number %d in the document", v.Name, name, n, got)
				}
			}
		}
	}
}
