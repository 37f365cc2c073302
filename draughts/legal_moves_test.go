package draughts

import (
	"encoding/csv"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// readCSV reads a file of testdata and checks its header.
func readCSV(t testing.TB, name string, header ...string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows[0], header) {
		t.Fatalf("%s has columns %q, want %q", name, rows[0], header)
	}
	return rows[1:]
}

// The rows of legal-moves.csv come from rule books and from other generators;
// each row names its source and the rule it is about.
func TestLegalMovesAreThoseOfTheRuleBooks(t *testing.T) {
	rows := readCSV(t, "legal-moves.csv", "variant", "fen", "legal moves", "source", "what it tests")
	checked, skipped := 0, 0
	for _, row := range rows {
		v, err := Lookup(row[0])
		if err != nil {
			skipped++ // a variant of others
			continue
		}
		checked++
		fen, want := row[1], strings.Fields(row[2])
		setup, err := v.ParseFEN(fen)
		if row[2] == "error" {
			if !errors.Is(err, ErrIllegalPosition) {
				t.Errorf("%s %s: error %v, want an illegal position", v.Name, fen, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", v.Name, fen, err)
			continue
		}
		if row[2] == "(none)" {
			want = nil
		}
		p := setup.Position
		moves := v.Moves(p, nil)
		texts := v.MoveTexts(p, moves)
		for i, m := range moves {
			if back, err := v.ParseMove(p, texts[i]); err != nil || back != m {
				t.Errorf("%s %s: %s is read back as %+v, %v", v.Name, fen, texts[i], back, err)
			}
			if one := v.MoveText(p, m); one != texts[i] {
				t.Errorf("%s %s: one by one %s, at once %s", v.Name, fen, one, texts[i])
			}
		}
		slices.Sort(texts)
		slices.Sort(want)
		if !slices.Equal(texts, want) {
			t.Errorf("%s %s (%s): %q, want %q", v.Name, fen, row[4], texts, want)
		}
	}
	if checked != 88 || skipped != 11 {
		t.Errorf("%d rows checked and %d skipped", checked, skipped)
	}
}
