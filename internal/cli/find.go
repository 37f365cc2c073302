package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/progress"
	"threekings/tables"
)

func (a *app) findCommand() *cobra.Command {
	var variant variantFlag
	f := finder{scanner: scanner{app: a}}
	cmd := &cobra.Command{
		Use:   "find",
		Short: "List positions of the tables: by material, value, pieces on their squares",
		Long: `Lists the stored positions that have all that is asked for, one FEN a line, in the
order of the tables. In a material the side to move is written first. Tables hold
each position once: with the colours exchanged and the board turned it is the
same. The side written first plays White, unless --pattern says otherwise.

--pattern is a part of a FEN: the pieces that must stand on their squares, others
may stand anywhere. Without a side to move, or with ?, either may be to move.

With --random a sample is drawn in which every position that fits is as likely as
any other; equal seeds give equal samples. All tables in question are read.`,
		Example: `  threekings find --material KKKvK --outcome win --dtw 15
  threekings find --variant russian --unique --dtw 11- --limit 20
  threekings find --pattern "W:WK7:BK45" --outcome win --random 1 --limit 5`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.variant = variant.Variant
			f.limited, f.sampled = cmd.Flags().Changed("limit"), cmd.Flags().Changed("random")
			return f.run(cmd.Context())
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.VarP(&f.materials, "material", "m", "only this material, may be given several times (default: all that are stored)")
	flags.Var(&f.outcome, "outcome", "only positions that are a win, draw or loss for the side to move")
	flags.Var(&f.dtw, "dtw", "only with this distance to win in plies: 9, 5-9, 20- or -4")
	flags.BoolVar(&f.unique, "unique", false, "only won positions in which exactly one move wins")
	flags.StringVar(&f.pattern, "pattern", "", "only with these pieces on their squares: a part of a FEN")
	flags.Uint64Var(&f.limit, "limit", 0, "at most this many positions (default: all, or 1 with --random)")
	flags.Uint64Var(&f.seed, "random", 0, "a random sample drawn with this seed")
	flags.StringVar(&f.packName, "pack", "", "look into this pack instead of the stored tables")
	return cmd
}

// outcomeFlag is the flag --outcome.
type outcomeFlag struct {
	tables.Outcome
	given bool
}

func (f *outcomeFlag) String() string {
	if !f.given {
		return ""
	}
	return f.Outcome.String()
}

func (f *outcomeFlag) Set(text string) error {
	for _, o := range []tables.Outcome{tables.Win, tables.Draw, tables.Loss} {
		if o.String() == text {
			*f = outcomeFlag{o, true}
			return nil
		}
	}
	return fmt.Errorf("outcome %q: use win, draw or loss", text)
}

func (f *outcomeFlag) Type() string { return "outcome" }

// rangeFlag is a flag for a range of distances, both ends included.
type rangeFlag struct {
	low, high tables.Plies
	given     bool
}

func (f *rangeFlag) String() string {
	if !f.given {
		return ""
	}
	return fmt.Sprintf("%d-%d", f.low, f.high)
}

func (f *rangeFlag) Set(text string) error {
	bad := fmt.Errorf("range %q: write it like 9, 5-9, 20- or -4", text)
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	if low == "" && high == "" {
		return bad
	}
	r := rangeFlag{0, tables.NoPlies - 1, true}
	for _, end := range []struct {
		text string
		to   *tables.Plies
	}{{low, &r.low}, {high, &r.high}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.ParseUint(end.text, 10, 16)
		if err != nil || n >= uint64(tables.NoPlies) {
			return bad
		}
		*end.to = tables.Plies(n)
	}
	if r.low > r.high {
		return fmt.Errorf("range %q runs backward", text)
	}
	*f = r
	return nil
}

func (f *rangeFlag) Type() string { return "range" }

// finder lists positions.
type finder struct {
	scanner
	materials        materialsFlag
	outcome          outcomeFlag
	dtw              rangeFlag
	unique           bool
	pattern          string
	limit, seed      uint64
	limited, sampled bool

	wanted  *patternPieces // nil: anything
	printed uint64
	sample  []draughts.Position
	seen    uint64
	random  *rand.Rand
}

// patternPieces are pieces that must stand on their squares.
type patternPieces struct {
	draughts.Position
	anySide bool
}

// parsePattern reads a part of a FEN.
func parsePattern(v *draughts.Variant, text string) (*patternPieces, error) {
	p := &patternPieces{}
	full := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(full, "?"); ok {
		full = rest
	}
	if strings.HasPrefix(full, ":") {
		full, p.anySide = "W"+full, true
	}
	setup, err := v.ParseFEN(full)
	if err != nil {
		return nil, fmt.Errorf("--pattern %q: %w", text, err)
	}
	p.Position = setup.Position
	return p, nil
}

// fits reports whether a position has the pieces.
func (p *patternPieces) fits(pos draughts.Position) bool {
	if !p.anySide && pos.Side() != p.Side() {
		return false
	}
	for c := draughts.White; c <= draughts.Black; c++ {
		for k := draughts.Man; k <= draughts.King; k++ {
			if !p.Pieces(c, k).AndNot(pos.Pieces(c, k)).IsEmpty() {
				return false
			}
		}
	}
	return true
}

func (f *finder) check() (err error) {
	if f.pattern != "" {
		if f.wanted, err = parsePattern(f.variant, f.pattern); err != nil {
			return err
		}
	}
	if f.unique {
		if f.outcome.given && f.outcome.Outcome != tables.Win {
			return fmt.Errorf("--unique is about won positions, not --outcome %v", f.outcome.Outcome)
		}
		f.outcome = outcomeFlag{tables.Win, true}
	}
	if f.dtw.given && f.outcome.given && f.outcome.Outcome == tables.Draw {
		return errors.New("a drawn position has no distance: give --dtw or --outcome draw, not both")
	}
	if f.sampled {
		if !f.limited {
			f.limit = 1
		}
		f.random = rand.New(rand.NewPCG(f.seed, 0x7468726565)) //nolint:gosec // equal seeds must give equal samples
	}
	return nil
}

func (f *finder) run(ctx context.Context) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	if f.limited && f.limit == 0 {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	list, err := f.rows(f.materials)
	if len(list) == 0 && err != nil {
		return err
	}
	damaged := err
	total := uint64(0)
	for _, row := range list {
		total += row.Positions
	}
	meter := progress.Start(f.stderr, f.errTerminal, total, 1, "positions")
	defer meter.Close()
	var without []string
	for _, row := range list {
		meter.Doing(row.Material.String())
		if f.dtw.given && row.Distance == nil {
			if len(f.materials) > 0 {
				return &tables.MissingError{Key: f.key(row, tables.DTW)}
			}
			without = append(without, row.Material.String())
			continue
		}
		metric := tables.Outcomes
		if f.dtw.given {
			metric = tables.DTW
		}
		err := scanRow(ctx, &f.scanner, row, []tables.Metric{metric}, func(p *part) ([]draughts.Position, error) {
			found, err := f.look(p)
			meter.Add(uint64(p.n))
			return found, err
		}, f.take)
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return err
		}
	}
	if err := f.printSample(); err != nil {
		return err
	}
	if without != nil {
		f.say("left out, since their distances are not stored: %s", strings.Join(without, " "))
	}
	return damaged
}

