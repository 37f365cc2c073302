// Code generated from laneslices_test.go by internal/widen; DO NOT EDIT.

package retro

import (
	"testing"

	"threekings/index"
	"threekings/tables"
)

// solveUnit solves a unit with the lanes solver and returns a function that reads
// its values.
func wideSolveUnit(t *testing.T, m *wideLaneMachine, ix *index.Index, unit []uint64) func(s tables.Side, n uint64) (tables.Plies, bool) {
	own := newWideLaneTable(m.board, ix, true)
	kids := &wideChildren{at: map[wideKindCounts]int{}}
	for _, d := range tables.Deps(ix.Material()) {
		table, err := m.table(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, seen := range d.Ordered() {
			kids.add(seen, own, table)
		}
	}
	own.fetch = func(n uint64) *wideLanePage {
		page, err := (&widePageReader{m: m, e: &wideKeptTable{}, t: own, key: m.key(ix.Material()), n: n}).read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for s := range page.capture {
			page.capture[s] = make([]wideWord, len(page.win[s]))
		}
		own.pages[n].Store(page)
		return page
	}
	s := &wideLaneSolver{t: own, b: m.board, wideChildren: kids, distances: m.distances, frames: wideFrameKings(own)}
	if err := newWideUnitSolver(s).solve(t.Context(), unit, 1); err != nil {
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
