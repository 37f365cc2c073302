package cli

import (
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"threekings/internal/answer"
	"threekings/internal/truth"
)

// knownResult is a row of known-results.csv.
type knownResult struct{ source, variant, position, quantity, value string }

func knownResults(t *testing.T) []knownResult {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(truth.KnownResults)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []knownResult
	for _, r := range records[1:] {
		list = append(list, knownResult{r[0], r[1], r[2], r[3], r[4]})
	}
	return list
}

var fenInText = regexp.MustCompile(`[WB]:W\S+`)

// longestWins compares published longest wins, each with a position, with what
// probe says of the position and info of the whole table. It returns how many
// there were.
func longestWins(t *testing.T, db string, pieces int) int {
	t.Helper()
	maxima := map[string]string{} // by material
	records, err := csv.NewReader(strings.NewReader(mustRun(t, "info", "--db", db, "--csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		maxima[r[1]] = r[7]
	}
	longest := map[string]int{} // published, by material
	checked := 0
	for _, known := range knownResults(t) {
		if known.quantity != "longest win, plies, side to move wins" {
			continue
		}
		fen := fenInText.FindString(known.position)
		m := materialOfFEN(fen)
		if len(m)-1 != pieces {
			continue
		}
		var got answer.Answer
		out := mustRun(t, "probe", "--db", db, "--no-generate", "--json", fen)
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got.Outcome == nil || *got.Outcome != "win" || got.DTW == nil || strconv.Itoa(int(*got.DTW)) != known.value {
			t.Errorf("%s: want a win in %s plies: %s", fen, known.value, out)
		}
		if n, _ := strconv.Atoi(known.value); n > longest[m] { // David and Goliath is one of several
			longest[m] = n
		}
		checked++
	}
	for m, n := range longest {
		if maxima[m] != strconv.Itoa(n) {
			t.Errorf("%s: the longest win has %s plies, want %d", m, maxima[m], n)
		}
	}
	return checked
}

// materialOfFEN counts the pieces of a FEN with White to move.
func materialOfFEN(fen string) string {
	var sides []string
	for _, list := range strings.Split(fen, ":")[1:] {
		kings, men := "", ""
		for piece := range strings.SplitSeq(list[1:], ",") {
			if piece[0] == 'K' {
				kings += "K"
			} else {
				men += "M"
			}
		}
		sides = append(sides, kings+men)
	}
	return strings.Join(sides, "v")
}

func TestPublishedLongestWinsUpToThreePieces(t *testing.T) {
	db := t.TempDir()
	mustRun(t, "generate", "--db", db, "--pieces", "3")
	if n := longestWins(t, db, 2); n != 4 {
		t.Errorf("%d positions with two pieces, want 4", n)
	}
	if n := longestWins(t, db, 3); n != 13 {
		t.Errorf("%d positions with three pieces, want 13", n)
	}
}
