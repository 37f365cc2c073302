package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"threekings/tables"
)

func (a *app) dropCommand() *cobra.Command {
	var variant variantFlag
	var named metricsFlag
	cmd := &cobra.Command{
		Use:   "drop TABLE...",
		Short: "Remove tables",
		Long: `Removes tables with all that is stored of them, or only the metrics named. The
exit code is 1 if there was nothing to remove.`,
		Example: `  threekings drop --variant english KKvK`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			wanted, v, err := namedTables(variant.Variant, args)
			if err != nil {
				return err
			}
			metrics, err := named.under(v, "")
			if err != nil {
				return err
			}
			metrics = metrics.orAll(v)
			// Opening for writing makes a directory: not for this.
			st, err := a.openRead()
			if err != nil && !errors.Is(err, tables.ErrDamaged) {
				return err
			}
			none := err == nil && st == nil
			if st != nil {
				if err := st.Close(); err != nil {
					return err
				}
			}
			if none {
				return &negativeError{fmt.Errorf("%s %s is not stored", v.Name, wanted[0])}
			}
			w, err := a.openWrite(cmd.Context(), 0, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
			for _, m := range wanted {
				dropped := metricsFlag{}
				for _, metric := range metrics {
					err := w.Drop(cmd.Context(), tables.Key{Variant: v.Name, Material: m, Metric: metric})
					switch {
					case err == nil:
						dropped = append(dropped, metric)
					case !errors.Is(err, tables.ErrMissing):
						return err
					}
				}
				if len(dropped) == 0 {
					return &negativeError{fmt.Errorf("%s %s is not stored", v.Name, m)}
				}
				fmt.Fprintf(a.out, "%s %s (%s): dropped\n", v.Name, m, &dropped)
			}
			return nil
		},
	}
	addVariant(cmd, &variant)
	addMetrics(cmd, &named, "what to remove")
	return cmd
}
