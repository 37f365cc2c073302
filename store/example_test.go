package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"threekings/draughts"
	"threekings/store"
	"threekings/tables"
)

// draws are the values of a table in which nobody wins.
type draws struct{}

func (draws) Outcomes(_ tables.Side, _ uint64, dst []tables.Outcome) { clear(dst) }
func (draws) Captures(_ tables.Side, _ uint64, dst []bool)           { clear(dst) }
func (draws) Distances(_ tables.Side, _ uint64, dst []tables.Plies) {
	for i := range dst {
		dst[i] = tables.NoPlies
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	v := draughts.International
	material, _ := tables.ParseMaterial("KvK")
	w, err := store.Open(dir, store.Options{Write: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := w.Put(context.Background(), tables.Table{Variant: v, Material: material}, []tables.Metric{tables.Outcomes}, draws{}, store.RunRecord{}); err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()

	r, err := store.Open(dir, store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	k := tables.Key{Variant: v.Name, Material: material, Metric: tables.Outcomes}
	m, err := r.Manifest(k)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := r.Block(k, tables.First, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Positions, "positions; the first is a", b.Outcome(0))

	k.Metric = tables.DTW
	_, err = r.Manifest(k)
	fmt.Println(errors.Is(err, tables.ErrMissing))
	// Output:
	// 2450 positions; the first is a draw
	// true
}
