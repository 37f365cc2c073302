package cli

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"threekings/draughts"
	"threekings/internal/truth"
	"threekings/tables"
)

// truthCSV is what `info --csv` must print for a variant: the rows of wdl.csv
// up to a number of pieces.
func truthCSV(t *testing.T, variant string, pieces int) (text string, rows int) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(truth.WDL)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	for i, r := range records {
		if i > 0 {
			m, err := tables.ParseMaterial(r[1])
			if err != nil {
				t.Fatal(err)
			}
			if r[0] != variant || m.Pieces() > pieces {
				continue
			}
			rows++
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return b.String(), rows
}

// What the truth has: outcomes, distances to win and to conversion.
const (
	allTruth   = "--metric=outcome,dtw,dtr"
	conversion = "--profile=none"
)

// Every table up to three pieces of every variant: generated, counted, row for
// row as two independent solvers have counted.
func TestTruthUpToThreePieces(t *testing.T) {
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			if testing.Short() && v != draughts.English {
				t.Skip("left out with -short")
			}
			t.Parallel()
			want, rows := truthCSV(t, v.Name, 3)
			if rows != 16 {
				t.Fatalf("%d rows, want 16", rows)
			}
			db := t.TempDir()
			mustRun(t, "generate", "--db", db, "--variant", v.Name, "--pieces", "3", allTruth, conversion)
			if diff := cmp.Diff(want, mustRun(t, "info", "--db", db, "--csv")); diff != "" {
				t.Errorf("info --csv (-want +got):\n%s", diff)
			}
		})
	}
}
