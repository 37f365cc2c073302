package probe_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// shortLimits are draw rules under which kings alone have few plies, so that a
// promotion must wait for the right moment, and others fewer still, which any move
// of a man begins again. They go under the name of a profile of the variant.
func shortLimits(name string, kings, others int) *draughts.Profile {
	any := draughts.Range{Max: tables.MaxPieces}
	class := func(men draughts.Range, plies int) draughts.Class {
		side := draughts.Pieces{Men: men, Kings: any, Total: any}
		return draughts.Class{
			Weak: side, Strong: side, Board: any, Limit: draughts.Limit{Unit: draughts.Plies, N: plies},
			Restart: draughts.CaptureMove | draughts.ManMove | draughts.PromotionMove,
		}
	}
	return &draughts.Profile{
		Name: name, Repetition: 3, Classes: []draughts.Class{class(draughts.Range{}, kings), class(any, others)},
	}
}

// sideways are tables in which a man can step sideways for ever, each time
// restarting the count.
type sideways struct {
	*played
	prober *probe.Prober
	table  *solved
	out    [2][][]int16 // by side, count, number: plies until the material is left
}

const notOut = -1

// newSideways plays a material out. most is up to how many plies the ways out are
// found.
func newSideways(v *draughts.Variant, profile *draughts.Profile, material string, counts, most int) *sideways {
	sw := &sideways{played: playOut(v, profile, counts, material)}
	src := newMemory(v, sw.tables)
	src.resets = tables.DTR(profile.Name)
	sw.prober = probe.Open(src, probe.Options{})
	m, _ := mustMaterial(material).Table()
	sw.table = sw.tables[m]
	for s := range tables.Side(m.Sides()) {
		for range counts {
			plies := make([]int16, sw.table.ix.Size())
			for n := range plies {
				plies[n] = notOut
			}
			sw.out[s] = append(sw.out[s], plies)
		}
	}
	for plies := range most + 1 {
		for s := range tables.Side(m.Sides()) {
			for count := range counts {
				for n := range sw.table.ix.Size() {
					if sw.out[s][count][n] == notOut && sw.leads(s, count, n, int16(plies)) {
						sw.out[s][count][n] = int16(plies)
					}
				}
			}
		}
	}
	return sw
}

// leads reports whether the winner can be out of the material in some plies.
func (sw *sideways) leads(s tables.Side, count int, n uint64, plies int16) bool {
	o := sw.at(child{table: sw.table, side: s, n: n}, count)
	if o == tables.Draw {
		return false
	}
	if len(sw.options[s][n]) == 0 {
		return true
	}
	for _, m := range sw.options[s][n] {
		inTime := plies > 0
		if m.table == sw.table {
			next := count + 1
			if m.restarts {
				next = 0
			}
			after := int16(notOut)
			if next < sw.counts {
				after = sw.out[m.side][next][m.n]
			}
			inTime = after != notOut && after < plies
		}
		switch keeps := sw.after(m, count) == o.Reverse(); {
		case o == tables.Win && keeps && inTime:
			return true
		case o == tables.Loss && !inTime:
			return false
		}
	}
	return o == tables.Loss
}

// leg returns how many plies of a line are played before the material changes.
func (sw *sideways) leg(l probe.Line) int {
	for i, m := range l.Moves {
		if m.Move.IsCapture() || m.Move.Promotes {
			return i + 1
		}
	}
	return len(l.Moves)
}

// checkWayOut compares a way out with the shortest.
func (sw *sideways) checkWayOut(t *testing.T, pos draughts.Position, count int) {
	t.Helper()
	at := sw.tables.find(pos)
	want := int(sw.out[at.side][count][at.n])
	l, circles, err := sw.prober.LineBy(t.Context(), sw.v, pos, probe.Rules{Profile: sw.profile, Count: count}, probe.ByWayOut)
	if err != nil || l.Err != nil || circles || sw.leg(l) != want {
		t.Fatalf("%s at count %d: out in %d plies, want %d; %v, %v", sw.v.FEN(pos), count, sw.leg(l), want, err, l.Err)
	}
}

