package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

// shuffling writes a game in which each side repeats its moves in turn.
func shuffling(tags, white, black string, plies int) string {
	sides := [2][]string{strings.Fields(white), strings.Fields(black)}
	text := tags + "\n"
	for i := range plies {
		text += " " + sides[i%2][i/2%len(sides[i%2])]
	}
	return text + " *\n"
}

// rulings adjudicates games without tables.
func rulings(t testing.TB, pdn string, args ...string) []ruling {
	t.Helper()
	r := run(t, pdn, append([]string{"adjudicate", "--json", "--db", t.TempDir(), "-"}, args...)...)
	var list []ruling
	for line := range strings.Lines(r.stdout) {
		var ru ruling
		if err := json.Unmarshal([]byte(line), &ru); err != nil {
			t.Fatal(err)
		}
		list = append(list, ru)
	}
	if len(list) == 0 {
		t.Fatal(r.stderr)
	}
	return list
}

func TestRulesTakeEffectInGames(t *testing.T) {
	for _, c := range []struct {
		name, pdn string
		args      []string
		want      []string
	}{
		{
			"third occurrence ends the game",
			shuffling(`[FEN "W:WK46,31:BK6"]`, "46-41 41-46", "6-1 1-6", 8), nil,
			[]string{"8 repetition draw 8 3"},
		},
		{
			"second occurrence does not",
			shuffling(`[FEN "W:WK46,31:BK6"]`, "46-41 41-46", "6-1 1-6", 7), nil, nil,
		},
		{
			"in Czech draughts it may be claimed as long as it holds",
			shuffling(`[GameType "29"] [FEN "W:WKa3,h4:BKh2"]`, "a3-c1 c1-a3", "h2-g1 g1-h2", 12), nil,
			[]string{"8 repetition may_be_claimed 12 3"},
		},
		{
			"an irreversible move makes every position new",
			`[GameType "29"] [FEN "W:WKa3,h4:BKh2"] a3-c1 h2-g1 c1-a3 g1-h2 h4-g5 h2-g1 a3-c1 g1-h2 c1-a3 h2-g1 a3-c1 *`, nil, nil,
		},
		{
			"the count of the FEN goes on",
			`[FEN "W:WK46,K47,K48:BK6:H30"] 46-41 6-1 *`, nil,
			[]string{"2 limit draw 2 32"},
		},
		{
			"one ply before the limit nothing has happened",
			`[FEN "W:WK46,K47,K48:BK6:H30"] 46-41 *`, nil, nil,
		},
		{
			"a win by the last ply counts",
			`[FEN "W:WK47,K1,K2:BK41:H31"] 47x36 *`, nil, nil,
		},
		{
			"a promotion inside the class goes on counting",
			`[FEN "W:WK46,K47,6:BK50:H30"] 6-1 50-45 *`, nil,
			[]string{"2 limit draw 2 32"},
		},
		{
			"a capture into the smaller class starts the count",
			`[FEN "B:WK46,K47,14:BK5:H31"] 5x19 *`, nil, nil,
		},
		{
			"without rules nothing ends a game",
			shuffling(`[FEN "W:WK46,31:BK6"]`, "46-41 41-46", "6-1 1-6", 40), []string{"--profile", "none"}, nil,
		},
		{
			"beginners draw at once",
			`[FEN "W:WK46,K47,K48:BK6"] 46-41 6-1 *`, []string{"--profile", "beginner"},
			[]string{"0 limit draw 0 0"},
		},
		{
			"the main road, which no table knows",
			shuffling(`[GameType "25"] [FEN "W:WKb6,Kc1,Ka3:BKa1"]`, "c1-d2 d2-e1 e1-f2 f2-g1 g1-h2", "a1-h8 h8-a1", 10), nil,
			[]string{"10 extra draw 10 0"},
		},
		{
			"one piece against one ends Turkish draughts",
			`[GameType "30"] [FEN "W:WKa1,Ka2:BKh8"] a1-b1 h8-g8 *`, nil, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			ru := rulings(t, c.pdn, c.args...)[0]
			if ru.Error != nil {
				t.Fatal(ru.Error.Message)
			}
			var got []string
			for _, r := range ru.Rules {
				got = append(got, fmt.Sprintf("%d %s %s %d %d", r.Ply, r.Kind, r.Effect, r.LastPly, r.Count))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("rules %q, want %q", got, c.want)
			}
		})
	}
}

