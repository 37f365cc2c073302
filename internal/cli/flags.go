package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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
		m := tables.Metric(strings.TrimSpace(name))
		if m != someDTR {
			var err error
			if m, err = tables.ParseMetric(string(m)); err != nil {
				return err
			}
		}
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	*f = list
	return nil
}

func (f *metricsFlag) Type() string { return "list" }

// someDTR stands in a list of metrics for distances to reset under the profile
// that --profile names.
const someDTR tables.Metric = "dtr"

// under returns the metrics with [someDTR] replaced by that of a profile, whose
// name may be empty for the default. Profiles that the variant does not have are
// an error, and so is one that no metric uses.
func (f metricsFlag) under(v *draughts.Variant, profile string) (metricsFlag, error) {
	used := false
	list := slices.Clone(f)
	for i, m := range list {
		name, ok := m.Profile()
		if m == someDTR {
			name, ok, used = profile, true, true
		}
		if !ok {
			continue
		}
		p, err := v.Profile(name)
		if err != nil {
			return nil, err
		}
		list[i] = tables.DTR(p.Name)
	}
	if profile != "" && !used {
		return nil, fmt.Errorf("--profile %s: only --metric dtr has one", profile)
	}
	var unique metricsFlag
	for _, m := range list {
		if !slices.Contains(unique, m) {
			unique = append(unique, m)
		}
	}
	return unique, nil
}

// orAll returns the metrics, or if none was named all that tables of a variant
// can have; nil stands for every variant.
func (f metricsFlag) orAll(v *draughts.Variant) metricsFlag {
	if len(f) > 0 {
		return f
	}
	list, variants := slices.Clone(allMetrics), draughts.Variants()
	if v != nil {
		variants = []*draughts.Variant{v}
	}
	for _, v := range variants {
		for _, p := range v.Profiles() {
			if m := tables.DTR(p.Name); !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// addMetrics defines --metric where all that is stored is the default.
func addMetrics(cmd *cobra.Command, f *metricsFlag, what string) {
	cmd.Flags().Var(f, "metric", what+": outcome, dtw, dtr/PROFILE (default: all)")
}

// addProfile defines --profile.
func addProfile(cmd *cobra.Command, name *string, what string) {
	cmd.Flags().StringVar(name, "profile", "", what)
	must(cmd.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(profileNames(), cobra.ShellCompDirectiveNoFileComp)))
}

func profileNames() []string {
	var names []string
	for _, v := range draughts.Variants() {
		for _, p := range v.Profiles() {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

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

// verifyFlag is the flag --verify. The zero value decides by table.
type verifyFlag struct {
	mode  retro.VerifyMode
	given bool
}

var verifyNames = map[retro.VerifyMode]string{
	retro.VerifyFull: "full", retro.VerifySample: "sample", retro.VerifyNone: "none",
}

func (f *verifyFlag) String() string {
	if !f.given {
		return ""
	}
	return verifyNames[f.mode]
}

func (f *verifyFlag) Set(text string) error {
	for mode, name := range verifyNames {
		if name == text {
			*f = verifyFlag{mode, true}
			return nil
		}
	}
	return fmt.Errorf("verify %q: use full, sample or none", text)
}

func (f *verifyFlag) Type() string { return "mode" }

// fullPieces is up to how many pieces tables are proved whole unless something
// else is asked for.
const fullPieces = 5

// of returns how much of a table is proved.
func (f *verifyFlag) of(m tables.Material) retro.VerifyMode {
	if !f.given && m.Pieces() > fullPieces {
		return retro.VerifySample
	}
	return f.mode
}

// sizeFlag is a flag for a number of bytes.
type sizeFlag struct {
	bytes uint64
	given bool
}

func (f *sizeFlag) String() string {
	if !f.given {
		return ""
	}
	return strconv.FormatUint(f.bytes, 10)
}

func (f *sizeFlag) Set(text string) (err error) {
	if f.bytes, err = parseSize(text); err != nil {
		return err
	}
	f.given = true
	return nil
}

func (f *sizeFlag) Type() string { return "size" }

// leaveOutFlag is the value of [store.Options.LeaveOutFrom].
type leaveOutFlag struct{ from int64 }

func (f *leaveOutFlag) String() string { return "" } // the usage says what is the default

func (f *leaveOutFlag) Set(text string) error {
	switch text {
	case "never":
		f.from = -1
	case "always":
		f.from = 1
	default:
		bytes, err := parseSize(text)
		if err != nil {
			return fmt.Errorf("%w, or never, or always", err)
		}
		f.from = int64(max(1, min(bytes, 1<<62)))
	}
	return nil
}

func (f *leaveOutFlag) Type() string { return "size" }

// addLeaveOut defines --leave-out.
func addLeaveOut(cmd *cobra.Command, f *leaveOutFlag) {
	cmd.Flags().Var(f, "leave-out", "tables of outcomes of this size and more leave out positions that follow from their moves, to be smaller; or never, or always (default: 256KiB)")
	must(cmd.RegisterFlagCompletionFunc("leave-out", cobra.FixedCompletions([]string{"never", "always"}, cobra.ShellCompDirectiveNoFileComp)))
}

// maxSize is the largest size: what fits an int64.
const maxSize = 1<<63 - 1

// parseSize reads a number of bytes: 512MB, 1.5GiB, 8G (which is GiB), 4096.
func parseSize(text string) (uint64, error) {
	bad := fmt.Errorf("size %q: write it like 512MB, 1.5GiB or 8G", text)
	trimmed := strings.TrimSpace(text)
	end := strings.IndexFunc(trimmed, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	number, unit := trimmed, ""
	if end >= 0 {
		number, unit = trimmed[:end], strings.ToLower(strings.TrimSpace(trimmed[end:]))
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, bad
	}
	if unit = strings.TrimSuffix(unit, "b"); unit != "" {
		base := 1024.0
		power := strings.Index("kmgt", unit[:1])
		switch {
		case power < 0:
			return 0, bad
		case unit[1:] == "" && strings.HasSuffix(strings.ToLower(trimmed), "b"):
			base = 1000
		case unit[1:] != "" && unit[1:] != "i":
			return 0, bad
		}
		value *= math.Pow(base, float64(power+1))
	}
	if value > maxSize {
		return 0, fmt.Errorf("size %q is too large", text)
	}
	return uint64(value), nil
}

// must is for errors in the program itself.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("defining the command line: %v", err))
	}
}
