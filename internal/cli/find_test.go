package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

// smallTables returns a directory with tables of a variant, made once.
func smallTables(t testing.TB, variant, pieces string) string {
	t.Helper()
	smallMu.Lock()
	defer smallMu.Unlock()
	key := variant + pieces
	if smallDirs[key] == "" {
		dir := smallRoot + "/" + key
		mustRun(t, "generate", "--db", dir, "--variant", variant, "--pieces", pieces)
		smallDirs[key] = dir
	}
	return smallDirs[key]
}

var (
	smallMu   sync.Mutex
	smallRoot string // set by withSmallTables
	smallDirs = map[string]string{}
)

// judged is a position with its value, as one move ahead gives it.
type judged struct {
	fen     string
	outcome tables.Outcome
	dtw     tables.Plies
	wins    int // moves that win
}

// everyJudged judges all positions of a material with the side to move first by
// probing them one by one: nothing that find does.
func everyJudged(t testing.TB, dir string, v *draughts.Variant, material string) []judged {
	t.Helper()
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	p := probe.Open(st, probe.Options{})
	m, err := tables.ParseMaterial(material)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	_, side := m.Table()
	var all []judged
	for n := range ix.Size() {
		pos := ix.Position(side, n)
		r, err := p.Probe(v, pos)
		if err != nil {
			t.Fatal(err)
		}
		j := judged{fen: v.FEN(pos), outcome: r.Outcome, dtw: r.DTW}
		for _, m := range r.Moves {
			if m.Outcome == tables.Win {
				j.wins++
			}
		}
		all = append(all, j)
	}
	return all
}

func fens(all []judged, fits func(judged) bool) []string {
	var list []string
	for _, j := range all {
		if fits(j) {
			list = append(list, j.fen)
		}
	}
	return list
}

func TestFindAgreesWithProbingEveryPosition(t *testing.T) {
	v := draughts.English
	dir := smallTables(t, "english", "3")
	for _, material := range []string{"KMvK", "KvMM", "KvK"} {
		all := everyJudged(t, dir, v, material)
		for i := range all { // the side written first, to move, plays White
			if s, err := v.ParseFEN(all[i].fen); err != nil {
				t.Fatal(err)
			} else if s.Position.Side() == draughts.Black {
				all[i].fen = v.FEN(v.Twin(s.Position))
			}
		}
		for _, c := range []struct {
			args string
			fits func(judged) bool
		}{
			{"", func(judged) bool { return true }},
			{"--outcome win", func(j judged) bool { return j.outcome == tables.Win }},
			{"--outcome draw", func(j judged) bool { return j.outcome == tables.Draw }},
			{"--outcome loss", func(j judged) bool { return j.outcome == tables.Loss }},
			{"--dtw 9", func(j judged) bool { return j.dtw == 9 }},
			{"--dtw 20-", func(j judged) bool { return j.dtw >= 20 && j.dtw != tables.NoPlies }},
			{"--dtw -2", func(j judged) bool { return j.dtw <= 2 }},
			{"--dtw 3-8 --outcome win", func(j judged) bool { return j.dtw >= 3 && j.dtw <= 8 && j.outcome == tables.Win }},
			{"--unique", func(j judged) bool { return j.wins == 1 }},
			{"--unique --dtw 5", func(j judged) bool { return j.wins == 1 && j.dtw == 5 }},
		} {
			args := append([]string{"find", "--db", dir, "--variant", "english", "--material", material}, strings.Fields(c.args)...)
			got := strings.Fields(mustRun(t, args...))
			if want := fens(all, c.fits); !slices.Equal(got, want) {
				t.Errorf("%s %s: %d positions, want %d", material, c.args, len(got), len(want))
			}
			for _, fen := range got {
				s, err := v.ParseFEN(fen)
				if m, _ := tables.MaterialOf(s.Position); err != nil || m.String() != material || s.Position.Side() != draughts.White {
					t.Fatalf("%s %s: %s", material, c.args, fen)
				}
			}
			if limited := strings.Fields(mustRun(t, append(args, "--limit", "3")...)); !slices.Equal(limited, got[:min(3, len(got))]) {
				t.Errorf("%s %s --limit 3: %v", material, c.args, limited)
			}
		}
	}
}

