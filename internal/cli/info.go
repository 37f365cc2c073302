package cli

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"threekings/internal/answer"
	"threekings/internal/progress"
	"threekings/store"
	"threekings/tables"
)

func (a *app) infoCommand() *cobra.Command {
	var variant variantFlag
	var asCSV, asJSON, digest, runs bool
	file := ""
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Show what is stored",
		Long: `Shows what is stored: for each table and side to move how many positions are won,
drawn and lost, the longest win and loss in plies, and what the table takes on
the disk. The side to move is written first: KKvK and KvKK are one table.

--digest prints the SHA-256 of each table's values and one of all together. Equal
digests mean equal values, however they are stored.

--runs prints when and where each table was made, and how much of it was proved
then. Of a table that came in a pack only its digest was checked.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			name := ""
			if variant.Variant != nil {
				name = variant.Name
			}
			if runs {
				return a.showRuns(name)
			}
			// Damaged tables do not hide the others: they come as an error after them.
			list, err := a.manifests(file, name)
			if err != nil && len(list) == 0 {
				return err
			}
			show := a.showTables
			switch {
			case asCSV:
				show = a.showCSV
			case asJSON:
				show = a.showJSON
			case digest:
				return errors.Join(a.showDigest(list), err)
			}
			return errors.Join(show(answer.StoredTables(list)), err)
		},
	}
	addVariantFilter(cmd, &variant, "only tables of this variant (default: all)")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "comma-separated, one row for each side to move")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line for each side to move")
	cmd.Flags().BoolVar(&digest, "digest", false, "the SHA-256 of the values of each table, and of all")
	cmd.Flags().BoolVar(&runs, "runs", false, "when and how each table was made")
	cmd.Flags().StringVar(&file, "pack", "", "show what this pack holds instead")
	cmd.MarkFlagsMutuallyExclusive("csv", "json", "digest", "runs")
	cmd.MarkFlagsMutuallyExclusive("runs", "pack")
	return cmd
}

// manifests returns those of a pack, or of what is stored if no file is named.
func (a *app) manifests(file, variant string) (list []*tables.Manifest, err error) {
	if file != "" {
		p, err := store.OpenPack(file)
		if err != nil {
			return nil, err
		}
		list, err = p.List(variant)
		return list, errors.Join(err, p.Close())
	}
	st, err := a.openRead()
	if err != nil || st == nil {
		return nil, err
	}
	list, err = st.List(variant)
	return list, errors.Join(err, st.Close())
}

// csvColumns are those of the published counts.
var csvColumns = []string{
	"variant", "material", "positions", "captures", "wins", "draws", "losses",
	"max_win_dtw", "max_loss_dtw", "max_win_dtc", "max_loss_dtc",
}

func (a *app) showCSV(all []answer.Stored) error {
	w := csv.NewWriter(a.out)
	if err := w.Write(csvColumns); err != nil {
		return err
	}
	for _, r := range answer.Rows(all) {
		longestWin, longestLoss := "", ""
		if r.Distance != nil {
			longestWin, longestLoss = fmt.Sprint(r.LongestWin), fmt.Sprint(r.LongestLoss)
		}
		conversionWin, conversionLoss := "", ""
		if m := r.Conversion(); m != nil {
			conversionWin, conversionLoss = fmt.Sprint(m.Sides[r.Side].LongestWin), fmt.Sprint(m.Sides[r.Side].LongestLoss)
		}
		err := w.Write([]string{
			r.Variant, r.Material.String(), fmt.Sprint(r.Positions), fmt.Sprint(r.Captures),
			fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses),
			longestWin, longestLoss, conversionWin, conversionLoss,
		})
		if err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func (a *app) showTables(all []answer.Stored) error {
	if len(all) == 0 {
		dir, err := a.tableDir()
		if err != nil {
			return err
		}
		a.say("no tables are stored in %s", dir)
		return nil
	}
	if err := a.showRows(answer.Rows(all)); err != nil {
		return err
	}
	if err := a.showResets(all); err != nil {
		return err
	}
	positions, bytes := uint64(0), uint64(0)
	for _, t := range all {
		manifests := t.Manifests()
		positions += manifests[0].Positions * uint64(t.Material.Sides())
		for _, m := range manifests {
			bytes += m.Size()
		}
	}
	fmt.Fprintf(a.out, "%s, %d positions, %s; longest wins and losses in plies, sizes for both sides to move\n",
		count(len(all), "table", "tables"), positions, progress.Bytes(bytes))
	return nil
}

// showRows lists outcomes and distances to win.
func (a *app) showRows(rows []answer.Row) error {
	if len(rows) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "variant\tmaterial\tpositions\tcaptures\twins\tdraws\tlosses\tlongest win\tlongest loss\toutcome bytes\tbits\tdtw bytes\tbits\t")
	for _, r := range rows {
		win, loss := "-", "-"
		if r.Distance != nil {
			win, loss = longest(r.Wins, r.LongestWin), longest(r.Losses, r.LongestLoss)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t", r.Variant, r.Material, r.Positions,
			r.Captures, r.Wins, r.Draws, r.Losses, win, loss)
		if r.Side == tables.First {
			fmt.Fprintf(w, "%s\t%s\t\n", sizeCells(r.Outcome), sizeCells(r.Distance))
		} else {
			fmt.Fprint(w, "\t\t\t\t\n") // with the other side
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.out)
	return err
}

// showResets lists what is stored of distances to reset.
func (a *app) showResets(all []answer.Stored) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	lines := 0
	for _, t := range all {
		for _, m := range t.Resets {
			if lines++; lines == 1 {
				fmt.Fprintln(w, "variant\tmaterial\tdraw rules\tlongest win to reset\tlongest loss to reset\tbytes\tbits\t")
			}
			profile, _ := m.Metric.Profile()
			for s, order := range t.Material.Ordered() {
				sum := &m.Sides[s]
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t", t.Variant, order, profile, longest(sum.Wins, sum.LongestWin), longest(sum.Losses, sum.LongestLoss))
				if s == int(tables.First) {
					fmt.Fprintf(w, "%s\t\n", sizeCells(m))
				} else {
					fmt.Fprint(w, "\t\t\n") // with the other side
				}
			}
		}
	}
	if lines > 0 {
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(a.out)
	}
	return nil
}

func longest(positions uint64, d tables.Plies) string {
	if positions == 0 {
		return "-"
	}
	return fmt.Sprint(d)
}

func sizeCells(m *tables.Manifest) string {
	if m == nil {
		return "-\t-"
	}
	return fmt.Sprintf("%d\t%.3f", m.Size(), answer.BitsPerPosition(m))
}

func (a *app) showJSON(all []answer.Stored) error {
	e := json.NewEncoder(a.out)
	for _, r := range answer.Rows(all) {
		t, err := answer.TableOf(r)
		if err != nil {
			return err
		}
		if err := e.Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// showRuns prints a line for each metric of each table.
func (a *app) showRuns(variant string) error {
	st, err := a.openRead()
	if err != nil {
		return err
	}
	if st == nil {
		return a.showTables(nil)
	}
	list, err := st.List(variant)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "variant\tmaterial\tmetric\tfinished\tseconds\tthreads\tproof\thost")
	for _, m := range list {
		r, failed := st.RunRecord(tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric})
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		seconds := "-" // it was imported
		if r.Threads > 0 {
			seconds = fmt.Sprintf("%.1f", r.Seconds)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", m.Variant, m.Material, m.Metric,
			r.Finished.Format(time.RFC3339), seconds, r.Threads, cmp.Or(r.Proof, "-"), r.Host)
	}
	return errors.Join(err, w.Flush(), st.Close())
}

// showDigest prints a line for each metric of each table, in ASCII order, and
// the digest of those lines: the signature of all that is stored.
func (a *app) showDigest(list []*tables.Manifest) error {
	lines := make([]string, len(list))
	for i, m := range list {
		lines[i] = fmt.Sprintf("%s %s %s %s\n", m.Variant, m.Material, m.Metric, m.Digest)
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprint(a.out, line)
	}
	_, err := fmt.Fprintf(a.out, "all %s\n", store.Signature(list))
	return err
}
