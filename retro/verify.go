package retro

import (
	"context"
	"fmt"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// A table is proved by playing every move of every position forward and
// checking its value against those of its children. Outcomes alone would prove
// nothing: wins that only support each other in a circle pass every such check.
// The distance is the certificate that leads to an end: a win in n has a lost
// child in n-1 and none quicker, a loss in n has only won children, the slowest
// in n-1, and a draw has no lost child and at least one drawn one. By induction
// over n only the true values pass.
//
// The proof shares no code with the solvers but the move generator, the index and
// the values that it reads. Those that the lanes work out themselves when they
// read a finished table are proved as they are read (captureproof.go).

// DifferenceError says where a table is not what it should be.
type DifferenceError struct {
	Variant  string
	Material tables.Material // as stored
	Metric   tables.Metric
	Side     tables.Side // the side to move
	Index    uint64
	FEN      string
	Stored   string // such as "win in 15 plies"
	Proved   string
}

// Error names the position and both values.
func (e *DifferenceError) Error() string {
	return fmt.Sprintf("%s %s %s differs at %s (side %d, number %d): stored %s, proved %s",
		e.Variant, e.Material, e.Metric, e.FEN, e.Side+1, e.Index, e.Stored, e.Proved)
}

// Report is what a verification has found right.
type Report struct {
	// Positions is how many positions were checked.
	Positions uint64
	// Values are the values that were checked, to be counted and hashed.
	Values tables.Values
}

// VerifyMode is how much of a table is proved.
type VerifyMode uint8

// The modes.
const (
	// VerifyFull proves every position.
	VerifyFull VerifyMode = iota
	// VerifySample checks [SampleSize] positions, the same ones every time. What it
	// passes is likely, not proved.
	VerifySample
	// VerifyNone checks nothing.
	VerifyNone
)

// SampleSize is how many positions of a table [VerifySample] checks; of a
// smaller table all.
const SampleSize = 1_000_000

// VerifyOptions say how to verify. The zero value checks every position on all
// cores.
type VerifyOptions struct {
	// Threads is the number of goroutines; 0 takes one for each processor.
	Threads int
	// Progress, if set, is told how many more positions are done. It is called from
	// several goroutines. Where [Verify] solves a table again because only its
	// outcomes are stored, every position is done twice.
	Progress func(positions uint64)
}

// Verify proves the stored metrics of one table, reading it and the tables that
// its moves lead to from r. A table with distances is proved by them. One that
// has only outcomes is solved again first, since outcomes prove nothing. A metric
// of distances to reset is proved alone: it must be the only one named. The error
// is a [*DifferenceError] where a value is wrong.
func Verify(ctx context.Context, v *draughts.Variant, m tables.Material, metrics []tables.Metric, r tables.Reader, opts VerifyOptions) (*Report, error) {
	table, _ := m.Table()
	ix, err := index.New(v, table)
	if err != nil {
		return nil, err
	}
	distances, outcomes := false, false
	var profile *draughts.Profile
	for _, metric := range metrics {
		if name, ok := metric.Profile(); ok {
			if len(metrics) > 1 {
				return nil, fmt.Errorf("verify %s %s: %s is proved alone", v.Name, table, metric)
			}
			if profile, err = v.Profile(name); err != nil {
				return nil, err
			}
		}
		distances = distances || metric == tables.DTW
		outcomes = outcomes || metric == tables.Outcomes
	}
	metric := tables.Outcomes
	switch {
	case profile != nil:
		metric, distances = metrics[0], true
	case distances:
		metric = tables.DTW
	}
	deps, err := dependenciesOf(ctx, table, newLibrary(v, metric, r).lookup)
	if err != nil {
		return nil, err
	}
	var own *flat
	if distances {
		own, err = loadFlat(ctx, r, v, table, metric)
	} else {
		own, err = solveLevels(ctx, ix, r, opts)
	}
	if err != nil {
		return nil, err
	}
	job := &proof{ix: ix, v: v, deps: deps, distances: distances, ratings: newRatings(profile, table)}
	if err := job.all(ctx, own, opts); err != nil {
		return nil, err
	}
	if outcomes {
		if err := sameOutcomes(ctx, own, r); err != nil {
			return nil, err
		}
	}
	return &Report{Positions: tables.Positions(v, table), Values: own}, nil
}

// solveLevels solves a table of outcomes again, with levels to prove it by.
func solveLevels(ctx context.Context, ix *index.Index, r tables.Reader, opts VerifyOptions) (*flat, error) {
	progress := opts.Progress
	if progress == nil {
		progress = func(uint64) {}
	}
	again := Options{OutcomesOnly: true, Finished: r, provedApart: true}
	values, err := newLanesSolver(ix.Variant(), again, newMemory(0)).solve(ctx, ix, threads(opts.Threads), progress)
	if err != nil {
		return nil, err
	}
	return flatOf(ctx, ix, values)
}

// sameOutcomes compares stored outcomes with those that values imply.
func sameOutcomes(ctx context.Context, own *flat, r tables.Reader) error {
	const run = 1 << 16
	stored := make([]tables.Outcome, run)
	key := tables.Key{Variant: own.ix.Variant().Name, Material: own.ix.Material(), Metric: tables.Outcomes}
	for s := range tables.Side(own.ix.Material().Sides()) {
		for start := uint64(0); start < own.ix.Size(); start += run {
			chunk := stored[:min(run, own.ix.Size()-start)]
			if err := r.Outcomes(ctx, key, s, start, chunk); err != nil {
				return err
			}
			for i, o := range chunk {
				if want := own.plies[s][start+uint64(i)].Outcome(); o != want {
					return difference(own.ix, tables.Outcomes, s, start+uint64(i), o.String(), want.String())
				}
			}
		}
	}
	return nil
}

func difference(ix *index.Index, metric tables.Metric, s tables.Side, n uint64, stored, proved string) error {
	v := ix.Variant()
	return &DifferenceError{
		Variant: v.Name, Material: ix.Material(), Metric: metric, Side: s, Index: n,
		FEN: v.FEN(ix.Position(s, n)), Stored: stored, Proved: proved,
	}
}

func describe(d tables.Plies) string { return describeValue(tables.DTW, d) }

// describeValue names a value of a metric.
func describeValue(metric tables.Metric, value tables.Plies) string {
	if value == tables.NoPlies {
		return "draw"
	}
	return fmt.Sprintf("%s in %d plies", value.Outcome(), metric.Distance(value))
}
