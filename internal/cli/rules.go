package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
)

func (a *app) rulesCommand() *cobra.Command {
	profile := ""
	cmd := &cobra.Command{
		Use:   "rules VARIANT",
		Short: "Show a variant's draw rules",
		Long: `Shows the draw rules of a variant in words, with their sources: how long the game
may go on without progress, which moves are progress, and how often a position may
occur. Where sources contradict each other there is a profile for each; the first
is the default. Rules that tables cannot express are marked so.`,
		Example: `  threekings rules international
  threekings rules russian --profile literal`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(variantNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := draughts.Lookup(args[0])
			if err != nil {
				return err
			}
			list := v.Profiles()
			if profile != "" {
				p, err := v.Profile(profile)
				if err != nil {
					return err
				}
				list = []*draughts.Profile{p}
			}
			for i, p := range list {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				a.writeProfile(v, p)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "", "only these draw rules")
	return cmd
}

// writeProfile writes one profile in words.
func (a *app) writeProfile(v *draughts.Variant, p *draughts.Profile) {
	marks := ""
	if p == v.DefaultProfile() {
		marks += ", the default"
	}
	if p.Unverified {
		marks += ", unverified"
	}
	fmt.Fprintf(a.out, "%s %s%s: %s\n", v.Name, p.Name, marks, p.Title)
	fmt.Fprintf(a.out, "  source: %s\n", p.Source)
	if p.Repetition > 0 {
		fmt.Fprintf(a.out, "  - the same position with the same side to move for the %s time: %s%s\n",
			ordinal(p.Repetition), drawWords(p.RepetitionOnClaim), article(p.RepetitionSource))
	}
	for i := range p.Classes {
		c := &p.Classes[i]
		fmt.Fprintf(a.out, "  - %s: %s%s\n", c.Name, classWords(c), article(c.Source))
	}
	for i := range p.Extra {
		e := &p.Extra[i]
		fmt.Fprintf(a.out, "  - %s: %s after %d plies%s%s; left out of tables\n",
			e.Name, drawWords(e.OnClaim), e.Plies, restartWords(e.Restart), article(e.Source))
	}
	for _, note := range p.Notes {
		fmt.Fprintf(a.out, "  note: %s\n", note)
	}
}

func ordinal(n int) string {
	if n == 3 {
		return "third"
	}
	return "fourth"
}

func drawWords(onClaim bool) string {
	if onClaim {
		return "a draw if claimed"
	}
	return "a draw"
}

func article(source string) string {
	if source == "" {
		return ""
	}
	return " (" + source + ")"
}

// classWords says the limit of a class.
func classWords(c *draughts.Class) string {
	draw := drawWords(c.OnClaim)
	n := c.Limit.N
	switch c.Limit.Unit {
	case draughts.NoLimit:
		return "no limit"
	case draughts.Plies:
		return fmt.Sprintf("%s after %d plies%s", draw, n, restartWords(c.Restart))
	case draughts.WeakMoves:
		return fmt.Sprintf("%s once the weaker side has made %d moves%s", draw, n, restartWords(c.Restart))
	case draughts.StrongMoves:
		return fmt.Sprintf("%s once the stronger side has made %d moves%s", draw, n, restartWords(c.Restart))
	default: // of each side
		if n == 0 {
			return draw + " at once"
		}
		return fmt.Sprintf("%s after %d moves of each side (%d plies)%s", draw, n, 2*n, restartWords(c.Restart))
	}
}

// restartWords says which moves restart a count.
func restartWords(r draughts.Progress) string {
	var kinds []string
	for _, k := range []struct {
		kind draughts.Progress
		name string
	}{{draughts.CaptureMove, "capture"}, {draughts.ManMove, "man move"}, {draughts.PromotionMove, "promotion"}} {
		if r&k.kind != 0 {
			kinds = append(kinds, k.name)
		}
	}
	if kinds == nil {
		return ", counted from when these pieces are left, whatever moves"
	}
	return " without a " + strings.Join(kinds, " or a ")
}
