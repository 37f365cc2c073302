package retro

import "threekings/draughts"

// directions returns the members of a set of directions.
func directions(ds draughts.Directions) []draughts.Direction {
	var list []draughts.Direction
	for d := range draughts.Direction(8) {
		if ds.Has(d) {
			list = append(list, d)
		}
	}
	return list
}
