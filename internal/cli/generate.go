package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"threekings/internal/progress"
	"threekings/store"
	"threekings/tables"
)

// allMetrics are what is made unless something else is asked for.
var allMetrics = metricsFlag{tables.Outcomes, tables.DTW}

func (a *app) generateCommand() *cobra.Command {
	var (
		variant   variantFlag
		pieces    int
		materials []string
		making    making
	)
	var (
		metrics metricsFlag // none: what is usual for each table
		memory  sizeFlag
		dryRun  bool
		profile string
	)
	cmd := &cobra.Command{
		Use:   "generate (--pieces N | TABLE...)",
		Short: "Make tables",
		Long: `Makes the tables of a variant that are not stored yet: all up to a number of
pieces, or those of some materials, named one by one or with --material, with all
that they depend on. A material is written KKMvK: K a king, M a man, the side
before the v first; either side may come first.

Tables of up to four pieces say who wins and how fast (outcome and dtw), larger
ones who wins, unless --metric says otherwise. Each table is proved before it is
stored: up to five pieces every position, beyond that a million of each table,
unless --verify says otherwise.

With --metric dtr the tables say how far it is to the next move that restarts the
count of the draw rules that --profile names, the variant's own by default (see
the command rules). That tells what every position is worth at every count; under
the profile none it is the distance to conversion. Each profile takes a run of its
own over all tables.

Large tables of outcomes leave out quiet positions whose values follow from those of
their moves: ones in which the opponent threatens to capture, of one side to move.
That makes them up to two fifths smaller, but such a position is worked out from all
its moves when it is probed; --leave-out says from which size on, or never.

A run may be interrupted or killed at any time: what is stored is kept, and the
same command goes on from there. Of a table that takes long, what was solved half
a minute before is kept too, in the directory unfinished beside the tables.

Before a run that will take over a minute its size and time are estimated and
said; --dry-run prints that estimate, table by table, and makes nothing.`,
		Example: `  threekings generate --pieces 4
  threekings generate --variant russian KKKvK
  threekings generate --pieces 4 --metric dtr --profile fmjd
  threekings generate --pieces 5 --memory 4GiB --dry-run`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, named []string) error {
			materials := append(materials, named...)
			if cmd.Flags().Changed("pieces") == (len(materials) > 0) {
				return errors.New("what is to be made? Either --pieces N or tables, such as KKvK")
			}
			wanted, err := wantedTables(pieces, materials)
			if err != nil {
				return err
			}
			if making.threads < 0 {
				return fmt.Errorf("--threads %d: a positive number was expected", making.threads)
			}
			if metrics, err = metrics.under(variant.Variant, profile); err != nil {
				return err
			}
			making.journal = true
			making.memory = usualMemory()
			if memory.given {
				making.memory = memory.bytes
			}
			if dryRun {
				return a.dryRun(cmd.Context(), variant, wanted, metrics, making)
			}
			return a.generate(cmd.Context(), variant, wanted, metrics, making)
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.IntVar(&pieces, "pieces", 0, "make the tables of all materials up to this number of pieces")
	flags.StringSliceVar(&materials, "material", nil, "make the tables of these materials and what they depend on")
	flags.Var(&metrics, "metric", "what the tables say: outcome, dtw, dtr, or some of them (default: outcome and dtw up to four pieces, outcome beyond)")
	addProfile(cmd, &profile, "draw rules of --metric dtr (default: the variant's own)")
	flags.IntVar(&making.threads, "threads", 0, "number of threads (default: one for each processor)")
	flags.Var(&solverFlag{&making.solver}, "solver", "how to solve: lanes, or reference, which is plain and slow")
	flags.Var(&making.verify, "verify", "what is proved of each table: full, sample or none (default: full up to five pieces, sample beyond)")
	flags.Var(&memory, "memory", "memory for tables, such as 8GiB or 512MB; 0 is no limit (default: half of the machine's)")
	addLeaveOut(cmd, &making.leaveOut)
	flags.BoolVar(&dryRun, "dry-run", false, "print what would be made, with estimates of memory, disk and time")
	for name, values := range map[string][]string{
		"solver": {"lanes", "reference"}, "verify": {"full", "sample", "none"}, "metric": {"outcome", "dtw", "outcome,dtw", "dtr"},
	} {
		must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
	}
	return cmd
}

// wantedTables are the tables that --pieces or materials name.
func wantedTables(pieces int, materials []string) ([]tables.Material, error) {
	if len(materials) == 0 {
		if pieces < 2 || pieces > tables.MaxPieces {
			return nil, fmt.Errorf("--pieces %d: tables have 2 to %d pieces", pieces, tables.MaxPieces)
		}
		return tables.All(pieces), nil
	}
	var list []tables.Material
	for _, text := range materials {
		m, err := tables.ParseMaterial(text)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

func (a *app) generate(ctx context.Context, variant variantFlag, wanted []tables.Material, metrics []tables.Metric, making making) (err error) {
	v := variant.Variant
	// Look before anything is created, so that a full disk leaves nothing behind.
	p, err := a.planFromDisk(variant, wanted, metrics)
	if err != nil {
		return err
	}
	if err := errors.Join(a.checkSpace(p), making.checkMemory(p)); err != nil {
		return err
	}
	if p.positions >= making.longPositions() {
		e, err := a.estimate(ctx, p, making)
		if err != nil {
			return err
		}
		if e.time > longRun {
			a.say("%s", e.sizes())
			a.say("%s", e.needs())
		}
	}
	st, err := a.openWriteAs(ctx, store.Options{Threads: making.threads, LeaveOutFrom: making.leaveOut.from}, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if p, err = newPlan(st, v, wanted, metrics); err != nil {
		return err
	}
	if len(p.kept) > 0 {
		a.say("kept: %d tables stored before (%s)", len(p.kept), nameTables(p.kept))
	}
	if len(p.make) == 0 {
		fmt.Fprintf(a.out, "%s: all %d tables are stored\n", v.Name, len(p.kept))
		return nil
	}
	started := time.Now()
	bytes, err := a.produce(ctx, st, p, making)
	if err != nil {
		if ctx.Err() != nil {
			return a.interrupted(st, p)
		}
		return err
	}
	elapsed := time.Since(started)
	fmt.Fprintf(a.out, "%s: %d tables made (%s), %d kept; %d positions, %s, %.2f bits per position, in %s\n",
		v.Name, len(p.make), p.metricNames(), len(p.kept),
		p.positions, progress.Bytes(bytes), 8*float64(bytes)/float64(p.positions), progress.Duration(elapsed))
	return nil
}

// planFromDisk plans with what is stored at this moment.
func (a *app) planFromDisk(variant variantFlag, wanted []tables.Material, metrics []tables.Metric) (*plan, error) {
	st, err := a.openRead()
	if err != nil {
		return nil, err
	}
	if st == nil {
		return newPlan(noTables{}, variant.Variant, wanted, metrics)
	}
	p, err := newPlan(st, variant.Variant, wanted, metrics)
	return p, errors.Join(err, st.Close())
}

// interrupted says how far an interrupted run has come.
func (a *app) interrupted(src tables.Source, p *plan) error {
	rest, err := newPlan(src, p.variant, p.materials(), p.metrics)
	if err != nil {
		return err
	}
	stored := len(p.kept) + len(p.make) - len(rest.make)
	return fmt.Errorf("interrupted: %d of %d tables are stored and kept; the same command goes on from there",
		stored, len(p.kept)+len(p.make))
}
