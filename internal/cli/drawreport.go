package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/internal/progress"
	"threekings/tables"
)

func (a *app) reportDrawRulesCommand() *cobra.Command {
	var variant variantFlag
	d := drawReport{scanner: scanner{app: a}}
	name := ""
	cmd := &cobra.Command{
		Use:   "draw-rules",
		Short: "What draw rules change: wins taken away, longest distances to reset, tightest margins",
		Long: `Reports, for all tables whose distances to reset (DTR) under a profile of draw
rules are stored, how many wins the rules take away and how many losses they save
when the count begins at 0, the longest DTR, and how close a win comes to the
limit, with a position each; and for each class of the profile a line that says
whether the rule ever changes a result. All positions are read.`,
		Example: `  threekings generate --pieces 4 --metric outcome,dtr
  threekings report draw-rules --variant international
  threekings report draw-rules --variant russian --profile fmjd64 --csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			d.variant = variant.Variant
			if d.profile, err = d.variant.Profile(name); err != nil {
				return err
			}
			return d.run(cmd.Context())
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.VarP(&d.materials, "material", "m", "only this material, may be given several times (default: all that are stored)")
	flags.StringVar(&name, "profile", "", "the draw rules: see threekings rules (default: the variant's own)")
	flags.StringVar(&d.packName, "pack", "", "report on this pack instead of the stored tables")
	d.flags.add(cmd)
	return cmd
}

// drawReport works the report out.
type drawReport struct {
	scanner
	profile   *draughts.Profile
	materials materialsFlag
	flags     reportFlags
}

// placed is a distance with the first position that has it.
type placed struct {
	plies tables.Plies
	pos   draughts.Position
	any   bool
}

// longer takes another distance in place of this one if it is longer.
func (p *placed) longer(plies tables.Plies, pos func() draughts.Position) {
	if !p.any || plies > p.plies {
		*p = placed{plies, pos(), true}
	}
}

// drawRow is what the rules do to one material.
type drawRow struct {
	material     tables.Material // the side to move first; not of a class
	class        *draughts.Class
	limit        int
	limited      bool
	positions    uint64
	wins, losses uint64 // without the rules
	taken, saved uint64 // wins and losses that are draws under them
	win, loss    placed // the longest distances to reset, also those beyond the limit
	inTime       placed // the longest of a win that the rules leave
	changed      placed // the first position whose result they change
	names        []string
}

// add counts one more material of a class.
func (r *drawRow) add(m *drawRow) {
	r.positions += m.positions
	r.wins, r.losses = r.wins+m.wins, r.losses+m.losses
	r.taken, r.saved = r.taken+m.taken, r.saved+m.saved
	for _, pair := range []struct{ to, from *placed }{{&r.win, &m.win}, {&r.loss, &m.loss}} {
		if pair.from.any {
			pair.to.longer(pair.from.plies, func() draughts.Position { return pair.from.pos })
		}
	}
	if m.inTime.any && (!r.inTime.any || m.margin() < r.margin()) {
		r.inTime, r.limit = m.inTime, m.limit
	}
	if !r.changed.any {
		r.changed = m.changed
	}
	r.names = append(r.names, m.material.String())
}

// margin is how many plies are left at the reset of the win that comes closest
// to the limit.
func (r *drawRow) margin() int { return r.limit - int(r.inTime.plies) }

func (d *drawReport) run(ctx context.Context) (err error) {
	if err := d.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	list, damaged := d.rows(d.materials)
	if len(list) == 0 && damaged != nil {
		return damaged
	}
	metric := tables.DTR(d.profile.Name)
	var with []answer.Row
	total := uint64(0)
	for _, row := range list {
		if slices.ContainsFunc(row.Resets, func(m *tables.Manifest) bool { return m.Metric == metric }) {
			with = append(with, row)
			total += row.Positions
		}
	}
	if len(with) == 0 {
		return fmt.Errorf("%w: no outcomes and distances to reset under the rules %s are stored of %s; make some with: threekings generate --variant %s --pieces 3 --metric outcome,dtr --profile %s",
			tables.ErrMissing, d.profile.Name, d.variant.Name, d.variant.Name, d.profile.Name)
	}
	meter := progress.Start(d.stderr, d.errTerminal, total, 1, "positions")
	var rows []*drawRow
	for _, row := range with {
		meter.Doing(row.Material.String())
		r, err := d.row(ctx, row, metric, meter)
		if err != nil {
			meter.Close()
			return err
		}
		rows = append(rows, r)
	}
	meter.Close()
	return errors.Join(d.write(rows, d.classes(rows)), damaged)
}

// row reads one side to move of a table.
func (d *drawReport) row(ctx context.Context, row answer.Row, metric tables.Metric, meter *progress.Meter) (*drawRow, error) {
	own, other := row.Material.Force(tables.First), row.Material.Force(tables.Second)
	all := &drawRow{material: row.Material, class: d.profile.ClassOf(own, other), positions: row.Positions}
	all.limit, all.limited = d.profile.LimitOf(own, other, 0)
	err := scanRow(ctx, &d.scanner, row, []tables.Metric{tables.Outcomes, metric}, func(p *part) (*drawRow, error) {
		r := &drawRow{limit: all.limit, limited: all.limited}
		for i := range p.n {
			if err := r.count(p, i, metric); err != nil {
				return nil, fmt.Errorf("%s: %w", d.variant.FEN(p.position(i)), err)
			}
		}
		meter.Add(uint64(p.n))
		return r, nil
	}, func(r *drawRow) error {
		all.wins, all.losses = all.wins+r.wins, all.losses+r.losses
		all.taken, all.saved = all.taken+r.taken, all.saved+r.saved
		for _, pair := range []struct{ to, from *placed }{{&all.win, &r.win}, {&all.loss, &r.loss}, {&all.inTime, &r.inTime}} {
			if pair.from.any {
				pair.to.longer(pair.from.plies, func() draughts.Position { return pair.from.pos })
			}
		}
		if !all.changed.any {
			all.changed = r.changed
		}
		return nil
	})
	return all, err
}

// errContradiction means that tables do not belong together.
var errContradiction = errors.New("the rules decide a position that is decided otherwise, or drawn, without them")

// count counts position i of a part, as it is when nothing has been counted.
func (r *drawRow) count(p *part, i int, metric tables.Metric) error {
	without := p.outcomes[i]
	value := p.resets[i]
	under, dtr := value.Outcome(), metric.Distance(value)
	pos := func() draughts.Position { return p.position(i) }
	if under != tables.Draw && under != without {
		return errContradiction
	}
	switch under {
	case tables.Win:
		r.win.longer(dtr, pos)
	case tables.Loss:
		r.loss.longer(dtr, pos)
	case tables.Draw:
	}
	inTime := under != tables.Draw && (!r.limited || int(dtr) <= r.limit)
	switch without {
	case tables.Win:
		r.wins++
		if inTime {
			r.inTime.longer(dtr, pos)
		} else {
			r.taken++
		}
	case tables.Loss:
		r.losses++
		if !inTime {
			r.saved++
		}
	default:
		return nil
	}
	if !inTime && !r.changed.any {
		r.changed = placed{dtr, pos(), true}
	}
	return nil
}

// classes sums the rows of each class, in the order of the profile.
func (d *drawReport) classes(rows []*drawRow) []*drawRow {
	var list []*drawRow
	for i := range d.profile.Classes {
		sum := &drawRow{class: &d.profile.Classes[i]}
		for _, r := range rows {
			if r.class == sum.class {
				sum.limited = sum.limited || r.limited
				if !sum.inTime.any {
					sum.limit = max(sum.limit, r.limit)
				}
				sum.add(r)
			}
		}
		if sum.names != nil {
			list = append(list, sum)
		}
	}
	return list
}

// verdict says in one line what the rule of a class does.
func (d *drawReport) verdict(r *drawRow) string {
	longest := placed{}
	for _, p := range []placed{r.win, r.loss} {
		if p.any {
			longest.longer(p.plies, func() draughts.Position { return p.pos })
		}
	}
	text := r.class.Name + ": "
	if longest.any {
		text += fmt.Sprintf("longest DTR %s, ", count(int(longest.plies), "ply", "plies"))
	} else {
		text += "nothing is decided under the rules, "
	}
	switch {
	case !r.limited:
		text += "no limit"
	default:
		text += "limit " + d.limits(r.class)
	}
	changed := r.taken + r.saved
	if changed == 0 {
		return text + ": the rule never changes a result"
	}
	return fmt.Sprintf("%s: the rule changes %s (%d of %s taken away, %d of %s saved), first %s", text,
		count(int(changed), "result", "results"), r.taken, count(int(r.wins), "win", "wins"),
		r.saved, count(int(r.losses), "loss", "losses"), d.variant.FEN(r.changed.pos))
}

// limits says the limit of a class in plies. It can depend on who moves first.
func (d *drawReport) limits(c *draughts.Class) string {
	switch c.Limit.Unit {
	case draughts.MovesEach:
		return fmt.Sprint(2 * c.Limit.N)
	case draughts.WeakMoves, draughts.StrongMoves:
		return fmt.Sprintf("%d or %d", 2*c.Limit.N-1, 2*c.Limit.N)
	default:
		return fmt.Sprint(c.Limit.N)
	}
}

// drawLine is a row as it is written. docs/formats.md has it in words.
type drawLine struct {
	Kind          string        `json:"kind"` // material or class
	Variant       string        `json:"variant"`
	Profile       string        `json:"profile"`
	Class         string        `json:"class"`
	Material      string        `json:"material"` // of a class: all of them
	Limit         *int          `json:"limit"`
	Positions     uint64        `json:"positions"`
	Wins          uint64        `json:"wins"`
	WinsTaken     uint64        `json:"wins_taken"`
	Losses        uint64        `json:"losses"`
	LossesSaved   uint64        `json:"losses_saved"`
	LongestWin    *tables.Plies `json:"longest_win_dtr"`
	LongestWinFEN *string       `json:"longest_win_fen"`
	LongestLoss   *tables.Plies `json:"longest_loss_dtr"`
	LongestLosFEN *string       `json:"longest_loss_fen"`
	Margin        *int          `json:"margin"`
	MarginFEN     *string       `json:"margin_fen"`
	ChangedFEN    *string       `json:"first_changed_fen"`
	Verdict       *string       `json:"verdict"` // of a class
}

var drawColumns = []string{
	"kind", "variant", "profile", "class", "material", "limit", "positions", "wins", "wins_taken", "losses", "losses_saved",
	"longest_win_dtr", "longest_win_fen", "longest_loss_dtr", "longest_loss_fen", "margin", "margin_fen", "first_changed_fen", "verdict",
}

func (d *drawReport) line(r *drawRow) drawLine {
	l := drawLine{
		Kind: "material", Variant: d.variant.Name, Profile: d.profile.Name, Class: r.class.Name, Material: r.material.String(),
		Positions: r.positions, Wins: r.wins, WinsTaken: r.taken, Losses: r.losses, LossesSaved: r.saved,
	}
	if r.names != nil {
		l.Kind, l.Material, l.Verdict = "class", strings.Join(r.names, " "), new(d.verdict(r))
	}
	if r.limited && (r.names == nil || r.class.Limit.Unit == draughts.MovesEach || r.class.Limit.Unit == draughts.Plies) {
		l.Limit = &r.limit
	}
	fen := func(p placed) *string { return new(d.variant.FEN(p.pos)) }
	if r.win.any {
		l.LongestWin, l.LongestWinFEN = &r.win.plies, fen(r.win)
	}
	if r.loss.any {
		l.LongestLoss, l.LongestLosFEN = &r.loss.plies, fen(r.loss)
	}
	if r.limited && r.inTime.any {
		l.Margin, l.MarginFEN = new(r.margin()), fen(r.inTime)
	}
	if r.changed.any {
		l.ChangedFEN = fen(r.changed)
	}
	return l
}

// cell writes what may be unknown.
func cell[T any](value *T) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(*value)
}

func (l *drawLine) cells() []string {
	return []string{
		l.Kind, l.Variant, l.Profile, l.Class, l.Material, cell(l.Limit), fmt.Sprint(l.Positions),
		fmt.Sprint(l.Wins), fmt.Sprint(l.WinsTaken), fmt.Sprint(l.Losses), fmt.Sprint(l.LossesSaved),
		cell(l.LongestWin), cell(l.LongestWinFEN), cell(l.LongestLoss), cell(l.LongestLosFEN),
		cell(l.Margin), cell(l.MarginFEN), cell(l.ChangedFEN), cell(l.Verdict),
	}
}

func (d *drawReport) write(rows, classes []*drawRow) error {
	var lines []drawLine
	for _, r := range slices.Concat(classes, rows) {
		lines = append(lines, d.line(r))
	}
	switch d.flags.chosen() {
	case jsonFormat:
		return writeJSONLines(d.app, lines)
	case csvFormat:
		var cells [][]string
		for _, l := range lines {
			cells = append(cells, l.cells())
		}
		return d.writeCSV(drawColumns, cells)
	default:
		d.markdown(rows, classes)
		return nil
	}
}

// tightest is how many margins are listed.
const tightest = 10

func (d *drawReport) markdown(rows, classes []*drawRow) {
	p := d.profile
	fmt.Fprintf(d.out, "# Draw rules: %s, %s\n\n", d.variant.Title, p.Title)
	fmt.Fprintf(d.out, "Profile `%s`, source: %s.", p.Name, p.Source)
	if p.Unverified {
		fmt.Fprint(d.out, " The numbers are unverified.")
	}
	fmt.Fprint(d.out, " Counts begin at 0. DTR is the distance to reset in plies: to the next move that restarts the count or ends the game.\n")
	if left := answer.LeftOut(p); len(left) > 0 {
		fmt.Fprintf(d.out, "Left out, since no table knows them: %s.\n", strings.Join(left, "; "))
	}
	fmt.Fprint(d.out, "\n## What the rules change\n\n")
	for _, r := range classes {
		names := strings.Join(r.names, " ")
		if len(classes) == 1 {
			names = "all"
		}
		fmt.Fprintf(d.out, "- %s.\n  Tables: %s.\n", d.verdict(r), names)
	}
	fmt.Fprint(d.out, "\n## By material\n\nThe side to move is written first.\n\n")
	var cells [][]string
	for _, r := range rows {
		l := d.line(r)
		cells = append(cells, []string{
			l.Material, cell(l.Limit), fmt.Sprint(l.Wins), fmt.Sprint(l.WinsTaken), fmt.Sprint(l.Losses), fmt.Sprint(l.LossesSaved),
			cell(l.LongestWin), quotedFEN(l.LongestWinFEN), cell(l.LongestLoss), quotedFEN(l.LongestLosFEN),
		})
	}
	d.writeMarkdown([]string{
		"material", "limit|", "wins|", "taken away|", "losses|", "saved|", "longest DTR of a win|", "position", "of a loss|", "position",
	}, cells)
	d.margins(rows)
	d.changes(rows)
}

func quotedFEN(fen *string) string {
	if fen == nil {
		return ""
	}
	return "`" + *fen + "`"
}

// margins lists the wins that come closest to the limit.
func (d *drawReport) margins(rows []*drawRow) {
	var close []*drawRow
	for _, r := range rows {
		if r.limited && r.inTime.any {
			close = append(close, r)
		}
	}
	if close == nil {
		return
	}
	slices.SortStableFunc(close, func(a, b *drawRow) int { return a.margin() - b.margin() })
	fmt.Fprint(d.out, "\n## Tightest margins\n\nPlies that are left of the limit when the count of the longest win in time restarts or the game ends.\n\n")
	var cells [][]string
	for _, r := range close[:min(tightest, len(close))] {
		cells = append(cells, []string{
			r.material.String(), fmt.Sprint(r.margin()), fmt.Sprint(r.inTime.plies), fmt.Sprint(r.limit), "`" + d.variant.FEN(r.inTime.pos) + "`",
		})
	}
	d.writeMarkdown([]string{"material", "left|", "DTR|", "limit|", "position"}, cells)
}

// changes lists a position of each material whose results the rules change.
func (d *drawReport) changes(rows []*drawRow) {
	var cells [][]string
	for _, r := range rows {
		if r.changed.any {
			dtr := "none: never in time"
			if r.changed.plies != tables.NoPlies {
				dtr = fmt.Sprint(r.changed.plies)
			}
			cells = append(cells, []string{r.material.String(), fmt.Sprint(r.taken + r.saved), "`" + d.variant.FEN(r.changed.pos) + "`", dtr, cell(d.line(r).Limit)})
		}
	}
	if cells == nil {
		return
	}
	fmt.Fprint(d.out, "\n## First position of each material whose result they change\n\n")
	d.writeMarkdown([]string{"material", "changed|", "position", "DTR|", "limit|"}, cells)
}
