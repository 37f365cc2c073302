package draughts

import (
	"iter"
	"math/bits"
)

// Set is a set of squares. The zero value is the empty set. Sets compare with
// ==.
type Set struct {
	lo uint64 // squares 0 to 63
	hi uint64 // squares 64 and up: only the 12x12 board has them
}

// SetOf returns the set of the given squares.
func SetOf(squares ...Square) Set {
	var s Set
	for _, sq := range squares {
		s = s.With(sq)
	}
	return s
}

func squareBit(sq Square) Set {
	if sq < 64 {
		return Set{lo: 1 << (sq & 63)}
	}
	return Set{hi: 1 << (sq & 63)}
}

// Words returns the set as two words: squares 0 to 63, and 64 and up.
func (s Set) Words() (lo, hi uint64) { return s.lo, s.hi }

// SetFromWords returns the set whose squares are the bits of two words, as
// [Set.Words] gives them.
func SetFromWords(lo, hi uint64) Set { return Set{lo, hi} }

// Has reports whether sq is in the set.
func (s Set) Has(sq Square) bool { return !s.And(squareBit(sq)).IsEmpty() }

// With returns the set with sq added.
func (s Set) With(sq Square) Set { return s.Or(squareBit(sq)) }

// Without returns the set with sq taken out.
func (s Set) Without(sq Square) Set { return s.AndNot(squareBit(sq)) }

// Or returns the union.
func (s Set) Or(t Set) Set { return Set{s.lo | t.lo, s.hi | t.hi} }

// And returns the intersection.
func (s Set) And(t Set) Set { return Set{s.lo & t.lo, s.hi & t.hi} }

// AndNot returns the squares of s that are not in t.
func (s Set) AndNot(t Set) Set { return Set{s.lo &^ t.lo, s.hi &^ t.hi} }

// IsEmpty reports whether the set has no square.
func (s Set) IsEmpty() bool { return s.lo|s.hi == 0 }

// Len returns the number of squares.
func (s Set) Len() int { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }

// First returns the lowest square, or NoSquare of an empty set.
func (s Set) First() Square {
	switch {
	case s.lo != 0:
		return Square(bits.TrailingZeros64(s.lo))
	case s.hi != 0:
		return Square(64 + bits.TrailingZeros64(s.hi))
	}
	return NoSquare
}

// All yields the squares in ascending order.
func (s Set) All() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for !s.IsEmpty() {
			sq := s.First()
			if !yield(sq) {
				return
			}
			s = s.Without(sq)
		}
	}
}
