package retro_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/retro"
	"threekings/tables"
)

func material(t testing.TB, name string) tables.Material {
	t.Helper()
	m, err := tables.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// memory is a tables.Reader of finished tables that tests can damage. A table
// lacks a metric that is nil.
type memory struct {
	v         *draughts.Variant
	distances map[tables.Material]*[2][]tables.Plies
	outcomes  map[tables.Material]*[2][]tables.Outcome
}

// newMemory solves tables and all that they need, and keeps both metrics.
func newMemory(t *testing.T, v *draughts.Variant, names ...string) *memory {
	t.Helper()
	var roots []tables.Material
	for _, name := range names {
		roots = append(roots, material(t, name))
	}
	m := &memory{v, map[tables.Material]*[2][]tables.Plies{}, map[tables.Material]*[2][]tables.Outcome{}}
	for table, solution := range generate(t, v, tables.Closure(roots...), retro.Options{Verify: retro.VerifyNone}) {
		m.distances[table], m.outcomes[table] = new([2][]tables.Plies), new([2][]tables.Outcome)
		for s := range tables.Side(table.Sides()) {
			d := make([]tables.Plies, tables.Count(v, table))
			o := make([]tables.Outcome, len(d))
			solution.Distances(s, 0, d)
			solution.Outcomes(s, 0, o)
			m.distances[table][s], m.outcomes[table][s] = d, o
		}
	}
	return m
}

func (m *memory) Distances(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	d := m.distances[k.Material]
	if k.Variant != m.v.Name || k.Metric != tables.DTW || d == nil {
		return &tables.MissingError{Key: k}
	}
	copy(dst, d[s][start:])
	return nil
}

func (m *memory) Outcomes(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Outcome) error {
	o := m.outcomes[k.Material]
	if k.Variant != m.v.Name || k.Metric != tables.Outcomes || o == nil {
		return &tables.MissingError{Key: k}
	}
	copy(dst, o[s][start:])
	return nil
}

var (
	both        = []tables.Metric{tables.Outcomes, tables.DTW}
	dtwAlone    = []tables.Metric{tables.DTW}
	outcomeOnly = []tables.Metric{tables.Outcomes}
)

// tested are tables of every kind: with and without kings, men, symmetry, men
// that step sideways, a game that ends by a special rule, two words a board.
var tested = []struct {
	v     *draughts.Variant
	names []string
}{
	{draughts.English, []string{"KvK", "KvM", "MvM", "KKvK", "KMvM", "MMvM"}},
	{draughts.Russian, []string{"KMvK", "KvMM"}},
	{draughts.Italian, []string{"KMvM"}},
	{draughts.International, []string{"KvK", "KvM", "MvM"}},
	{draughts.Canadian, []string{"KvM"}},
	{draughts.Turkish, []string{"KvK", "KvM", "MvM", "KKvM"}},
	{draughts.Armenian, []string{"KvM", "MvM", "KvMM"}},
}

func TestVerifyProvesTrueTables(t *testing.T) {
	for _, test := range tested {
		t.Run(test.v.Name, func(t *testing.T) {
			t.Parallel()
			stored := newMemory(t, test.v, test.names...)
			for _, name := range test.names {
				m := material(t, name)
				for _, metrics := range [][]tables.Metric{both, dtwAlone, outcomeOnly} {
					var done uint64
					report, err := retro.Verify(t.Context(), test.v, m, metrics, stored, retro.VerifyOptions{
						Threads: 1, Progress: func(n uint64) { done += n },
					})
					if err != nil {
						t.Errorf("%s %v: %v", name, metrics, err)
						continue
					}
					want, passes := tables.Positions(test.v, m), uint64(1)
					if !slices.Contains(metrics, tables.DTW) {
						passes = 2 // solved again, then proved
					}
					if report.Positions != want || done != passes*want {
						t.Errorf("%s %v: %d positions checked, %d in progress, want %d and %d times that", name, metrics, report.Positions, done, want, passes)
					}
					checkReport(t, test.v, m, report, metrics, stored)
				}
			}
		})
	}
}

// checkReport compares the values that a proof hands on with what is stored.
func checkReport(t *testing.T, v *draughts.Variant, m tables.Material, report *retro.Report, metrics []tables.Metric, stored *memory) {
	t.Helper()
	table, _ := m.Table()
	for s := range tables.Side(table.Sides()) {
		o := make([]tables.Outcome, tables.Count(v, table))
		report.Values.Outcomes(s, 0, o)
		if !slices.Equal(o, stored.outcomes[table][s]) {
			t.Errorf("%s: other outcomes in the report", m)
		}
		if slices.Contains(metrics, tables.DTW) {
			d := make([]tables.Plies, len(o))
			report.Values.Distances(s, 0, d)
			if !slices.Equal(d, stored.distances[table][s]) {
				t.Errorf("%s: other distances in the report", m)
			}
		}
		captures := make([]bool, len(o))
		report.Values.Captures(s, 0, captures)
		ix, err := index.New(v, table)
		if err != nil {
			t.Fatal(err)
		}
		for n, got := range captures {
			if got != v.HasCapture(ix.Position(s, uint64(n))) {
				t.Errorf("%s: side %d number %d captures: %t", m, s, n, got)
				break
			}
		}
	}
}

// wrongDistances are values that could stand for a true one: near it, with
// another outcome, and those that share its bits in some other form.
func wrongDistances(d tables.Plies) []tables.Plies {
	const most = tables.NoPlies
	var wrong []tables.Plies
	if d == most {
		wrong = []tables.Plies{0, 1, 2, 3, 30, 31, 254, 255, 256, most - 1, most - 2}
	} else {
		wrong = []tables.Plies{d + 2, d + 1, d + 256, d | 1<<15, d ^ 1, most - d, most - d - 1, most - d + 1, most}
		if d > 0 {
			wrong = append(wrong, d-1)
		}
		if d > 1 {
			wrong = append(wrong, d-2, 0, 1)
		}
	}
	wrong = append(wrong, 1<<15-2, 1<<15-1, 1<<15, 1<<15+1)
	return slices.DeleteFunc(wrong, func(w tables.Plies) bool { return w == d })
}

func TestVerifyFindsOneWrongDistance(t *testing.T) {
	for _, test := range tested {
		t.Run(test.v.Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(7, uint64(len(test.v.Name))))
			stored := newMemory(t, test.v, test.names...)
			for _, name := range test.names {
				m := material(t, name)
				table, _ := m.Table()
				ix, err := index.New(test.v, m)
				if err != nil {
					t.Fatal(err)
				}
				// For each of a win, a loss and a draw, every kind of wrong value.
				for _, o := range []tables.Outcome{tables.Win, tables.Loss, tables.Draw} {
					s := tables.Side(random.IntN(table.Sides()))
					values := stored.distances[table][s]
					n := random.IntN(len(values))
					for tries := 0; values[n].Outcome() != o && tries < len(values); tries++ {
						n = (n + 1) % len(values)
					}
					right := values[n]
					if right.Outcome() != o {
						continue // this table has none
					}
					all := wrongDistances(right)
					if len(values) > 50_000 { // a proof takes its time: some of them
						random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
						all = all[:3]
					}
					for _, wrong := range all {
						values[n] = wrong
						_, err := retro.Verify(t.Context(), test.v, m, dtwAlone, stored, retro.VerifyOptions{})
						checkDifference(t, fmt.Sprintf("%s side %d number %d: %d for %d", name, s, n, wrong, right), err, tables.DTW, ix, s, uint64(n))
						// With outcomes beside them it is still the distance that is wrong.
						if random.IntN(4) == 0 {
							_, err = retro.Verify(t.Context(), test.v, m, both, stored, retro.VerifyOptions{Threads: 3})
							checkDifference(t, fmt.Sprintf("%s with outcomes, side %d number %d: %d for %d", name, s, n, wrong, right), err, tables.DTW, ix, s, uint64(n))
						}
					}
					values[n] = right
				}
			}
		})
	}
}

