package probe_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// Lines under draw rules, replayed with the move generator and a counter: each
// move is legal, no position comes again, no limit takes effect before the end,
// and who wins does not change.
func TestLinesUnderDrawRulesReplay(t *testing.T) {
	for _, test := range []struct {
		v         *draughts.Variant
		profile   *draughts.Profile
		counts    int
		materials []string
	}{
		{draughts.Czech, must(draughts.Czech.Profile("total")), 17, []string{"KMvK"}},
		{draughts.Russian, must(draughts.Russian.Profile("fmjd64")), 32, []string{"KMvK"}},
	} {
		t.Run(test.v.Name+" "+test.profile.Name, func(t *testing.T) {
			t.Parallel()
			step := uint64(41)
			if testing.Short() || raceEnabled {
				step = 101
			}
			pl := playOut(test.v, test.profile, test.counts, test.materials...)
			src := newMemory(test.v, pl.tables)
			src.resets = tables.DTR(test.profile.Name)
			seen := map[probe.Verdict]int{}
			p := probe.Open(src, probe.Options{})
			// The two ways of the winner, then what is done without distances to win.
			for _, how := range []string{"byWin", "byReset", "without DTW"} {
				if how == "without DTW" {
					for m := range pl.tables {
						src.without(m.String(), tables.DTW)
					}
					p = probe.Open(src, probe.Options{})
				}
				others := 0
				for _, table := range pl.tables {
					for s := range tables.Side(table.ix.Material().Sides()) {
						for n := uint64(0); n < table.ix.Size(); n += step {
							pos := table.ix.Position(s, n)
							limit, _ := test.profile.Limit(pos, 0)
							for _, count := range []int{0, 1, limit / 2, limit - 1, limit} {
								verdict, other := pl.checkLine(t, p, pos, count, how == "byReset")
								seen[verdict]++
								others += other
							}
						}
					}
				}
				t.Logf("%s: %d plies were not those with which DTW falls by one", how, others)
			}
			for d := probe.VerdictWin; d <= probe.VerdictLoss; d++ {
				if seen[d] == 0 {
					t.Errorf("no position has the verdict %s", d)
				}
			}
		})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// checkLine replays the line of a position at a count. other is how many plies
// are not those with which DTW falls by one.
func (pl *played) checkLine(t *testing.T, p *probe.Prober, pos draughts.Position, count int, byReset bool) (verdict probe.Verdict, other int) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s at count %d: %s", pl.v.FEN(pos), count, fmt.Sprintf(format, args...))
	}
	rules := probe.Rules{Profile: pl.profile, Count: count}
	l, err := p.Line(t.Context(), pl.v, pos, probe.LineOptions{Rules: rules})
	if byReset {
		circles := false
		if l, circles, err = p.LineBy(t.Context(), pl.v, pos, rules, probe.ByReset); circles {
			fail("it goes round in a circle")
		}
	}
	if err != nil || l.Err != nil {
		fail("%v, %v", err, l.Err)
	}
	under := pl.at(pl.tables.find(pos), count)
	if want := expected(pl.tables.find(pos).distance().Outcome(), under); l.Ruling == nil || l.Ruling.Verdict != want {
		fail("%+v, want %s", l.Ruling, want)
	}
	over := pl.v.Ended(pos) || len(pl.v.Moves(pos, nil)) == 0
	if under == tables.Draw || over {
		end := probe.LineDrawn
		if over {
			end = probe.LineOver
		}
		if len(l.Moves) != 0 || l.End != end {
			fail("%d plies, then %s", len(l.Moves), l.End)
		}
		return l.Ruling.Verdict, 0
	}
	if l.End != probe.LineOver {
		fail("%d plies, then %s", len(l.Moves), l.End)
	}
	c := draughts.NewCounter(pl.v, pl.profile, pos, count)
	seen := map[draughts.Position]int{pos: count}
	wins := under == tables.Win
	for i, m := range l.Moves {
		if !slices.Contains(pl.v.Moves(c.Position(), nil), m.Move) {
			fail("ply %d is not legal", i+1)
		}
		if (m.Ruling.Verdict == probe.VerdictWin) != wins || (m.Ruling.Verdict == probe.VerdictLoss) == wins {
			fail("ply %d has the verdict %s", i+1, m.Ruling.Verdict)
		}
		wins = !wins
		if effects := c.Play(m.Move); len(effects) > 0 {
			fail("%+v after ply %d of %d", effects, i+1, len(l.Moves))
		}
		if c.Position() != m.Position || c.Count() != m.Ruling.Count {
			fail("ply %d leads to %s at count %d", i+1, pl.v.FEN(m.Position), m.Ruling.Count)
		}
		if o := pl.at(pl.tables.find(c.Position()), c.Count()); o == tables.Draw || (o == tables.Win) != wins {
			fail("ply %d leads to a %s", i+1, o)
		}
		if before, ok := seen[c.Position()]; ok && before <= c.Count() {
			fail("the position after ply %d comes again", i+1)
		}
		seen[c.Position()] = c.Count()
		if i > 0 && m.DTW != l.Moves[i-1].DTW-1 {
			other++
		}
	}
	if !c.Over() {
		fail("the line ends although there is a move")
	}
	return l.Ruling.Verdict, other
}

func TestLineWithoutVerdict(t *testing.T) {
	v := draughts.English
	p := probe.Open(newMemory(v, english3()), probe.Options{})
	opts := probe.LineOptions{Rules: probe.Rules{Profile: v.DefaultProfile()}}
	l, err := p.Line(t.Context(), v, position(t, v, "W:WK32:B2"), opts)
	if err != nil || l.End != probe.LineUnknown || !errors.Is(l.Err, tables.ErrMissing) || l.Outcome != tables.Win || len(l.Moves) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	opts.Rules.Count = -1
	if _, err := p.Line(t.Context(), v, position(t, v, "W:WK32:B2"), opts); !errors.Is(err, probe.ErrCount) {
		t.Error(err)
	}
}
