package retro

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// The fast solver gives what the reference does, in every variant under every
// profile.
func TestResetLanesEqualReference(t *testing.T) {
	for _, v := range draughts.Variants() {
		seen := map[string]bool{}
		for _, profile := range v.Profiles() {
			// Tables made under equal definitions are equal.
			if seen[profile.Definition()] {
				continue
			}
			seen[profile.Definition()] = true
			t.Run(v.Name+" "+profile.Name, func(t *testing.T) {
				t.Parallel()
				list := tables.All(2)
				if long {
					list = comparedWithReference(v)
				} else if !testing.Short() && v.Squares() == 32 && profile == v.DefaultProfile() {
					list = append(list, parseMaterials(t, "KKvK KMvK KvMM")...)
				}
				compareResets(t, v, profile, list)
			})
		}
		for _, restart := range []draughts.Progress{0, draughts.CaptureMove, draughts.CaptureMove | draughts.ManMove, draughts.PromotionMove} {
			t.Run(fmt.Sprintf("%s short %b", v.Name, restart), func(t *testing.T) {
				t.Parallel()
				list := tables.All(2)
				if v.Squares() == 32 && !testing.Short() && (long || v == draughts.Russian) {
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
