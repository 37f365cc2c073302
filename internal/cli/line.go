package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/tables"
)

func (a *app) lineCommand() *cobra.Command {
	var variant variantFlag
	l := liner{prober: prober{app: a}}
	asJSON, asPDN := false, false
	cmd := &cobra.Command{
		Use:   "line [FEN...]",
		Short: "Show best play to the end of the game",
		Long: `Shows best play from each position to the end of the game: the winner takes the
shortest way, the loser the longest, and with every move stands its distance to
win in plies, which falls by one each time. Of equal moves the one that probe
lists first is taken. Where the position is a draw no line is better than
another: then the moves that keep the draw are listed. Positions are arguments,
or one a line on standard input.

With a count (:H in the FEN, or --count) or --profile, the line keeps to the draw
rules: at each ply the shortest or longest way among the moves that keep the
verdict at that count.`,
		Example: `  threekings line "W:W23:B5,6"
  threekings line --pdn "W:WK7,K30:BK45" > game.pdn`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if l.opts.MaxPlies < 0 {
				return fmt.Errorf("--max-plies %d: a number of plies was expected", l.opts.MaxPlies)
			}
			l.ctx, l.variant = cmd.Context(), variant.Variant //nolint:fatcontext // one command, one context
			show := l.showText
			switch {
			case asJSON:
				show = l.showJSON
			case asPDN:
				show = l.showPDN
			}
			l.write = func(ans given) error { return l.show(ans, show) }
			if err := l.run(cmd.Context(), args); err != nil {
				return err
			}
			return withoutAnswer(l.unknown)
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "one JSON object a line for each position")
	flags.BoolVar(&asPDN, "pdn", false, "one PDN game for each position")
	flags.IntVar(&l.opts.MaxPlies, "max-plies", 0, "stop after this many plies (default: at the end of the game)")
	cmd.MarkFlagsMutuallyExclusive("json", "pdn")
	l.addFlags(cmd)
	l.judging.addFlags(cmd)
	return cmd
}

// liner shows one line after the other.
type liner struct {
	prober
	ctx     context.Context
	opts    probe.LineOptions
	unknown int // lines that could not be followed to their end
}

func (l *liner) show(ans given, show func(given, probe.Line) error) error {
	if ans.err != nil {
		return show(ans, probe.Line{})
	}
	opts := l.opts
	if ans.result.Ruling != nil {
		opts.Rules = ans.result.Rules
	}
	line, err := l.prober.prober.Line(l.ctx, l.variant, ans.setup.Position, opts)
	if err != nil {
		return err
	}
	if line.End == probe.LineUnknown {
		l.unknown++
	}
	return show(ans, line)
}

// lastPosition returns the position at the end of a line.
func lastPosition(at draughts.Position, line probe.Line) draughts.Position {
	if n := len(line.Moves); n > 0 {
		return line.Moves[n-1].Position
	}
	return at
}

func (l *liner) showText(ans given, line probe.Line) error {
	if ans.err != nil {
		l.say("%s: %v", shorten(ans.input), ans.err)
		return nil //nolint:nilerr // it has been reported, and counts in run
	}
	v, at := l.variant, ans.setup.Position
	fmt.Fprintf(l.out, "%s\n\n%s\n", v.SetupFEN(ans.setup), boardText(v, at))
	fmt.Fprintf(l.out, "%s\n", l.paint(outcomeColour(line.Outcome), verdict(v, at, line.Outcome, line.DTW)))
	if line.Ruling != nil && line.Ruling.Verdict != probe.NoVerdict {
		fmt.Fprintf(l.out, "%s\n", l.paint(outcomeColour(line.Ruling.Verdict.Outcome()), rulingText(line.Rules.Profile, line.Ruling)))
		l.writeLeftOut(line.Rules.Profile)
	}
	if line.End == probe.LineDrawn {
		fmt.Fprintf(l.out, "No line is best in a draw; %s\n\n", drawingMoves(v, at, ans.result))
		return nil
	}
	fmt.Fprintln(l.out)
	texts := answer.LineTexts(v, at, line)
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	for i, m := range line.Moves {
		number, dots, _ := strings.Cut(plyName(v, ans.setup, i), ".")
		value := l.paint(outcomeColour(m.Outcome), worth(m.Outcome, m.DTW))
		if line.Ruling != nil {
			value += "; " + l.paint(outcomeColour(m.Ruling.Verdict.Outcome()), moveRuling(&m.Ruling))
		}
		fmt.Fprintf(l.out, "%4s%-3s %-*s  %s\n", number, "."+dots, longest, texts[i], value)
	}
	switch line.End {
	case probe.LineOver:
		if len(line.Moves) > 0 {
			fmt.Fprintf(l.out, "\n%s\n", verdict(v, lastPosition(at, line), tables.Loss, 0))
		}
	case probe.LineCut:
		if line.Ruling == nil {
			fmt.Fprintf(l.out, "\n%s follow\n", count(int(line.DTW)-len(line.Moves), "more ply", "more plies"))
		} else {
			fmt.Fprintf(l.out, "\nThe line goes on\n")
		}
	default:
		fmt.Fprintf(l.out, "\nThe rest is unknown\n")
		l.say("%s: after %s: %v", shorten(ans.input), count(len(line.Moves), "ply", "plies"), line.Err)
	}
	fmt.Fprintln(l.out)
	return nil
}