// replay replays lines from every so many positions, and the shortest ways out.
func (sw *sideways) replay(t *testing.T, step uint64) {
	t.Helper()
	seen := map[probe.Verdict]int{}
	other, shortest := 0, 0
	last := sw.limit(sw.table, 0, 0)
	for s := range tables.Side(sw.table.ix.Material().Sides()) {
		for n := uint64(s); n < sw.table.ix.Size(); n += step {
			pos := sw.table.ix.Position(s, n)
			for _, count := range []int{0, last / 2, last - 1} {
				verdict, plies := sw.checkLine(t, sw.prober, pos, count, false)
				seen[verdict]++
				other += plies
				if sw.out[s][count][n] < 1 {
					continue
				}
				sw.checkWayOut(t, pos, count)
				shortest++
			}
		}
	}
	t.Logf("%v; %d plies with which DTW does not fall by one; %d shortest ways out", seen, other, shortest)
	if seen[probe.VerdictWin] == 0 || shortest == 0 {
		t.Error("nothing was tested")
	}
}

// circles are positions from which, under [shortLimits] of 8 and 4 plies in
// Armenian draughts, neither the distance to win nor that to reset arrives.
var circles = []struct {
	fen   string
	count int
}{{"W:Wa5,Kh4:BKc8", 3}, {"W:Wb5,Kg4:BKa2", 0}, {"B:Wh4,Kc3:BKb8", 0}}

// Where men step sideways the distance to win can lead round in a circle, and so
// can the distance to reset: the way out is searched for.
func TestLinesWhereMenStepSideways(t *testing.T) {
	v := draughts.Armenian
	t.Run("MvM", func(t *testing.T) {
		t.Parallel()
		newSideways(v, shortLimits("none", 8, 4), "MvM", 9, 40).replay(t, 7)
	})
	t.Run("KMvK", func(t *testing.T) {
		if testing.Short() || raceEnabled {
			t.Skip("plays three pieces out")
		}
		t.Parallel()
		sw := newSideways(v, shortLimits("none", 8, 4), "KMvK", 9, 8)
		for _, c := range circles {
			sw.circle(t, c.fen, c.count)
		}
		sw.replay(t, 19997)
	})
}

// circle plays a line of which both other ways go round in a circle.
func (sw *sideways) circle(t *testing.T, fen string, count int) {
	t.Helper()
	pos, rules := position(t, sw.v, fen), probe.Rules{Profile: sw.profile, Count: count}
	for _, how := range []probe.Way{probe.ByWin, probe.ByReset} {
		if _, circles, err := sw.prober.LineBy(t.Context(), sw.v, pos, rules, how); err != nil || !circles {
			t.Errorf("%s at count %d: way %d arrives, %v", fen, count, how, err)
		}
	}
	sw.checkLine(t, sw.prober, pos, count, false)
	l, err := sw.prober.Line(t.Context(), sw.v, pos, probe.LineOptions{Rules: rules})
	mustNot(t, err)
	cut, err := sw.prober.Line(t.Context(), sw.v, pos, probe.LineOptions{Rules: rules, MaxPlies: 3})
	if err != nil || cut.End != probe.LineCut || !slices.Equal(cut.Moves, l.Moves[:3]) {
		t.Errorf("%s at count %d, cut: %+v, %v", fen, count, cut, err)
	}
	material, _ := tables.MaterialOf(pos)
	err = sw.prober.FindWayOut(t.Context(), sw.v, pos, rules, l.Ruling.Verdict == probe.VerdictWin, 1000)
	want := fmt.Sprintf("the way out of %s under the draw rules is not among the first 1000 positions that can arise", material)
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := sw.prober.LineBy(ctx, sw.v, pos, rules, probe.ByWayOut); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
