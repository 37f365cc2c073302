package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
)

func (a *app) variantsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "variants [NAME...]",
		Short: "Show the rules of the variants",
		Long: `Shows the rules in which variants differ: all variants, or those named. Everywhere
a capture is mandatory, and a side without a legal move has lost.`,
		ValidArgsFunction: cobra.FixedCompletions(variantNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			variants := draughts.Variants()
			if len(args) > 0 {
				variants = nil
				for _, name := range args {
					v, err := draughts.Lookup(name)
					if err != nil {
						return err
					}
					variants = append(variants, v)
				}
			}
			for i, v := range variants {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				a.writeRules(v)
			}
			return nil
		},
	}
}

// writeRules writes the rules of a variant, one line for each thing in which
// variants differ, always in the same order.
func (a *app) writeRules(v *draughts.Variant) {
	fmt.Fprintf(a.out, "%s\n", v.Name)
	for _, line := range [][2]string{
		{"board", boardWords(v)},
		{"men", "move " + directionWords(v.ManMoves) + "; capture " + directionWords(v.ManCaptures)},
		{"kings", kingWords(v)},
		{"captures", precedenceWords(v.Precedence) + "; captured pieces leave " + removalWords(v.Removal)},
		{"last row", "a man that reaches it while capturing " + promotionWords(v.Promotion)},
		{"special", specialWords(v)},
	} {
		if line[1] != "" {
			fmt.Fprintf(a.out, "  %-9s %s\n", line[0], line[1])
		}
	}
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
