package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/internal/progress"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

func (a *app) verifyCommand() *cobra.Command {
	var variant variantFlag
	checksums := false
	cmd := &cobra.Command{
		Use:   "verify [TABLE...]",
		Short: "Prove stored tables, or check their checksums",
		Long: `Proves stored tables: every value, distance included, is derived again from those
of the positions that forward moves lead to, and compared. The counts and the
digest kept with each table are compared too. A table that keeps only outcomes is
solved again for that.

Without a table all are verified. With --checksums only the stored bytes are
checked. The exit code is 1 if anything is not as it should be.`,
		Example: `  threekings verify
  threekings verify --variant russian KKKvK`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ve := verifier{app: a, checksums: checksums}
			return ve.run(cmd.Context(), variant.Variant, args)
		},
	}
	addVariantFilter(cmd, &variant, "variant of the tables (default: all, or international if tables are named)")
	cmd.Flags().BoolVar(&checksums, "checksums", false, "only check that the stored bytes are undamaged")
	return cmd
}

// verifier verifies one table after the other.
type verifier struct {
	*app
	checksums bool
	store     *store.Store
	prober    *probe.Prober
}

func (ve *verifier) run(ctx context.Context, v *draughts.Variant, names []string) (err error) {
	wanted, v, err := namedTables(v, names)
	if err != nil {
		return err
	}
	if ve.store, err = ve.openRead(); err != nil {
		return err
	}
	if ve.store == nil {
		return ve.nothing(wanted)
	}
	defer func() { err = errors.Join(err, ve.store.Close()) }()
	ve.prober = probe.Open(ve.store, probe.Options{})
	filter := ""
	if v != nil {
		filter = v.Name
	}
	list, damaged := ve.store.List(filter)
	if damaged != nil && !errors.Is(damaged, tables.ErrDamaged) {
		return damaged
	}
	all := answer.StoredTables(list)
	if wanted != nil {
		if all, err = ve.choose(all, v, wanted); err != nil {
			return err
		}
		damaged = nil // tables that nobody asked for
	}
	if len(all) == 0 && damaged == nil {
		return ve.nothing(wanted)
	}
	wrong, untold := 0, 0
	if damaged != nil {
		fmt.Fprintf(ve.out, "%v\n", damaged)
		wrong++
	}
	for _, t := range all {
		switch err := ve.table(ctx, &t); {
		case err == nil:
		case isWrong(err):
			fmt.Fprintf(ve.out, "%s %s: %v\n", t.Variant, t.Material, err)
			wrong++
		case errors.Is(err, tables.ErrMissing): // one that it depends on
			ve.say("%s %s cannot be verified: %v", t.Variant, t.Material, err)
			untold++
		default:
			return err
		}
		if err := ve.out.Flush(); err != nil {
			return err
		}
	}
	switch {
	case wrong > 0:
		return &negativeError{fmt.Errorf("%s not as it should be", count(wrong, "table is", "tables are"))}
	case untold > 0:
		return fmt.Errorf("%s not verified", count(untold, "table was", "tables were"))
	}
	return nil
}

// namedTables reads the names of tables. If there are any, the variant is
// international unless another is given.
func namedTables(v *draughts.Variant, names []string) ([]tables.Material, *draughts.Variant, error) {
	var list []tables.Material
	for _, name := range names {
		m, err := tables.ParseMaterial(name)
		if err != nil {
			return nil, nil, err
		}
		table, _ := m.Table()
		list = append(list, table)
	}
	if list != nil && v == nil {
		v = draughts.International
	}
	return list, v, nil
}

func (ve *verifier) nothing(wanted []tables.Material) error {
	dir, err := ve.tableDir()
	if err != nil {
		return err
	}
	if wanted != nil {
		return fmt.Errorf("no tables are stored in %s", dir)
	}
	ve.say("nothing to verify: no tables are stored in %s", dir)
	return nil
}

