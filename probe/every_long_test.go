//go:build long

package probe_test

import (
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/retro"
	"threekings/tables"
)

// Every position of six International tables of five pieces is read as it was
// solved. They need all tables that captures and promotions lead to, which are
// compared too: 305 million positions in the six, some minutes of CPU time.
func TestEveryPositionOfFivePieces(t *testing.T) {
	names := []string{"KKKKvK", "KKKKvM", "KKKvKK", "KKKMvK", "KKKMvM", "KKKvKM"}
	var materials []tables.Material
	var add func(m tables.Material)
	add = func(m tables.Material) {
		m, _ = m.Table()
		if slices.Contains(materials, m) {
			return
		}
		for _, d := range tables.Deps(m) {
			add(d)
		}
		materials = append(materials, m)
	}
	for _, name := range names {
		add(mustMaterial(name))
	}
	compared := 0
	solveAndStore(t, draughts.International, materials, true, func(p *probe.Prober, s *retro.Solution) {
		compareAll(t, p, s, 1009)
		if s.Material.Pieces() == 5 {
			compared++
		}
	})
	if compared < len(names) {
		t.Errorf("%d tables of five pieces were compared", compared)
	}
}
