package retro

import (
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// checkRows compares the rows that a table hands out with the values of its
// positions, each king of each position being the open one in turn.
func checkRows(t *testing.T, table lookup, want *flat) {
	t.Helper()
	rows := table.(rowReader)
	v := want.ix.Variant()
	read := 0
	for s := range tables.Side(want.ix.Material().Sides()) {
		// Every seventh position is enough, and quick.
		for n := uint64(0); n < want.ix.Size(); n += 7 {
			p := want.ix.Position(s, n)
			for c := draughts.White; c <= draughts.Black; c++ {
				for sq := range p.Pieces(c, draughts.King).All() {
					base := p
					base.Remove(sq)
					row, ok := rows.openRow(&base, c)
					if !ok {
						continue
					}
					read++
					if got := row.at(sq); got != want.plies[s][n] {
						t.Fatalf("%s with the king on %s open: got %s, want %s", v.FEN(p), v.SquareName(sq), describe(got), describe(want.plies[s][n]))
					}
				}
			}
		}
	}
	if read == 0 && want.ix.Material().Kings() > 0 {
		t.Errorf("%s: no row could be read", want.ix.Material())
	}
}
