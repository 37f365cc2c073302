package draughts_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"threekings/draughts"
)

func profileOf(t testing.TB, v *draughts.Variant, name string) *draughts.Profile {
	t.Helper()
	p, err := v.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func setupOf(t testing.TB, v *draughts.Variant, fen string) draughts.Setup {
	t.Helper()
	s, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// moveOf finds the legal move that is written as text.
func moveOf(t testing.TB, v *draughts.Variant, p draughts.Position, text string) draughts.Move {
	t.Helper()
	moves := v.Moves(p, nil)
	for i, written := range v.MoveTexts(p, moves) {
		if written == text {
			return moves[i]
		}
	}
	t.Fatalf("%s: %s is not among %v", v.FEN(p), text, v.MoveTexts(p, moves))
	return draughts.Move{}
}

func TestEveryVariantHasProfiles(t *testing.T) {
	for _, v := range draughts.Variants() {
		list := v.Profiles()
		if len(list) == 0 || v.DefaultProfile() != list[0] {
			t.Fatalf("%s: the first of %d profiles is not the default", v.Name, len(list))
		}
		if list[0].Unverified {
			t.Errorf("%s: the default profile %s is unverified", v.Name, list[0].Name)
		}
		seen := map[string]bool{}
		for _, p := range list {
			if seen[p.Name] || p.Name != strings.ToLower(p.Name) || strings.ContainsAny(p.Name, " /") {
				t.Errorf("%s: bad name %q", v.Name, p.Name)
			}
			seen[p.Name] = true
			if p.Title == "" || p.Source == "" || p.Repetition > 0 && p.RepetitionSource == "" {
				t.Errorf("%s %s: no source or title", v.Name, p.Name)
			}
			for _, c := range p.Classes {
				if c.Name == "" || c.Limit.Unit != draughts.NoLimit && c.Source == "" {
					t.Errorf("%s %s: class %+v has no name or source", v.Name, p.Name, c)
				}
			}
			for _, e := range p.Extra {
				if e.Name == "" || e.Source == "" || e.Plies == 0 {
					t.Errorf("%s %s: rule %+v has no name, source or limit", v.Name, p.Name, e)
				}
			}
			if got := profileOf(t, v, strings.ToUpper(p.Name)); got != p {
				t.Errorf("%s %s is not found by its name", v.Name, p.Name)
			}
		}
		if !seen["none"] || profileOf(t, v, "none").HasLimits() {
			t.Errorf("%s: the profile none is missing or has limits", v.Name)
		}
	}
}

func TestUnknownProfileListsNames(t *testing.T) {
	_, err := draughts.International.Profile("fide")
	if !errors.Is(err, draughts.ErrUnknownProfile) || err.Error() != `unknown draw rules "fide" of international: there are fmjd, beginner, ffr, none` {
		t.Error(err)
	}
}

// Which limit, in plies, a material has, and which moves restart its count. The
// sources are those of the profiles.
func TestLimits(t *testing.T) {
	const none = -1
	for _, test := range []struct {
		v       *draughts.Variant
		profile string
		fen     string
		limit   int // fresh
		restart draughts.Progress
	}{
		{draughts.International, "", "W:WK1,K2,K3:BK50", 32, 0},
		{draughts.International, "", "B:WK1,K2,K3:BK50", 32, 0},
		{draughts.International, "", "W:WK1,K2,33:BK50", 32, 0},
		{draughts.International, "", "W:WK1,32,33:BK50", 32, 0},
		{draughts.International, "", "W:WK50:B8,K1,12", 32, 0},
		{draughts.International, "", "W:W31,32,33:BK50", 50, draughts.CaptureMove | draughts.ManMove},
		{draughts.International, "", "W:WK1,K2:BK50", 10, 0},
		{draughts.International, "", "W:WK1,32:BK50", 10, 0},
		{draughts.International, "", "W:WK1:BK50", 10, 0},
		{draughts.International, "", "W:W31,32:BK50", 50, draughts.CaptureMove | draughts.ManMove},
		{draughts.International, "", "W:WK1,K2,K3,K4:BK50", 50, draughts.CaptureMove | draughts.ManMove},
		{draughts.International, "", "W:WK1,K2,K3:B12", 50, draughts.CaptureMove | draughts.ManMove},
		{draughts.International, "", "W:WK1,K2:BK49,K50", 50, draughts.CaptureMove | draughts.ManMove},
		{draughts.International, "beginner", "W:WK1,K2,33:BK50", 0, 0},
		{draughts.International, "beginner", "W:WK1:BK50", 0, 0},
		{draughts.International, "beginner", "W:W31,32,33:BK50", none, draughts.CaptureMove | draughts.ManMove},
		{draughts.International, "ffr", "W:WK1,K2,33:BK50", 31, 0},
		{draughts.International, "ffr", "B:WK1,K2,33:BK50", 32, 0},
		{draughts.International, "none", "W:WK1,K2,33:BK50", none, draughts.CaptureMove | draughts.ManMove},
		{draughts.Czech, "", "W:WKa1,Kb2,c3:BKh8", 30, draughts.CaptureMove | draughts.ManMove},
		{draughts.Czech, "total", "W:WKa1,Kb2,c3:BKh8", 15, draughts.CaptureMove | draughts.ManMove},
		{draughts.Russian, "", "W:WKa1,Kb2,Kc3:BKh8", 30, draughts.CaptureMove | draughts.PromotionMove},
		{draughts.Russian, "", "W:WKa1,Kb2,Kc3,Kd4:BKh8", 30, draughts.CaptureMove | draughts.PromotionMove},
		{draughts.Russian, "", "W:WKa1,Kb2,c3:BKh8", 60, draughts.CaptureMove | draughts.PromotionMove},
		{draughts.Russian, "", "W:WKa1,Kb2,c3:BKh8,g7", 60, draughts.CaptureMove | draughts.PromotionMove},
		{draughts.Russian, "", "W:WKa1,Kb2,c3:BKh8,g7,f6", 120, draughts.CaptureMove | draughts.PromotionMove},
		{draughts.Russian, "", "W:WKa1,b2,c3:Bh8,g7,f6", 30, draughts.CaptureMove | draughts.ManMove},
		{draughts.Russian, "", "W:WKa1,Kb2:BKh8", 10, 0},
		{draughts.Russian, "", "W:WKa1,b2:BKh8", 10, 0},
		{draughts.Russian, "literal", "W:WKa1,Kb2,c3:BKh8", 30, draughts.CaptureMove | draughts.ManMove},
		{draughts.Brazilian, "", "W:WK29,K25,22:BK4", 40, draughts.CaptureMove | draughts.ManMove},
		{draughts.Brazilian, "", "W:WK29,K25:BK4", 10, 0},
		{draughts.Brazilian, "fmjd64", "W:WK29,K25,K22:BK4", 30, draughts.CaptureMove | draughts.PromotionMove},
		{draughts.English, "", "W:WK29,K25,22:BK4", 80, draughts.CaptureMove | draughts.ManMove},
		{draughts.Italian, "", "W:WK29,K25,22:BK4", 80, draughts.CaptureMove | draughts.ManMove},
		// 13 moves of the lone king: 26 plies if the three kings move first, else 25.
		{draughts.Pool, "", "W:WK29,K25,K22:BK4", 26, 0},
		{draughts.Pool, "", "B:WK29,K25,K22:BK4", 25, 0},
		{draughts.Pool, "", "B:WK29:BK4,K8,K11", 26, 0},
		{draughts.Pool, "", "W:WK29:BK4,K8,K11", 25, 0},
		{draughts.Pool, "", "W:WK29,K25,22:BK4", 30, draughts.CaptureMove | draughts.ManMove},
		{draughts.Canadian, "", "W:WK1,K2,K3:BK50", none, draughts.CaptureMove | draughts.ManMove},
		{draughts.Canadian, "fmjd", "W:WK1,K2,K3:BK50", 32, 0},
		{draughts.Turkish, "kish", "W:WKa1,Kb2:BKh8", 50, draughts.CaptureMove},
		{draughts.Turkish, "hundred", "W:WKa1,Kb2:BKh8", 100, draughts.CaptureMove | draughts.ManMove},
	} {
		p := profileOf(t, test.v, test.profile)
		pos := setupOf(t, test.v, test.fen).Position
		limit, ok := p.Limit(pos, 0)
		if !ok {
			limit = none
		}
		if c := p.Class(pos); limit != test.limit || c.Restart != test.restart {
			t.Errorf("%s %s %s: limit %d, restart %b; want %d, %b (%s)", test.v.Name, p.Name, test.fen, limit, c.Restart, test.limit, test.restart, c.Name)
		}
	}
}

// The limit is the same all along a phase, also in moves of one side, where it
// depends on who moved first: the count and the side to move tell.
func TestLimitIsTheSameAlongAPhase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
		p := rapid.SampledFrom(v.Profiles()).Draw(t, "profile")
		n := rapid.SliceOfN(rapid.IntRange(0, 4), 4, 4).Draw(t, "counts")
		count := rapid.IntRange(0, 100).Draw(t, "count")
		own, other := draughts.Force{Men: n[0], Kings: n[1]}, draughts.Force{Men: n[2], Kings: n[3]}
		class := p.ClassOf(own, other)
		limit, limited := p.LimitOf(own, other, count)
		check := func(kinds draughts.Progress, own, other draughts.Force) {
			if p.Restarts(class, kinds, p.ClassOf(own, other)) {
				return
			}
			if after, ok := p.LimitOf(other, own, count+1); after != limit || ok != limited {
				t.Fatalf("%s %s: a move of kinds %b to %v against %v at count %d changes the limit from %d to %d", v.Name, p.Name, kinds, own, other, count, limit, after)
			}
		}
		check(0, own, other)
		check(draughts.ManMove, own, other)
		if own.Men > 0 {
			check(draughts.ManMove|draughts.PromotionMove, draughts.Force{Men: own.Men - 1, Kings: own.Kings + 1}, other)
		}
		if other.Men > 0 && other.Men+other.Kings > 1 {
			check(draughts.CaptureMove, own, draughts.Force{Men: other.Men - 1, Kings: other.Kings})
		}
		if other.Kings > 0 && other.Men+other.Kings > 1 {
			check(draughts.CaptureMove, own, draughts.Force{Men: other.Men, Kings: other.Kings - 1})
		}
	})
}

