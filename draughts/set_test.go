package draughts

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSetIsASetOfSquares(t *testing.T) {
	squares := rapid.SliceOf(rapid.Map(rapid.IntRange(0, MaxSquares-1), func(i int) Square { return Square(i) }))
	rapid.Check(t, func(t *rapid.T) {
		a, b := squares.Draw(t, "a"), squares.Draw(t, "b")
		s, u := SetOf(a...), SetOf(b...)
		var all []Square
		for sq := range Square(MaxSquares) {
			inA, inB := slices.Contains(a, sq), slices.Contains(b, sq)
			if s.Has(sq) != inA || s.Or(u).Has(sq) != (inA || inB) || s.And(u).Has(sq) != (inA && inB) || s.AndNot(u).Has(sq) != (inA && !inB) {
				t.Fatalf("square %d: %v, %v", sq, inA, inB)
			}
			if s.Without(sq).Has(sq) || !s.With(sq).Has(sq) {
				t.Fatalf("square %d cannot be put and taken out", sq)
			}
			if inA {
				all = append(all, sq)
			}
		}
		if got := slices.Collect(s.All()); !slices.Equal(got, all) || s.Len() != len(all) || s.IsEmpty() != (len(all) == 0) {
			t.Fatalf("squares %v, want %v", got, all)
		}
		first := NoSquare
		for sq := range s.All() {
			first = sq
			break
		}
		if s.First() != first || SetFromWords(s.Words()) != s {
			t.Fatalf("first %d, want %d", s.First(), first)
		}
	})
}

func TestRemovedPiecesAreGone(t *testing.T) {
	p := Canadian.Initial()
	for s := range Canadian.Board().All() {
		p.Remove(s)
		if _, _, ok := p.At(s); ok {
			t.Errorf("a piece is left on %s", Canadian.SquareName(s))
		}
	}
	if p != (Position{}).WithSide(White) {
		t.Errorf("%s is left", Canadian.FEN(p))
	}
}