// drawingMoves lists the moves of a drawn position that keep the draw.
func drawingMoves(v *draughts.Variant, at draughts.Position, r probe.Result) string {
	var keep []string
	unknown := false
	for i, text := range answer.MoveTexts(v, at, r) {
		switch m := r.Moves[i]; {
		case m.Err != nil:
			unknown = true
		case r.Ruling == nil && m.Outcome == tables.Draw, r.Ruling != nil && drawnUnder(m.Ruling.Verdict):
			keep = append(keep, text)
		}
	}
	text := fmt.Sprintf("%d of %s keep it: %s", len(keep), count(len(r.Moves), "move", "moves"), strings.Join(keep, ", "))
	if len(keep) == 1 {
		text = strings.Replace(text, " keep ", " keeps ", 1)
	}
	if unknown {
		text += " (not all moves are known)"
	}
	return text
}

func (l *liner) showJSON(ans given, line probe.Line) error {
	j := answer.LineUnanswered(l.variant, nil, nil)
	switch {
	case ans.err == nil:
		j = answer.LineOf(l.variant, ans.setup, line)
	case ans.parsed:
		j = answer.LineUnanswered(l.variant, &ans.setup, answer.ErrorOf(ans.err))
	default:
		j.Error = answer.ErrorOf(ans.err)
	}
	e := json.NewEncoder(l.out)
	e.SetEscapeHTML(false)
	return e.Encode(j)
}

// drawnUnder reports whether a verdict is known to be a draw.
func drawnUnder(d probe.Verdict) bool {
	return d != probe.NoVerdict && d.Outcome() == tables.Draw
}

// showPDN writes a line as a game, with what each move is worth as its comment.
func (l *liner) showPDN(ans given, line probe.Line) error {
	if ans.err != nil {
		l.say("%s: %v", shorten(ans.input), ans.err)
		return nil //nolint:nilerr // it has been reported, and counts in run
	}
	v, at := l.variant, ans.setup.Position
	g := &draughts.Game{Variant: v, Start: ans.setup, Result: lineResult(at, line)}
	g.Tags = []draughts.Tag{
		{Name: "Event", Value: "Best play"}, {Name: "Site", Value: "?"}, {Name: "Date", Value: "????.??.??"},
		{Name: "Round", Value: "?"}, {Name: "White", Value: "?"}, {Name: "Black", Value: "?"},
		{Name: "Annotator", Value: generator},
	}
	g.Main.Comment = verdict(v, at, line.Outcome, line.DTW)
	if line.Ruling != nil && line.Ruling.Verdict != probe.NoVerdict {
		g.Main.Comment += ". " + rulingText(line.Rules.Profile, line.Ruling)
	}
	for _, m := range line.Moves {
		g.Main.Moves = append(g.Main.Moves, draughts.GameMove{Move: m.Move, Position: m.Position, Comment: lineComment(line, m)})
	}
	if line.Err != nil {
		l.say("%s: after %s: %v", shorten(ans.input), count(len(line.Moves), "ply", "plies"), line.Err)
	}
	return draughts.WritePDN(l.out, g)
}

// lineComment says what a move of a line is worth.
func lineComment(line probe.Line, m probe.MoveValue) string {
	text := worth(m.Outcome, m.DTW)
	if line.Ruling != nil {
		text += "; " + moveRuling(&m.Ruling)
	}
	return text
}

// lineResult is the result of the game that a line is, if it goes to the end.
func lineResult(at draughts.Position, line probe.Line) draughts.GameResult {
	white := at.Side() == draughts.White
	switch {
	case slices.Contains([]probe.LineEnd{probe.LineCut, probe.LineUnknown}, line.End):
		return draughts.NoResult
	case line.Outcome == tables.Draw || line.End == probe.LineDrawn:
		return draughts.GameDrawn
	case (line.Outcome == tables.Win) == white:
		return draughts.WhiteWins
	default:
		return draughts.BlackWins
	}
}
