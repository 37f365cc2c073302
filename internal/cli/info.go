package cli

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/progress"
	"threekings/store"
	"threekings/tables"
)

func (a *app) infoCommand() *cobra.Command {
	var variant variantFlag
	var asCSV, asJSON, digest bool
	file := ""
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Show what is stored",
		Long: `Shows what is stored: for each table and side to move how many positions are won,
drawn and lost, the longest win and loss in plies, and what the table takes on
the disk. The side to move is written first: KKvK and KvKK are one table.

--digest prints the SHA-256 of each table's values and one of all together. Equal
digests mean equal values, however they are stored.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			name := ""
			if variant.Variant != nil {
				name = variant.Name
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
			return errors.Join(show(storedTables(list)), err)
		},
	}
	addVariantFilter(cmd, &variant, "only tables of this variant (default: all)")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "comma-separated, one row for each side to move")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line for each side to move")
	cmd.Flags().BoolVar(&digest, "digest", false, "the SHA-256 of the values of each table, and of all")
	cmd.Flags().StringVar(&file, "pack", "", "show what this pack holds instead")
	cmd.MarkFlagsMutuallyExclusive("csv", "json", "digest")
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

// storedTable is a table with what is stored of it.
type storedTable struct {
	variant           string
	material          tables.Material
	outcome, distance *tables.Manifest // nil if not stored
}

// storedTables joins the manifests of each table, which follow each other as
// the store lists them.
func storedTables(list []*tables.Manifest) []storedTable {
	var all []storedTable
	for _, m := range list {
		last := len(all) - 1
		if last < 0 || all[last].variant != m.Variant || all[last].material != m.Material {
			all = append(all, storedTable{variant: m.Variant, material: m.Material})
			last++
		}
		if m.Metric == tables.Outcomes {
			all[last].outcome = m
		} else {
			all[last].distance = m
		}
	}
	return all
}

// tableRow is one side to move of a stored table.
type tableRow struct {
	*storedTable
	material  tables.Material // the side to move first
	side      tables.Side
	positions uint64
	tables.Summary
}

// rows returns a row for each ordered material, sorted by variant, number of
// pieces and name.
func rows(all []storedTable) []tableRow {
	var list []tableRow
	for i := range all {
		t := &all[i]
		m := cmp.Or(t.distance, t.outcome)
		for s, summary := range m.Sides {
			list = append(list, tableRow{
				storedTable: t, material: t.material.Ordered()[s], side: tables.Side(s),
				positions: m.Positions, Summary: summary,
			})
		}
	}
	slices.SortFunc(list, func(a, b tableRow) int {
		return cmp.Or(
			cmp.Compare(a.variant, b.variant),
			cmp.Compare(a.material.Pieces(), b.material.Pieces()),
			cmp.Compare(a.material.String(), b.material.String()),
		)
	})
	return list
}

// csvColumns are those of the published counts. The distances to conversion are
// not known yet.
var csvColumns = []string{
	"variant", "material", "positions", "captures", "wins", "draws", "losses",
	"max_win_dtw", "max_loss_dtw", "max_win_dtc", "max_loss_dtc",
}

func (a *app) showCSV(all []storedTable) error {
	w := csv.NewWriter(a.out)
	if err := w.Write(csvColumns); err != nil {
		return err
	}
	for _, r := range rows(all) {
		longestWin, longestLoss := "", ""
		if r.distance != nil {
			longestWin, longestLoss = fmt.Sprint(r.LongestWin), fmt.Sprint(r.LongestLoss)
		}
		err := w.Write([]string{
			r.variant, r.material.String(), fmt.Sprint(r.positions), fmt.Sprint(r.Captures),
			fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses),
			longestWin, longestLoss, "", "",
		})
		if err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func (a *app) showTables(all []storedTable) error {
	if len(all) == 0 {
		dir, err := a.tableDir()
		if err != nil {
			return err
		}
		a.say("no tables are stored in %s", dir)
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "variant\tmaterial\tpositions\tcaptures\twins\tdraws\tlosses\tlongest win\tlongest loss\toutcome bytes\tbits\tdtw bytes\tbits\t")
	for _, r := range rows(all) {
		win, loss := "-", "-"
		if r.distance != nil {
			win, loss = longest(r.Wins, r.LongestWin), longest(r.Losses, r.LongestLoss)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t", r.variant, r.material, r.positions,
			r.Captures, r.Wins, r.Draws, r.Losses, win, loss)
		if r.side == tables.First {
			fmt.Fprintf(w, "%s\t%s\t\n", sizeCells(r.outcome), sizeCells(r.distance))
		} else {
			fmt.Fprint(w, "\t\t\t\t\n") // with the other side
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	positions, bytes := uint64(0), uint64(0)
	for _, t := range all {
		positions += cmp.Or(t.outcome, t.distance).Positions * uint64(t.material.Sides())
		for _, m := range []*tables.Manifest{t.outcome, t.distance} {
			if m != nil {
				bytes += m.Bytes
			}
		}
	}
	fmt.Fprintf(a.out, "%s, %d positions, %s; longest wins and losses in plies, sizes for both sides to move\n",
		count(len(all), "table", "tables"), positions, progress.Bytes(bytes))
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
	return fmt.Sprintf("%d\t%.3f", m.Bytes, bitsPerPosition(m))
}

func bitsPerPosition(m *tables.Manifest) float64 {
	return 8 * float64(m.Bytes) / float64(m.Positions*uint64(m.Material.Sides()))
}

// The JSON of a row; docs/formats.md has it in words.
type (
	jsonRow struct {
		Variant    string               `json:"variant"`
		Material   string               `json:"material"`
		Table      string               `json:"table"`
		Positions  uint64               `json:"positions"`
		Captures   uint64               `json:"captures"`
		Wins       uint64               `json:"wins"`
		Draws      uint64               `json:"draws"`
		Losses     uint64               `json:"losses"`
		MaxWinDTW  *tables.Plies        `json:"max_win_dtw"`
		MaxWinFEN  *string              `json:"max_win_fen"`
		MaxLossDTW *tables.Plies        `json:"max_loss_dtw"`
		MaxLossFEN *string              `json:"max_loss_fen"`
		Metrics    map[string]jsonStore `json:"metrics"`
	}
	jsonStore struct {
		Bytes           uint64      `json:"bytes"`
		BitsPerPosition json.Number `json:"bits_per_position"`
		Digest          string      `json:"digest"`
		Format          int         `json:"format"`
		Generator       string      `json:"generator"`
	}
)

func (a *app) showJSON(all []storedTable) error {
	e := json.NewEncoder(a.out)
	for _, r := range rows(all) {
		j := jsonRow{
			Variant: r.variant, Material: r.material.String(), Table: r.storedTable.material.String(),
			Positions: r.positions, Captures: r.Captures, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses,
			Metrics: map[string]jsonStore{},
		}
		for _, m := range []*tables.Manifest{r.outcome, r.distance} {
			if m != nil {
				j.Metrics[string(m.Metric)] = jsonStore{
					Bytes:           m.Bytes,
					BitsPerPosition: json.Number(strconv.FormatFloat(bitsPerPosition(m), 'f', 4, 64)),
					Digest:          m.Digest, Format: m.Format, Generator: m.Generator,
				}
			}
		}
		if r.distance != nil {
			v, err := draughts.Lookup(r.variant)
			if err != nil {
				return err
			}
			ix, err := index.New(v, r.storedTable.material)
			if err != nil {
				return err
			}
			j.MaxWinDTW, j.MaxLossDTW = new(r.LongestWin), new(r.LongestLoss)
			if r.Wins > 0 {
				j.MaxWinFEN = new(v.FEN(ix.Position(r.side, r.LongestWinAt)))
			}
			if r.Losses > 0 {
				j.MaxLossFEN = new(v.FEN(ix.Position(r.side, r.LongestLossAt)))
			}
		}
		if err := e.Encode(j); err != nil {
			return err
		}
	}
	return nil
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
