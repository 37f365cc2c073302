package store

import (
	"fmt"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// Values come in the order in which they are stored, and digest and counts are
// those of all of them, whatever is loaded first: the whole of a side or slices of
// it, with the order of a slice kept or worked out.
func TestValuesInOrder(t *testing.T) {
	v := draughts.International
	for _, name := range []string{"KvK", "KMvK", "KMvM", "MvMM"} {
		m := material(t, name)
		f := newFake(v, m, 3, 40, 9)
		for _, metric := range both {
			wantSides, wantDigest := tables.Summarize(v, m, metric, f)
			for _, few := range []uint64{0, readAhead} {
				for _, kept := range []bool{false, true} {
					for threads := 1; threads <= 2; threads++ {
						t.Run(fmt.Sprintf("%s/%s/%d/%v/%d", name, metric, few, kept, threads), func(t *testing.T) {
							manifest := &tables.Manifest{Material: m, Metric: metric, Positions: tables.Count(v, m), Order: tables.BestOrder(v, m)}
							r, err := newInOrder(v, manifest, f, threads)
							if err != nil {
								t.Fatal(err)
							}
							r.few = few
							if !kept {
								r.within = nil
							}
							readInOrder(t, r, f, m)
							sides, digest, err := r.summary(t.Context())
							if err != nil || digest != wantDigest || !slices.Equal(sides, wantSides) {
								t.Errorf("%v %s, want %v %s (%v)", sides, digest, wantSides, wantDigest, err)
							}
						})
					}
				}
			}
		}
	}
}

// readInOrder reads some stretches out of turn, as samples are, and then all.
func readInOrder(t *testing.T, r *inOrder, f *fake, m tables.Material) {
	const n = 700
	p := newPiece(n)
	numbers := make([]uint64, n)
	check := func(side tables.Side, from uint64) {
		n := min(n, int(r.size-from))
		if err := r.load(t.Context(), side, from, from+uint64(n), 3*700); err != nil {
			t.Fatal(err)
		}
		r.read(side, from, n, p)
		r.numbers.Canonical(from, numbers[:n])
		for i, at := range numbers[:n] {
			d := f.distances[side][at]
			capture := f.captures[side][at]
			right := p.captures[i] == capture && p.distances[i] == d
			if r.metric == tables.Outcomes {
				right = p.fields[i]&tables.FieldOutcome == byte(d.Outcome()) && p.fields[i]&tables.FieldCapture != 0 == capture
			}
			if !right {
				t.Fatalf("side %d, position %d is not number %d", side+1, from+uint64(i), at)
			}
		}
	}
	for side := range tables.Side(m.Sides()) {
		check(side, r.size/2)
		check(side, 0)
		check(side, r.size/3)
	}
	for side := range tables.Side(m.Sides()) {
		for from := uint64(0); from < r.size; from += n {
			check(side, from)
		}
	}
}
