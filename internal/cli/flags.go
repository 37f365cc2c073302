package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/retro"
	"threekings/tables"
)

// variantFlag is the flag --variant. The zero value is no variant.
type variantFlag struct{ *draughts.Variant }

func (f *variantFlag) String() string {
	if f.Variant == nil {
		return ""
	}
	return f.Name
}

func (f *variantFlag) Set(text string) (err error) {
	f.Variant, err = draughts.Lookup(text)
	return err
}

func (f *variantFlag) Type() string { return "name" }

// addVariant defines --variant. International is the default.
func addVariant(cmd *cobra.Command, f *variantFlag) {
	f.Variant = draughts.International
	defineVariant(cmd, f, "variant of the game")
}

// addVariantFilter defines --variant where all variants are the default.
func addVariantFilter(cmd *cobra.Command, f *variantFlag, what string) {
	defineVariant(cmd, f, what)
}

func defineVariant(cmd *cobra.Command, f *variantFlag, what string) {
	cmd.Flags().Var(f, "variant", what)
	must(cmd.RegisterFlagCompletionFunc("variant", cobra.FixedCompletions(variantNames(), cobra.ShellCompDirectiveNoFileComp)))
}

func variantNames() []string {
	var names []string
	for _, v := range draughts.Variants() {
		names = append(names, v.Name)
	}
	return names
}

// metricsFlag is the flag --metric: a list of metrics.
type metricsFlag []tables.Metric

func (f *metricsFlag) String() string {
	names := make([]string, len(*f))
	for i, m := range *f {
		names[i] = string(m)
	}
	return strings.Join(names, ",")
}

func (f *metricsFlag) Set(text string) error {
	var list metricsFlag
	for name := range strings.SplitSeq(text, ",") {
		m, err := tables.ParseMetric(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	*f = list
	return nil
}

func (f *metricsFlag) Type() string { return "list" }

// solverFlag is the flag --solver.
type solverFlag struct{ *retro.Solver }

func (f *solverFlag) String() string {
	if f.Solver != nil && *f.Solver == retro.Reference {
		return "reference"
	}
	return "lanes"
}

func (f *solverFlag) Set(text string) error {
	switch text {
	case "lanes":
		*f.Solver = retro.Lanes
	case "reference":
		*f.Solver = retro.Reference
	default:
		return fmt.Errorf("solver %q: use lanes or reference", text)
	}
	return nil
}

func (f *solverFlag) Type() string { return "name" }

// must is for errors in the program itself.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("defining the command line: %v", err))
	}
}