// quietGame plays king moves that repeat and capture nothing, with a man move at
// the plies given.
func quietGame(t testing.TB, v *draughts.Variant, fen string, plies int, men ...int) string {
	t.Helper()
	s, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	g := &draughts.Game{Variant: v, Start: s}
	seen := map[draughts.Position]bool{}
	var play func(at draughts.Position, ply int) bool
	play = func(at draughts.Position, ply int) bool {
		if ply > plies {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		for _, m := range v.Moves(at, nil) {
			after := at.Play(m)
			man := at.Pieces(at.Side(), draughts.Man).Has(m.From)
			if man == slices.Contains(men, ply) && !m.IsCapture() && !m.Promotes && !v.HasCapture(after) && play(after, ply+1) {
				g.Main.Moves = append(g.Main.Moves, draughts.GameMove{Move: m, Position: after})
				return true
			}
		}
		return false
	}
	if !play(s.Position, 1) {
		t.Fatal("there is no such game")
	}
	slices.Reverse(g.Main.Moves)
	var text strings.Builder
	if err := draughts.WritePDN(&text, g); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// In Russian endings of four and five pieces man moves restart the count of the
// 15 moves but not that of the 30: two counts at once, which no table has.
func TestTwoCountersAtOnce(t *testing.T) {
	v := draughts.Russian
	game := quietGame(t, v, "W:Wa1,a3,Kc1,Ke1:BKh2", 60, 21, 41)
	for _, c := range []struct{ profile, want string }{
		{"literal", "60 extra draw"}, {"fmjd64", "60 limit draw"},
	} {
		ru := rulings(t, game, "--profile", c.profile)[0]
		if len(ru.Rules) != 1 || fmt.Sprintf("%d %s %s", ru.Rules[0].Ply, ru.Rules[0].Kind, ru.Rules[0].Effect) != c.want {
			t.Errorf("%s: %+v, want %s", c.profile, ru.Rules, c.want)
		}
	}
	// Without the man moves it is the shorter limit that ends the game.
	ru := rulings(t, quietGame(t, v, "W:Wa1,a3,Kc1,Ke1:BKh2", 30), "--profile", "literal")[0]
	if len(ru.Rules) != 1 || ru.Rules[0].Kind != "limit" || ru.Rules[0].Ply != 30 {
		t.Errorf("%+v", ru.Rules)
	}
}

// A game that goes on after a rule has ended it is judged where it ended.
func TestPlayAfterTheEndDoesNotCount(t *testing.T) {
	game := shuffling("[Result \"2-0\"]\n[FEN \"W:WK46,K47,K48:BK6\"]", "46-41 41-46", "6-1 1-6", 8)
	game = strings.TrimSuffix(game, "*\n") + "46-41 6-1 2-0\n"
	ru := rulings(t, game)[0]
	if ru.Final == nil || ru.Final.Result == nil || *ru.Final.Result != "draw" || *ru.Final.By != byRule || ru.Agrees == nil || *ru.Agrees || ru.Plies != 10 {
		t.Errorf("%+v, %+v", ru, ru.Final)
	}
	if r := run(t, game, "adjudicate", "--db", t.TempDir(), "-"); r.code != exitNegative || !strings.Contains(r.stderr, "1 result is not what the game decided") {
		t.Errorf("exit code %d, %s", r.code, r.stderr)
	}
}

func TestResultOfALostPosition(t *testing.T) {
	for stated, agrees := range map[string]bool{"2-0": false, "0-2": true, "1-1": false} {
		ru := rulings(t, fmt.Sprintf("[FEN \"B:W46:B32,41\"]\n32-37 %s\n", stated))[0]
		if ru.Final == nil || *ru.Final.Result != "black_wins" || *ru.Final.By != byBoard || *ru.Agrees != agrees {
			t.Errorf("%s: %+v", stated, ru.Final)
		}
	}
}

// Every move inside the tables that threw something away is found: those of
// probing each position, and no other.
func TestMistakesAgreeWithProbing(t *testing.T) {
	v := draughts.English
	dir := smallTables(t, "english", "3")
	value := map[string]judged{}
	for _, material := range []string{"KMvK", "KvKM", "KKvK", "KvKK", "KvK", "KvM", "MvK"} {
		for _, j := range everyJudged(t, dir, v, material) {
			s, err := v.ParseFEN(j.fen)
			if err != nil {
				t.Fatal(err)
			}
			value[j.fen] = j
			value[v.FEN(v.Twin(s.Position))] = j
		}
	}
	wantInAll := 0
	var text strings.Builder
	var want [][]int
	// Games of the worst kind: each side plays whatever comes.
	fens := []string{"W:W9,K24:BK12", "W:WK1,5:BK11", "W:WK18,21:BK2", "B:W22,K31:BK6", "B:WK4,30:BK29", "W:W30,K29:BK4"}
	for i := range 4 * len(fens) {
		fen := fens[i%len(fens)]
		s, err := v.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		g := &draughts.Game{Variant: v, Start: s}
		at := s.Position
		var plies []int
		for ply := 1; ply <= 60; ply++ {
			moves := v.Moves(at, nil)
			if len(moves) == 0 {
				break
			}
			m := moves[(i*7+ply*ply)%len(moves)]
			before, after := value[v.FEN(at)], value[v.FEN(at.Play(m))]
			at = at.Play(m)
			if _, known := value[v.FEN(at)]; !known {
				after = judged{outcome: 2, dtw: 0} // nothing is left
			}
			if rankOf(after.outcome.Reverse()) < rankOf(before.outcome) {
				plies = append(plies, ply)
				wantInAll++
			}
			g.Main.Moves = append(g.Main.Moves, draughts.GameMove{Move: m, Position: at})
		}
		want = append(want, plies)
		if err := draughts.WritePDN(&text, g); err != nil {
			t.Fatal(err)
		}
	}
	if wantInAll < 5 {
		t.Fatalf("only %d mistakes: the test needs worse players", wantInAll)
	}
	r := run(t, text.String(), "adjudicate", "--json", "--db", dir, "--profile", "none", "-")
	for i, line := range strings.Split(strings.TrimSpace(r.stdout), "\n") {
		var ru ruling
		if err := json.Unmarshal([]byte(line), &ru); err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, m := range ru.Mistakes {
			got = append(got, m.Ply)
			for _, better := range m.Better {
				if *better.Outcome != m.From {
					t.Errorf("game %d, ply %d: %s is no better", i+1, m.Ply, better.Move.Move)
				}
			}
			if len(m.Better) == 0 {
				t.Errorf("game %d, ply %d: nothing is better", i+1, m.Ply)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want[i]) || ru.Unjudged != 0 {
			t.Errorf("game %d: mistakes at %v, want %v; %d not judged", i+1, got, want[i], ru.Unjudged)
		}
	}
}

// Names in a game do nothing to a terminal.
func TestNamesAreShownPlainly(t *testing.T) {
	game := "[White \"\x1b[31mA\x07\"]\n[Black \"Émile\"]\n[FEN \"W:W31:B4\"]\n1. 31-27 *\n"
	r := run(t, game, "adjudicate", "--db", t.TempDir(), "-")
	if !strings.HasPrefix(r.stdout, `Game 1, line 1: "\x1b[31mA\a" - Émile (international`) {
		t.Errorf("%q", r.stdout)
	}
}

func TestNumbersOfMoves(t *testing.T) {
	for _, c := range []struct {
		pdn, want string
	}{
		{shuffling(`[FEN "W:WK46,31:BK6"]`, "46-41 41-46", "6-1 1-6", 8), "4... 1-6"},
		{shuffling(`[FEN "B:WK46,31:BK6"]`, "6-1 1-6", "46-41 41-46", 8), "5. 41-46"},
		{shuffling(`[FEN "B:WK46,31:BK6:F30"]`, "6-1 1-6", "46-41 41-46", 8), "34. 41-46"},
	} {
		if ru := rulings(t, c.pdn)[0]; len(ru.Rules) != 1 || ru.Rules[0].Move != c.want {
			t.Errorf("%s: %+v, want %s", c.pdn, ru.Rules, c.want)
		}
	}
}

// A move that still wins, but not in time, throws the win away under the rules;
// with the longer limit it does not.
func TestMistakesUnderDrawRules(t *testing.T) {
	dir := t.TempDir()
	for _, profile := range []string{"total", "brief"} {
		mustRun(t, "generate", "--db", dir, "--variant", "czech", "--material", "KKvK", "--metric", "outcome,dtw,dtr", "--profile", profile)
	}
	const fen = "W:WKb8,Kd8:BKh2" // a win in 7 plies
	var slow string
	var before answer.Answer
	if err := json.Unmarshal([]byte(mustRun(t, "probe", "--db", dir, "--variant", "czech", "--json", "--profile", "total", fen+":H8")), &before); err != nil {
		t.Fatal(err)
	}
	if before.DTW == nil || *before.DTW != 7 || *before.Verdict != "win" || *before.PliesLeft != 7 {
		t.Fatalf("%+v: the test needs another position", before)
	}
	for _, m := range before.Moves {
		if *m.Outcome == "win" && *m.Verdict == "rule_draw" {
			slow = m.Move
		}
	}
	judge := func(game, profile string) ruling {
		t.Helper()
		var ru ruling
		if err := json.Unmarshal([]byte(run(t, game, "adjudicate", "--json", "--db", dir, "--variant", "czech", "--profile", profile, "-").stdout), &ru); err != nil {
			t.Fatal(err)
		}
		return ru
	}
	game := fmt.Sprintf("[FEN \"%s:H8\"] %s 1/2-1/2", fen, slow)
	ru := judge(game, "total")
	if len(ru.Mistakes) != 1 {
		t.Fatalf("%+v", ru)
	}
	m := ru.Mistakes[0]
	if m.From != "win" || m.To != "win" || *m.FromVerdict != "win" || *m.ToVerdict != "rule_draw" || *m.Count != 8 || len(m.Better) == 0 {
		t.Errorf("%+v", m)
	}
	for _, better := range m.Better {
		if *better.Verdict != "win" {
			t.Errorf("%s is no better: %s", better.Move.Move, *better.Verdict)
		}
	}
	if *ru.Final.Verdict != "rule_saved" || *ru.Final.Result != "draw" || !*ru.Agrees {
		t.Errorf("%+v", ru.Final)
	}
	text := run(t, game, "adjudicate", "--db", dir, "--variant", "czech", "--profile", "total", "-").stdout
	if !strings.Contains(text, "threw away a win: win in") || !strings.Contains(text, "but a draw by rule; better") || !strings.Contains(text, "draw with best play, since the rule saves it") {
		t.Error(text)
	}
	if ru = judge(game, "brief"); len(ru.Mistakes) != 0 || *ru.Final.Verdict != "loss" || *ru.Final.Result != "white_wins" || *ru.Agrees {
		t.Errorf("%+v, %+v", ru.Mistakes, ru.Final)
	}
	// The third occurrence takes the win away from the side that makes it.
	repeating := shuffling("[FEN \""+fen+"\"]", "b8-a7 a7-b8", "h2-g1 g1-h2", 8)
	ru = judge(strings.Replace(repeating, " *", " 1-0", 1), "brief")
	if len(ru.Rules) != 1 || ru.Rules[0].Effect != mayBeClaimed || !ru.Final.Claim {
		t.Errorf("%+v, %+v", ru.Rules, ru.Final)
	}
}

// A repetition that ends the game takes the win away from the side that makes
// it, whatever the tables say of the position.
func TestRepetitionThrowsAWinAway(t *testing.T) {
	v := draughts.Italian
	dir := smallTables(t, "italian", "3")
	lost := map[string]bool{} // with Black to move
	for _, j := range everyJudged(t, dir, v, "KvKK") {
		lost[j.fen] = j.outcome == tables.Loss
	}
	// back returns the move that takes another one back.
	back := func(p draughts.Position, m draughts.Move) (draughts.Move, bool) {
		for _, b := range v.Moves(p, nil) {
			if b.From == m.To && b.To == m.From && !b.IsCapture() {
				return b, true
			}
		}
		return draughts.Move{}, false
	}
	for _, fen := range slices.Sorted(maps.Keys(lost)) {
		s, err := v.ParseFEN(fen)
		if err != nil || !lost[fen] {
			continue
		}
		for _, b1 := range v.Moves(s.Position, nil) {
			p1 := s.Position.Play(b1)
			for _, w1 := range v.Moves(p1, nil) {
				p2 := p1.Play(w1)
				b2, ok := back(p2, b1)
				if !ok || !lost[v.FEN(p2)] {
					continue
				}
				p3 := p2.Play(b2)
				if w2, ok := back(p3, w1); ok && p3.Play(w2) == s.Position {
					repeatUntilDrawn(t, v, dir, s, []draughts.Move{b1, w1, b2, w2})
					return
				}
			}
		}
	}
	t.Fatal("no such position")
}

func repeatUntilDrawn(t *testing.T, v *draughts.Variant, dir string, s draughts.Setup, moves []draughts.Move) {
	t.Helper()
	g := &draughts.Game{Variant: v, Start: s, Result: draughts.WhiteWins}
	at := s.Position
	for i := range 16 {
		m := moves[i%len(moves)]
		at = at.Play(m)
		g.Main.Moves = append(g.Main.Moves, draughts.GameMove{Move: m, Position: at})
	}
	var text strings.Builder
	if err := draughts.WritePDN(&text, g); err != nil {
		t.Fatal(err)
	}
	r := run(t, text.String(), "adjudicate", "--json", "--db", dir, "-")
	var ru ruling
	if err := json.Unmarshal([]byte(r.stdout), &ru); err != nil {
		t.Fatal(err)
	}
	// The fourth occurrence, by White's sixth move.
	if len(ru.Rules) != 1 || ru.Rules[0].Kind != "repetition" || ru.Rules[0].Ply != 12 || len(ru.Mistakes) != 1 {
		t.Fatalf("%+v, %+v", ru.Rules, ru.Mistakes)
	}
	m := ru.Mistakes[0]
	if m.Ply != 12 || m.Side != "white" || *m.ToVerdict != "rule_draw" || m.From != "win" || m.To != "win" {
		t.Errorf("%+v", m)
	}
	var before answer.Answer
	if err := json.Unmarshal([]byte(mustRun(t, "probe", "--db", dir, "--variant", v.Name, "--json", m.FEN)), &before); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, other := range before.Moves {
		if *other.Outcome == "win" && !strings.HasSuffix(m.Move, " "+other.Move) {
			want = append(want, other.Move)
		}
	}
	if got := names(m.Better); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("after %s better are %v, want %v", m.Move, got, want)
	}
	if *ru.Final.Result != "draw" || *ru.Final.By != byRule || *ru.Agrees || r.code != exitNegative {
		t.Errorf("%+v, exit code %d", ru.Final, r.code)
	}
}

func names(list []betterMove) (moves []string) {
	for _, b := range list {
		moves = append(moves, b.Move.Move)
	}
	return moves
}

// adjudicateIn adjudicates games by the tables of a directory.
func adjudicateIn(t testing.TB, dir, games string, args ...string) (list []ruling) {
	t.Helper()
	r := run(t, games, append([]string{"adjudicate", "--json", "--db", dir, "-"}, args...)...)
	for line := range strings.Lines(r.stdout) {
		var ru ruling
		if err := json.Unmarshal([]byte(line), &ru); err != nil {
			t.Fatal(err)
		}
		list = append(list, ru)
	}
	return list
}

// Where no distances to reset are stored, or only some, outcomes are compared with
// outcomes; and a game that a limit ends is thrown away only if some move would not
// have ended it.
func TestMistakesWhereVerdictsAreUnknown(t *testing.T) {
	plain := t.TempDir()
	mustRun(t, "generate", "--db", plain, "--material", "KMvK")
	mustRun(t, "generate", "--db", plain, "--variant", "czech", "--material", "KMvK")
	some := t.TempDir()
	mustRun(t, "generate", "--db", some, "--material", "KMvK")
	mustRun(t, "generate", "--db", some, "--material", "KKvK", "--metric", "dtr")
	for _, c := range []struct {
		name, dir, game string
		mistakes        []string
	}{
		{"every move reaches the limit", plain, `[FEN "W:WK6,K7:BK45:H9"] 1. 7-1 1-1`, nil},
		{
			"a ply before it", plain, `[FEN "W:WK6,K7:BK45:H8"] 1. 6-28 1-1`,
			[]string{"1. 6-28 threw away a win: draw; better 7-1 (win in 5 plies), 6-1 (win in 9 plies)"},
		},
		{
			"a man move would have restarted the count", plain, `[GameType "29"] [FEN "W:Wf6,Ka1:BKh8:H29"] 1. a1-e5 *`,
			[]string{"1. a1-e5 threw away a win: win in 3 plies, but a draw by rule; better f6-g7 (win in 3 plies), f6-e7 (win in 3 plies)"},
		},
		{"into a table that knows the rules", some, `[FEN "W:W6,K7:BK45:H5"] 1. 6-1 *`, nil},
		{
			"into one that does not", some, `[FEN "W:W6,K7:BK45:H5"] 1. 7-2 *`,
			[]string{"1. 7-2 threw away a win: draw; better 7-1 (win in 7 plies), 6-1 (win in 9 plies)"},
		},
	} {
		ru := adjudicateIn(t, c.dir, c.game)[0]
		var got []string
		for i := range ru.Mistakes {
			if m := &ru.Mistakes[i]; m.FromVerdict != nil || m.Count != nil {
				t.Errorf("%s: %+v", c.name, m)
			}
		}
		for line := range strings.Lines(run(t, c.game, "adjudicate", "--db", c.dir, "-").stdout) {
			if strings.Contains(line, "threw away") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(got, c.mistakes) || len(ru.Mistakes) != len(c.mistakes) || ru.Unjudged != 0 {
			t.Errorf("%s: %q, want %q; %d not judged", c.name, got, c.mistakes, ru.Unjudged)
		}
	}
}

// Under draw rules too every mistake is found, with all the moves that would have
// kept what it threw away, whichever way they keep it: those of probing the
// positions before.
func TestMistakesUnderDrawRulesAgreeWithProbing(t *testing.T) {
	v := draughts.Czech
	profile, err := v.Profile("total")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mustRun(t, "generate", "--db", dir, "--variant", v.Name, "--material", "KMvK", "--metric", "outcome,dtw,dtr", "--profile", profile.Name)
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	prober := probe.Open(st, probe.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	type blunder struct {
		ply    int
		better []string
	}
	var text strings.Builder
	var want [][]blunder
	otherVerdicts := 0 // moves that keep a draw in another way than the position
	for _, fen := range strings.Fields(mustRun(t, "find", "--db", dir, "--variant", v.Name, "--random", "1", "--limit", "500")) {
		s, err := v.ParseFEN(fmt.Sprintf("%s:H%d", fen, 11+r.IntN(4)))
		if err != nil {
			t.Fatal(err)
		}
		g := &draughts.Game{Variant: v, Start: s}
		var blunders []blunder
		c := draughts.NewCounter(v, profile, s.Position, s.Count)
		for range 8 {
			before := c.Position()
			result, err := prober.ProbeUnder(v, before, probe.Rules{Profile: profile, Count: c.Count()})
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Moves) == 0 {
				break
			}
			m := result.Moves[r.IntN(len(result.Moves))]
			var better []string
			for _, other := range result.Moves {
				if other.Ruling.Verdict.Outcome() == result.Ruling.Verdict.Outcome() {
					better = append(better, v.MoveText(before, other.Move))
				}
			}
			effects := c.Play(m.Move)
			g.Main.Moves = append(g.Main.Moves, draughts.GameMove{Move: m.Move, Position: m.Position})
			if rankOf(m.Ruling.Verdict.Outcome()) < rankOf(result.Ruling.Verdict.Outcome()) {
				blunders = append(blunders, blunder{c.Ply(), better})
				for _, other := range result.Moves {
					if d := other.Ruling.Verdict; d.Outcome() == tables.Draw && result.Ruling.Verdict.Outcome() == tables.Draw && d != result.Ruling.Verdict {
						otherVerdicts++
					}
				}
			}
			if slices.ContainsFunc(effects, ends) {
				break
			}
		}
		want = append(want, blunders)
		if err := draughts.WritePDN(&text, g); err != nil {
			t.Fatal(err)
		}
	}
	if otherVerdicts == 0 {
		t.Error("no draw could have been kept in another way: the test needs other games")
	}
	for i, ru := range adjudicateIn(t, dir, text.String(), "--profile", profile.Name) {
		var got []blunder
		for _, m := range ru.Mistakes {
			got = append(got, blunder{m.Ply, names(m.Better)})
		}
		if fmt.Sprint(got) != fmt.Sprint(want[i]) || ru.Unjudged != 0 {
			t.Errorf("game %d: %v, want %v; %d not judged", i+1, got, want[i], ru.Unjudged)
		}
	}
}
