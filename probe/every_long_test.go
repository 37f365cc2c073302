//go:build long

package probe_test

import (
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
)

// Every position of six International tables of five pieces is read as it was
// solved. They need all tables that captures and promotions lead to, which are
// compared too: 305 million positions in the six, some minutes of CPU time.
func TestEveryPositionOfFivePieces(t *testing.T) {
	names := []string{"KKKKvK", "KKKKvM", "KKKvKK", "KKKMvK", "KKKMvM", "KKKvKM"}
	materials := closure(names...)
	compared := 0
	solveAndStore(t, draughts.International, materials, true, store.Options{}, func(p *probe.Prober, s *retro.Solution) {
		compareAll(t, p, s, 1009)
		if s.Material.Pieces() == 5 {
			compared++
		}
	})
	if compared < len(names) {
		t.Errorf("%d tables of five pieces were compared", compared)
	}
}
