package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/index"
	"threekings/probe"
	"threekings/retro"
	"threekings/tables"
)

// benchTime is how long all measurements take together, unless something else
// is asked for. One round of each is always measured.
const benchTime = 15 * time.Second

func (a *app) benchCommand() *cobra.Command {
	variant, asJSON, limit := "", false, time.Duration(0)
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine",
		Long: `Measures how many positions this machine gets through in a second of one
processor's time, for each part of the program: numbering a position and finding
it by its number, moves, captures where there are some, solving (outcomes alone,
and with distances), proving, storing both metrics, and probing. Figures are
medians of several rounds, as many as there is time for.`,
		Example: `  threekings bench
  threekings bench --variant all --time 1m --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit <= 0 {
				return fmt.Errorf("--time %v: a positive time was expected", limit)
			}
			list := draughts.Variants()
			if variant != "all" {
				v, err := draughts.Lookup(variant)
				if err != nil {
					return err
				}
				list = []*draughts.Variant{v}
			}
			return a.bench(cmd.Context(), list, limit, asJSON)
		},
	}
	cmd.Flags().StringVar(&variant, "variant", draughts.International.Name, "variant of the game, or all")
	must(cmd.RegisterFlagCompletionFunc("variant",
		cobra.FixedCompletions(append(variantNames(), "all"), cobra.ShellCompDirectiveNoFileComp)))
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line for each variant")
	cmd.Flags().DurationVar(&limit, "time", benchTime, "how long to measure")
	return cmd
}

// figures are positions per second of processor time.
type figures struct {
	Variant   string  `json:"variant"`
	Table     string  `json:"table"`
	Positions uint64  `json:"positions"`
	Rank      float64 `json:"rank"`
	Unrank    float64 `json:"unrank"`
	Moves     float64 `json:"moves"`
	Captures  float64 `json:"captures"`
	Outcome   float64 `json:"solve_outcome"`
	DTW       float64 `json:"solve_dtw"`
	Verify    float64 `json:"verify"`
	Store     float64 `json:"store"`
	Probe     float64 `json:"probe"`
}

func (a *app) bench(ctx context.Context, list []*draughts.Variant, limit time.Duration, asJSON bool) error {
	if !asJSON {
		fmt.Fprintln(a.out, "million positions per second of processor time")
		fmt.Fprintf(a.out, "%-13s %-6s %7s %7s %7s %8s %8s %7s %7s %7s %7s\n", "variant", "table",
			"rank", "unrank", "moves", "captures", "outcome", "dtw", "verify", "store", "probe")
	}
	each := limit / time.Duration(len(list))
	for _, v := range list {
		f, err := benchVariant(ctx, v, each)
		if err != nil {
			return err
		}
		if asJSON {
			err = json.NewEncoder(a.out).Encode(f)
		} else {
			_, err = fmt.Fprintf(a.out, "%-13s %-6s %7.2f %7.2f %7.2f %8.2f %8.2f %7.2f %7.2f %7.2f %7.3f\n", f.Variant, f.Table,
				f.Rank/1e6, f.Unrank/1e6, f.Moves/1e6, f.Captures/1e6, f.Outcome/1e6, f.DTW/1e6, f.Verify/1e6, f.Store/1e6, f.Probe/1e6)
		}
		if err := errors.Join(err, a.out.Flush()); err != nil {
			return err
		}
	}
	return nil
}

const (
	// largeBench is the time from which a table of four pieces is measured.
	largeBench = 10 * time.Second
	// A round of what takes nanoseconds, and how many there are.
	benchRound  = 30 * time.Millisecond
	benchRounds = 5
	// benchPositions are how many positions such a round goes through and again.
	benchPositions = 1 << 12
)

// benchVariant measures the parts for one variant.
func benchVariant(ctx context.Context, v *draughts.Variant, limit time.Duration) (*figures, error) {
	end := time.Now().Add(limit)
	name := "KMvK"
	if limit >= largeBench && v.Squares() <= 64 {
		name = "KMvKM"
	}
	target, err := tables.ParseMaterial(name)
	if err != nil {
		return nil, err
	}
	target, _ = target.Table()
	ix, err := index.New(v, target)
	if err != nil {
		return nil, err
	}
	f := &figures{Variant: v.Name, Table: target.String(), Positions: tables.Positions(v, target)}
	random := rand.New(rand.NewPCG(1, 2))
	numbers := make([]uint64, benchPositions)
	all := make([]draughts.Position, benchPositions)
	var capturing []draughts.Position
	for i := range all {
		numbers[i] = random.Uint64N(ix.Size())
		all[i] = ix.Position(tables.First, numbers[i])
		if v.HasCapture(all[i]) {
			capturing = append(capturing, all[i])
		}
	}
	moves := make([]draughts.Move, 0, 256)
	f.Rank = perSecond(len(all), func() {
		for i := range all {
			_, numbers[i] = ix.Rank(all[i])
		}
	})
	f.Unrank = perSecond(len(all), func() {
		for i, n := range numbers {
			all[i] = ix.Position(tables.First, n)
		}
	})
	f.Moves = perSecond(len(all), func() {
		for i := range all {
			moves = v.Moves(all[i], moves[:0])
		}
	})
	f.Captures = perSecond(len(capturing), func() {
		for i := range capturing {
			moves = v.Captures(capturing[i], moves[:0])
		}
	})
	if err := f.tables(ctx, v, target, all, end); err != nil {
		return nil, err
	}
	return f, nil
}

// perSecond returns the median of how many of n things a function gets through
// in a second of processor time.
func perSecond(n int, do func()) float64 {
	var rates []float64
	for range benchRounds {
		start, wall, done := cpuTime(), time.Now(), 0
		for time.Since(wall) < benchRound {
			do()
			done += n
		}
		// The system counts a process's time in steps: too short is not at all.
		rates = append(rates, float64(done)/max(cpuTime()-start, time.Microsecond).Seconds())
	}
	return median(rates)
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// tables measures solving, proving, storing and probing a table.
func (f *figures) tables(ctx context.Context, v *draughts.Variant, target tables.Material, all []draughts.Position, end time.Time) (err error) {
	dir, err := os.MkdirTemp("", "threekings-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var outcome, dtw, verify, storing []float64
	only := func(m tables.Material) bool { return m == target }
	rate := func(w *stopwatch, p retro.Phase) float64 { return 1 / w.cost(p) }
	for round := time.Duration(0); len(dtw) == 0 || time.Now().Add(round).Before(end); {
		started := time.Now()
		w, err := measure(ctx, v, tables.Closure(target), retro.Options{Threads: 1}, only)
		if err != nil {
			return err
		}
		dtw, verify, storing = append(dtw, rate(w, retro.Solving)), append(verify, rate(w, retro.Verifying)), append(storing, rate(w, retro.Storing))
		w, err = measure(ctx, v, tables.Closure(target),
			retro.Options{Threads: 1, OutcomesOnly: true, Verify: retro.VerifyNone}, only)
		if err != nil {
			return err
		}
		outcome = append(outcome, rate(w, retro.Solving))
		round = time.Since(started)
	}
	f.Outcome, f.DTW, f.Verify, f.Store = median(outcome), median(dtw), median(verify), median(storing)

	a := &app{stderr: io.Discard, dir: dir}
	st, err := a.openWrite(ctx, 1, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	p, err := newPlan(st, v, []tables.Material{target}, allMetrics)
	if err != nil {
		return err
	}
	if _, err = a.produce(ctx, st, p, making{verify: verifyFlag{retro.VerifyNone, true}}); err != nil {
		return err
	}
	prober := probe.Open(st, probe.Options{})
	f.Probe = perSecond(len(all), func() {
		for i := range all {
			if _, failed := prober.Distance(v, all[i]); failed != nil {
				err = failed
			}
		}
	})
	return err
}
