// Package truth holds the numbers that tests compare with: counts and longest
// wins from two independent solvers that agree, and published results.
package truth

import (
	_ "embed"
	"encoding/csv"
	"strconv"
	"strings"

	"threekings/tables"
)

// WDL is the text of wdl.csv: one row for each ordered material, with the side
// to move first.
//
//go:embed wdl.csv
var WDL string

// KnownResults is the text of known-results.csv.
//
//go:embed known-results.csv
var KnownResults string

// Row is one row of wdl.csv.
type Row struct {
	Variant                          string
	Material                         tables.Material // the side to move first
	Positions                        uint64
	Captures, Wins, Draws, Losses    uint64
	LongestWin, LongestLoss          tables.Plies
	LongestWinToConv, LongestLossToC tables.Plies
}

// Rows returns the rows of wdl.csv.
func Rows() ([]Row, error) {
	records, err := csv.NewReader(strings.NewReader(WDL)).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, r := range records[1:] {
		m, err := tables.ParseMaterial(r[1])
		if err != nil {
			return nil, err
		}
		var n [9]uint64
		for i := range n {
			if n[i], err = strconv.ParseUint(r[2+i], 10, 64); err != nil {
				return nil, err
			}
		}
		rows = append(rows, Row{
			Variant: r[0], Material: m, Positions: n[0], Captures: n[1], Wins: n[2], Draws: n[3], Losses: n[4],
			LongestWin: tables.Plies(n[5]), LongestLoss: tables.Plies(n[6]),
			LongestWinToConv: tables.Plies(n[7]), LongestLossToC: tables.Plies(n[8]),
		})
	}
	return rows, nil
}
