package cli

import (
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

func TestVerdictNamesNumberAndUnit(t *testing.T) {
	for _, test := range []struct {
		variant *draughts.Variant
		fen     string
		outcome tables.Outcome
		dtw     tables.Plies
		want    string
	}{
		{draughts.International, "W:W23:B5,6", tables.Win, 29, "White to move wins in 29 plies (15 moves)"},
		{draughts.International, "W:W23:B5,6", tables.Win, 1, "White to move wins in 1 ply (1 move)"},
		{draughts.International, "B:W23:B5,6", tables.Loss, 2, "Black to move loses in 2 plies (1 move)"},
		{draughts.International, "B:W23:B5,6", tables.Draw, tables.NoPlies, "Black to move draws"},
		{draughts.International, "W:W23:B5,6", tables.Win, tables.NoPlies, "White to move wins (the distance is not stored)"},
		{draughts.International, "W:W46:B41,37", tables.Loss, 0, "White has lost: it cannot move"},
		{draughts.International, "B:W46:B", tables.Loss, 0, "Black has lost: it has no pieces"},
		{draughts.Turkish, "W:Wa2:Bh7", tables.Draw, tables.NoPlies, "The game is over: one piece against one is a draw"},
	} {
		setup, err := test.variant.ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdict(test.variant, setup.Position, test.outcome, test.dtw); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