// choose returns the wanted tables. One that is not stored, or whose manifest is
// damaged, is an error.
func (ve *verifier) choose(all []answer.Stored, v *draughts.Variant, wanted []tables.Material) ([]answer.Stored, error) {
	var chosen []answer.Stored
	for _, m := range wanted {
		i := slices.IndexFunc(all, func(t answer.Stored) bool { return t.Material == m })
		if i >= 0 {
			chosen = append(chosen, all[i])
			continue
		}
		_, err := ve.store.Manifest(tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW})
		if errors.Is(err, tables.ErrDamaged) {
			return nil, &negativeError{err}
		}
		return nil, fmt.Errorf("%s %s is not stored", v.Name, m)
	}
	return chosen, nil
}

// isWrong reports whether an error is about the table, not about the attempt to
// verify it.
func isWrong(err error) bool {
	var difference *retro.DifferenceError
	var kept *keptError
	return errors.As(err, &difference) || errors.As(err, &kept) || errors.Is(err, tables.ErrDamaged)
}

// keptError: what is kept with a table is not what its values give.
type keptError struct {
	key  tables.Key
	what string
}

func (e *keptError) Error() string { return fmt.Sprintf("%s: %s", e.key, e.what) }

// table verifies one table.
func (ve *verifier) table(ctx context.Context, t *answer.Stored) error {
	v, err := draughts.Lookup(t.Variant)
	if err != nil {
		return err
	}
	var metrics metricsFlag
	var runs [][]*tables.Manifest // what is proved together
	for _, m := range t.Manifests() {
		metrics = append(metrics, m.Metric)
		k := tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}
		if err := ve.store.CheckBlocks(ctx, k); err != nil {
			return err
		}
		_, resets := m.Metric.Profile()
		if len(runs) == 0 || resets {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], m)
	}
	if ve.checksums {
		fmt.Fprintf(ve.out, "%s %s (%s): undamaged\n", t.Variant, t.Material, &metrics)
		return nil
	}
	positions := tables.Positions(v, t.Material)
	passes := len(runs)
	if t.Distance == nil && t.Outcome != nil {
		passes++ // outcomes are solved again before they are proved
	}
	meter := progress.Start(ve.stderr, ve.errTerminal, positions, passes, "positions")
	meter.Doing("verifying " + t.Variant + " " + t.Material.String())
	for _, run := range runs {
		if err = ve.prove(ctx, v, t.Material, run, meter.Add); err != nil {
			break
		}
	}
	meter.Close()
	if err != nil {
		return err
	}
	fmt.Fprintf(ve.out, "%s %s (%s): proved, %d positions\n", t.Variant, t.Material, &metrics, positions)
	return nil
}

// prove proves metrics of a table together, and compares what is kept with them.
func (ve *verifier) prove(ctx context.Context, v *draughts.Variant, m tables.Material, run []*tables.Manifest, progress func(uint64)) error {
	metrics := make([]tables.Metric, len(run))
	for i, manifest := range run {
		metrics[i] = manifest.Metric
	}
	report, err := retro.Verify(ctx, v, m, metrics, ve.prober, retro.VerifyOptions{Progress: progress})
	if err != nil {
		return err
	}
	for _, manifest := range run {
		if err := checkManifest(v, manifest, report.Values); err != nil {
			return err
		}
	}
	return nil
}

// checkManifest compares what a manifest says of the values with the values.
func checkManifest(v *draughts.Variant, m *tables.Manifest, values tables.Values) error {
	k := tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}
	sides, digest := tables.Summarize(v, m.Material, m.Metric, values)
	if digest != m.Digest {
		return &keptError{k, fmt.Sprintf("the digest of the values is %s, but %s is kept", digest, m.Digest)}
	}
	for s, sum := range sides {
		if sum != m.Sides[s] {
			return &keptError{k, fmt.Sprintf("the values of side %d add up to %+v, but %+v is kept", s+1, sum, m.Sides[s])}
		}
	}
	return nil
}
