//go:build long

package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

func TestPublishedLongestWinsWithFourPieces(t *testing.T) {
	db := t.TempDir()
	mustRun(t, "generate", "--db", db, "--pieces", "4")
	if n := longestWins(t, db, 4); n != 25 {
		t.Errorf("%d positions, want 25", n)
	}
	publishedHistogram(t, db)
	longestAgainstALoneKing(t, db)
}

// Three pieces need at most 31 plies against a lone king, 32 if it is to move:
// the limit of 32 cannot matter.
func longestAgainstALoneKing(t *testing.T, db string) {
	t.Helper()
	longest := longestOf(t, "--db", db, "--unique", "0")
	for key, want := range map[string]int{"KKKvK win": 15, "KKMvK win": 31, "KMMvK win": 29, "KvKKK loss": 16, "KvKKM loss": 32} {
		if longest[key] != want {
			t.Errorf("%s: %d plies, want %d", key, longest[key], want)
		}
	}
	if loss := longest["KvKMM loss"]; loss > 32 {
		t.Errorf("a lone king holds out for %d plies", loss)
	}
}

// publishedHistogram compares International KMvKM, White to move, win by win.
func publishedHistogram(t *testing.T, db string) {
	t.Helper()
	v := draughts.International
	m := material(t, "KMvKM")
	st, err := store.Open(db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	distances := make([]tables.Plies, ix.Size())
	key := tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW}
	if err := probe.Open(st, probe.Options{}).Distances(t.Context(), key, tables.First, 0, distances); err != nil {
		t.Fatal(err)
	}
	count := map[tables.Plies]int{}
	for _, d := range distances {
		count[d]++
	}
	checked := 0
	for _, known := range knownResults(t) {
		if !strings.HasPrefix(known.quantity, "wins by") && !strings.HasPrefix(known.quantity, "losses by") {
			continue
		}
		for field := range strings.FieldsSeq(known.value) {
			var plies tables.Plies
			var n int
			if _, err := fmt.Sscanf(field, "%d:%d", &plies, &n); err != nil {
				t.Fatal(err)
			}
			if count[plies] != n {
				t.Errorf("%d positions of %d plies, want %d", count[plies], plies, n)
			}
			checked++
		}
	}
	if checked != 20 {
		t.Errorf("%d numbers checked, want 20", checked)
	}
}

// English up to four pieces, side to move first: the published sums.
func TestPublishedSumsOfEnglish(t *testing.T) {
	db := t.TempDir()
	mustRun(t, "generate", "--db", db, "--variant", "english", "--pieces", "4")
	var wins, losses, draws uint64
	longest := tables.Plies(0)
	for line := range strings.Lines(mustRun(t, "info", "--db", db, "--json")) {
		var row answer.Table
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		wins, losses, draws = wins+row.Wins, losses+row.Losses, draws+row.Draws
		longest = max(longest, *row.MaxWinDTW, *row.MaxLossDTW)
	}
	got := fmt.Sprintf("%d/%d/%d", wins, losses, draws)
	checked := 0
	for _, known := range knownResults(t) {
		if known.variant != "english" || known.position != "2-4" {
			continue
		}
		checked++
		want := known.value
		switch known.quantity {
		case "wins/losses/draws":
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		case "longest plies":
			if fmt.Sprint(longest) != want {
				t.Errorf("%d plies, want %s", longest, want)
			}
		default:
			if n := fmt.Sprint(wins + losses + draws); n != want {
				t.Errorf("%s positions, want %s", n, want)
			}
		}
	}
	if checked != 3 {
		t.Errorf("%d numbers checked, want 3", checked)
	}
}