func TestLimitOfOneSidesMoves(t *testing.T) {
	pos := setupOf(t, draughts.Pool, "W:WK29,K25,K22:BK4").Position
	p := profileOf(t, draughts.Pool, "apca")
	for count := range 30 {
		limit, _ := p.Limit(pos.WithSide(draughts.Color(count%2)), count)
		other, _ := p.Limit(pos.WithSide(draughts.Color(1-count%2)), count)
		if limit != 26 || other != 25 {
			t.Errorf("count %d: %d if the three kings moved first, %d if the lone king did", count, limit, other)
		}
	}
}

func TestProfilesAreTheSameForBothColours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
		p := rapid.SampledFrom(v.Profiles()).Draw(t, "profile")
		n := rapid.SliceOfN(rapid.IntRange(0, 4), 4, 4).Draw(t, "counts")
		one, other := draughts.Force{Men: n[0], Kings: n[1]}, draughts.Force{Men: n[2], Kings: n[3]}
		if p.ClassOf(one, other) != p.ClassOf(other, one) {
			t.Fatalf("%s %s: %v against %v has another class than reversed", v.Name, p.Name, one, other)
		}
		if !slices.ContainsFunc(p.Classes, func(c draughts.Class) bool { return c.Name == p.ClassOf(one, other).Name }) {
			t.Fatal("the class is not one of the profile's")
		}
	})
}

