package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// counted is brute force: the outcome of every position at every count up to the
// limit, by forward moves until nothing changes. It shares nothing with the
// report but the rules of the game and of draws.
type counted struct {
	v       *draughts.Variant
	profile *draughts.Profile
	limit   func(draughts.Position, int) int
	values  map[draughts.Position][]tables.Outcome // by count
}

const noLimit = 1 << 20

func bruteForce(t testing.TB, v *draughts.Variant, profile *draughts.Profile, pieces int) *counted {
	t.Helper()
	b := &counted{v: v, profile: profile, values: map[draughts.Position][]tables.Outcome{}}
	b.limit = func(p draughts.Position, count int) int {
		if limit, ok := profile.Limit(p, count); ok {
			return limit
		}
		return noLimit
	}
	for _, m := range tables.All(pieces) {
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		for side := range tables.Side(m.Sides()) {
			for n := range ix.Size() {
				p := ix.Position(side, n)
				for _, way := range []draughts.Position{p, v.Twin(p)} {
					counts := 1
					if limit := b.limit(way, 0); limit != noLimit {
						counts = limit + 2
					}
					b.values[way] = make([]tables.Outcome, counts)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for p, outcomes := range b.values {
			moves := v.Moves(p, nil)
			for count := range outcomes {
				if outcomes[count] == tables.Draw {
					if outcomes[count] = b.value(p, moves, count); outcomes[count] != tables.Draw {
						changed = true
					}
				}
			}
		}
	}
	return b
}

// at returns the outcome of a position at a count as far as it is known.
func (b *counted) at(p draughts.Position, count int) tables.Outcome {
	outcomes := b.values[p]
	switch {
	case p.SideSet(p.Side()).IsEmpty():
		return tables.Loss
	case b.limit(p, 0) == noLimit:
		return outcomes[0] // the count means nothing
	case count >= len(outcomes):
		return tables.Draw
	}
	return outcomes[count]
}

func (b *counted) value(p draughts.Position, moves []draughts.Move, count int) tables.Outcome {
	switch {
	case len(moves) == 0:
		return tables.Loss
	case b.v.Ended(p) || count >= b.limit(p, count):
		return tables.Draw
	}
	all := tables.Loss
	for _, m := range moves {
		child := p.Play(m)
		next := count + 1
		if b.profile.MoveRestarts(p, m) {
			next = 0
		}
		switch b.at(child, next) {
		case tables.Loss:
			return tables.Win
		case tables.Draw:
			all = tables.Draw
		default:
		}
	}
	return all
}

// phased is what a position is worth within a phase, also beyond the limit, and how
// many plies it is to the next reset.
type phased struct {
	outcome tables.Outcome
	dtr     int
}

// phases works out the distances to reset from what is won fresh, one ply after the
// other: what restarts the count leads to another phase, of which only that counts.
func (b *counted) phases() map[draughts.Position]phased {
	all := map[draughts.Position]phased{}
	for dtr := 0; ; dtr++ {
		level := map[draughts.Position]phased{}
		for p := range b.values {
			if _, known := all[p]; !known {
				if o := b.within(p, dtr, all); o != tables.Draw {
					level[p] = phased{o, dtr}
				}
			}
		}
		if len(level) == 0 && dtr > 1 {
			return all
		}
		maps.Copy(all, level)
	}
}

// within returns the outcome of a position if it has this distance to reset, else a
// draw. all has those with smaller ones.
func (b *counted) within(p draughts.Position, dtr int, all map[draughts.Position]phased) tables.Outcome {
	moves := b.v.Moves(p, nil)
	switch {
	case dtr == 0 && len(moves) == 0:
		return tables.Loss
	case dtr == 0 || len(moves) == 0 || b.v.Ended(p):
		return tables.Draw
	}
	lost := true
	for _, m := range moves {
		child := p.Play(m)
		after, decided := all[child]
		switch {
		case child.SideSet(child.Side()).IsEmpty():
			after = phased{tables.Loss, 0}
		case b.profile.MoveRestarts(p, m):
			after = phased{b.at(child, 0), 0}
		case !decided:
			after.outcome = tables.Draw
		}
		if after.outcome == tables.Loss && after.dtr == dtr-1 {
			return tables.Win
		}
		lost = lost && after.outcome == tables.Win
	}
	if lost {
		return tables.Loss // the slowest win of the other side was found a ply ago
	}
	return tables.Draw
}

func TestDrawRuleReportAgreesWithBruteForce(t *testing.T) {
	for _, c := range []struct {
		v       *draughts.Variant
		profile string
		changes bool
	}{
		{draughts.International, "beginner", true},
		{draughts.Czech, "total", false},
		{draughts.Russian, "fmjd64", false},
		{draughts.Spanish, "none", false},
	} {
		t.Run(c.v.Name+" "+c.profile, func(t *testing.T) {
			t.Parallel()
			profile, err := c.v.Profile(c.profile)
			if err != nil {
				t.Fatal(err)
			}
			if changes := agreeWithBruteForce(t, c.v, profile); (changes > 0) != c.changes {
				t.Errorf("%d changes", changes)
			}
		})
	}
}

// With two pieces no limit of the rules changes anything; shorter ones take away the
// longer wins and leave the others.
func TestDrawRuleReportAgreesWithBruteForceUnderShortLimits(t *testing.T) {
	for _, c := range []struct {
		v       *draughts.Variant
		profile string
		plies   int
	}{
		{draughts.English, "wcdf", 1},
		{draughts.English, "wcdf", 6},
		{draughts.Czech, "total", 1},
		{draughts.Russian, "fmjd64", 2},
	} {
		t.Run(fmt.Sprintf("%s, %d plies", c.v.Name, c.plies), func(t *testing.T) {
			profile, err := c.v.Profile(c.profile)
			if err != nil {
				t.Fatal(err)
			}
			usual := slices.Clone(profile.Classes)
			t.Cleanup(func() { copy(profile.Classes, usual) })
			for i := range profile.Classes {
				profile.Classes[i].Limit = draughts.Limit{Unit: draughts.Plies, N: c.plies}
			}
			if agreeWithBruteForce(t, c.v, profile) == 0 {
				t.Error("nothing is changed: the test needs another limit")
			}
		})
	}
}

// agreeWithBruteForce makes and reports on the tables of two pieces, and returns how
// many results the rules change.
func agreeWithBruteForce(t *testing.T, v *draughts.Variant, profile *draughts.Profile) (changes uint64) {
	t.Helper()
	none, err := v.Profile("none")
	if err != nil {
		t.Fatal(err)
	}
	under, without := bruteForce(t, v, profile, 2), bruteForce(t, v, none, 2)
	phases := under.phases()
	dir := t.TempDir()
	mustRun(t, "generate", "--db", dir, "--variant", v.Name, "--pieces", "2", "--metric", "outcome,dtr", "--profile", profile.Name)
	out := mustRun(t, "report", "draw-rules", "--db", dir, "--variant", v.Name, "--profile", profile.Name, "--json")
	seen := 0
	for text := range strings.Lines(out) {
		var l drawLine
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if l.Kind != "material" {
			if (l.WinsTaken+l.LossesSaved == 0) != strings.Contains(*l.Verdict, "the rule never changes a result") {
				t.Error(*l.Verdict)
			}
			continue
		}
		seen++
		changes += l.WinsTaken + l.LossesSaved
		checkDrawLine(t, v, &l, under, without, phases)
	}
	if seen != 4 {
		t.Errorf("%d materials", seen)
	}
	return changes
}

// checkDrawLine counts what a line says once more.
func checkDrawLine(t *testing.T, v *draughts.Variant, l *drawLine, under, without *counted, phases map[draughts.Position]phased) {
	t.Helper()
	m, err := tables.ParseMaterial(l.Material)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	_, side := m.Table()
	want := drawLine{}
	margin := noLimit
	longest := map[tables.Outcome]int{tables.Win: -1, tables.Loss: -1}
	for n := range ix.Size() {
		p := ix.Position(side, n)
		fresh := under.at(p, 0)
		if within, ok := phases[p]; ok {
			longest[within.outcome] = max(longest[within.outcome], within.dtr)
		}
		switch without.at(p, 0) {
		case tables.Win:
			want.Wins++
			if fresh != tables.Win {
				want.WinsTaken++
			}
		case tables.Loss:
			want.Losses++
			if fresh != tables.Loss {
				want.LossesSaved++
			}
		default:
		}
		// The most plies that may have been counted for the win to stand are what is
		// left of the limit after its distance to reset.
		if limit := under.limit(p, 0); limit != noLimit && fresh == tables.Win {
			most := 0
			for under.at(p, most+2) == tables.Win { // the same side was the first to move
				most += 2
			}
			if under.at(p, most+1) == tables.Win && under.limit(p, most+1) == limit {
				most++
			}
			margin = min(margin, most)
		}
	}
	if l.Wins != want.Wins || l.WinsTaken != want.WinsTaken || l.Losses != want.Losses || l.LossesSaved != want.LossesSaved {
		t.Errorf("%s: %d of %d wins taken, %d of %d losses saved; want %d of %d, %d of %d", l.Material,
			l.WinsTaken, l.Wins, l.LossesSaved, l.Losses, want.WinsTaken, want.Wins, want.LossesSaved, want.Losses)
	}
	switch {
	case margin == noLimit && l.Margin != nil:
		t.Errorf("%s: a margin of %d", l.Material, *l.Margin)
	case margin != noLimit && (l.Margin == nil || *l.Margin != margin):
		t.Errorf("%s: margin %s, want %d", l.Material, cell(l.Margin), margin)
	}
	if l.MarginFEN != nil {
		s, err := v.ParseFEN(*l.MarginFEN)
		if err != nil || under.at(s.Position, *l.Margin) != tables.Win {
			t.Errorf("%s: %s is not won at count %d", l.Material, *l.MarginFEN, *l.Margin)
		}
	}
	if l.ChangedFEN != nil {
		s, err := v.ParseFEN(*l.ChangedFEN)
		if err != nil || under.at(s.Position, 0) == without.at(s.Position, 0) {
			t.Errorf("%s: the result of %s is not changed", l.Material, *l.ChangedFEN)
		}
	}
	for _, long := range []struct {
		outcome tables.Outcome
		plies   *tables.Plies
		fen     *string
	}{{tables.Win, l.LongestWin, l.LongestWinFEN}, {tables.Loss, l.LongestLoss, l.LongestLosFEN}} {
		want := longest[long.outcome]
		if (want < 0) != (long.plies == nil) || want >= 0 && int(*long.plies) != want {
			t.Errorf("%s: the longest %v is %s plies to reset, want %d", l.Material, long.outcome, cell(long.plies), want)
			continue
		}
		if want >= 0 {
			if s, err := v.ParseFEN(*long.fen); err != nil || phases[s.Position] != (phased{long.outcome, want}) {
				t.Errorf("%s: %s is %+v", l.Material, *long.fen, phases[s.Position])
			}
		}
	}
}
