package answer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// Stored is a table with what is stored of it.
type Stored struct {
	Variant           string
	Material          tables.Material
	Outcome, Distance *tables.Manifest // nil if not stored
	// Resets are distances to reset, by the names of their profiles.
	Resets []*tables.Manifest
}

// Conversion returns the distances to conversion, which are those to reset under
// the profile none; nil if they are not stored.
func (t *Stored) Conversion() *tables.Manifest {
	for _, m := range t.Resets {
		if m.Metric == tables.DTR("none") {
			return m
		}
	}
	return nil
}

// Manifests returns all that is stored of the table.
func (t *Stored) Manifests() []*tables.Manifest {
	var list []*tables.Manifest
	for _, m := range []*tables.Manifest{t.Outcome, t.Distance} {
		if m != nil {
			list = append(list, m)
		}
	}
	return append(list, t.Resets...)
}

// StoredTables joins the manifests of each table, which follow each other as a
// store lists them.
func StoredTables(list []*tables.Manifest) []Stored {
	var all []Stored
	for _, m := range list {
		last := len(all) - 1
		if last < 0 || all[last].Variant != m.Variant || all[last].Material != m.Material {
			all = append(all, Stored{Variant: m.Variant, Material: m.Material})
			last++
		}
		switch m.Metric {
		case tables.Outcomes:
			all[last].Outcome = m
		case tables.DTW:
			all[last].Distance = m
		default:
			all[last].Resets = append(all[last].Resets, m)
		}
	}
	return all
}

// Row is one side to move of a stored table.
type Row struct {
	*Stored
	// Material has the side to move first; Stored.Material is the table's name.
	Material  tables.Material
	Side      tables.Side
	Positions uint64
	tables.Summary
}

// Rows returns a row for each ordered material, sorted by variant, number of
// pieces and name. Tables that hold nothing but distances to reset under draw
// rules with limits have none: how many positions are won is not known from them.
func Rows(all []Stored) []Row {
	var list []Row
	for i := range all {
		t := &all[i]
		m := cmp.Or(t.Distance, t.Outcome, t.Conversion())
		if m == nil {
			continue
		}
		for s, summary := range m.Sides {
			list = append(list, Row{
				Stored: t, Material: t.Material.Ordered()[s], Side: tables.Side(s),
				Positions: m.Positions, Summary: summary,
			})
		}
	}
	slices.SortFunc(list, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(a.Variant, b.Variant),
			cmp.Compare(a.Material.Pieces(), b.Material.Pieces()),
			cmp.Compare(a.Material.String(), b.Material.String()),
		)
	})
	return list
}

// Table is the JSON of a row.
type Table struct {
	Variant    string            `json:"variant"`
	Material   string            `json:"material"`
	Table      string            `json:"table"`
	Positions  uint64            `json:"positions"`
	Captures   uint64            `json:"captures"`
	Wins       uint64            `json:"wins"`
	Draws      uint64            `json:"draws"`
	Losses     uint64            `json:"losses"`
	MaxWinDTW  *tables.Plies     `json:"max_win_dtw"`
	MaxWinFEN  *string           `json:"max_win_fen"`
	MaxLossDTW *tables.Plies     `json:"max_loss_dtw"`
	MaxLossFEN *string           `json:"max_loss_fen"`
	Metrics    map[string]Metric `json:"metrics"`
}

// Metric is what one metric of a table takes in the store.
type Metric struct {
	Bytes           uint64      `json:"bytes"`
	BitsPerPosition json.Number `json:"bits_per_position"`
	Digest          string      `json:"digest"`
	LeftOut         string      `json:"left_out,omitempty"` // by the row's side to move
	Format          int         `json:"format"`
	Generator       string      `json:"generator"`
}

// TableOf returns the JSON of a row.
func TableOf(r Row) (Table, error) {
	t := Table{
		Variant: r.Variant, Material: r.Material.String(), Table: r.Stored.Material.String(),
		Positions: r.Positions, Captures: r.Captures, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses,
		Metrics: map[string]Metric{},
	}
	for _, m := range r.Manifests() {
		metric := Metric{
			Bytes:           m.Size(),
			BitsPerPosition: json.Number(strconv.FormatFloat(BitsPerPosition(m), 'f', 4, 64)),
			Digest:          m.Digest, Format: m.Format, Generator: m.Generator,
		}
		if l := m.LeftOutOf(r.Side); l != tables.NoneLeftOut {
			metric.LeftOut = l.String()
		}
		t.Metrics[string(m.Metric)] = metric
	}
	if r.Distance == nil {
		return t, nil
	}
	v, err := draughts.Lookup(r.Variant)
	if err != nil {
		return t, err
	}
	ix, err := index.New(v, r.Stored.Material)
	if err != nil {
		return t, err
	}
	t.MaxWinDTW, t.MaxLossDTW = new(r.LongestWin), new(r.LongestLoss)
	if r.Wins > 0 {
		t.MaxWinFEN = new(v.FEN(ix.Position(r.Side, r.LongestWinAt)))
	}
	if r.Losses > 0 {
		t.MaxLossFEN = new(v.FEN(ix.Position(r.Side, r.LongestLossAt)))
	}
	return t, nil
}

// BitsPerPosition returns what a metric takes for each position.
func BitsPerPosition(m *tables.Manifest) float64 {
	return 8 * float64(m.Size()) / float64(m.Positions*uint64(m.Material.Sides()))
}
