package cli

import (
	"fmt"
	"strings"

	"threekings/draughts"
)

// boardText draws a position as White sees it: w and b are men, W and B kings, a
// dot is an empty square that plays. Numbered boards have the numbers of the
// outermost squares beside each row, others have ranks and files.
func boardText(v *draughts.Variant, p draughts.Position) string {
	var b strings.Builder
	for row := range v.Height {
		left, right := rowLabels(v, row)
		fmt.Fprintf(&b, "%4s ", left)
		for col := range v.Width {
			b.WriteByte(' ')
			b.WriteByte(squareLetter(v, p, row, col))
		}
		if right != "" {
			fmt.Fprintf(&b, "  %2s", right)
		}
		b.WriteByte('\n')
	}
	if v.Algebraic {
		b.WriteString("     ")
		for col := range v.Width {
			b.WriteByte(' ')
			b.WriteByte('a' + byte(col))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func squareLetter(v *draughts.Variant, p draughts.Position, row, col int) byte {
	s := v.SquareAt(row, col)
	if s == draughts.NoSquare {
		return ' '
	}
	c, k, ok := p.At(s)
	if !ok {
		return '.'
	}
	return [2][2]byte{{'w', 'W'}, {'b', 'B'}}[c][k]
}

// rowLabels returns what stands beside a row.
func rowLabels(v *draughts.Variant, row int) (left, right string) {
	if v.Algebraic {
		return fmt.Sprint(v.Height - row), ""
	}
	for col := range v.Width {
		if s := v.SquareAt(row, col); s != draughts.NoSquare {
			if left == "" {
				left = v.SquareName(s)
			}
			right = v.SquareName(s)
		}
	}
	return left, right
}