// ruleAt is what is expected of a replay.
type ruleAt struct {
	ply  int
	kind draughts.RuleKind
}

// shuffle plays moves back and forth, from one list for each side in turn, until
// a rule takes effect or n plies have been played.
func shuffle(t *testing.T, c *draughts.Counter, v *draughts.Variant, moves [2][]string, n int) []draughts.RuleEffect {
	t.Helper()
	for i := range n {
		list := moves[i%2]
		effects := c.Play(moveOf(t, v, c.Position(), list[i/2%len(list)]))
		if len(effects) > 0 {
			return effects
		}
	}
	return nil
}

func TestCounterTakesEffectAtTheLimit(t *testing.T) {
	for _, test := range []struct {
		name    string
		v       *draughts.Variant
		profile string
		fen     string
		moves   [2][]string
		want    ruleAt
		claim   bool
	}{
		{
			"third occurrence", draughts.International, "fmjd", "W:WK46,31:BK6",
			[2][]string{{"46-41", "41-46"}, {"6-1", "1-6"}},
			ruleAt{8, draughts.RepetitionRule}, false,
		},
		{
			"third occurrence, claimed", draughts.Czech, "brief", "W:WKa3:BKh2",
			[2][]string{{"a3-c1", "c1-a3"}, {"h2-g1", "g1-h2"}},
			ruleAt{8, draughts.RepetitionRule}, true,
		},
		{
			"fourth occurrence", draughts.Italian, "fid", "W:WK29,K30:BK4,K3",
			[2][]string{{"29-25", "25-29"}, {"4-8", "8-4"}},
			ruleAt{12, draughts.RepetitionRule}, false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := setupOf(t, test.v, test.fen)
			c := draughts.NewCounter(test.v, profileOf(t, test.v, test.profile), s.Position, s.Count)
			effects := shuffle(t, c, test.v, test.moves, 100)
			if len(effects) != 1 || effects[0].Kind != test.want.kind || effects[0].Ply != test.want.ply || effects[0].OnClaim != test.claim {
				t.Errorf("%+v, want %+v", effects, test.want)
			}
		})
	}
}

