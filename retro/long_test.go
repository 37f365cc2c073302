//go:build long

package retro_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/internal/truth"
	"threekings/retro"
	"threekings/tables"
)

// Every row of four pieces. Spanish and Czech, and Brazilian and Pool, have
// equal counts up to three: here they differ.
func TestCountsAndLongestWinsOfFourPieces(t *testing.T) {
	rows, err := truth.Rows()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, v := range draughts.Variants() {
		var mine []truth.Row
		var materials []tables.Material
		for _, row := range rows {
			if row.Variant == v.Name && row.Material.Pieces() > 3 {
				mine = append(mine, row)
				materials = append(materials, row.Material)
			}
		}
		if len(mine) == 0 {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			solved := generate(t, v, tables.Closure(materials...), retro.Options{})
			for _, row := range mine {
				table, _ := row.Material.Table()
				checkRow(t, v, row, solved[table])
				checked++
			}
			switch v {
			case draughts.International:
				checkLongestWins(t, solved, func(m tables.Material) bool { return m.Pieces() == 4 }, 25)
				checkManAndKingEach(t, solved)
			case draughts.English:
				checkEnglishTotals(t, solved)
			}
		})
	}
	if want := 25 + 25 + 6*4; checked != want {
		t.Errorf("%d rows checked, want %d", checked, want)
	}
}

// checkManAndKingEach compares the published histogram of International KMvKM,
// White to move.
func checkManAndKingEach(t *testing.T, solved map[tables.Material]*retro.Solution) {
	t.Helper()
	v, m := draughts.International, material(t, "KMvKM")
	distances := make([]tables.Plies, tables.Count(v, m))
	solved[m].Distances(tables.First, 0, distances)
	count := map[tables.Plies]int{}
	by := map[tables.Outcome]int{}
	longest := tables.Plies(0)
	for _, d := range distances {
		count[d]++
		by[d.Outcome()]++
		if d != tables.NoPlies {
			longest = max(longest, d)
		}
	}
	counts := func(first tables.Plies) string {
		var list []string
		for d := first; d <= longest; d += 2 {
			list = append(list, fmt.Sprintf("%d:%d", d, count[d]))
		}
		return strings.Join(list, " ")
	}
	got := map[string]string{
		"white to move W/L/D/longest plies": fmt.Sprintf("%d/%d/%d/%d", by[tables.Win], by[tables.Loss], by[tables.Draw], longest),
		"wins by plies":                     counts(1),
		"losses by plies":                   counts(0),
	}
	checked := 0
	for _, r := range knownResults(t, "GWDEGTB", v.Name) {
		if r[0] != "1K1M v 1K1M" {
			continue
		}
		if got[r[1]] != r[2] {
			t.Errorf("%s: %s\n got %s\nwant %s", r[0], r[1], got[r[1]], r[2])
		}
		checked++
	}
	if checked != len(got) {
		t.Errorf("%d published results, want %d", checked, len(got))
	}
}

// checkEnglishTotals compares the published sums over all tables of two to four
// pieces.
func checkEnglishTotals(t *testing.T, solved map[tables.Material]*retro.Solution) {
	t.Helper()
	v := draughts.English
	var total tables.Summary
	for m, s := range solved {
		sides, _ := tables.Summarize(v, m, tables.DTW, s)
		for _, sum := range sides {
			total.Wins += sum.Wins
			total.Draws += sum.Draws
			total.Losses += sum.Losses
			total.LongestWin = max(total.LongestWin, sum.LongestWin)
		}
	}
	got := map[string]string{
		"positions, red to move (2-4 pieces)": strconv.FormatUint(total.Wins+total.Draws+total.Losses, 10),
		"wins/losses/draws":                   fmt.Sprintf("%d/%d/%d", total.Wins, total.Losses, total.Draws),
		"longest plies":                       fmt.Sprint(total.LongestWin),
	}
	results := knownResults(t, "Pixel4youcorp", v.Name)
	for _, r := range results {
		if got[r[1]] != r[2] {
			t.Errorf("%s: %s, want %s", r[1], got[r[1]], r[2])
		}
	}
	if len(results) != len(got) {
		t.Errorf("%d published results, want %d", len(results), len(got))
	}
}

// The number of threads does not change a digest, and what was stored is proved
// again, outcomes alone too.
func TestFourPiecesInEveryWay(t *testing.T) {
	v := draughts.English
	materials := tables.All(4)
	want := digests(v, tables.DTW, generate(t, v, materials, retro.Options{Threads: 1, Verify: retro.VerifyNone}))
	opts := retro.Options{Threads: 5, Verify: retro.VerifyNone}
	for m, got := range digests(v, tables.DTW, generate(t, v, materials, opts)) {
		if got != want[m] {
			t.Errorf("%+v: %s has digest %s, want %s", opts, m, got, want[m])
		}
	}
	stored := newMemory(t, v, "KKvKK", "KMvKM", "MMvMM", "KMMvK", "KMMvM")
	for m := range stored.distances {
		for _, metrics := range [][]tables.Metric{both, outcomeOnly} {
			if _, err := retro.Verify(t.Context(), v, m, metrics, stored, retro.VerifyOptions{}); err != nil {
				t.Errorf("%s %v: %v", m, metrics, err)
			}
		}
	}
}

// Lanes and the reference agree on every four-piece table of the variants that
// differ most from each other.
func TestFourPiecesEqualReference(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.International, draughts.English, draughts.Russian, draughts.Czech, draughts.Italian} {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			materials := tables.All(4)
			want := digests(v, tables.DTW, generate(t, v, materials, retro.Options{Threads: 1, Solver: retro.Reference, Verify: retro.VerifyNone}))
			got := digests(v, tables.DTW, generate(t, v, materials, retro.Options{Threads: 1, Verify: retro.VerifyNone}))
			if len(want) != len(materials) {
				t.Fatalf("%d tables solved, want %d", len(want), len(materials))
			}
			for m, digest := range want {
				if got[m] != digest {
					t.Errorf("%s: digest %s, want %s", m, got[m], digest)
				}
			}
		})
	}
}
