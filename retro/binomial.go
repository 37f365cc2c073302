package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// binomials[n][k] is n choose k.
var binomials = func() (c [draughts.MaxSquares + 1][tables.MaxPieces + 1]uint64) {
	for n := range c {
		for k := range c[n] {
			c[n][k] = tables.Binomial(n, k)
		}
	}
	return c
}()