// The count begins where it is told to: one ply before the limit nothing has
// happened, at it the game is drawn.
func TestCounterBeginsWhereItIsTold(t *testing.T) {
	for _, test := range []struct {
		v            *draughts.Variant
		fen          string
		first, later string
		before       int // the count before the first move after which nothing happens
	}{
		{draughts.International, "W:WK46,K47,K48:BK6", "46-41", "6-1", 30},
		{draughts.International, "W:WK46,K47:BK6", "46-41", "6-1", 8},
		{draughts.International, "W:WK46,K47,K48,K49:BK6", "46-41", "6-1", 48},
		{draughts.Czech, "W:WKa3,Kc1:BKh2", "a3-b4", "h2-g1", 28},
		{draughts.Russian, "W:WKa3,Kc1:BKh2", "a3-b4", "h2-g1", 8},
		{draughts.English, "W:WK29,K30:BK4", "29-25", "4-8", 78},
		{draughts.Italian, "W:WK29,K30:BK4", "29-25", "4-8", 78},
		{draughts.Pool, "W:WK29,K30,K31:BK4", "30-25", "4-8", 24},
	} {
		c := draughts.NewCounter(test.v, test.v.DefaultProfile(), setupOf(t, test.v, test.fen).Position, test.before)
		if effects := c.Play(moveOf(t, test.v, c.Position(), test.first)); effects != nil {
			t.Errorf("%s %s: %+v one ply before the limit", test.v.Name, test.fen, effects)
		}
		effects := c.Play(moveOf(t, test.v, c.Position(), test.later))
		if len(effects) != 1 || effects[0].Kind != draughts.LimitRule || effects[0].Ply != 2 || effects[0].OnClaim {
			t.Errorf("%s %s: %+v at the limit", test.v.Name, test.fen, effects)
		}
	}
}

