package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"threekings/draughts"
)

// countingFlag is the flag --count.
type countingFlag struct{ draughts.Counting }

func (f *countingFlag) Set(text string) (err error) {
	f.Counting, err = draughts.ParseCounting(text)
	return err
}

func (f *countingFlag) Type() string { return "unique|keep|path" }

// maxPerftDepth is deeper than anyone can wait for.
const maxPerftDepth = 100

func (a *app) perftCommand() *cobra.Command {
	var variant variantFlag
	var counting countingFlag
	var divide bool
	cmd := &cobra.Command{
		Use:   "perft DEPTH [FEN]",
		Short: "Count the lines of play of a given number of plies",
		Long: `Counts the lines of exactly DEPTH plies from a position, or from the one in which
the game begins. Lines that end earlier count nothing, and draw rules are not
applied.

--count says when two captures are the same:
  unique  start, end, captured pieces and promotion are equal
  keep    the pieces are also captured in the same order
  path    all landing squares are equal too`,
		Example: `  threekings perft 7
  threekings perft 5 --variant english --divide`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			depth, err := strconv.Atoi(args[0])
			if err != nil || depth < 0 || depth > maxPerftDepth {
				return fmt.Errorf("depth %s: a number of plies from 0 to %d was expected", shorten(args[0]), maxPerftDepth)
			}
			p := variant.Initial()
			if len(args) == 2 {
				setup, err := variant.ParseFEN(args[1])
				if err != nil {
					return err
				}
				p = setup.Position
			}
			if !divide || depth == 0 {
				n, err := variant.Perft(cmd.Context(), p, depth, counting.Counting)
				if err != nil {
					return err
				}
				fmt.Fprintln(a.out, n)
				return nil
			}
			moves, counts, err := variant.Divide(cmd.Context(), p, depth, counting.Counting)
			if err != nil {
				return err
			}
			total := uint64(0)
			for i, text := range variant.MoveTexts(p, moves) {
				fmt.Fprintln(a.out, text, counts[i])
				total += counts[i]
			}
			fmt.Fprintln(a.out, "total", total)
			return nil
		},
	}
	addVariant(cmd, &variant)
	cmd.Flags().BoolVar(&divide, "divide", false, "count for each first move")
	cmd.Flags().Var(&counting, "count", "which captures count as one")
	must(cmd.RegisterFlagCompletionFunc("count",
		cobra.FixedCompletions([]string{"unique", "keep", "path"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}