// look returns the positions of a part that fit.
func (f *finder) look(p *part) (found []draughts.Position, err error) {
	var moves []draughts.Move
	for i := range p.n {
		if f.outcome.given && p.outcome(i) != f.outcome.Outcome {
			continue
		}
		if f.dtw.given && (p.distances[i] < f.dtw.low || p.distances[i] > f.dtw.high) { // a draw's is above all
			continue
		}
		pos := p.position(i)
		if pos.Side() != draughts.White {
			pos = f.variant.Twin(pos) // who is to move is written first, and plays White
		}
		here := []draughts.Position{pos}
		if f.wanted != nil {
			here = here[:0]
			for _, way := range []draughts.Position{pos, f.variant.Twin(pos)} {
				if f.wanted.fits(way) && !slices.Contains(here, way) {
					here = append(here, way)
				}
			}
			if len(here) == 0 {
				continue
			}
		}
		if f.unique {
			wins := 0
			if wins, moves, err = f.winningMoves(pos, moves, 2); err != nil {
				return nil, err
			}
			if wins != 1 {
				continue
			}
		}
		found = append(found, here...)
	}
	return found, nil
}

// take prints positions, or draws the sample from them: each of the n seen so
// far is in it with the same chance, limit / n.
func (f *finder) take(found []draughts.Position) error {
	for _, pos := range found {
		if f.random == nil {
			fmt.Fprintln(f.out, f.variant.FEN(pos))
			if f.printed++; f.printed == f.limit {
				return errEnough
			}
			continue
		}
		f.seen++
		if uint64(len(f.sample)) < f.limit {
			f.sample = append(f.sample, pos)
		} else if at := f.random.Uint64N(f.seen); at < f.limit {
			f.sample[at] = pos
		}
	}
	if len(found) > 0 {
		return f.out.Flush()
	}
	return nil
}

func (f *finder) printSample() error {
	for _, pos := range f.sample {
		fmt.Fprintln(f.out, f.variant.FEN(pos))
	}
	return f.out.Flush()
}
