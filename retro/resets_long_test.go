//go:build long

package retro

import (
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// The class of 16 moves: three against a lone king, where promotions do not
// restart the count, and the tables that it leads to.
func TestResetLanesEqualReferenceThreeAgainstALoneKing(t *testing.T) {
	v := draughts.International
	compareResets(t, v, profileOf(t, v, "fmjd"), tables.Closure(parseMaterials(t, "KMMvK")...))
}
