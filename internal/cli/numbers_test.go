package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// What users of tables ask most: what does this number mean?

// jsonOutputs runs every command that writes JSON about positions and games.
func jsonOutputs(t *testing.T) map[string]string {
	t.Helper()
	english := smallTables(t, "english", "3")
	rules := t.TempDir()
	mustRun(t, "generate", "--db", rules, "--variant", "english", "--pieces", "2", "--metric", "outcome,dtr")
	game := "[FEN \"W:WK32:B2\"]\n1... 32-28 2. 2-6 *\n[FEN \"W:WK32:B2\"] 1... 32-5 *\n"
	out := map[string]string{
		"probe":             mustRun(t, "probe", "--json", "--no-generate", "--db", english, "--variant", "english", "W:WK32:B2", "B:WK32:B2"),
		"line":              mustRun(t, "line", "--json", "--no-generate", "--db", english, "--variant", "english", "W:WK32:B2"),
		"report longest":    mustRun(t, "report", "longest", "--json", "--db", english, "--variant", "english", "-m", "KvM"),
		"report draw-rules": mustRun(t, "report", "draw-rules", "--json", "--db", rules, "--variant", "english"),
		"info":              mustRun(t, "info", "--json", "--db", english),
	}
	// One of the games is cut short by an illegal move: exit code 2.
	out["adjudicate"] = run(t, game, "adjudicate", "--json", "--db", english, "--variant", "english", "-").stdout
	return out
}

// Every key that a command writes is described where outputs are described.
func TestFormatsDescribeEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, span := range regexp.MustCompile("`[^`]+`").FindAllString(string(text), -1) {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(span, -1) {
			described[word] = true
		}
	}
	var look func(command string, value any)
	look = func(command string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, v := range value {
				// The metrics of a table are keys by themselves.
				if name, _, _ := strings.Cut(key, "/"); !described[name] {
					t.Errorf("%s: docs/formats.md does not describe %q", command, key)
				}
				look(command, v)
			}
		case []any:
			for _, v := range value {
				look(command, v)
			}
		}
	}
	for command, out := range jsonOutputs(t) {
		if out == "" {
			t.Errorf("%s: no output", command)
		}
		for line := range strings.Lines(out) {
			var value any
			if err := json.Unmarshal([]byte(line), &value); err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			look(command, value)
		}
	}
	for _, columns := range [][]string{csvColumns, drawColumns} {
		for _, column := range columns {
			if !described[column] {
				t.Errorf("docs/formats.md does not describe the column %s", column)
			}
		}
	}
}

var (
	distance = regexp.MustCompile(`\b(?:win|loss|wins|loses|draws?) in \d+\S* *\S*`)
	inPlies_ = regexp.MustCompile(`in \d+ (?:ply|plies)\b`)
)

// A distance never stands without its unit.
func TestDistancesHaveTheirUnit(t *testing.T) {
	dir := smallTables(t, "english", "3")
	game := "[FEN \"W:WK32:B2\"]\n1... 32-28 2. 2-6 *\n[FEN \"W:WK15,K18:BK6\"]\n1... 15-19 *\n"
	seen := 0
	for _, out := range []string{
		mustRun(t, "probe", "--no-generate", "--db", dir, "--variant", "english", "W:WK32:B2", "B:WK15,K18:BK6"),
		mustRun(t, "line", "--no-generate", "--db", dir, "--variant", "english", "W:WK32:B2"),
		mustRun(t, "line", "--pdn", "--no-generate", "--db", dir, "--variant", "english", "W:WK32:B2"),
		run(t, game, "adjudicate", "--db", dir, "--variant", "english", "-").stdout,
	} {
		for _, found := range distance.FindAllString(strings.Join(strings.Fields(out), " "), -1) {
			seen++
			if !inPlies_.MatchString(found) {
				t.Errorf("%q has no unit", found)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d distances were seen", seen)
	}
	// In lists the name of the column or key says metric and unit.
	records, err := csv.NewReader(strings.NewReader(mustRun(t, "report", "longest", "--csv", "--db", dir, "--variant", "english", "-m", "KvM"))).ReadAll()
	if err != nil || records[0][2] != "metric" || records[0][4] != "plies" {
		t.Error(records[0], err)
	}
	for _, r := range records[1:] {
		if r[2] != "dtw" {
			t.Errorf("metric %q in a list of distances to win", r[2])
		}
	}
}

// The outcomes are a closed list: nothing else is ever written.
func TestOutcomesAreAClosedList(t *testing.T) {
	known := map[string]bool{"win": true, "draw": true, "loss": true}
	seen := map[string]bool{}
	var look func(value any)
	look = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, v := range value {
				if text, ok := v.(string); ok && (key == "outcome" || key == "from" || key == "to") {
					seen[text] = true
					if !known[text] {
						t.Errorf("%s %q", key, text)
					}
				}
				look(v)
			}
		case []any:
			for _, v := range value {
				look(v)
			}
		}
	}
	for _, out := range jsonOutputs(t) {
		for line := range strings.Lines(out) {
			var value any
			if err := json.Unmarshal([]byte(line), &value); err != nil {
				t.Fatal(err)
			}
			look(value)
		}
	}
	if len(seen) != len(known) {
		t.Errorf("only %v were seen", seen)
	}
}

// The loser's moves come with the longest resistance first, and a move into
// what is not stored is last and unknown, never a guess.
func TestOrderOfMoves(t *testing.T) {
	dir := smallTables(t, "english", "3")
	out := mustRun(t, "probe", "--no-generate", "--db", dir, "--variant", "english", "B:WK15,K18:BK6")
	var plies []string
	for _, m := range regexp.MustCompile(`loss in (\d+) pl`).FindAllStringSubmatch(out, -1) {
		plies = append(plies, m[1])
	}
	if strings.Join(plies, " ") != "20 20 4 2" {
		t.Errorf("losses in %v plies", plies)
	}
	alone := t.TempDir()
	mustRun(t, "generate", "--db", alone, "--variant", "english", "--material", "KvK")
	mustRun(t, "generate", "--db", alone, "--variant", "english", "--material", "KvM")
	mustRun(t, "drop", "--db", alone, "--variant", "english", "KvK")
	lines := strings.Split(strings.TrimSpace(mustRun(t, "probe", "--no-generate", "--db", alone, "--variant", "english", "B:WK1:B26")), "\n")
	last := lines[len(lines)-1]
	if !strings.Contains(last, "unknown: missing table") || !strings.Contains(last, "threekings generate --variant english --material KvK") {
		t.Errorf("the last move: %s", last)
	}
}
