package probe_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// played is the result of every position at every count, from brute force: no
// distances, only positions and counts, played out until nothing changes. The
// profile, with a limit in every class, is one of the variant or goes under the
// name of one: what is stored says so.
type played struct {
	v       *draughts.Variant
	profile *draughts.Profile
	counts  int
	tables  solvedTables
	values  map[*solved]*[2][][]tables.Outcome // by side, count, number
	options [2][][]playedMove                  // of the last table, by side and number; none where the game is over
}

type playedMove struct {
	child
	restarts bool
}

func playOut(v *draughts.Variant, profile *draughts.Profile, counts int, names ...string) *played {
	var roots []tables.Material
	for _, name := range names {
		roots = append(roots, mustMaterial(name))
	}
	pl := &played{v: v, profile: profile, counts: counts, tables: solvedTables{}, values: map[*solved]*[2][][]tables.Outcome{}}
	for _, m := range tables.Closure(roots...) {
		pl.tables.solve(v, m)
		pl.solve(m)
	}
	return pl
}

func (pl *played) solve(m tables.Material) {
	t := pl.tables[m]
	values := &[2][][]tables.Outcome{}
	pl.values[t] = values
	var options [2][][]playedMove
	for s := range tables.Side(m.Sides()) {
		options[s] = make([][]playedMove, t.ix.Size())
		for range pl.counts {
			values[s] = append(values[s], make([]tables.Outcome, t.ix.Size()))
		}
		for n := range t.ix.Size() {
			p := t.ix.Position(s, n)
			if pl.v.Ended(p) {
				continue
			}
			for _, move := range pl.v.Moves(p, nil) {
				options[s][n] = append(options[s][n], playedMove{pl.tables.find(p.Play(move)), pl.profile.MoveRestarts(p, move)})
			}
			for count := range pl.counts {
				if options[s][n] == nil {
					values[s][count][n] = tables.Loss
				}
			}
		}
	}
	value := func(list []playedMove, count int) tables.Outcome {
		best := tables.Loss
		for _, o := range list {
			switch pl.after(o, count) {
			case tables.Loss:
				return tables.Win
			case tables.Draw:
				best = tables.Draw
			}
		}
		return best
	}
	for changed := true; changed; {
		changed = false
		for count := pl.counts - 1; count >= 0; count-- {
			for s := range tables.Side(m.Sides()) {
				if count >= pl.limit(t, s, count) {
					continue
				}
				for n := range t.ix.Size() {
					if options[s][n] != nil && values[s][count][n] == tables.Draw {
						o := value(options[s][n], count)
						values[s][count][n] = o
						changed = changed || o != tables.Draw
					}
				}
			}
		}
	}
	pl.options = options
	// A position is decided as long as count and distance do not exceed the limit:
	// that gives the distance.
	metric := tables.DTR(pl.profile.Name)
	t.rules = must(pl.v.Profile(pl.profile.Name)).Definition()
	for s := range tables.Side(m.Sides()) {
		t.dtr[s] = make([]tables.Plies, t.ix.Size())
		for n := range t.ix.Size() {
			t.dtr[s][n] = tables.NoPlies
			limit := pl.limit(t, s, 0)
			for count := 0; count <= limit; count++ {
				if o := values[s][count][n]; o != tables.Draw {
					t.dtr[s][n] = metric.Value(o, tables.Plies(limit-count))
				}
			}
		}
	}
}

// limit returns the limit in a table: that of a class, so one for all positions.
func (pl *played) limit(t *solved, s tables.Side, count int) int {
	limit, _ := pl.profile.Limit(t.ix.Position(s, 0), count)
	return limit
}

// after returns the result after a move at a count.
func (pl *played) after(m playedMove, count int) tables.Outcome {
	if m.restarts {
		return pl.at(m.child, 0)
	}
	return pl.at(m.child, count+1)
}

// at returns the result of a position at a count.
func (pl *played) at(c child, count int) tables.Outcome {
	if c.table == nil {
		return tables.Loss
	}
	if count >= pl.counts {
		return tables.Draw
	}
	return pl.values[c.table][c.side][count][c.n]
}

func expected(without, under tables.Outcome) probe.Verdict {
	switch {
	case under == tables.Win:
		return probe.VerdictWin
	case under == tables.Loss:
		return probe.VerdictLoss
	case without == tables.Win:
		return probe.VerdictRuleDraw
	case without == tables.Loss:
		return probe.VerdictRuleSaved
	}
	return probe.VerdictDraw
}

