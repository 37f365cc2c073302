package tables_test

import (
	"fmt"

	"threekings/draughts"
	"threekings/tables"
)

func Example() {
	m, err := tables.ParseMaterial("KvMK")
	if err != nil {
		fmt.Println(err)
		return
	}
	table, side := m.Table()
	fmt.Println(m, "is in the table of", table, "as side", side)
	fmt.Println(tables.Positions(draughts.International, table), "positions")
	for _, d := range tables.Closure(table) {
		fmt.Println(d)
	}
	// Output:
	// KvKM is in the table of KMvK as side 1
	// 211680 positions
	// KvK
	// KvM
	// KKvK
	// KMvK
}
