package retro

import (
	"testing"

	"threekings/index"
	"threekings/tables"
)

// solveUnit solves a unit with the lanes solver and returns a function that reads
// its values.
func solveUnit(t *testing.T, m *laneMachine, ix *index.Index, unit []uint64) func(s tables.Side, n uint64) (tables.Plies, bool) {
	own := newLaneTable(m.board, ix, true)
	kids := &children{at: map[kindCounts]int{}}
	for _, d := range tables.Deps(ix.Material()) {
		table, err := m.table(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, seen := range d.Ordered() {
			kids.add(seen, own, table)
		}
	}
	own.fetch = func(n uint64) *lanePage {
		page, err := (&pageReader{m: m, e: &keptTable{}, t: own, key: m.key(ix.Material()), n: n}).read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for s := range page.capture {
			page.capture[s] = make([]word, len(page.win[s]))
		}
		own.pages[n].Store(page)
		return page
	}
	s := &laneSolver{t: own, b: m.board, children: kids, distances: m.distances, frames: frameKings(own)}
	if err := newUnitSolver(s).solve(t.Context(), unit, 1); err != nil {
		t.Fatal(err)
	}
	if err := m.failure(); err != nil {
		t.Fatal(err)
	}
	return func(s tables.Side, n uint64) (tables.Plies, bool) {
		var plies [1]tables.Plies
		var capture [1]bool
		own.Distances(s, n, plies[:])
		own.Captures(s, n, capture[:])
		return plies[0], capture[0]
	}
}