// checkDifference checks that an error names a position whose value does not go
// with those of its children: the one that was changed, or one before it.
func checkDifference(t *testing.T, what string, err error, metric tables.Metric, ix *index.Index, s tables.Side, n uint64) {
	t.Helper()
	var d *retro.DifferenceError
	if !errors.As(err, &d) {
		t.Errorf("%s: %v", what, err)
		return
	}
	v := ix.Variant()
	if d.Variant != v.Name || d.Material != ix.Material() || d.Metric != metric || d.Stored == d.Proved {
		t.Errorf("%s: %v", what, err)
	}
	p := ix.Position(d.Side, d.Index)
	if d.FEN != v.FEN(p) {
		t.Errorf("%s: %v, but the FEN is %s", what, err, v.FEN(p))
	}
	found := d.Side == s && d.Index == n
	for _, m := range v.Moves(p, nil) {
		if !m.IsCapture() && !m.Promotes {
			side, number := ix.Rank(p.Play(m))
			found = found || side == s && number == n
		}
	}
	if !found {
		t.Errorf("%s: blames %v", what, err)
	}
}

func TestVerifyFindsOneWrongOutcome(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 3))
	for _, test := range tested {
		stored := newMemory(t, test.v, test.names[0])
		m := material(t, test.names[0])
		table, _ := m.Table()
		ix, err := index.New(test.v, m)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			s := tables.Side(random.IntN(table.Sides()))
			values := stored.outcomes[table][s]
			n := random.IntN(len(values))
			right := values[n]
			for wrong := tables.Draw; wrong <= tables.Loss; wrong++ {
				if wrong == right {
					continue
				}
				values[n] = wrong
				for _, metrics := range [][]tables.Metric{outcomeOnly, both} {
					_, err := retro.Verify(t.Context(), test.v, m, metrics, stored, retro.VerifyOptions{})
					var d *retro.DifferenceError
					if !errors.As(err, &d) || d.Metric != tables.Outcomes || d.Side != s || d.Index != uint64(n) ||
						d.FEN != test.v.FEN(ix.Position(s, uint64(n))) || d.Stored != wrong.String() || d.Proved != right.String() {
						t.Errorf("%s %s %v: %s for %s: %v", test.v.Name, m, metrics, wrong, right, err)
					}
				}
			}
			values[n] = right
		}
	}
}

