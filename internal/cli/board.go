package cli

import (
	"fmt"
	"strings"

	"threekings/draughts"
)

// boardText draws a position as White sees it.
func boardText(v *draughts.Variant, p draughts.Position) string { return board{v: v, p: p}.String() }

// board is a position in letters: w and b are men, W and B kings, a dot is an
// empty square that plays. Numbered boards have the numbers of the outermost
// squares beside each row, others have ranks and files.
type board struct {
	v       *draughts.Variant
	p       draughts.Position
	flipped bool                       // as Black sees it
	bare    bool                       // without names of squares
	signs   map[draughts.Square]string // in place of dots
}

func (b board) String() string {
	v := b.v
	var text strings.Builder
	for y := range v.Height {
		row := y
		if b.flipped {
			row = v.Height - 1 - y
		}
		left, right := b.rowLabels(row)
		fmt.Fprintf(&text, "%4s ", left)
		for x := range v.Width {
			text.WriteByte(' ')
			text.WriteString(b.letter(row, b.column(x)))
		}
		if right != "" {
			fmt.Fprintf(&text, "  %2s", right)
		}
		text.WriteByte('\n')
	}
	if v.Algebraic && !b.bare {
		text.WriteString("     ")
		for x := range v.Width {
			text.WriteByte(' ')
			text.WriteByte('a' + byte(b.column(x)))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func (b board) column(x int) int {
	if b.flipped {
		return b.v.Width - 1 - x
	}
	return x
}

func (b board) letter(row, col int) string {
	s := b.v.SquareAt(row, col)
	if s == draughts.NoSquare {
		return " "
	}
	if c, k, ok := b.p.At(s); ok {
		return [2][2]string{{"w", "W"}, {"b", "B"}}[c][k]
	}
	if sign, ok := b.signs[s]; ok {
		return sign
	}
	return "."
}

// rowLabels returns what stands beside a row.
func (b board) rowLabels(row int) (left, right string) {
	if b.bare {
		return "", ""
	}
	if b.v.Algebraic {
		return fmt.Sprint(b.v.Height - row), ""
	}
	for x := range b.v.Width {
		if s := b.v.SquareAt(row, b.column(x)); s != draughts.NoSquare {
			if left == "" {
				left = b.v.SquareName(s)
			}
			right = b.v.SquareName(s)
		}
	}
	return left, right
}
