package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

func (a *app) recodeCommand() *cobra.Command {
	var variant variantFlag
	var named metricsFlag
	var leaveOut leaveOutFlag
	cmd := &cobra.Command{
		Use:   "recode [TABLE...]",
		Short: "Code stored tables anew, without solving them again",
		Long: `Writes stored tables again as this version of the program codes them, and puts each
in the place of the old one if its values have the same digest. Without a table all
are written again. It may be interrupted or killed at any time: each table is then
stored as it was or as it should be.

With --leave-out never tables of outcomes keep every position: they become larger, and
a probe reads one block unless a capture is pending. What is left out otherwise is told
by generate --help.`,
		Example: `  threekings recode --variant english
  threekings recode KKKvK
  threekings recode --leave-out never`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.recode(cmd.Context(), variant.Variant, args, named, leaveOut)
		},
	}
	addVariantFilter(cmd, &variant, "variant of the tables (default: all, or international if tables are named)")
	addMetrics(cmd, &named, "what of the tables, as far as it is stored")
	addLeaveOut(cmd, &leaveOut)
	return cmd
}

func (a *app) recode(ctx context.Context, v *draughts.Variant, names []string, named metricsFlag, leaveOut leaveOutFlag) (err error) {
	wanted, v, err := namedTables(v, names)
	if err != nil {
		return err
	}
	if v != nil {
		if named, err = named.under(v, ""); err != nil {
			return err
		}
	}
	list, err := a.recoded(v, wanted, named)
	if err != nil || len(list) == 0 {
		return err
	}
	w, err := a.openWriteAs(ctx, store.Options{LeaveOutFrom: leaveOut.from}, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	before, after := uint64(0), uint64(0)
	for _, k := range list {
		old, now, err := a.recodeOne(ctx, w, k)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s: %d bytes before, %d after; %.4f bits per position\n", k, old.Size(), now.Size(), answer.BitsPerPosition(now))
		if err := a.out.Flush(); err != nil {
			return err
		}
		before += old.Size()
		after += now.Size()
	}
	if len(list) > 1 {
		fmt.Fprintf(a.out, "all: %d bytes before, %d after\n", before, after)
	}
	return nil
}

// recoded returns what is stored of the wanted tables, or of all if wanted is
// nil.
func (a *app) recoded(v *draughts.Variant, wanted []tables.Material, named metricsFlag) (keys []tables.Key, err error) {
	st, err := a.openRead()
	if err != nil {
		return nil, err
	}
	if st == nil {
		dir, err := a.tableDir()
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no tables are stored in %s", dir)
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if wanted != nil {
		return exported(st, v, wanted, named)
	}
	name := ""
	if v != nil {
		name = v.Name
	}
	list, err := st.List(name)
	if err != nil {
		return nil, err
	}
	for _, m := range list {
		for _, metric := range named.orAll(v) {
			if m.Metric == metric {
				keys = append(keys, tables.Key{Variant: m.Variant, Material: m.Material, Metric: metric})
			}
		}
	}
	return keys, nil
}

// recodeOne codes one metric of a table anew. The true values come through a
// prober of its own: one that has seen the table in another shape would misread
// it.
func (a *app) recodeOne(ctx context.Context, w *store.Store, k tables.Key) (before, after *tables.Manifest, err error) {
	v, err := draughts.Lookup(k.Variant)
	if err != nil {
		return nil, nil, err
	}
	st, err := a.openRead()
	if err != nil {
		return nil, nil, err
	}
	if st == nil {
		return nil, nil, &tables.MissingError{Key: k}
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	values, err := probe.Open(st, probe.Options{}).ValuesOf(ctx, v, k.Material, k.Metric)
	if err != nil {
		return nil, nil, err
	}
	return w.Recode(ctx, tables.Table{Variant: v, Material: k.Material}, k.Metric, values)
}
