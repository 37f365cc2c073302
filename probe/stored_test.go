package probe_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// Values as they are stored are true where there is no capture and nothing is left
// out.
func TestStoredValuesAreTrueWithoutCaptures(t *testing.T) {
	for _, src := range sets() {
		t.Run(src.variant.Name, func(t *testing.T) {
			t.Parallel()
			src.filler = rand.New(rand.NewPCG(7, 8))
			p := probe.Open(src, probe.Options{})
			left := 0
			for m, table := range src.tables {
				leftOut, err := p.LeftOut(src.key(m.String(), tables.Outcomes))
				if err != nil {
					t.Fatal(err)
				}
				for s := range tables.Side(m.Sides()) {
					want := table.dtw[s]
					const skip = 33 // begins and ends inside blocks
					outcomes := make([]tables.Outcome, len(want)-2*skip)
					distances := make([]tables.Plies, len(want)-2*skip)
					if err := p.StoredOutcomes(t.Context(), src.key(m.String(), tables.Outcomes), s, skip, outcomes); err != nil {
						t.Fatal(err)
					}
					if err := p.StoredDistances(t.Context(), src.key(m.String(), tables.DTW), s, skip, distances); err != nil {
						t.Fatal(err)
					}
					for i := range outcomes {
						n := i + skip
						if outcomes[i] > tables.Loss {
							t.Fatalf("%v: outcome %d is %v", m, n, outcomes[i])
						}
						pos := table.ix.Position(s, uint64(n))
						if table.captures[s][n] || src.variant.Ended(pos) {
							continue
						}
						o := want[n].Outcome()
						if leftOut[s].Leaves(src.variant, &pos) {
							o, left = outcomes[i], left+1
						}
						if outcomes[i] != o || distances[i] != want[n] {
							t.Fatalf("%v, side %d, %s: stored %v in %d, want %d", m, s, src.variant.FEN(pos), outcomes[i], distances[i], want[n])
						}
					}
				}
			}
			if left == 0 && src.variant != draughts.Turkish { // two kings that threaten each other
				t.Error("nothing is left out")
			}
		})
	}
}

func TestStoredValuesRefuseOtherMetrics(t *testing.T) {
	src := sets()[0]
	p := probe.Open(src, probe.Options{})
	if err := p.StoredDistances(t.Context(), src.key("KvK", tables.Outcomes), tables.First, 0, nil); err == nil {
		t.Error("distances were read from outcomes")
	}
	err := p.StoredOutcomes(t.Context(), src.key("KKKKvK", tables.Outcomes), tables.First, 0, nil)
	if !errors.Is(err, tables.ErrMissing) {
		t.Errorf("a table that is not there: %v", err)
	}
}

// noOutcomes has blocks of what is no outcome at all.
type noOutcomes struct{ *memory }

func (m noOutcomes) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	b, err := m.memory.Block(k, s, n, dst)
	for i := range b.Data {
		b.Data[i] = 0xFF
	}
	return b, err
}

func (m noOutcomes) BlockPart(k tables.Key, s tables.Side, n uint64, _ int, dst []byte) (tables.Block, error) {
	return m.Block(k, s, n, dst)
}

// What is no outcome is damage in every way of reading, from the cache too.
func TestNoOutcomeIsDamage(t *testing.T) {
	src := newMemory(draughts.English, english3())
	table := src.tables[mustMaterial("KvK")]
	leftOut := tables.MayLeaveOut(src.variant, mustMaterial("KvK"))
	n, pos := 0, table.ix.Position(tables.First, 0)
	for table.captures[0][n] || leftOut.Leaves(src.variant, &pos) {
		n++
		pos = table.ix.Position(tables.First, uint64(n))
	}
	p := probe.Open(noOutcomes{src}, probe.Options{})
	for range 2 {
		if o, err := p.Outcome(src.variant, pos); !errors.Is(err, tables.ErrDamaged) {
			t.Errorf("%v, %v", o, err)
		}
		if a := p.ProbeBatch(src.variant, []draughts.Position{pos}); !errors.Is(a[0].Err, tables.ErrDamaged) {
			t.Errorf("in a batch: %v, %v", a[0].Outcome, a[0].Err)
		}
		dst := make([]tables.Outcome, 1)
		if err := p.Outcomes(t.Context(), src.key("KvK", tables.Outcomes), tables.First, uint64(n), dst); !errors.Is(err, tables.ErrDamaged) {
			t.Errorf("in bulk: %v, %v", dst, err)
		}
		if err := p.StoredOutcomes(t.Context(), src.key("KvK", tables.Outcomes), tables.First, uint64(n), dst); !errors.Is(err, tables.ErrDamaged) {
			t.Errorf("as stored: %v, %v", dst, err)
		}
		if err := p.Hold(t.Context(), src.variant, mustMaterial("KvK"), tables.Outcomes); !errors.Is(err, tables.ErrDamaged) {
			t.Errorf("held: %v", err)
		}
	}
}
