package draughts

import (
	"fmt"
	"strconv"
)

// Number returns the number of a square in the variant's one numbering, from 1,
// or 0 where squares have no numbers (Turkish, Armenian). rules.md lists who
// counts from where; Russian, Brazilian, Czech and Pool count from b8, as
// lidraughts does, not from a1.
func (v *Variant) Number(s Square) int {
	switch {
	case v.Numbering == Unnumbered || int(s) >= v.board.squares:
		return 0
	case v.Numbering == FromBottomRight:
		return v.board.squares - int(s)
	}
	return int(s) + 1
}

// SquareNumbered returns the square with the given number, or NoSquare if there
// is none.
func (v *Variant) SquareNumbered(n int) Square {
	switch {
	case v.Numbering == Unnumbered || n < 1 || n > v.board.squares:
		return NoSquare
	case v.Numbering == FromBottomRight:
		return Square(v.board.squares - n)
	}
	return Square(n - 1)
}

// SquareName returns the square as the variant writes it: its number, or file
// and rank, a1 at the bottom left as White sees the board. [NoSquare] and
// squares off the board give "?".
func (v *Variant) SquareName(s Square) string {
	if int(s) >= v.board.squares {
		return "?"
	}
	return v.names[s]
}

// ParseSquare reads a square in either form, whichever of them the variant
// writes: a number, with or without leading zeros, or file and rank. The error
// matches [ErrSquare].
func (v *Variant) ParseSquare(text string) (Square, error) {
	s, reason := v.readSquare(text)
	if reason != "" {
		return NoSquare, fmt.Errorf("%w %s: %s", ErrSquare, quoted(text), reason)
	}
	return s, nil
}

// readSquare is ParseSquare with the bare reason of a failure.
func (v *Variant) readSquare(text string) (s Square, reason string) {
	if text == "" {
		return NoSquare, "a square is missing"
	}
	file := text[0]
	if file >= 'a' && file <= 'l' {
		return v.readAlgebraic(int(file-'a'), text[1:])
	}
	n, ok := readNumber(text, MaxSquares)
	switch {
	case !ok:
		return NoSquare, "not a square"
	case v.Numbering == Unnumbered:
		return NoSquare, v.Title + " squares have no numbers, only names such as a1"
	}
	if s = v.SquareNumbered(n); s == NoSquare {
		return NoSquare, fmt.Sprintf("not on the board, which has squares 1 to %d", v.board.squares)
	}
	return s, ""
}

func (v *Variant) readAlgebraic(col int, rankText string) (s Square, reason string) {
	rank, ok := readNumber(rankText, v.Height)
	if !ok {
		return NoSquare, "not a square"
	}
	if col >= v.Width || rank < 1 || rank > v.Height {
		return NoSquare, fmt.Sprintf("not on the board, which has squares a1 to %c%d", 'a'+v.Width-1, v.Height)
	}
	if s = v.board.at(v.Height-rank, col); s == NoSquare {
		return NoSquare, "on the board, but pieces do not play on squares of its colour"
	}
	return s, ""
}

// readNumber reads decimal digits; numbers above limit come back as limit+1, so
// that no text overflows.
func readNumber(text string, limit int) (n int, ok bool) {
	if text == "" {
		return 0, false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(text[i]-'0'), limit+1)
	}
	return n, true
}

// newNames returns the names that SquareName gives.
func (v *Variant) newNames() []string {
	names := make([]string, v.board.squares)
	for s := range names {
		if v.Algebraic {
			row, col := v.RowOf(Square(s))
			names[s] = string(rune('a'+col)) + strconv.Itoa(v.Height-row)
		} else {
			names[s] = strconv.Itoa(v.Number(Square(s)))
		}
	}
	return names
}

// newWritten returns the squares in the order in which they are written:
// ascending by number, and where names are algebraic rank by rank from a1, the
// order in which PDN 3.0 counts them there (notation A0).
func (v *Variant) newWritten() []Square {
	var order []Square
	if !v.Algebraic {
		for n := range v.board.squares {
			order = append(order, v.SquareNumbered(n+1))
		}
		return order
	}
	for row := v.Height - 1; row >= 0; row-- {
		for col := range v.Width {
			if s := v.board.at(row, col); s != NoSquare {
				order = append(order, s)
			}
		}
	}
	return order
}

// quoted quotes text from outside for an error message, cut to a readable
// length.
func quoted(text string) string {
	const limit = 32
	if len(text) > limit {
		return strconv.QuoteToASCII(text[:limit]) + "..."
	}
	return strconv.QuoteToASCII(text)
}
