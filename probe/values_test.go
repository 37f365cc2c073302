package probe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"threekings/probe"
	"threekings/tables"
)

// True values come out whatever is stored where captures are pending.
func TestValuesAreTrue(t *testing.T) {
	for _, src := range sets() {
		src.filler = rand.New(rand.NewPCG(1, 2))
		p := probe.Open(src, probe.Options{})
		for m, table := range src.tables {
			values, err := p.Values(t.Context(), src.variant, m)
			if err != nil {
				t.Fatal(err)
			}
			n := table.ix.Size()
			outcomes, distances, captures := make([]tables.Outcome, n), make([]tables.Plies, n), make([]bool, n)
			for s := range tables.Side(m.Sides()) {
				values.Outcomes(s, 0, outcomes)
				values.Distances(s, 0, distances)
				values.Captures(s, 0, captures)
				if err := values.Err(); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(distances, table.dtw[s]) || !slices.Equal(captures, table.captures[s]) {
					t.Fatalf("%s %s, side %d: other values", src.variant.Name, m, s+1)
				}
				for i, o := range outcomes {
					if o != table.dtw[s][i].Outcome() {
						t.Fatalf("%s %s, side %d, position %d: %v", src.variant.Name, m, s+1, i, o)
					}
				}
			}
		}
	}
}

func TestValuesThatCannotBeReadAreAnError(t *testing.T) {
	src := newMemory(sets()[0].variant, english3())
	k := src.key("KKvK", tables.Outcomes)
	src.damaged[k] = true
	p := probe.Open(src, probe.Options{})
	values, err := p.Values(t.Context(), src.variant, k.Material)
	if err != nil {
		t.Fatal(err)
	}
	values.Outcomes(tables.First, 0, make([]tables.Outcome, 5000))
	if !errors.Is(values.Err(), tables.ErrDamaged) {
		t.Error(values.Err())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if values, err = p.Values(ctx, src.variant, mustMaterial("KvK")); err != nil {
		t.Fatal(err)
	}
	values.Captures(tables.First, 0, make([]bool, 10))
	if !errors.Is(values.Err(), context.Canceled) {
		t.Error(values.Err())
	}
	if _, err := p.Values(t.Context(), src.variant, mustMaterial("KvM").Reverse()); !errors.Is(err, tables.ErrMaterial) {
		t.Error(err)
	}
}