// Every position and every move at the counts that matter, with garbage stored
// where captures are pending.
func TestVerdictIsThatOfPlayAtEveryCount(t *testing.T) {
	for _, test := range []struct {
		v         *draughts.Variant
		profile   string
		counts    int
		materials []string
	}{
		{draughts.Czech, "total", 17, []string{"KMvK"}},
		{draughts.Russian, "fmjd64", 32, []string{"KMvK"}},
		{draughts.International, "fmjd", 52, []string{"KvM"}},
		{draughts.Pool, "apca", 32, []string{"KvM"}},
	} {
		t.Run(test.v.Name, func(t *testing.T) {
			profile, err := test.v.Profile(test.profile)
			mustNot(t, err)
			pl := playOut(test.v, profile, test.counts, test.materials...)
			src := newMemory(test.v, pl.tables)
			src.resets = tables.DTR(profile.Name)
			src.filler = rand.New(rand.NewPCG(3, 4))
			p := probe.Open(src, probe.Options{})
			seen := map[probe.Verdict]int{}
			step := uint64(5)
			if testing.Short() {
				step = 17
			}
			for _, table := range pl.tables {
				for s := range tables.Side(table.ix.Material().Sides()) {
					for n := uint64(0); n < table.ix.Size(); n += step {
						pos := table.ix.Position(s, n)
						limit, _ := profile.Limit(pos, 0)
						for _, count := range []int{0, 1, limit / 2, limit - 1, limit, limit + 1} {
							pl.check(t, p, pos, count, seen)
						}
					}
				}
			}
			for d := probe.VerdictWin; d <= probe.VerdictLoss; d++ {
				if seen[d] == 0 {
					t.Errorf("no position has the verdict %s", d)
				}
			}
		})
	}
}

func (pl *played) check(t *testing.T, p *probe.Prober, pos draughts.Position, count int, seen map[probe.Verdict]int) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s at count %d: %s", pl.v.FEN(pos), count, fmt.Sprintf(format, args...))
	}
	r, err := p.ProbeUnder(pl.v, pos, probe.Rules{Profile: pl.profile, Count: count})
	if err != nil {
		fail("%v", err)
	}
	o, d, alone, err := p.Judge(pl.v, pos, probe.Rules{Profile: pl.profile, Count: count})
	if err != nil || o != r.Outcome || d != r.DTW || alone != *r.Ruling {
		fail("alone it is worth %v in %d, %+v, %v", o, d, alone, err)
	}
	limit, _ := pl.profile.Limit(pos, count)
	own := pl.tables.find(pos)
	under := tables.Draw
	if count <= limit {
		under = pl.at(own, count)
	}
	want := expected(own.distance().Outcome(), under)
	got := r.Ruling
	seen[got.Verdict]++
	if got.Verdict != want || got.Count != count || got.Limit != limit || !got.HasLimit || got.PliesLeft != max(0, limit-count) {
		fail("%+v, want verdict %s", *got, want)
	}
	if under != tables.Draw && (count+int(got.DTR) > limit || count == 0 && got.DTR != tables.DTR("x").Distance(own.table.dtr[own.side][own.n])) {
		fail("a distance to reset of %d plies", got.DTR)
	}
	for i, m := range r.Moves {
		next := count + 1
		if pl.profile.MoveRestarts(pos, m.Move) {
			next = 0
		}
		after := pl.tables.find(m.Position)
		under := tables.Draw
		if count < limit {
			under = pl.at(after, next).Reverse()
		}
		if want := expected(m.Outcome, under); m.Ruling.Verdict != want || m.Ruling.Count != next {
			fail("%s: %+v, want %s at count %d", pl.v.MoveText(pos, m.Move), m.Ruling, want, next)
		}
		if i > 0 && r.Moves[i-1].Ruling.Verdict > m.Ruling.Verdict {
			fail("%s comes before %s", r.Moves[i-1].Ruling.Verdict, m.Ruling.Verdict)
		}
		if m.Ruling.Verdict.Outcome() != tables.Draw && next != 0 && m.Ruling.DTR > tables.Plies(limit-count) {
			fail("%s: %d plies to reset", pl.v.MoveText(pos, m.Move), m.Ruling.DTR)
		}
	}
	if len(r.Moves) > 0 && r.Moves[0].Ruling.Verdict != got.Verdict {
		fail("%s, but the best move is worth %s", got.Verdict, r.Moves[0].Ruling.Verdict)
	}
	if got.Verdict.Outcome() == tables.Win {
		quickest := slices.MinFunc(r.Moves, func(a, b probe.MoveValue) int {
			return resetOf(a) - resetOf(b)
		})
		if quickest.Ruling.DTR != got.DTR {
			fail("%d plies to reset, the quickest winning move has %d", got.DTR, quickest.Ruling.DTR)
		}
	}
}

