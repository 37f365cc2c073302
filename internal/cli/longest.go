package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/answer"
	"threekings/internal/progress"
	"threekings/tables"
)

func (a *app) reportLongestCommand() *cobra.Command {
	var variant variantFlag
	l := longestReport{scanner: scanner{app: a}}
	cmd := &cobra.Command{
		Use:   "longest",
		Short: "The longest wins and losses of each material, and the longest with only one winning move",
		Long: `Reports for each stored material, with the side to move written first, the longest
win and the longest loss in plies with a position each, and the longest wins in
which exactly one move wins. Of several such positions the one with most legal
moves is shown. The latter takes a look at every position; --unique 0 leaves it
out and then answers at once.`,
		Example: `  threekings report longest --variant russian
  threekings report longest --material KKKvK --material KvKKK --csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l.variant = variant.Variant
			return l.run(cmd.Context())
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.VarP(&l.materials, "material", "m", "only this material, may be given several times (default: all that are stored)")
	flags.IntVar(&l.lengths, "unique", 3, "how many lengths of wins with one winning move are shown for each material")
	flags.StringVar(&l.packName, "pack", "", "report on this pack instead of the stored tables")
	l.flags.add(cmd)
	return cmd
}

// longestReport works the report out.
type longestReport struct {
	scanner
	materials materialsFlag
	lengths   int
	flags     reportFlags
}

// longestRow is one line of the report. docs/formats.md has it in words.
type longestRow struct {
	Variant   string       `json:"variant"`
	Material  string       `json:"material"`
	Metric    string       `json:"metric"`
	Kind      string       `json:"kind"` // win, loss or unique_win
	Plies     tables.Plies `json:"plies"`
	Positions *uint64      `json:"positions"` // with that distance; null if not counted
	FEN       string       `json:"fen"`
	Moves     int          `json:"legal_moves"`
}

func (l *longestReport) run(ctx context.Context) (err error) {
	if err := l.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	list, damaged := l.rows(l.materials)
	if len(list) == 0 && damaged != nil {
		return damaged
	}
	var rows []longestRow
	var without []string
	total := uint64(0)
	for _, row := range list {
		if row.Distance != nil {
			total += row.Positions
		}
	}
	meter := progress.Start(l.stderr, l.errTerminal, total, 1, "positions")
	defer meter.Close()
	for _, row := range list {
		if row.Distance == nil && len(row.Resets) == 0 {
			without = append(without, row.Material.String())
			continue
		}
		meter.Doing(row.Material.String())
		found, err := l.row(ctx, row, meter)
		if err != nil {
			return err
		}
		rows = append(rows, found...)
	}
	if without != nil {
		l.say("left out, since their distances are not stored: %s", strings.Join(without, " "))
	}
	return errors.Join(l.write(rows), damaged)
}

// row reports on one side to move of a table.
func (l *longestReport) row(ctx context.Context, row answer.Row, meter *progress.Meter) ([]longestRow, error) {
	ix, err := index.New(l.variant, row.Stored.Material)
	if err != nil {
		return nil, err
	}
	var byLength *lengths
	if l.lengths > 0 && row.Distance != nil {
		if byLength, err = l.count(ctx, row, meter); err != nil {
			return nil, err
		}
	}
	var rows []longestRow
	add := func(metric tables.Metric, kind string, plies tables.Plies, positions *uint64, pos draughts.Position) {
		rows = append(rows, longestRow{
			Variant: l.variant.Name, Material: row.Material.String(), Metric: string(metric), Kind: kind,
			Plies: plies, Positions: positions, FEN: l.variant.FEN(pos), Moves: len(l.variant.Moves(pos, nil)),
		})
	}
	manifests := row.Resets
	if row.Distance != nil {
		manifests = append([]*tables.Manifest{row.Distance}, manifests...)
	}
	for _, m := range manifests {
		sum := m.Sides[row.Side]
		counted := func(d tables.Plies) *uint64 {
			if byLength == nil || m.Metric != tables.DTW {
				return nil
			}
			return new(byLength.at(d))
		}
		if sum.Wins > 0 {
			add(m.Metric, "win", sum.LongestWin, counted(sum.LongestWin), ix.Position(row.Side, sum.LongestWinAt))
		}
		if sum.Losses > 0 {
			add(m.Metric, "loss", sum.LongestLoss, counted(sum.LongestLoss), ix.Position(row.Side, sum.LongestLossAt))
		}
	}
	if byLength != nil {
		unique, err := l.uniqueWins(ctx, row, byLength)
		if err != nil {
			return nil, err
		}
		for _, u := range unique {
			add(tables.DTW, "unique_win", u.plies, new(u.positions), u.best)
		}
	}
	return rows, nil
}

// lengths counts positions by their distance.
type lengths struct{ positions []uint64 }

func (n *lengths) at(d tables.Plies) uint64 {
	if int(d) >= len(n.positions) {
		return 0
	}
	return n.positions[d]
}

func (n *lengths) add(d tables.Plies, by uint64) {
	for int(d) >= len(n.positions) {
		n.positions = append(n.positions, make([]uint64, max(64, len(n.positions)))...)
	}
	n.positions[d] += by
}

// count counts the decided positions of a row by length.
func (l *longestReport) count(ctx context.Context, row answer.Row, meter *progress.Meter) (*lengths, error) {
	all := &lengths{}
	err := scanRow(ctx, &l.scanner, row, []tables.Metric{tables.DTW}, func(p *part) (*lengths, error) {
		n := &lengths{}
		for _, d := range p.distances {
			if d != tables.NoPlies {
				n.add(d, 1)
			}
		}
		meter.Add(uint64(len(p.distances)))
		return n, nil
	}, func(n *lengths) error {
		for d, by := range n.positions {
			all.add(tables.Plies(d), by)
		}
		return nil
	})
	return all, err
}

// uniqueWin are the won positions of one length in which exactly one move wins.
type uniqueWin struct {
	plies     tables.Plies
	positions uint64
	best      draughts.Position // the one with most legal moves, the first of them
	moves     int
}

// firstLook is how many of the longest wins are looked at first.
const firstLook = 100_000

// uniqueWins returns the longest lengths of wins that have a position with one
// winning move, longest first. It looks at the longest wins first, and at four
// times as many again as long as lengths are lacking.
func (l *longestReport) uniqueWins(ctx context.Context, row answer.Row, byLength *lengths) ([]uniqueWin, error) {
	var all []uniqueWin
	high := row.LongestWin
	for budget := uint64(firstLook); high > 0 && len(all) < l.lengths; budget *= 4 {
		low, sum := high, byLength.at(high)
		for low > 2 && sum+byLength.at(low-2) <= budget {
			low -= 2
			sum += byLength.at(low)
		}
		found, err := l.uniqueBetween(ctx, row, low, high)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
		if low < 2 {
			break
		}
		high = low - 2
	}
	return all[:min(len(all), l.lengths)], nil
}

// uniqueBetween looks at the wins of some lengths.
func (l *longestReport) uniqueBetween(ctx context.Context, row answer.Row, low, high tables.Plies) ([]uniqueWin, error) {
	byLength := map[tables.Plies]*uniqueWin{}
	err := scanRow(ctx, &l.scanner, row, []tables.Metric{tables.DTW}, func(p *part) (found []uniqueWin, err error) {
		var moves []draughts.Move
		for i, d := range p.distances {
			if d < low || d > high || d.Outcome() != tables.Win {
				continue
			}
			pos := p.position(i)
			wins := 0
			if wins, moves, err = l.winningMoves(pos, moves, 2); err != nil {
				return nil, err
			}
			if wins == 1 {
				found = append(found, uniqueWin{plies: d, positions: 1, best: pos, moves: len(moves)})
			}
		}
		return found, nil
	}, func(found []uniqueWin) error {
		for _, u := range found {
			known := byLength[u.plies]
			if known == nil {
				byLength[u.plies] = &u
				continue
			}
			known.positions++
			if u.moves > known.moves {
				known.best, known.moves = u.best, u.moves
			}
		}
		return nil
	})
	var list []uniqueWin
	for _, u := range byLength {
		list = append(list, *u)
	}
	slices.SortFunc(list, func(a, b uniqueWin) int { return int(b.plies) - int(a.plies) })
	return list, err
}

func (l *longestReport) write(rows []longestRow) error {
	positions := func(r longestRow) string {
		if r.Positions == nil {
			return ""
		}
		return fmt.Sprint(*r.Positions)
	}
	switch l.flags.chosen() {
	case jsonFormat:
		return writeJSONLines(l.app, rows)
	case csvFormat:
		var cells [][]string
		for _, r := range rows {
			cells = append(cells, []string{r.Variant, r.Material, r.Metric, r.Kind, fmt.Sprint(r.Plies), positions(r), r.FEN, fmt.Sprint(r.Moves)})
		}
		return l.writeCSV([]string{"variant", "material", "metric", "kind", "plies", "positions", "fen", "legal_moves"}, cells)
	default:
		fmt.Fprintf(l.out, "# Longest wins: %s\n\n", l.variant.Title)
		fmt.Fprintf(l.out, "The side to move is written first. Distances are in plies: dtw to the end of the game, dtr/PROFILE to the next move that restarts the count of those draw rules (under none, to conversion).\n\n")
		l.section("Longest wins", rows, "win", positions)
		l.section("Longest losses", rows, "loss", positions)
		l.section("Longest wins in which exactly one move wins", rows, "unique_win", positions)
		return nil
	}
}

// section writes the rows of one kind.
func (l *longestReport) section(title string, rows []longestRow, kind string, positions func(longestRow) string) {
	var cells [][]string
	for _, r := range rows {
		if r.Kind == kind {
			cells = append(cells, []string{r.Material, r.Metric, fmt.Sprint(r.Plies), positions(r), "`" + r.FEN + "`", fmt.Sprint(r.Moves)})
		}
	}
	if cells == nil {
		return
	}
	fmt.Fprintf(l.out, "## %s\n\n", title)
	l.writeMarkdown([]string{"material", "metric", "plies|", "positions|", "one of them", "legal moves|"}, cells)
	fmt.Fprintln(l.out)
}
