package pack_test

import (
	"fmt"

	"threekings/store/pack"
	"threekings/tables"
)

func Example() {
	material, _ := tables.ParseMaterial("KvK")
	layout, err := pack.NewLayout(&tables.Manifest{
		Format: pack.Format, Variant: "international", Material: material, Metric: tables.Outcomes,
		Positions: 8, BlockLen: 8, Bits: 2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	values := []tables.Outcome{tables.Win, tables.Win, tables.Loss, tables.Win, tables.Win, tables.Draw, tables.Draw, tables.Draw}
	captures := []bool{false, false, true, false, false, false, false, false} // may hold anything
	coded, err := pack.NewEncoder().Outcomes(layout, tables.First, 0, nil, values, captures)
	if err != nil {
		fmt.Println(err)
		return
	}
	block, err := layout.Decode(coded, tables.First, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(block.Outcome(0), block.Outcome(7))
	_, err = layout.Decode(coded, tables.First, 1, nil)
	fmt.Println(err)
	// Output:
	// win draw
	// damaged table: international KvK outcome, side 1, block 1: bad coding: there is no such block
}
