//go:build long

package draughts

import (
	"fmt"
	"testing"
)

// About 4 thousand million lines: some minutes on two cores.
func TestPerftIsThePublishedLong(t *testing.T) {
	rows := perftTruth(t, perftShort, perftLong)
	if len(rows) != perftLongRows-perftShortRows {
		t.Errorf("%d rows, want %d", len(rows), perftLongRows-perftShortRows)
	}
	for i, r := range rows {
		t.Run(fmt.Sprintf("%s/%d/%v/%d", r.variant.Name, r.depth, r.counting, i), func(t *testing.T) {
			t.Parallel()
			r.check(t)
		})
	}
}