func TestWinByTheLastPlyCounts(t *testing.T) {
	v := draughts.International
	// 47x36 takes the only piece: ply 32 of 32.
	s := setupOf(t, v, "W:WK47,K1,K2:BK41")
	c := draughts.NewCounter(v, v.DefaultProfile(), s.Position, 31)
	m := moveOf(t, v, s.Position, "47x36")
	if effects := c.Play(m); effects != nil || !c.Over() {
		t.Errorf("%+v after the winning capture; over: %v", effects, c.Over())
	}
}

func TestChangeOfClassRestartsTheCount(t *testing.T) {
	for _, test := range []struct {
		name, fen string
		move      string
		before    int
		count     int
		limit     int
	}{
		{"a promotion inside the class of 16 moves goes on counting", "W:WK46,K47,6:BK50", "6-1", 20, 21, 32},
		{"so does a man move", "W:WK46,K47,16:BK50", "16-11", 20, 21, 32},
		{"a capture from the class of 16 moves into that of 5 starts it", "B:WK46,K47,14:BK5", "5x19", 20, 0, 10},
		{"a capture inside the class of 5 moves goes on counting", "B:WK46,14:BK5", "5x19", 6, 7, 10},
		{"a capture elsewhere restarts", "B:WK46,14,45:BK5,6", "5x19", 6, 0, 50},
		{"a man move elsewhere restarts", "W:WK46,14,31:BK1,6", "31-26", 6, 0, 50},
		{"the first king against three men brings another class", "W:W6,31,32:BK50", "6-1", 6, 0, 32},
	} {
		s := setupOf(t, draughts.International, test.fen)
		c := draughts.NewCounter(draughts.International, draughts.International.DefaultProfile(), s.Position, test.before)
		m := moveOf(t, draughts.International, s.Position, test.move)
		restarts := c.Class() != nil && draughts.International.DefaultProfile().MoveRestarts(s.Position, m)
		c.Play(m)
		limit, _ := c.Limit()
		if c.Count() != test.count || limit != test.limit || restarts != (test.count == 0) {
			t.Errorf("%s: count %d of %d, restarts %v; want %d of %d", test.name, c.Count(), limit, restarts, test.count, test.limit)
		}
	}
}

// Men that step sideways can bring a position back although each of their moves
// restarts the count: repetition looks at the whole game.
func TestRepetitionAcrossMovesThatRestartTheCount(t *testing.T) {
	v := draughts.Turkish
	s := setupOf(t, v, "W:Wa4,a5:Bh5,h4")
	c := draughts.NewCounter(v, profileOf(t, v, "hundred"), s.Position, 7)
	effects := shuffle(t, c, v, [2][]string{{"a4-b4", "b4-a4"}, {"h5-g5", "g5-h5"}}, 20)
	if len(effects) != 1 || effects[0].Kind != draughts.RepetitionRule || effects[0].Ply != 8 || c.Count() != 0 {
		t.Errorf("%+v, count %d", effects, c.Count())
	}
}

// After a capture or a step forward every position is new: what occurred before
// does not add up with what comes later.
func TestRepetitionAcrossAnIrreversibleMove(t *testing.T) {
	v := draughts.Czech
	s := setupOf(t, v, "W:WKa3,h4:BKh2")
	c := draughts.NewCounter(v, profileOf(t, v, "brief"), s.Position, 0)
	for _, text := range []string{"a3-c1", "h2-g1", "c1-a3", "g1-h2", "h4-g5", "h2-g1", "a3-c1", "g1-h2", "c1-a3", "h2-g1", "a3-c1"} {
		if effects := c.Play(moveOf(t, v, c.Position(), text)); effects != nil {
			t.Fatalf("%s: %+v", text, effects)
		}
	}
	if c.Occurrences() != 2 || c.Count() != 6 {
		t.Errorf("%d occurrences, count %d", c.Occurrences(), c.Count())
	}
}

