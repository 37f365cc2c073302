package answer

import (
	"fmt"
	"strings"

	"threekings/draughts"
)

// Rules says in which rules a variant differs: pairs of a heading and what it
// says, always in the same order, without those that say nothing.
func Rules(v *draughts.Variant) [][2]string {
	var lines [][2]string
	for _, line := range [][2]string{
		{"board", boardWords(v)},
		{"men", "move " + directionWords(v.ManMoves) + "; capture " + directionWords(v.ManCaptures)},
		{"kings", kingWords(v)},
		{"captures", precedenceWords(v.Precedence) + "; captured pieces leave " + removalWords(v.Removal)},
		{"last row", "a man that reaches it while capturing " + promotionWords(v.Promotion)},
		{"special", specialWords(v)},
	} {
		if line[1] != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func boardWords(v *draughts.Variant) string {
	plays := "a1 plays"
	switch {
	case v.EverySquare:
		plays = "all play"
	case v.Mirrored:
		plays = "h1 plays"
	}
	first := v.SquareName(0)
	last := v.SquareName(draughts.Square(v.Squares() - 1))
	return fmt.Sprintf("%dx%d, %d squares (%s), written %s at the top left to %s; %s begins with %d men",
		v.Width, v.Height, v.Squares(), plays, first, last, v.FirstMover,
		v.Initial().Count(v.FirstMover, draughts.Man))
}

func directionWords(d draughts.Directions) string {
	if d == draughts.Orthogonal|draughts.Diagonal {
		return "all 8 directions"
	}
	var words []string
	for _, part := range []struct {
		set  draughts.Directions
		word string
	}{
		{draughts.Orthogonal, "orthogonal"},
		{draughts.Diagonal, "diagonal"},
		{draughts.Forward, "forward"},
		{draughts.ForwardDiagonal, "diagonal forward"},
		{draughts.Sideways, "sideways"},
	} {
		if d&part.set == part.set {
			words = append(words, part.word)
			d &^= part.set
		}
	}
	return strings.Join(words, ", ")
}

func kingWords(v *draughts.Variant) string {
	reach := "short"
	if v.LongKing {
		reach = "long"
	}
	return fmt.Sprintf("%s; move %s; capture %s", reach, directionWords(v.KingMoves), directionWords(v.KingCaptures))
}

func precedenceWords(p draughts.Precedence) string {
	switch p {
	case draughts.MostPieces:
		return "as many pieces as possible"
	case draughts.MostPiecesThenKings:
		return "as many pieces as possible, then as many kings"
	case draughts.ItalianPrecedence:
		return "as many pieces as possible, then with a king, then as many kings, then kings earliest"
	case draughts.KingCapturesFirst:
		return "with a king if one can"
	default:
		return "free choice"
	}
}

func removalWords(r draughts.Removal) string {
	if r == draughts.AtOnce {
		return "at once"
	}
	return "after the capture"
}

func promotionWords(p draughts.Promotion) string {
	switch p {
	case draughts.StopAndCrown:
		return "stops and is crowned"
	case draughts.GoOnAsKing:
		return "goes on as a king"
	default:
		return "goes on as a man"
	}
}

func specialWords(v *draughts.Variant) string {
	var words []string
	if v.MenSpareKings {
		words = append(words, "men cannot take kings")
	}
	if v.OneOnOneDraws {
		words = append(words, "one against one is a draw")
	}
	return strings.Join(words, ", ")
}
