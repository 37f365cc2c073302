package retro

import (
	"errors"
	"math/rand/v2"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

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
				if err := p.compare(&position, p.bestOf(&position), job.ratings.own.score(f.plies[s][n])); err != nil {
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
			position := job.ix.Position(at.s, at.n)
			proved := p.bestOf(&position).parent()
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
