package index_test

import (
	"fmt"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

func Example() {
	m, _ := tables.ParseMaterial("KMvK")
	ix, _ := index.New(draughts.International, m)
	fmt.Println(ix.Size(), "positions in", ix.Slices(), "slices of", ix.SliceSize())

	setup, _ := draughts.International.ParseFEN("B:WK7,30:BK46")
	side, n := ix.Rank(setup.Position)
	fmt.Println("side", side, "number", n)
	fmt.Println(draughts.International.FEN(ix.Position(side, n)))
	// Output:
	// 105840 positions in 45 slices of 2352
	// side 1 number 56779
	// B:W30,K7:BK46
}
