package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
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
	for _, line := range answer.Rules(v) {
		fmt.Fprintf(a.out, "  %-9s %s\n", line[0], line[1])
	}
}
