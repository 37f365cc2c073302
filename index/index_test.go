package index_test

import (
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

func newIndex(t testing.TB, v *draughts.Variant, material string) *index.Index {
	t.Helper()
	m, err := tables.ParseMaterial(material)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}
