package retro

import (
	"context"
	"errors"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// asStored reads solved tables as a database keeps them: where the side to move
// must capture, or the game has ended, it gives anything, and of outcomes where
// they may be left out.
type asStored struct {
	solutions
	v       *draughts.Variant
	indices map[tables.Material]*index.Index
}

// newAsStored solves tables.
func newAsStored(t *testing.T, v *draughts.Variant, materials []tables.Material, opts Options) asStored {
	t.Helper()
	opts.Verify = VerifyNone
	stored := asStored{solutions: solutions{solved: solveAll(t, v, materials, opts)}, v: v, indices: map[tables.Material]*index.Index{}}
	for _, m := range materials {
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		stored.indices[m] = ix
	}
	return stored
}

// LeftOut implements [tables.StoredReader]: the one side or the other, or even
// positions.
func (r asStored) LeftOut(k tables.Key) (l [2]tables.LeftOut, err error) {
	if k.Metric == tables.Outcomes {
		l[(k.Material.Count(tables.First, draughts.Man)+k.Material.Pieces())%k.Material.Sides()] = tables.MayLeaveOut(r.v, k.Material)
	}
	return l, nil
}

// any reports whether the value of a position may be anything.
func (r asStored) any(k tables.Key, s tables.Side, n uint64) bool {
	p := r.indices[k.Material].Position(s, n)
	l, _ := r.LeftOut(k)
	return r.v.HasCapture(p) || r.v.Ended(p) || l[s].Leaves(r.v, &p)
}

func (r asStored) StoredOutcomes(ctx context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Outcome) error {
	err := r.Outcomes(ctx, k, s, start, dst)
	for i := range dst {
		if n := start + uint64(i); r.any(k, s, n) {
			dst[i] = tables.Outcome(n % 3)
		}
	}
	return err
}

func (r asStored) StoredDistances(ctx context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	err := r.Distances(ctx, k, s, start, dst)
	for i := range dst {
		if n := start + uint64(i); r.any(k, s, n) {
			dst[i] = tables.Plies(n % 300)
		}
	}
	return err
}

// TestStoredTablesAreWorkedOut reads tables whose values are not true where there is
// a capture, or where they are left out.
func TestStoredTablesAreWorkedOut(t *testing.T) {
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			pieces := 3
			if v.Squares() > 50 || testing.Short() {
				pieces = 2
			}
			materials := tables.All(pieces)
			if pieces == 2 {
				materials = append(materials, tables.Closure(mustParse(t, "KKvK"))...)
			}
			if v == draughts.English && !testing.Short() {
				// The smallest symmetric tables that leave something out.
				materials = append(materials, tables.Closure(mustParse(t, "KMvKM"))...)
			}
			slices.SortFunc(materials, tables.Material.Compare)
			materials = slices.Compact(materials)
			stored := newAsStored(t, v, materials, Options{})
			for _, distances := range []bool{false, true} {
				solver := newLanesSolver(v, Options{Finished: stored, OutcomesOnly: !distances, Verify: VerifyNone}, newMemory(0))
				// The largest first, so that reading it makes the others be read.
				for _, m := range slices.Backward(materials) {
					checkRead(t, solver, stored.indices[m], stored.solved[m], distances)
				}
			}
		})
	}
}

func mustParse(t *testing.T, name string) tables.Material {
	t.Helper()
	m, err := tables.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checkRead compares a table that a solver has read with the solved one.
func checkRead(t *testing.T, s solver, ix *index.Index, want *Solution, distances bool) {
	t.Helper()
	read, err := s.lookup(t.Context(), want.Material)
	if err != nil {
		t.Fatal(err)
	}
	plies := make([]tables.Plies, ix.Size())
	for side := range tables.Side(want.Material.Sides()) {
		want.Distances(side, 0, plies)
		for n, d := range plies {
			p := ix.Position(side, uint64(n))
			got := read.value(&p)
			if !distances {
				d = knownLevel(d.Outcome())
			}
			if got != d {
				t.Fatalf("%s, side %d, %s: got %s, want %s", want.Material, side, want.Variant.FEN(p), describe(got), describe(d))
			}
		}
	}
	if err := s.failure(); err != nil {
		t.Fatal(err)
	}
}

// TestPageInUseIsNotWrittenTo: a page of which the memory lets go may still be read when
// it is read from the store again.
func TestPageInUseIsNotWrittenTo(t *testing.T) {
	v, kkvk := draughts.International, mustParse(t, "KKvK")
	opts := Options{OutcomesOnly: true}
	opts.Finished = newAsStored(t, v, tables.Closure(kkvk), opts)
	table, err := newLaneMachine(v, opts, newMemory(0)).table(kkvk)
	if err != nil {
		t.Fatal(err)
	}
	page, _ := table.slice(0)
	table.pages[0].Store(nil)
	if again, _ := table.slice(0); again == page {
		t.Error("what is left out of a page in use was worked out in it again")
	}
}

// TestStoredTablesAreProved: lanes that do not know all captures, or all moves where
// something is left out, would give solver and proof the same wrong values to start
// from.
func TestStoredTablesAreProved(t *testing.T) {
	v := draughts.International
	kkvk := mustParse(t, "KKvK")
	for _, opts := range []Options{{OutcomesOnly: true}, {}, {Verify: VerifySample}, {Profile: v.DefaultProfile()}} {
		opts.Finished = newAsStored(t, v, tables.Closure(kkvk), opts)
		read := func(opts Options, spoil func(b *laneBoard)) error {
			m := newLaneMachine(v, opts, newMemory(0))
			spoil(m.board)
			if _, err := m.lookup(t.Context(), kkvk); err != nil {
				return err
			}
			return m.failure()
		}
		if err := read(opts, func(*laneBoard) {}); err != nil {
			t.Error(err)
		}
		captures := func(b *laneBoard) { b.kingCaptures = b.kingCaptures[1:] }
		moves := func(b *laneBoard) { b.kingMoves = b.kingMoves[1:] }
		var difference *DifferenceError
		if err := read(opts, captures); !errors.As(err, &difference) {
			t.Errorf("%s: %v", opts.metric(), err)
		}
		if err := read(opts, moves); errors.As(err, &difference) != opts.OutcomesOnly {
			t.Errorf("%s, which leaves out something if outcomes alone count: %v", opts.metric(), err)
		}
		opts.Verify = VerifyNone
		for _, spoil := range []func(*laneBoard){captures, moves} {
			if err := read(opts, spoil); err != nil {
				t.Errorf("nothing was to be proved: %v", err)
			}
		}
	}
}
