package draughts

import (
	"errors"
	"testing"
)

// The corners and neighbours that rules.md, sections 1a and 5, name.
func TestSquaresHaveTheirPublishedNumbers(t *testing.T) {
	for _, test := range []struct {
		v      *Variant
		number int
		name   string
	}{
		{English, 1, "b8"}, {English, 4, "h8"}, {English, 5, "a7"}, {English, 8, "g7"}, {English, 29, "a1"}, {English, 32, "g1"},
		{Russian, 1, "b8"}, {Russian, 29, "a1"}, {Russian, 25, "b2"}, {Russian, 4, "h8"},
		{Brazilian, 32, "g1"}, {Czech, 22, "c3"}, {Pool, 18, "d4"},
		{Italian, 1, "a8"}, {Italian, 32, "h1"}, {Italian, 29, "b1"},
		{Spanish, 1, "h1"}, {Spanish, 32, "a8"}, {Spanish, 4, "b1"}, {Portuguese, 1, "h1"}, {Portuguese, 5, "g2"},
		{International, 1, "b10"}, {International, 46, "a1"}, {International, 5, "j10"},
		{Canadian, 67, "a1"}, {Canadian, 6, "l12"}, {Canadian, 72, "k1"},
	} {
		s, err := test.v.ParseSquare(test.name)
		if err != nil || test.v.Number(s) != test.number || test.v.SquareNumbered(test.number) != s {
			t.Errorf("%s %s: number %d (%v), want %d", test.v.Name, test.name, test.v.Number(s), err, test.number)
		}
	}
}

func TestEverySquareIsReadByItsNames(t *testing.T) {
	for _, v := range Variants() {
		seen := map[string]bool{}
		for s := range v.Board().All() {
			name := v.SquareName(s)
			if seen[name] {
				t.Errorf("%s: two squares %s", v.Name, name)
			}
			seen[name] = true
			if got, err := v.ParseSquare(name); err != nil || got != s {
				t.Errorf("%s: %s is read as %d, %v", v.Name, name, got, err)
			}
			if n := v.Number(s); (n == 0) != (v.Numbering == Unnumbered) || n > 0 && v.SquareNumbered(n) != s {
				t.Errorf("%s: %s has number %d", v.Name, name, n)
			}
		}
		for _, n := range []int{-1, 0, v.Squares() + 1} {
			if s := v.SquareNumbered(n); s != NoSquare {
				t.Errorf("%s: square %d has number %d", v.Name, s, n)
			}
		}
		if v.SquareName(NoSquare) != "?" || v.Number(NoSquare) != 0 {
			t.Errorf("%s: no square is called %s, %d", v.Name, v.SquareName(NoSquare), v.Number(NoSquare))
		}
	}
}

func TestBadSquareSaysWhy(t *testing.T) {
	for _, test := range []struct {
		v          *Variant
		text, want string
	}{
		{English, "", `bad square "": a square is missing`},
		{English, "33", `bad square "33": not on the board, which has squares 1 to 32`},
		{English, "a2", `bad square "a2": on the board, but pieces do not play on squares of its colour`},
		{English, "a", `bad square "a": not a square`},
		{English, "A1", `bad square "A1": not a square`},
		{Italian, "a1", `bad square "a1": on the board, but pieces do not play on squares of its colour`},
		{Turkish, "1", `bad square "1": Turkish squares have no numbers, only names such as a1`},
	} {
		s, err := test.v.ParseSquare(test.text)
		if s != NoSquare || !errors.Is(err, ErrSquare) || err.Error() != test.want {
			t.Errorf("%s %q: %d, %v, want %s", test.v.Name, test.text, s, err, test.want)
		}
	}
}
