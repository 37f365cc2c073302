package retro_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/truth"
	"threekings/retro"
	"threekings/tables"
)

// generate solves tables.
func generate(t *testing.T, v *draughts.Variant, materials []tables.Material, opts retro.Options) map[tables.Material]*retro.Solution {
	t.Helper()
	var mu sync.Mutex
	solved := map[tables.Material]*retro.Solution{}
	opts.Publish = func(_ context.Context, s *retro.Solution) error {
		mu.Lock()
		defer mu.Unlock()
		solved[s.Material] = s
		return nil
	}
	if err := retro.Generate(t.Context(), v, materials, opts); err != nil {
		t.Fatal(err)
	}
	return solved
}

// checkRow compares one side to move of a table with the truth.
func checkRow(t *testing.T, v *draughts.Variant, row truth.Row, s *retro.Solution) {
	t.Helper()
	table, side := row.Material.Table()
	sides, _ := tables.Summarize(v, table, tables.DTW, s)
	got := sides[side]
	want := tables.Summary{
		Wins: row.Wins, Draws: row.Draws, Losses: row.Losses, Captures: row.Captures,
		LongestWin: row.LongestWin, LongestLoss: row.LongestLoss,
		LongestWinAt: got.LongestWinAt, LongestLossAt: got.LongestLossAt,
	}
	if got != want {
		t.Errorf("%s %s:\n got %+v\nwant %+v", row.Variant, row.Material, got, want)
	}
	if n := tables.Count(v, row.Material); n != row.Positions {
		t.Errorf("%s %s: %d positions, want %d", row.Variant, row.Material, n, row.Positions)
	}
}

func TestCountsAndLongestWinsUpToThreePieces(t *testing.T) {
	rows, err := truth.Rows()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	var mu sync.Mutex
	t.Run("variants", func(t *testing.T) {
		for _, v := range draughts.Variants() {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				if testing.Short() && v.Squares() > 32 {
					t.Skip("takes long")
				}
				solved := generate(t, v, tables.All(3), retro.Options{Threads: 1})
				for _, row := range rows {
					if row.Variant != v.Name || row.Material.Pieces() > 3 {
						continue
					}
					table, _ := row.Material.Table()
					checkRow(t, v, row, solved[table])
					mu.Lock()
					checked++
					mu.Unlock()
				}
				if v == draughts.International {
					checkLongestWins(t, solved, func(m tables.Material) bool { return m.Pieces() <= 3 }, 5+12)
				}
			})
		}
	})
	want := 12 * 16
	if testing.Short() {
		want = 8 * 16 // those on 32 squares
	}
	if checked != want {
		t.Errorf("%d rows checked, want %d", checked, want)
	}
}

// knownResults returns the published results from one source about one variant:
// what they are about, the quantity, and its value.
func knownResults(t *testing.T, source, variant string) [][3]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(truth.KnownResults)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var found [][3]string
	for _, r := range records {
		if strings.Contains(r[0], source) && r[1] == variant {
			found = append(found, [3]string{r[2], r[3], r[4]})
		}
	}
	return found
}

// valueOf reads the distance of a position.
func valueOf(t *testing.T, v *draughts.Variant, solved map[tables.Material]*retro.Solution, p draughts.Position) tables.Plies {
	t.Helper()
	m, ok := tables.MaterialOf(p)
	if !ok {
		t.Fatalf("%s: no table", v.FEN(p))
	}
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	side, n := ix.Rank(p)
	var plies [1]tables.Plies
	solved[ix.Material()].Distances(side, n, plies[:])
	return plies[0]
}

// checkLongestWins compares the published longest wins of International
// draughts: each is given by a position that takes so long, and all but the
// first, a problem, are the longest of their table.
func checkLongestWins(t *testing.T, solved map[tables.Material]*retro.Solution, within func(tables.Material) bool, want int) {
	t.Helper()
	v := draughts.International
	checked := 0
	for _, r := range knownResults(t, "Grimminck", v.Name) {
		fields := strings.Fields(r[0])
		setup, err := v.ParseFEN(fields[len(fields)-1])
		if err != nil {
			t.Fatal(err)
		}
		m, _ := tables.MaterialOf(setup.Position)
		if !within(m) {
			continue
		}
		n, err := strconv.Atoi(r[2])
		if err != nil || r[1] != "longest win, plies, side to move wins" {
			t.Fatalf("row not understood: %q", r)
		}
		if got := valueOf(t, v, solved, setup.Position); got != tables.Plies(n) {
			t.Errorf("%s: %d plies, want %d", r[0], got, n)
		}
		table, side := m.Table()
		sides, _ := tables.Summarize(v, table, tables.DTW, solved[table])
		if longest := sides[side].LongestWin; longest != tables.Plies(n) && !strings.HasPrefix(r[0], "David") {
			t.Errorf("%s: the longest win takes %d plies, want %d", m, longest, n)
		}
		checked++
	}
	if checked != want {
		t.Errorf("%d published longest wins checked, want %d", checked, want)
	}
}

// English KvK: the one table whose counts were published long ago.
func TestEnglishKingAgainstKing(t *testing.T) {
	v := draughts.English
	m := material(t, "KvK")
	sides, _ := tables.Summarize(v, m, tables.DTW, generate(t, v, []tables.Material{m}, retro.Options{})[m])
	sum := sides[0]
	want := map[string]string{
		"W/D/L":         fmt.Sprintf("%d/%d/%d", sum.Wins, sum.Draws, sum.Losses),
		"longest plies": fmt.Sprint(sum.LongestWin),
	}
	results := knownResults(t, "Trice", v.Name)
	for _, r := range results {
		if r[2] != want[r[1]] {
			t.Errorf("%s: %s, want %s", r[1], want[r[1]], r[2])
		}
	}
	if len(results) != 2 {
		t.Errorf("%d published results, want 2", len(results))
	}
}
