package tables

import (
	"slices"

	"threekings/draughts"
)

// Deps returns the tables that a move can lead to from the table of m: by a
// promotion, a capture, or both at once. They are in solving order and do not
// include m itself.
func Deps(m Material) []Material {
	var deps []Material
	add := func(to Material) {
		if to.SidePieces(First) == 0 || to.SidePieces(Second) == 0 {
			return // the game is over
		}
		table, _ := to.Table()
		if !slices.Contains(deps, table) {
			deps = append(deps, table)
		}
	}
	self, _ := m.Table()
	for mover := First; mover <= Second; mover++ {
		other := mover.Other()
		for promotes := range min(m.Count(mover, draughts.Man), 1) + 1 {
			for men := range m.Count(other, draughts.Man) + 1 {
				for kings := range m.Count(other, draughts.King) + 1 {
					to := m
					to.counts[mover][draughts.Man] -= uint8(promotes)
					to.counts[mover][draughts.King] += uint8(promotes)
					to.counts[other][draughts.Man] -= uint8(men)
					to.counts[other][draughts.King] -= uint8(kings)
					if to != m {
						add(to)
					}
				}
			}
		}
	}
	deps = slices.DeleteFunc(deps, func(d Material) bool { return d == self })
	slices.SortFunc(deps, Material.Compare)
	return deps
}

// Closure returns the tables of the given materials and all that they depend
// on, in solving order.
func Closure(materials ...Material) []Material {
	var all []Material
	seen := map[Material]bool{}
	var visit func(m Material)
	visit = func(m Material) {
		table, _ := m.Table()
		if seen[table] {
			return
		}
		seen[table] = true
		all = append(all, table)
		for _, d := range Deps(table) {
			visit(d)
		}
	}
	for _, m := range materials {
		visit(m)
	}
	slices.SortFunc(all, Material.Compare)
	return all
}
