package retro

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
			if v.Squares() > 32 && !long {
				pieces = 2
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

// The fast solver gives what the reference does, in every variant under every
// profile.
func TestResetLanesEqualReference(t *testing.T) {
	for _, v := range draughts.Variants() {
		for _, profile := range v.Profiles() {
			t.Run(v.Name+" "+profile.Name, func(t *testing.T) {
				list := tables.All(2)
				if long {
					list = comparedWithReference(v)
				} else if !testing.Short() && v.Squares() == 32 {
					list = append(list, parseMaterials(t, "KKvK KMvK KvMM")...)
				}
				compareResets(t, v, profile, list)
			})
		}
		for _, restart := range []draughts.Progress{0, draughts.CaptureMove, draughts.CaptureMove | draughts.ManMove, draughts.PromotionMove} {
			t.Run(fmt.Sprintf("%s short %b", v.Name, restart), func(t *testing.T) {
				list := tables.All(2)
				if v.Squares() == 32 && !testing.Short() && (long || v == draughts.Russian || v == draughts.English) {
					list = tables.All(3)
				} else if v.MenStepSideways() && long {
					list = tables.Closure(parseMaterials(t, "MMvK")...)
				}
				compareResets(t, v, shortRules(restart), list)
			})
		}
	}
}

func compareResets(t *testing.T, v *draughts.Variant, profile *draughts.Profile, list []tables.Material) {
	t.Helper()
	want := referenceResets(t, v, profile, list)
	lanes := newLanesSolver(v, Options{Verify: VerifyNone, Profile: profile}, newMemory(0))
	random := rand.New(rand.NewPCG(1, 2))
	for _, m := range list {
		f := want[m]
		got, err := lanes.solve(t.Context(), f.ix, 1, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		lanes.keep(got)
		values := make([]tables.Plies, f.ix.Size())
		captures, wantCaptures := make([]bool, f.ix.Size()), make([]bool, f.ix.Size())
		for s := range tables.Side(m.Sides()) {
			got.Distances(s, 0, values)
			for n := range values {
				if values[n] != f.plies[s][n] {
					t.Fatalf("%s %s: %s: value %d, the reference has %d", profile.Name, m, v.FEN(f.ix.Position(s, uint64(n))), values[n], f.plies[s][n])
				}
			}
			got.Captures(s, 0, captures)
			f.Captures(s, 0, wantCaptures)
			if !slices.Equal(captures, wantCaptures) {
				t.Fatalf("%s side %d: captures differ", m, s)
			}
		}
		proveResets(t, lanes, profile, got, random)
	}
}

// proveResets checks that the proof passes the values of a table, and none that
// differ in one place.
func proveResets(t *testing.T, lanes solver, profile *draughts.Profile, values tables.Values, random *rand.Rand) {
	t.Helper()
	var own *index.Index
	switch t := values.(type) {
	case *laneTable:
		own = t.ix
	case *wideLaneTable:
		own = t.ix
	}
	prove := func(f *flat) error {
		deps, err := dependenciesOf(t.Context(), own.Material(), lanes.lookup)
		if err != nil {
			t.Fatal(err)
		}
		job := &proof{ix: own, v: own.Variant(), deps: deps, distances: true, ratings: newRatings(profile, own.Material())}
		return job.all(t.Context(), f, VerifyOptions{Threads: 1})
	}
	f, err := flatOf(t.Context(), own, values)
	if err != nil {
		t.Fatal(err)
	}
	if err := prove(f); err != nil {
		t.Fatalf("%s: the true values do not pass: %v", profile.Name, err)
	}
	if own.Size() > 4_000 || own.Variant().MenStepSideways() && own.Material().Pieces() > 2 {
		return
	}
	for range 3 {
		s, n := random.IntN(own.Material().Sides()), random.Uint64N(own.Size())
		before := f.plies[s][n]
		for _, wrong := range []tables.Plies{before + 1, before + 2, before - 1, before - 2, tables.NoPlies, 1, 2} {
			if wrong == before {
				continue
			}
			f.plies[s][n] = wrong
			var difference *DifferenceError
			if err := prove(f); !errors.As(err, &difference) {
				t.Fatalf("%s: %d passes in the place of %d: %v", own.Variant().FEN(own.Position(tables.Side(s), n)), wrong, before, err)
			}
		}
		f.plies[s][n] = before
	}
}

// Where men step sideways two positions can call each other won and lost fresh:
// every position agrees with its children, and yet nothing is won.
func TestProofSeesResetsThatSupportEachOther(t *testing.T) {
	v, profile := draughts.Armenian, profileOf(t, draughts.Armenian, "none")
	m := parseMaterials(t, "KvMM")[0]
	list := tables.Closure(m)
	lanes := newLanesSolver(v, Options{Verify: VerifyNone, Profile: profile}, newMemory(0))
	for _, d := range list {
		ix, err := index.New(v, d)
		if err != nil {
			t.Fatal(err)
		}
		values, err := lanes.solve(t.Context(), ix, 2, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		lanes.keep(values)
		if d != m {
			continue
		}
		f, err := flatOf(t.Context(), ix, values)
		if err != nil {
			t.Fatal(err)
		}
		deps, err := dependenciesOf(t.Context(), m, lanes.lookup)
		if err != nil {
			t.Fatal(err)
		}
		job := &proof{ix: ix, v: v, deps: deps, distances: true, ratings: newRatings(profile, m)}
		job.own, job.flat = f, f
		circle := pretend(t, job, f)
		if circle == 0 {
			t.Fatal("no draw could be called won: nothing was tested")
		}
		var difference *DifferenceError
		if err := job.all(t.Context(), f, VerifyOptions{Threads: 2}); !errors.As(err, &difference) {
			t.Errorf("%d draws called won or lost pass: %v", circle, err)
		}
		p := prover{proof: job}
		for s := range tables.Side(m.Sides()) {
			for n := range ix.Size() {
				position := ix.Position(s, n)
				if err := p.compare(position, p.best(position), job.ratings.own.score(f.plies[s][n])); err != nil {
					t.Fatalf("the circle is not closed: %v", err)
				}
			}
		}
	}
}

// pretend calls as many draws won or lost as will support each other: it begins
// with all of them and takes back what has no support until nothing changes. It
// returns how many are left.
func pretend(t *testing.T, job *proof, f *flat) int {
	t.Helper()
	p := prover{proof: job}
	type place struct {
		s tables.Side
		n uint64
	}
	var called []place
	for s := range tables.Side(job.ix.Material().Sides()) {
		for n := range job.ix.Size() {
			if position := job.ix.Position(s, n); f.plies[s][n] == tables.NoPlies && !job.v.Ended(position) {
				// The side with the men wins.
				if side, _ := job.ix.Rank(position); side == tables.Second {
					f.plies[s][n] = 1
				} else {
					f.plies[s][n] = 2
				}
				called = append(called, place{s, n})
			}
		}
	}
	for changed := true; changed; {
		changed = false
		kept := called[:0]
		for _, at := range called {
			proved := p.best(job.ix.Position(at.s, at.n)).parent()
			if proved != f.plies[at.s][at.n] {
				f.plies[at.s][at.n] = proved
				changed = true
			}
			if proved != tables.NoPlies {
				kept = append(kept, at)
			}
		}
		called = kept
	}
	return len(called)
}

// storedResets reads solved tables as a database keeps them: where the side to
// move must capture, or the game has ended, it gives anything.
type storedResets struct {
	tables.Reader // unused
	v             *draughts.Variant
	solved        map[tables.Material]*flat
}

func (r storedResets) Distances(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	copy(dst, r.solved[k.Material].plies[s][start:])
	return nil
}

func (r storedResets) StoredDistances(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	f := r.solved[k.Material]
	for i := range dst {
		n := start + uint64(i)
		if dst[i] = f.plies[s][n]; f.captures[s].has(n) || r.v.Ended(f.ix.Position(s, n)) {
			dst[i] = tables.Plies(n % 300)
		}
	}
	return nil
}

func (r storedResets) StoredOutcomes(context.Context, tables.Key, tables.Side, uint64, []tables.Outcome) error {
	return errors.New("outcomes were asked for")
}

func TestCapturesOfStoredResetsAreWorkedOut(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.Russian, draughts.English, draughts.Italian, draughts.Canadian, draughts.Turkish, draughts.Armenian} {
		for _, profile := range []*draughts.Profile{profileOf(t, v, "none"), shortRules(draughts.CaptureMove), shortRules(0)} {
			list := tables.All(2)
			if v.Squares() == 32 {
				list = append(list, parseMaterials(t, "KKvK KKvM KMvK")...)
			}
			stored := storedResets{v: v, solved: referenceResets(t, v, profile, list)}
			lanes := newLanesSolver(v, Options{Finished: stored, Profile: profile, Verify: VerifyNone}, newMemory(0))
			for _, m := range slices.Backward(list) {
				read, err := lanes.lookup(t.Context(), m)
				if err != nil {
					t.Fatal(err)
				}
				f := stored.solved[m]
				for s := range tables.Side(m.Sides()) {
					for n := range f.ix.Size() {
						p := f.ix.Position(s, n)
						if got := read.value(&p); got != f.plies[s][n] {
							t.Fatalf("%s %s: %s: value %d, want %d", profile.Name, m, v.FEN(p), got, f.plies[s][n])
						}
					}
				}
			}
			if err := lanes.failure(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What an interrupted run has left comes back with what is fresh.
func TestJournalKeepsWhatIsFresh(t *testing.T) {
	v, profile := draughts.English, shortRules(draughts.CaptureMove|draughts.ManMove)
	lanes := newLaneMachine(v, Options{Profile: profile, Verify: VerifyNone}, newMemory(0))
	for _, m := range tables.Closure(parseMaterials(t, "KMvK")...) {
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		values, err := lanes.solve(t.Context(), ix, 1, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		solved := values.(*laneTable)
		restored := lanes.newTable(ix, true)
		for n := range restored.pages {
			restored.pages[n].Store(restored.newPage(uint64(n), true))
		}
		cut := false
		for slice := range ix.Slices() {
			if !restored.restoreSlice(slice, solved.appendSlice(slice, nil)) {
				t.Fatalf("%s: slice %d does not come back", m, slice)
			}
			a, row := solved.slice(slice)
			b, _ := restored.slice(slice)
			for c := range a.win {
				for i := row; i < row+solved.frames; i++ {
					if a.freshWin[c][i] != b.freshWin[c][i] || a.freshLoss[c][i] != b.freshLoss[c][i] {
						t.Fatalf("%s: slice %d, row %d: another set is fresh", m, slice, i)
					}
					cut = cut || a.freshWin[c][i] != a.win[c][i]
				}
			}
		}
		if m.Pieces() == 3 && !cut {
			t.Errorf("%s: no limit cuts anything: nothing was tested", m)
		}
		lanes.keep(values)
	}
}