func TestMainRoadRule(t *testing.T) {
	v := draughts.Russian
	s := setupOf(t, v, "W:WKb6,Kc1,Ka3:BKa1")
	c := draughts.NewCounter(v, v.DefaultProfile(), s.Position, 0)
	effects := shuffle(t, c, v, [2][]string{{"c1-d2", "d2-e1", "e1-f2", "f2-g1", "g1-h2"}, {"a1-h8", "h8-a1"}}, 10)
	if len(effects) != 1 || effects[0].Kind != draughts.ExtraRuleKind || effects[0].Ply != 10 || effects[0].Source != "7.2.7" {
		t.Errorf("%+v", effects)
	}
	// A promotion inside the three pieces does not begin the five moves anew.
	s = setupOf(t, v, "W:WKc1,Ka3,a5:BKh8")
	c = draughts.NewCounter(v, v.DefaultProfile(), s.Position, 0)
	effects = nil
	for _, text := range []string{"a5-b6", "h8-g7", "b6-c7", "g7-h8", "c7-d8", "h8-g7", "d8-e7", "g7-h8", "e7-f8", "h8-f6"} {
		if effects != nil {
			t.Fatalf("before %s: %+v", text, effects)
		}
		effects = c.Play(moveOf(t, v, c.Position(), text))
	}
	if len(effects) != 1 || effects[0].Kind != draughts.ExtraRuleKind {
		t.Errorf("with a promotion: %+v", effects)
	}
	road := v.MainRoad()
	if road.Len() != 8 || v.SquareName(road.First()) != "h8" {
		t.Errorf("the main road has %d squares", road.Len())
	}
	if r := draughts.International.MainRoad(); r.Len() != 10 || draughts.International.SquareName(r.First()) != "5" {
		t.Error("the International main road is not 5-46")
	}
	if r := draughts.Spanish.MainRoad(); r.Len() != 8 || draughts.Spanish.SquareName(r.First()) != "32" {
		t.Error("the Spanish main road is not 1-32")
	}
}

func TestOnePieceAgainstOneEndsTurkish(t *testing.T) {
	v := draughts.Turkish
	s := setupOf(t, v, "W:WKa1:BKa8,Ka4")
	c := draughts.NewCounter(v, profileOf(t, v, "tudaf"), s.Position, 0)
	m := v.Moves(s.Position, nil)[0]
	if effects := c.Play(m); len(effects) != 1 || effects[0].Kind != draughts.EndedRule {
		t.Errorf("%+v", effects)
	}
}

// After says of every move what Play would, and leaves no trace.
func TestAfterIsPlayWithoutPlaying(t *testing.T) {
	seen := map[draughts.RuleKind]int{}
	for _, test := range []struct {
		v            *draughts.Variant
		profile, fen string
	}{
		{draughts.International, "fmjd", "W:WK46,31:BK6"},
		{draughts.Russian, "literal", "W:WKb6,Kc1,Ka3:BKa1"},
		{draughts.Czech, "total", "W:WKa3,Kc1:BKh2"},
		{draughts.Turkish, "", "W:WKa1,Ka2:BKh8,Kh7"},
	} {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 5))
			start := setupOf(t, test.v, test.fen).Position
			counter := func() *draughts.Counter {
				return draughts.NewCounter(test.v, profileOf(t, test.v, test.profile), start, 0)
			}
			c := counter()
			var game []draughts.Move
			for range 40 {
				moves := test.v.Moves(c.Position(), nil)
				if len(moves) == 0 {
					break
				}
				for _, m := range moves {
					fresh := counter()
					for _, played := range game {
						fresh.Play(played)
					}
					got, want := c.After(m), fresh.Play(m)
					if !slices.Equal(got, want) {
						t.Fatalf("%s: %+v after %s, want %+v", test.v.FEN(c.Position()), got, test.v.MoveText(c.Position(), m), want)
					}
					for _, e := range got {
						seen[e.Kind]++
					}
				}
				m := moves[r.IntN(min(2, len(moves)))]
				game = append(game, m)
				c.Play(m)
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("only rules of the kinds %v took effect", seen)
	}
}
