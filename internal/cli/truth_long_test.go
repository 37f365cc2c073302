//go:build long

package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"threekings/draughts"
	"threekings/internal/truth"
)

// Every row of wdl.csv with four pieces. Up to three Czech, Spanish and
// Portuguese cannot be told apart, nor Brazilian and Pool.
func TestTruthWithFourPieces(t *testing.T) {
	all, err := truth.Rows()
	if err != nil {
		t.Fatal(err)
	}
	materials := map[string][]string{}
	for _, row := range all {
		if row.Material.Pieces() == 4 {
			table, _ := row.Material.Table()
			materials[row.Variant] = append(materials[row.Variant], "--material="+table.String())
		}
	}
	checked := 0
	for _, v := range draughts.Variants() {
		if materials[v.Name] == nil {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			want, rows := truthCSV(t, v.Name, 4)
			checked += rows - 16
			db := t.TempDir()
			mustRun(t, append([]string{"generate", "--db", db, "--variant", v.Name, allTruth, conversion}, materials[v.Name]...)...)
			mustRun(t, "generate", "--db", db, "--variant", v.Name, "--pieces", "3", allTruth, conversion)
			got := mustRun(t, "info", "--db", db, "--csv")
			if diff := cmp.Diff(want, onlyRows(got, want)); diff != "" {
				t.Errorf("info --csv (-want +got):\n%s", diff)
			}
		})
	}
	if want := len(all) - 12*16; checked != want {
		t.Errorf("%d rows checked, want %d", checked, want)
	}
}

// onlyRows drops the rows whose material is not among those of want: what a
// wanted table depends on.
func onlyRows(got, want string) string {
	key := func(line string) string {
		fields := strings.SplitN(line, ",", 3)
		return fields[0] + "," + fields[1]
	}
	wanted := map[string]bool{}
	for line := range strings.Lines(want) {
		wanted[key(line)] = true
	}
	var b strings.Builder
	for line := range strings.Lines(got) {
		if wanted[key(line)] {
			b.WriteString(line)
		}
	}
	return b.String()
}
