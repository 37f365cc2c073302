package tables

import (
	"fmt"

	"threekings/draughts"
)

// Order is the order in which the positions of one side to move are stored. The
// canonical order, that of the index and of digests, is the zero value. All
// orders have the same slices, one after the other: they differ in how the kings
// of a slice are numbered. How numbers are turned one into the other is here and
// not with the index, since what is stored must be read without it.
type Order uint8

// The orders.
const (
	// Canonical: the kings of the second side vary fastest.
	Canonical Order = iota
	// FirstKings: the kings of the first side vary fastest. The number of a
	// placement within its slice is d + e x C(F-k2, k1), where e is the rank of the
	// second side's k2 kings among the F squares without men and d that of the first
	// side's k1 kings among the F-k2 squares then left.
	FirstKings

	orders // how many there are
)

// largestReordered is how many positions a slice may have to be stored in another
// order: all of it is at hand when it is stored, and best is when it is read.
const largestReordered = 1 << 25

// BestOrder is the order in which a table is best stored: neighbours have most
// in common where the kings of the stronger side vary fastest.
func BestOrder(v *draughts.Variant, m Material) Order {
	k1, k2 := m.Count(First, draughts.King), m.Count(Second, draughts.King)
	free := v.Squares() - m.Count(First, draughts.Man) - m.Count(Second, draughts.Man)
	if k2 > 0 && k1 >= k2 && Binomial(free, k1)*Binomial(free-k1, k2) <= largestReordered {
		return FirstKings
	}
	return Canonical
}

// Rows returns how many pieces of one kind vary fastest in the order, and on how
// many squares they can stand: kings, or the second side's men if there are
// none.
func (o Order) Rows(v *draughts.Variant, m Material) (squares, pieces int) {
	m1, m2 := m.Count(First, draughts.Man), m.Count(Second, draughts.Man)
	k1, k2 := m.Count(First, draughts.King), m.Count(Second, draughts.King)
	free := v.Squares() - m1 - m2
	switch {
	case o == FirstKings:
		return free - k2, k1
	case k2 > 0:
		return free - k1, k2
	case k1 > 0:
		return free, k1
	default:
		return v.Squares() - v.RowLength() - m1, m2
	}
}

// check reports an order that a table cannot have.
func (o Order) check(m Material) error {
	if o >= orders || o == FirstKings && (m.Count(First, draughts.King) == 0 || m.Count(Second, draughts.King) == 0) {
		return fmt.Errorf("order %d of %s", o, m)
	}
	return nil
}

// Renumbering turns the numbers that an order gives positions into canonical
// ones and back. It is immutable.
type Renumbering struct {
	order    Order
	slice    uint64 // positions of a slice
	to, from exchange
	choose   *binomials
}

type binomials [MaxPieces + 1][draughts.MaxSquares + 1]uint64

// exchange turns numbers with k1 kings varying fastest into numbers with the
// other k2 varying fastest.
type exchange struct {
	choose *binomials
	slice  uint64
	free   int // squares without men
	k1, k2 int
	first  uint64 // placements of the k1 when the k2 stand
	second uint64 // placements of the k2 when the k1 stand
}

// NewRenumbering returns the renumbering of an order of a table.
func NewRenumbering(v *draughts.Variant, m Material, o Order) (*Renumbering, error) {
	if err := o.check(m); err != nil {
		return nil, err
	}
	r := &Renumbering{order: o, choose: new(binomials)}
	for k := range r.choose {
		for n := range r.choose[k] {
			r.choose[k][n] = Binomial(n, k)
		}
	}
	k1, k2 := m.Count(First, draughts.King), m.Count(Second, draughts.King)
	free := v.Squares() - m.Count(First, draughts.Man) - m.Count(Second, draughts.Man)
	first, second := Binomial(free-k2, k1), Binomial(free-k1, k2)
	r.slice = second * Binomial(free, k1)
	r.to = exchange{r.choose, r.slice, free, k1, k2, first, second}
	r.from = exchange{r.choose, r.slice, free, k2, k1, second, first}
	return r, nil
}

// SliceSize returns the number of positions of a slice: each slice has the same
// numbers in every order.
func (r *Renumbering) SliceSize() uint64 { return r.slice }

// Canonical fills dst with the canonical numbers of the positions that the order
// numbers from start on.
func (r *Renumbering) Canonical(start uint64, dst []uint64) { r.fill(&r.to, start, dst) }

// Stored fills dst with the numbers that the order gives the positions whose
// canonical numbers are those from start on.
func (r *Renumbering) Stored(start uint64, dst []uint64) { r.fill(&r.from, start, dst) }

func (r *Renumbering) fill(x *exchange, start uint64, dst []uint64) {
	if r.order == Canonical {
		for i := range dst {
			dst[i] = start + uint64(i)
		}
		return
	}
	x.fill(start, dst)
}

func (r *exchange) fill(start uint64, dst []uint64) {
	var (
		kings  [MaxPieces]int // the k1, on the squares that the others leave
		others [MaxPieces]int // the k2
	)
	for len(dst) > 0 {
		// The others stand for the numbers of a group.
		group := start / r.first
		base := group * r.first / r.slice * r.slice
		r.place(group*r.first%r.slice/r.first, others[:r.k2])
		r.place(start%r.first, kings[:r.k1])
		n := min(uint64(len(dst)), r.first-start%r.first)
		r.group(base, kings[:r.k1], others[:r.k2], dst[:n])
		start += n
		dst = dst[n:]
	}
}

// place returns the set with a rank, in ascending order.
func (r *exchange) place(rank uint64, set []int) {
	for j := len(set); j > 0; j-- {
		c := j - 1
		for c < draughts.MaxSquares && r.choose[j][c+1] <= rank {
			c++
		}
		set[j-1] = c
		rank -= r.choose[j][c]
	}
}

// group fills dst with the numbers of placements that follow each other and
// differ by the kings alone, not by the others.
func (r *exchange) group(base uint64, kings, others []int, dst []uint64) {
	for {
		// All kings but the first stay for a row.
		d := uint64(0)
		var above [MaxPieces]int // where they stand, others not left out
		for j := 1; j < len(kings); j++ {
			above[j] = kings[j]
			for _, s := range others {
				if s <= above[j] {
					above[j]++
				}
			}
			d += r.choose[j+1][above[j]]
		}
		end := r.free - r.k2
		if len(kings) > 1 {
			end = kings[1]
		}
		s := kings[0]
		passed := 0 // of the others: those below the square
		for passed < len(others) && others[passed] <= s+passed {
			passed++
		}
		for s < end {
			e := uint64(0)
			for j, o := range others {
				less := 0
				if j >= passed {
					less = 1
				}
				for i := 1; i < len(kings); i++ {
					if above[i] < o {
						less++
					}
				}
				e += r.choose[j+1][o-less]
			}
			// Up to the next of them the first king passes none.
			to := end
			if passed < len(others) {
				to = min(end, others[passed]-passed)
			}
			for ; s < to; s++ {
				dst[0] = base + (d+uint64(s+passed))*r.second + e
				if dst = dst[1:]; len(dst) == 0 {
					return
				}
			}
			passed++
		}
		j := 1
		for j+1 < len(kings) && kings[j]+1 == kings[j+1] {
			kings[j] = j
			j++
		}
		if j >= len(kings) {
			return
		}
		kings[j]++
		kings[0] = 0
	}
}