// A pattern is looked for with either colours: a position and its twin are one
// in the tables.
func TestFindByPattern(t *testing.T) {
	v := draughts.English
	dir := smallTables(t, "english", "3")
	all := map[string]bool{}
	for _, material := range []string{"KKvK", "KvKK"} {
		for _, j := range everyJudged(t, dir, v, material) {
			s, err := v.ParseFEN(j.fen)
			if err != nil {
				t.Fatal(err)
			}
			all[j.fen] = true
			all[v.FEN(v.Twin(s.Position))] = true
		}
	}
	for _, c := range []struct {
		pattern, starts string
		pieces          []string // colour and piece
	}{
		{"W:WK1:BK32", "W", []string{"WK1", "BK32"}},
		{"B:WK1", "B", []string{"WK1"}},
		{":BK4,K8", "", []string{"BK4", "BK8"}},
		{"?:WK4,K8:BK11", "", []string{"WK4", "WK8", "BK11"}},
	} {
		var want []string
		for fen := range all {
			fits := strings.HasPrefix(fen, c.starts)
			for _, piece := range c.pieces {
				fits = fits && hasPiece(fen, piece[:1], piece[1:])
			}
			if fits {
				want = append(want, fen)
			}
		}
		slices.Sort(want)
		got := strings.Fields(mustRun(t, "find", "--db", dir, "--variant", "english", "-m", "KKvK", "-m", "KvKK", "--pattern", c.pattern))
		slices.Sort(got)
		if !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%s: %d positions, want %d", c.pattern, len(got), len(want))
		}
	}
}

// hasPiece reports whether a FEN lists a piece of a colour.
func hasPiece(fen, colour, piece string) bool {
	for _, side := range strings.Split(fen, ":")[1:] {
		if side[:1] == colour && slices.Contains(strings.Split(side[1:], ","), piece) {
			return true
		}
	}
	return false
}

// Every position that fits is drawn equally often, and a seed always draws the
// same.
func TestFindDrawsFairly(t *testing.T) {
	dir := smallTables(t, "english", "3")
	args := []string{"find", "--db", dir, "--variant", "english", "-m", "KvK", "--dtw", "1"}
	all := strings.Fields(mustRun(t, args...))
	drawn := map[string]int{}
	const draws, each = 300, 5
	for seed := range draws {
		seeded := slices.Concat(args, []string{"--random", fmt.Sprint(seed), "--limit", fmt.Sprint(each)})
		got := strings.Fields(mustRun(t, seeded...))
		if len(got) != each || len(slices.Compact(slices.Sorted(slices.Values(got)))) != each {
			t.Fatalf("seed %d: %v", seed, got)
		}
		if seed == 7 && !slices.Equal(got, strings.Fields(mustRun(t, seeded...))) {
			t.Error("equal seeds give other samples")
		}
		for _, fen := range got {
			if !slices.Contains(all, fen) {
				t.Fatalf("%s does not fit", fen)
			}
			drawn[fen]++
		}
	}
	// Chi-square: its mean is the number of positions less one, its deviation the
	// root of twice that.
	expected := float64(draws*each) / float64(len(all))
	chi := 0.0
	for _, fen := range all {
		d := float64(drawn[fen]) - expected
		chi += d * d / expected
	}
	if n := float64(len(all) - 1); chi > n+6*math.Sqrt(2*n) || len(slices.Collect(maps.Keys(drawn))) < len(all)/2 {
		t.Errorf("chi-square %.1f for %d positions", chi, len(all))
	}
	one := strings.Fields(mustRun(t, append(args, "--random", "1")...))
	if len(one) != 1 {
		t.Errorf("%d positions without a limit", len(one))
	}
}

func TestRangesOfDistances(t *testing.T) {
	for text, want := range map[string]string{"9": "9-9", "5-9": "5-9", "20-": "20-65534", "-4": "0-4", "0": "0-0"} {
		var f rangeFlag
		if err := f.Set(text); err != nil || f.String() != want {
			t.Errorf("%s: %s, %v", text, f.String(), err)
		}
	}
	for _, text := range []string{"", "-", "x", "9-5", "1-2-3", "65535", "-1-"} {
		var f rangeFlag
		if err := f.Set(text); err == nil {
			t.Errorf("%q is taken for %s", text, f.String())
		}
	}
}
