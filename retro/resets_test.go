package retro

import (
	"fmt"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/truth"
	"threekings/tables"
)

// referenceResets solves tables in solving order with the reference.
func referenceResets(t testing.TB, v *draughts.Variant, profile *draughts.Profile, list []tables.Material) map[tables.Material]*flat {
	t.Helper()
	deps, solved := &dependencies{}, map[tables.Material]*flat{}
	for _, m := range list {
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		f, err := solveResets(t.Context(), ix, deps, profile, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		deps.add(m, f)
		solved[m] = f
	}
	return solved
}

func profileOf(t testing.TB, v *draughts.Variant, name string) *draughts.Profile {
	t.Helper()
	p, err := v.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bruteForce plays out every position at every count: it knows nothing of
// distances. A position with count c is drawn if it has a move and c has reached
// the limit; else its value follows from those of its children, with the count
// begun again or one higher. Everything begins as a draw, and all counts are gone
// through until nothing changes.
type bruteForce struct {
	v       *draughts.Variant
	profile *draughts.Profile
	counts  int // that are played out: 0 to counts-1
	tables  map[tables.Material]*bruteTable
}

type bruteTable struct {
	ix     *index.Index
	values [2][][]tables.Outcome // by side, count, position
}

// bruteChild is where a move leads.
type bruteChild struct {
	table    *bruteTable // nil if the side to move has no pieces
	n        uint32
	side     tables.Side
	restarts bool
}

func (b *bruteForce) solve(t testing.TB, m tables.Material) {
	t.Helper()
	ix, err := index.New(b.v, m)
	if err != nil {
		t.Fatal(err)
	}
	own := &bruteTable{ix: ix}
	b.tables[m] = own
	sides := tables.Side(m.Sides())
	var children [2][][]bruteChild
	for s := range sides {
		children[s] = make([][]bruteChild, ix.Size())
		own.values[s] = make([][]tables.Outcome, b.counts)
		for c := range own.values[s] {
			own.values[s][c] = make([]tables.Outcome, ix.Size())
		}
		for n := range ix.Size() {
			p := ix.Position(s, n)
			for _, m := range b.v.Moves(p, nil) {
				after := p.Play(m)
				child := bruteChild{restarts: b.profile.MoveRestarts(p, m)}
				if material, ok := tables.MaterialOf(after); ok {
					table, _ := material.Table()
					child.table = b.tables[table]
					side, n := child.table.ix.Rank(after)
					child.side, child.n = side, uint32(n)
				}
				children[s][n] = append(children[s][n], child)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for count := b.counts - 1; count >= 0; count-- {
			for s := range sides {
				for n := range ix.Size() {
					if own.values[s][count][n] != tables.Draw {
						continue
					}
					if o := b.value(ix.Position(s, n), count, children[s][n]); o != tables.Draw {
						own.values[s][count][n] = o
						changed = true
					}
				}
			}
		}
	}
}

func (b *bruteForce) value(p draughts.Position, count int, children []bruteChild) tables.Outcome {
	if b.v.Ended(p) {
		return tables.Draw
	}
	if len(children) == 0 {
		return tables.Loss
	}
	if limit, ok := b.profile.Limit(p, count); ok && count >= limit {
		return tables.Draw
	}
	best := tables.Loss
	for _, c := range children {
		o := tables.Loss
		if c.table != nil {
			next := count + 1
			if c.restarts {
				next = 0
			}
			o = tables.Draw
			if next < b.counts {
				o = c.table.values[c.side][next][c.n]
			}
		}
		switch o {
		case tables.Loss:
			return tables.Win
		case tables.Draw:
			best = tables.Draw
		}
	}
	return best
}

// shortRules have a limit so low that it changes much, and in moves of one side.
// Where men step sideways, moves that restart the count lead back.
func shortRules(restart draughts.Progress) *draughts.Profile {
	free := draughts.Range{Max: 100}
	pieces := draughts.Pieces{Men: free, Kings: free, Total: free}
	return &draughts.Profile{Name: "short", Classes: []draughts.Class{
		{
			Weak:   draughts.Pieces{Men: free, Kings: free, Total: draughts.Range{Min: 1, Max: 1}},
			Strong: draughts.Pieces{Men: free, Kings: free, Total: draughts.Range{Min: 2, Max: 2}}, Board: free,
			Limit: draughts.Limit{Unit: draughts.StrongMoves, N: 2}, Restart: restart,
		},
		{Weak: pieces, Strong: pieces, Board: free, Limit: draughts.Limit{Unit: draughts.Plies, N: 3}, Restart: restart},
	}}
}

// The verdict at every count is c + DTR <= limit, and nothing else.
func TestDistanceToResetTellsTheVerdictAtEveryCount(t *testing.T) {
	for _, test := range []struct {
		v         *draughts.Variant
		profile   string
		materials string
		more      string // in the long tests
	}{
		{draughts.International, "fmjd", "KKvK", "MvM KMvK KvMM"},
		{draughts.International, "ffr", "KvM", "KKvK KMvK"},
		{draughts.International, "beginner", "KvM", "KKvK KMvK"},
		{draughts.Russian, "fmjd64", "KMvK", "MvM KvMM"},
		{draughts.Brazilian, "cbd", "KvM", "KMvK"},
		{draughts.Czech, "brief", "KvMM", "MvM KKvM KMvK KvMM"},
		{draughts.Czech, "total", "MvM KvMM", "KMvK MMvM"},
		{draughts.English, "wcdf", "KKvM", "MvM KMvK"},
		{draughts.Italian, "fid", "KvM", "KMvK"},
		{draughts.Pool, "apca", "KvM", "KMvK KKKvK"},
	} {
		t.Run(test.v.Name+" "+test.profile, func(t *testing.T) {
			materials := test.materials
			if long {
				materials += " " + test.more
			}
			checkAgainstBruteForce(t, test.v, profileOf(t, test.v, test.profile), materials)
		})
	}
}

func TestDistanceToResetWhereRestartingMovesLeadBack(t *testing.T) {
	for _, test := range []struct {
		v         *draughts.Variant
		restart   draughts.Progress
		materials string
	}{
		{draughts.Armenian, draughts.CaptureMove | draughts.ManMove, "KvMM"},
		{draughts.Turkish, draughts.CaptureMove | draughts.ManMove, "KvMM"},
		{draughts.Turkish, draughts.CaptureMove, "KvMM"},
		{draughts.Russian, draughts.PromotionMove, "KKvM MMvM"},
		{draughts.English, draughts.CaptureMove | draughts.ManMove, "KKvM MMvM"},
	} {
		t.Run(fmt.Sprint(test.v.Name, test.restart), func(t *testing.T) {
			if test.v.MenStepSideways() && !long {
				if test.v.OneOnOneDraws {
					t.Skip("takes long")
				}
				test.materials = "MvM"
			}
			checkAgainstBruteForce(t, test.v, shortRules(test.restart), test.materials)
		})
	}
}

func checkAgainstBruteForce(t *testing.T, v *draughts.Variant, profile *draughts.Profile, materials string) {
	t.Helper()
	list := tables.Closure(parseMaterials(t, materials)...)
	solved := referenceResets(t, v, profile, list)
	longest := 0
	for i := range profile.Classes {
		longest = max(longest, 2*profile.Classes[i].Limit.N)
	}
	brute := &bruteForce{v: v, profile: profile, counts: longest + 2, tables: map[tables.Material]*bruteTable{}}
	metric := tables.DTR(profile.Name)
	changed := 0
	for _, m := range list {
		brute.solve(t, m)
		f := solved[m]
		for s := range tables.Side(m.Sides()) {
			for n := range f.ix.Size() {
				p, value := f.ix.Position(s, n), f.plies[s][n]
				for count := range brute.counts {
					want := brute.tables[m].values[s][count][n]
					limit, ok := profile.Limit(p, count)
					if !ok {
						limit = brute.counts // nothing is cut
						if count > 0 {
							continue
						}
					}
					got := tables.Draw
					if value != tables.NoPlies && count+int(metric.Distance(value)) <= limit {
						got = value.Outcome()
					}
					if !ok {
						got = value.Outcome()
					}
					if count > limit {
						continue // the rule has taken effect before
					}
					if got != want {
						t.Fatalf("%s at count %d of %d: %s by its distance %d, %s by brute force",
							v.FEN(p), count, limit, got, metric.Distance(value), want)
					}
					if got != value.Outcome() {
						changed++
					}
				}
			}
		}
	}
	if changed == 0 && profile.HasLimits() {
		t.Error("no limit changed any result: nothing was tested")
	}
}

func parseMaterials(t testing.TB, names string) []tables.Material {
	t.Helper()
	var list []tables.Material
	for _, name := range strings.Fields(names) {
		m, err := tables.ParseMaterial(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// Under the profile none the distance to reset is that to conversion.
func TestDistancesToConversion(t *testing.T) {
	rows, err := truth.Rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			pieces := 3
			if !long && v != draughts.English && v != draughts.Russian && v != draughts.Italian {
				pieces = 2 // the command's tests compare all of three
			}
			solved := referenceResets(t, v, profileOf(t, v, "none"), tables.All(pieces))
			for _, row := range rows {
				table, side := row.Material.Table()
				f := solved[table]
				if row.Variant != v.Name || f == nil {
					continue
				}
				sides, _ := tables.Summarize(v, table, tables.DTR("none"), f)
				got := sides[side]
				if got.Wins != row.Wins || got.Losses != row.Losses || got.LongestWin != row.LongestWinToConv || got.LongestLoss != row.LongestLossToC {
					t.Errorf("%s %s: %d wins and %d losses, the longest %d and %d plies to conversion; want %d, %d, %d, %d", v.Name, row.Material,
						got.Wins, got.Losses, got.LongestWin, got.LongestLoss, row.Wins, row.Losses, row.LongestWinToConv, row.LongestLossToC)
				}
			}
		})
	}
}
