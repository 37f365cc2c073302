package cli

import (
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// longestOf returns the plies of the report's rows by material and kind, the
// largest of each.
func longestOf(t testing.TB, args ...string) map[string]int {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(mustRun(t, append([]string{"report", "longest", "--csv"}, args...)...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	longest := map[string]int{}
	for _, r := range records[1:] {
		plies, err := strconv.Atoi(r[4])
		if err != nil {
			t.Fatal(err)
		}
		if r[2] != "dtw" {
			continue
		}
		key := r[1] + " " + r[3]
		longest[key] = max(longest[key], plies)
	}
	return longest
}

// Two pieces need at most 9 plies against a lone king, 8 if it is to move: the
// limit of 10 cannot matter. Of the figures of three pieces those that take long
// to make are among the long tests.
func TestLongestWinsAgainstALoneKing(t *testing.T) {
	longest := longestOf(t, "--db", smallTables(t, "international", "3"), "--unique", "0")
	for key, want := range map[string]int{"KKvK win": 7, "KMvK win": 9, "KvKK loss": 8, "KvKM loss": 8, "KvK win": 3} {
		if longest[key] != want {
			t.Errorf("%s: %d plies, want %d", key, longest[key], want)
		}
	}
}

// The report's positions with one winning move are those that probing every
// position gives: how many of each length, and one of them.
func TestReportOfUniqueWinsAgreesWithProbing(t *testing.T) {
	v := draughts.English
	dir := smallTables(t, "english", "3")
	for _, material := range []string{"KKvM", "MvKM"} {
		all := everyJudged(t, dir, v, material)
		counted := map[tables.Plies]uint64{}
		longest := tables.Plies(0)
		for _, j := range all {
			if j.wins == 1 {
				counted[j.dtw]++
				longest = max(longest, j.dtw)
			}
		}
		out := mustRun(t, "report", "longest", "--db", dir, "--variant", "english", "-m", material, "--unique", "1000", "--json")
		seen := map[tables.Plies]bool{}
		for line := range strings.Lines(out) {
			var r longestRow
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if r.Kind != "unique_win" {
				continue
			}
			if len(seen) == 0 && r.Plies != longest {
				t.Errorf("%s: the longest has %d plies, want %d", material, r.Plies, longest)
			}
			seen[r.Plies] = true
			if *r.Positions != counted[r.Plies] {
				t.Errorf("%s: %d positions of %d plies, want %d", material, *r.Positions, r.Plies, counted[r.Plies])
			}
			moves := 0
			for _, j := range all {
				if j.fen == r.FEN && (j.wins != 1 || j.dtw != r.Plies) {
					t.Errorf("%s has %d winning moves, %d plies", r.FEN, j.wins, j.dtw)
				}
				if s, err := v.ParseFEN(j.fen); err == nil && j.wins == 1 && j.dtw == r.Plies {
					moves = max(moves, len(v.Moves(s.Position, nil)))
				}
			}
			if r.Moves != moves {
				t.Errorf("%s has %d moves; there is one with %d", r.FEN, r.Moves, moves)
			}
		}
		if len(seen) != len(counted) {
			t.Errorf("%s: %d lengths, want %d", material, len(seen), len(counted))
		}
	}
}
