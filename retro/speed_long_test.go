//go:build long

package retro

import (
	"math"
	"testing"
	"time"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// long is set by the build tag of the same name: tests that take minutes.
const long = true

// TestLanesAreTwentyTimesAsFast compares both solvers on each variant's largest
// three-piece table, in one run and on one goroutine.
func TestLanesAreTwentyTimesAsFast(t *testing.T) {
	for _, v := range draughts.Variants() {
		m, err := tables.ParseMaterial("KMvK")
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range tables.All(3) {
			if tables.Positions(v, other) > tables.Positions(v, m) {
				t.Fatalf("%s: %s is larger than %s", v.Name, other, m)
			}
		}
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		all := solveAll(t, v, tables.Closure(m), Options{Verify: VerifyNone})
		stored := solutions{solved: all}
		plain := newReferenceMachine(v, Options{Finished: stored, Verify: VerifyNone})
		lanes := newLanesSolver(v, Options{Finished: stored, Verify: VerifyNone}, newMemory(0))
		best := func(s solver, runs int) time.Duration {
			shortest := time.Duration(math.MaxInt64)
			for range runs + 1 { // the first one also reads the smaller tables
				start := time.Now()
				if _, err := s.solve(t.Context(), ix, 1, func(uint64) {}); err != nil {
					t.Fatal(err)
				}
				shortest = min(shortest, time.Since(start))
			}
			return shortest
		}
		slow, fast := best(plain, 1), best(lanes, 9)
		ratio := float64(slow) / float64(fast)
		t.Logf("%s %s: reference %v, lanes %v, ratio %.0f", v.Name, m, slow, fast, ratio)
		if ratio < 20 {
			t.Errorf("%s %s: lanes are %.1f times as fast as the reference, want 20", v.Name, m, ratio)
		}
	}
}
