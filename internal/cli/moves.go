package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

func (a *app) movesCommand() *cobra.Command {
	var variant variantFlag
	cmd := &cobra.Command{
		Use:   "moves [FEN...]",
		Short: "List the legal moves of positions",
		Long: `Lists the legal moves of each position on a line of its own, separated by blanks
and sorted as text. Positions are arguments, or one a line on standard input. A
position without a legal move gives an empty line.`,
		Example: `  threekings moves --variant russian "W:Wb6:Bc7,f6"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := 0
			for fen, err := range a.inputs(cmd.Context(), args) {
				if err != nil {
					return err
				}
				setup, err := variant.ParseFEN(fen)
				if err != nil {
					a.say("%s: %v", shorten(fen), err)
					bad++
					continue
				}
				texts := variant.MoveTexts(setup.Position, variant.Moves(setup.Position, nil))
				slices.Sort(texts)
				fmt.Fprintln(a.out, strings.Join(texts, " "))
				if err := a.out.Flush(); err != nil {
					return err
				}
			}
			return withoutAnswer(bad)
		},
	}
	addVariant(cmd, &variant)
	return cmd
}

// withoutAnswer is the error after a run in which some positions had none; each
// has been reported already.
func withoutAnswer(bad int) error {
	if bad == 0 {
		return nil
	}
	return saidError{fmt.Errorf("%d positions without an answer", bad)}
}

// plain returns text from outside as it is if a terminal shows it as it is, else
// as shorten does.
func plain(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	return shorten(text)
}

// shorten quotes text from outside in a readable length.
func shorten(text string) string {
	const limit = 60
	if len(text) > limit {
		return fmt.Sprintf("%+q...", text[:limit])
	}
	return fmt.Sprintf("%+q", text)
}