// resetOf is the distance to reset of a move that wins, others being far off.
func resetOf(m probe.MoveValue) int {
	if m.Ruling.Verdict != probe.VerdictWin {
		return 1 << 20
	}
	return int(m.Ruling.DTR)
}

func TestCountsThatCannotBe(t *testing.T) {
	p := probe.Open(newMemory(draughts.English, english3()), probe.Options{})
	pos := position(t, draughts.English, "W:WK32:BK1")
	for _, count := range []int{-1, -1 << 30, draughts.MaxCount + 1} {
		_, err := p.ProbeUnder(draughts.English, pos, probe.Rules{Profile: draughts.English.DefaultProfile(), Count: count})
		if !errors.Is(err, probe.ErrCount) {
			t.Errorf("count %d: %v", count, err)
		}
		_, _, _, err = p.Judge(draughts.English, pos, probe.Rules{Profile: draughts.English.DefaultProfile(), Count: count})
		if !errors.Is(err, probe.ErrCount) {
			t.Errorf("count %d: %v", count, err)
		}
	}
}

func TestMissingDistancesToResetAreNamed(t *testing.T) {
	p := probe.Open(newMemory(draughts.English, english3()), probe.Options{})
	pos := position(t, draughts.English, "W:WK31,K32:BK1")
	r, err := p.ProbeUnder(draughts.English, pos, probe.Rules{Profile: draughts.English.DefaultProfile(), Count: 5})
	mustNot(t, err)
	plain, err := p.Probe(draughts.English, pos)
	mustNot(t, err)
	if r.Outcome != plain.Outcome || r.DTW != plain.DTW || len(r.Moves) != len(plain.Moves) {
		t.Errorf("%+v, want what is known without draw rules: %+v", r, plain)
	}
	var missing *tables.MissingError
	if !errors.As(r.Ruling.Err, &missing) || missing.Key.Metric != tables.DTR("wcdf") || r.Ruling.Verdict != probe.NoVerdict || r.Ruling.Limit != 80 || r.Ruling.PliesLeft != 75 {
		t.Errorf("%+v", *r.Ruling)
	}
	for _, m := range r.Moves {
		if m.Outcome != tables.Win || m.Ruling.Verdict != probe.NoVerdict || !errors.Is(m.Ruling.Err, tables.ErrMissing) {
			t.Errorf("%+v", m)
		}
	}
}

// Without distances to reset some verdicts are known all the same: of draws, and of
// captures that end the game. They do not bring a loss before a draw, nor a draw
// before a win.
func TestMovesWithoutVerdictsAreInTheOrderOfTheirOutcomes(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3())
	p := probe.Open(src, probe.Options{})
	rules := probe.Rules{Profile: v.DefaultProfile(), Count: 5}
	place := map[tables.Outcome]int{tables.Win: 0, tables.Draw: 1, tables.Loss: 2}
	mixed := 0
	everyPosition(t, src, func(_ *solved, _ tables.Side, _ uint64, pos draughts.Position) {
		r, err := p.ProbeUnder(v, pos, rules)
		mustNot(t, err)
		if draw := r.Outcome == tables.Draw; draw != (r.Ruling.Verdict == probe.VerdictDraw) || draw && r.Ruling.Err != nil {
			t.Fatalf("%s: a %v has the ruling %+v", v.FEN(pos), r.Outcome, *r.Ruling)
		}
		unknown, lost := false, false
		for i, m := range r.Moves {
			unknown = unknown || m.Ruling.Verdict == probe.NoVerdict
			lost = lost || m.Ruling.Verdict == probe.VerdictLoss
			if draw := m.Outcome == tables.Draw; draw != (m.Ruling.Verdict == probe.VerdictDraw) || draw && m.Ruling.Err != nil {
				t.Fatalf("%s %s: a %v has the ruling %+v", v.FEN(pos), v.MoveText(pos, m.Move), m.Outcome, m.Ruling)
			}
			if i > 0 && place[r.Moves[i-1].Outcome] > place[m.Outcome] {
				t.Fatalf("%s: a %v comes before a %v", v.FEN(pos), r.Moves[i-1].Outcome, m.Outcome)
			}
		}
		if unknown && lost {
			mixed++
		}
	})
	if mixed == 0 {
		t.Error("no position has moves with verdicts and moves without")
	}
}
