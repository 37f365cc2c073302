package retro_test

import (
	"context"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/internal/truth"
	"threekings/retro"
	"threekings/tables"
)

// generate solves all tables up to a number of pieces.
func generate(t *testing.T, v *draughts.Variant, pieces int, opts retro.Options) map[tables.Material]*retro.Solution {
	t.Helper()
	var mu sync.Mutex
	solved := map[tables.Material]*retro.Solution{}
	opts.Publish = func(_ context.Context, s *retro.Solution) error {
		mu.Lock()
		defer mu.Unlock()
		solved[s.Material] = s
		return nil
	}
	if err := retro.Generate(t.Context(), v, tables.All(pieces), opts); err != nil {
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
				solved := generate(t, v, 3, retro.Options{Threads: 1})
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
			})
		}
	})
	if want := 12 * 16; checked != want {
		t.Errorf("%d rows checked, want %d", checked, want)
	}
}
