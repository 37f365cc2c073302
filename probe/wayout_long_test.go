//go:build long

package probe_test

import (
	"testing"

	"threekings/draughts"
)

// As TestLinesWhereMenStepSideways, for longer ways, and in Turkish draughts too:
// some two minutes of CPU time.
func TestManyLinesWhereMenStepSideways(t *testing.T) {
	for _, v := range []*draughts.Variant{draughts.Armenian, draughts.Turkish} {
		t.Run(v.Name, func(t *testing.T) {
			profile := v.Profiles()[len(v.Profiles())-1]
			sw := newSideways(v, shortLimits(profile.Name, 8, 4), "KMvK", 9, 60)
			sw.replay(t, 9973)
			if v == draughts.Armenian {
				for _, c := range circles {
					sw.checkWayOut(t, position(t, v, c.fen), c.count)
				}
			}
		})
	}
}
