package tables_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

func TestDeps(t *testing.T) {
	for _, test := range []struct{ material, deps string }{
		{"KvK", ""},
		{"KvM", "KvK"},
		{"MvM", "KvM"},
		{"KKvK", "KvK"},
		{"KMvK", "KvK KvM KKvK"},
		{"KvMM", "KvM KMvK"},
		{"MMvM", "KvM MvM KMvM KvMM"},
		{"KKKvK", "KvK KKvK"},
		{"KKvKK", "KKvK"},
	} {
		m := material(t, test.material)
		if diff := cmp.Diff(materials(t, test.deps), tables.Deps(m), sameMaterials); diff != "" {
			t.Errorf("%s (-want +got):\n%s", m, diff)
		}
		if diff := cmp.Diff(tables.Deps(m), tables.Deps(m.Reverse()), sameMaterials); diff != "" {
			t.Errorf("%s and its reverse differ:\n%s", m, diff)
		}
	}
}

// checkMoves checks that every move of a position leads into its own table, if
// it is quiet, else into a dependency or to the end of the game.
func checkMoves(t *rapid.T, v *draughts.Variant, p draughts.Position) {
	m, ok := tables.MaterialOf(p)
	if !ok {
		t.Fatalf("%s has no material", v.FEN(p))
	}
	table, _ := m.Table()
	deps := tables.Deps(m)
	for _, move := range v.Moves(p, nil) {
		after, ok := tables.MaterialOf(p.Play(move))
		if !ok {
			continue // nothing is left
		}
		child, _ := after.Table()
		if child == table != (!move.IsCapture() && !move.Promotes) || child != table && !slices.Contains(deps, child) {
			t.Fatalf("%s %s: %s leads from %s to %s; dependencies are %v", v.Name, v.FEN(p), v.SquareName(move.From), table, child, deps)
		}
	}
}

func TestMovesLeadToDependencies(t *testing.T) {
	for range 20 {
		rapid.Check(t, func(t *rapid.T) {
			v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
			ix, err := index.New(v, randomMaterial(t))
			if err != nil {
				t.Fatal(err)
			}
			n := rapid.Uint64Range(0, ix.Size()-1).Draw(t, "n")
			p := ix.Position(tables.First, n)
			checkMoves(t, v, p)
			checkMoves(t, v, p.WithSide(draughts.Black))
		})
	}
}

// Nothing is named that no move leads to.
func TestEveryDependencyIsReached(t *testing.T) {
	v := draughts.English
	for _, m := range append(tables.All(3), materials(t, "KMvKM MMvMM KMvMM")...) {
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		reached := map[tables.Material]bool{}
		var moves []draughts.Move
		for n := range ix.Size() {
			for side := range tables.Side(m.Sides()) {
				p := ix.Position(side, n)
				moves = v.Moves(p, moves[:0])
				for _, move := range moves {
					if after, ok := tables.MaterialOf(p.Play(move)); ok && (move.IsCapture() || move.Promotes) {
						child, _ := after.Table()
						reached[child] = true
					}
				}
			}
		}
		for _, d := range tables.Deps(m) {
			if !reached[d] {
				t.Errorf("%s: no move leads to %s", m, d)
			}
		}
		for r := range reached {
			if !slices.Contains(tables.Deps(m), r) {
				t.Errorf("%s: moves lead to %s, which is not named", m, r)
			}
		}
	}
}

func TestClosureIsClosedSortedAndMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roots := []tables.Material{randomMaterial(t), randomMaterial(t)}
		all := tables.Closure(roots...)
		if !slices.IsSortedFunc(all, tables.Material.Compare) || len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Fatalf("%v is not in order", all)
		}
		needed := map[tables.Material]bool{}
		for _, r := range roots {
			table, _ := r.Table()
			needed[table] = true
		}
		for i, m := range slices.Backward(all) {
			if !needed[m] {
				t.Fatalf("nothing needs %s", m)
			}
			for _, d := range tables.Deps(m) {
				if !slices.Contains(all[:i], d) {
					t.Fatalf("%s needs %s, which does not come before it", m, d)
				}
				needed[d] = true
			}
		}
		for m := range needed {
			if !slices.Contains(all, m) {
				t.Fatalf("%s is missing", m)
			}
		}
	})
	if diff := cmp.Diff(tables.All(5), tables.Closure(tables.All(5)...), sameMaterials); diff != "" {
		t.Errorf("all tables (-) and their closure (+):\n%s", diff)
	}
	if got := tables.Closure(); len(got) != 0 {
		t.Errorf("the closure of nothing is %v", got)
	}
}