// Wins that only support each other in a circle pass every check of one move, as
// most draws of International KKvK could. Their distances give them away.
func TestVerifyFindsWinsInACircle(t *testing.T) {
	v := draughts.International
	stored := newMemory(t, v, "KKvK")
	m := material(t, "KKvK")
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	n := ix.Size()
	truly := *stored.outcomes[m]
	claims := [2][]tables.Outcome{slices.Clone(truly[0]), slices.Clone(truly[1])}
	draws := 0
	for i := range n {
		if claims[tables.First][i] == tables.Draw {
			claims[tables.First][i] = tables.Win
			draws++
		}
		if claims[tables.Second][i] == tables.Draw {
			claims[tables.Second][i] = tables.Loss
		}
	}
	// children counts the outcomes of a position's children by the claims.
	smaller, err := index.New(v, material(t, "KvK"))
	if err != nil {
		t.Fatal(err)
	}
	children := func(s tables.Side, i uint64) (count [3]int) {
		p := ix.Position(s, i)
		for _, move := range v.Moves(p, nil) {
			after := p.Play(move)
			switch material, ok := tables.MaterialOf(after); {
			case !ok:
				count[tables.Loss]++
			case material.Pieces() == 2:
				side, at := smaller.Rank(after)
				count[stored.outcomes[smaller.Material()][side][at]]++
			default:
				side, at := ix.Rank(after)
				count[claims[side][at]]++
			}
		}
		return count
	}
	for changed := true; changed; {
		changed = false
		for s := range claims {
			for i := range n {
				if truly[s][i] != tables.Draw || claims[s][i] == tables.Draw {
					continue
				}
				count := children(tables.Side(s), i)
				if tables.Side(s) == tables.First && count[tables.Loss] == 0 ||
					tables.Side(s) == tables.Second && count[tables.Draw]+count[tables.Loss] > 0 {
					claims[s][i] = tables.Draw
					changed = true
				}
			}
		}
	}
	claimed := 0
	for i := range n {
		if truly[tables.First][i] == tables.Draw && claims[tables.First][i] == tables.Win {
			claimed++
		}
	}
	if claimed != 39_260 || draws != 39_402 {
		t.Errorf("%d of %d draws could be called wins, want 39260 of 39402", claimed, draws)
	}

	// Outcomes alone are solved again.
	stored.outcomes[m] = &claims
	var difference *retro.DifferenceError
	if _, err := retro.Verify(t.Context(), v, m, outcomeOnly, stored, retro.VerifyOptions{}); !errors.As(err, &difference) {
		t.Errorf("outcomes alone: %v", err)
	}

	// With distances for the false claims, as good as they can be made.
	right := *stored.distances[m]
	for _, start := range []tables.Plies{101, 1<<15 - 1, 1<<15 + 1, 65_001} {
		wrong := [2][]tables.Plies{slices.Clone(right[0]), slices.Clone(right[1])}
		for i := range n {
			if right[0][i] == tables.NoPlies && claims[0][i] == tables.Win {
				wrong[0][i] = start
			}
			if right[1][i] == tables.NoPlies && claims[1][i] == tables.Loss {
				wrong[1][i] = start - 1
				if start == 1<<15-1 {
					wrong[1][i] = start + 1
				}
			}
		}
		stored.distances[m] = &wrong
		for _, metrics := range [][]tables.Metric{dtwAlone, both} {
			if _, err := retro.Verify(t.Context(), v, m, metrics, stored, retro.VerifyOptions{}); !errors.As(err, &difference) {
				t.Errorf("distances from %d on, %v: %v", start, metrics, err)
			}
		}
	}
}

