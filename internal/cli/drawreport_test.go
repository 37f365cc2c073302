package cli

import (
	"encoding/json"
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
			none, err := c.v.Profile("none")
			if err != nil {
				t.Fatal(err)
			}
			under, without := bruteForce(t, c.v, profile, 2), bruteForce(t, c.v, none, 2)
			dir := t.TempDir()
			mustRun(t, "generate", "--db", dir, "--variant", c.v.Name, "--pieces", "2", "--metric", "outcome,dtr", "--profile", c.profile)
			out := mustRun(t, "report", "draw-rules", "--db", dir, "--variant", c.v.Name, "--profile", c.profile, "--json")
			seen, changes := 0, uint64(0)
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
				checkDrawLine(t, c.v, &l, under, without)
			}
			if seen != 4 || (changes > 0) != c.changes {
				t.Errorf("%d materials, %d changes", seen, changes)
			}
		})
	}
}

// checkDrawLine counts what a line says once more.
func checkDrawLine(t *testing.T, v *draughts.Variant, l *drawLine, under, without *counted) {
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
	for n := range ix.Size() {
		p := ix.Position(side, n)
		fresh := under.at(p, 0)
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
}
