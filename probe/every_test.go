package probe_test

import (
	"context"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// solveAndStore makes tables, stores them and calls visit with each that is
// wanted, when what it depends on is stored. Tables that are there already are
// not made again. It returns where they are.
func solveAndStore(t *testing.T, v *draughts.Variant, materials []tables.Material, outcomesOnly bool, opts store.Options, visit func(p *probe.Prober, s *retro.Solution)) *store.Store {
	t.Helper()
	opts.Write = true
	st, err := store.Open(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	p := probe.Open(st, probe.Options{CacheBytes: 8 << 20})
	var visiting sync.Mutex
	err = retro.Generate(t.Context(), v, materials, retro.Options{
		OutcomesOnly: outcomesOnly,
		Verify:       retro.VerifyNone,
		Finished:     p,
		Publish: func(ctx context.Context, s *retro.Solution) error {
			if _, err := st.Put(ctx, s.Table(), s.Metrics(), s, store.RunRecord{}); err != nil {
				return err
			}
			visiting.Lock()
			defer visiting.Unlock()
			visit(p, s)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// compareAll compares every value of a table with what the prober reads, in bulk
// and, one position in single, alone.
func compareAll(t *testing.T, p *probe.Prober, s *retro.Solution, single uint64) {
	t.Helper()
	const run = 1 << 16
	positions := tables.Count(s.Variant, s.Material)
	outcomes, gotOutcomes := make([]tables.Outcome, run), make([]tables.Outcome, run)
	distances, gotDistances := make([]tables.Plies, run), make([]tables.Plies, run)
	values, err := p.Values(t.Context(), s.Variant, s.Material)
	if err != nil {
		t.Error(err)
		return
	}
	ix, err := index.New(s.Variant, s.Material)
	if err != nil {
		t.Error(err)
		return
	}
	for side := range tables.Side(s.Material.Sides()) {
		for start := uint64(0); start < positions; start += run {
			n := min(run, positions-start)
			s.Outcomes(side, start, outcomes[:n])
			values.Outcomes(side, start, gotOutcomes[:n])
			if s.HasDistances {
				s.Distances(side, start, distances[:n])
				values.Distances(side, start, gotDistances[:n])
			}
			if err := values.Err(); err != nil {
				t.Error(err)
				return
			}
			for i := range n {
				if outcomes[i] != gotOutcomes[i] || s.HasDistances && distances[i] != gotDistances[i] {
					t.Errorf("%s %s, side %d, position %d: %v in %d, want %v in %d", s.Variant.Name, s.Material, side+1, start+i,
						gotOutcomes[i], gotDistances[i], outcomes[i], distances[i])
					return
				}
			}
			for i := (single - start%single) % single; i < n; i += single {
				pos := ix.Position(side, start+i)
				if o, err := p.Outcome(s.Variant, pos); err != nil || o != outcomes[i] {
					t.Errorf("Outcome(%s) = %v, %v, want %v", s.Variant.FEN(pos), o, err, outcomes[i])
					return
				}
				if !s.HasDistances {
					continue
				}
				if d, err := p.Distance(s.Variant, pos); err != nil || d != distances[i] {
					t.Errorf("Distance(%s) = %d, %v, want %d", s.Variant.FEN(pos), d, err, distances[i])
					return
				}
			}
		}
	}
}

// Every position of all tables up to three pieces, in all variants, is read as it
// was solved, captures included: through the store, the coder and the prober.
func TestEveryPositionIsReadAsItWasSolved(t *testing.T) {
	pieces := 3
	if testing.Short() || raceEnabled {
		pieces = 2
	}
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			solveAndStore(t, v, tables.All(pieces), false, store.Options{LeaveOutFrom: -1}, func(p *probe.Prober, s *retro.Solution) {
				compareAll(t, p, s, 7)
			})
		})
	}
}

// closure returns tables with all that they depend on.
func closure(names ...string) []tables.Material {
	var materials []tables.Material
	for _, name := range names {
		materials = append(materials, mustMaterial(name))
	}
	return tables.Closure(materials...)
}

// Tables that leave out what they may are read as they were solved, and are enough
// to solve others from.
func TestTablesThatLeaveOutAreReadAsTheyWereSolved(t *testing.T) {
	names := map[*draughts.Variant][]string{
		draughts.English:       {"KKvKK", "KKvKM"},
		draughts.International: {"KKvK"},
		draughts.Italian:       {"KKvK"},
		draughts.Turkish:       {"KKvK"},
		draughts.Canadian:      {"KKvK"},
	}
	if !testing.Short() && !raceEnabled {
		names[draughts.International] = []string{"KKKvK", "KKMvK"}
		names[draughts.Italian] = []string{"KKvKK", "KMvKM"}
		names[draughts.Turkish] = []string{"KMvK"}
	}
	for v, names := range names {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			var prober *probe.Prober
			digests := map[tables.Material]string{}
			st := solveAndStore(t, v, closure(names...), true, store.Options{LeaveOutFrom: 1}, func(p *probe.Prober, s *retro.Solution) {
				prober = p
				compareAll(t, p, s, 3)
				_, digests[s.Material] = tables.Summarize(v, s.Material, tables.Outcomes, s)
			})
			for _, name := range names {
				m := mustMaterial(name)
				manifest, err := st.Manifest(tables.Key{Variant: v.Name, Material: m, Metric: tables.Outcomes})
				if err != nil || len(manifest.LeftOut) == 0 {
					t.Errorf("%s leaves out nothing (%v)", m, err)
				}
				err = retro.Generate(t.Context(), v, []tables.Material{m}, retro.Options{
					OutcomesOnly: true, Verify: retro.VerifyNone, Finished: prober,
					Publish: func(_ context.Context, s *retro.Solution) error {
						if _, digest := tables.Summarize(v, s.Material, tables.Outcomes, s); digest != digests[m] {
							t.Errorf("%s solved from what is stored has the digest %s, not %s", m, digest, digests[m])
						}
						return nil
					},
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
}