// A proof leads on to smaller tables: without them there is none.
func TestVerifyNeedsSmallerTables(t *testing.T) {
	v := draughts.English
	stored := newMemory(t, v, "KMvK")
	m := material(t, "KMvK")
	var missing *tables.MissingError
	delete(stored.distances, material(t, "KvM"))
	if _, err := retro.Verify(t.Context(), v, m, dtwAlone, stored, retro.VerifyOptions{}); !errors.As(err, &missing) ||
		missing.Key != (tables.Key{Variant: v.Name, Material: material(t, "KvM"), Metric: tables.DTW}) {
		t.Errorf("without KvM: %v", err)
	}
	if _, err := retro.Verify(t.Context(), v, m, outcomeOnly, stored, retro.VerifyOptions{}); err != nil {
		t.Errorf("outcomes alone need no distances: %v", err)
	}
	delete(stored.outcomes, m)
	if _, err := retro.Verify(t.Context(), v, m, outcomeOnly, stored, retro.VerifyOptions{}); !errors.As(err, &missing) || missing.Key.Material != m {
		t.Errorf("without the table itself: %v", err)
	}
}

func TestVerifyStops(t *testing.T) {
	v := draughts.English
	stored := newMemory(t, v, "KMvM")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var after uint64
	_, err := retro.Verify(ctx, v, material(t, "KMvM"), dtwAlone, stored, retro.VerifyOptions{
		Threads: 1,
		Progress: func(n uint64) {
			if ctx.Err() != nil {
				after += n
			}
			cancel()
		},
	})
	if !errors.Is(err, context.Canceled) || after > 0 {
		t.Errorf("%v, %d positions after the end", err, after)
	}
}
