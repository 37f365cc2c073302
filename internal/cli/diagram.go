package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/internal/svg"
	"threekings/tables"
)

func (a *app) boardCommand() *cobra.Command {
	var variant variantFlag
	d := diagram{prober: prober{app: a}}
	cmd := &cobra.Command{
		Use:   "board FEN",
		Short: "Draw a position",
		Long: `Draws a position, as SVG or PNG by the name of the file, or as text. Without a
file, SVG goes to standard output, or text if that is a terminal.

--map SQUARE colours every square by what the position is worth to the side to
move if the piece on SQUARE stood there: green + won, yellow = drawn, red - lost,
grey ? not in the tables.
--arrows best or all shows legal moves in the same colours, best those that no
other is better than; any other text is a list of arrows, such as 23-18,14x23.`,
		Example: `  threekings board "W:WK7,K30:BK45" --map 45 -o map.svg
  threekings board "B:W23:BK5" --arrows best -o best.png --width 600`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d.variant = variant.Variant
			return d.run(cmd.Context(), args[0])
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.StringVarP(&d.file, "output", "o", "", "the file to be written, .svg or .png")
	flags.StringVar(&d.mapped, "map", "", "colour squares by where the piece on this square would stand")
	flags.StringVar(&d.arrows, "arrows", "", "best, all, or a list such as 23-18,14x23")
	flags.BoolVar(&d.text, "text", false, "draw with letters, for a terminal")
	flags.BoolVar(&d.flipped, "flip", false, "as Black sees the board")
	flags.BoolVar(&d.noNumbers, "no-numbers", false, "leave out the names of squares")
	flags.IntVar(&d.width, "width", svg.DefaultWidth, "width of a PNG in pixels")
	flags.Uint64Var(&d.auto, "auto-positions", defaultAutoPositions, "make missing tables if they have at most this many positions")
	flags.BoolVar(&d.noGenerate, "no-generate", false, "never make missing tables")
	flags.StringVar(&d.packName, "pack", "", "read values from this pack instead of the stored tables, and make none")
	must(cmd.MarkFlagFilename("output", "svg", "png"))
	cmd.MarkFlagsMutuallyExclusive("output", "text")
	return cmd
}

// diagram draws one position.
type diagram struct {
	prober
	file, mapped, arrows     string
	text, flipped, noNumbers bool
	width                    int
}

func (d *diagram) run(ctx context.Context, fen string) (err error) {
	format, err := d.format()
	if err != nil {
		return err
	}
	setup, err := d.variant.ParseFEN(fen)
	if err != nil {
		return err
	}
	if d.mapped != "" || d.arrows == "best" || d.arrows == "all" {
		if err := d.open(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.close()) }()
	}
	picture := &svg.Diagram{Variant: d.variant, Position: setup.Position, Flipped: d.flipped, NoNumbers: d.noNumbers}
	if picture.Marks, err = d.marks(ctx, setup.Position); err != nil {
		return err
	}
	var moves []string
	if picture.Arrows, moves, err = d.drawnArrows(ctx, setup.Position); err != nil {
		return err
	}
	var content []byte
	switch format {
	case "text":
		return d.writeBoard(picture, moves)
	case ".png":
		content, err = picture.PNG(d.width)
	default:
		content, err = picture.SVG()
	}
	if err != nil {
		return err
	}
	if d.file == "" {
		_, err = d.out.Write(content)
		return err
	}
	return os.WriteFile(d.file, content, 0o644)
}

// format returns what is to be written: "text", ".svg" or ".png".
func (d *diagram) format() (string, error) {
	switch ext := strings.ToLower(filepath.Ext(d.file)); {
	case d.text, d.file == "" && d.outTerminal:
		return "text", nil
	case d.file == "", ext == ".svg":
		return ".svg", nil
	case ext == ".png":
		return ext, nil
	default:
		return "", fmt.Errorf("%s: the name of a picture ends in .svg or .png", d.file)
	}
}

// marks colours the squares of --map.
func (d *diagram) marks(ctx context.Context, p draughts.Position) ([]svg.Mark, error) {
	if d.mapped == "" {
		return nil, nil
	}
	v := d.variant
	square, err := v.ParseSquare(d.mapped)
	if err != nil {
		return nil, fmt.Errorf("--map: %w", err)
	}
	var missing error
	m, err := answer.MapOf(func(p draughts.Position) (tables.Outcome, tables.Plies, error) {
		o, dtw, err := d.look(ctx, p)
		missing = cmp.Or(err, missing)
		return o, dtw, err
	}, v, p, square)
	switch {
	case errors.Is(err, answer.ErrNoPiece):
		return nil, fmt.Errorf("--map: %w", err)
	case err != nil:
		return nil, err
	}
	marks := make([]svg.Mark, len(m.Squares))
	unknown := 0
	for i, ms := range m.Squares {
		marks[i] = svg.Mark{Square: ms.At, Value: svg.Unknown}
		if ms.Outcome != nil {
			marks[i].Value = svg.ValueOf(ms.Value)
		} else {
			unknown++
		}
	}
	if unknown > 0 {
		d.say("--map: %d of %s are unknown: %v", unknown, count(len(marks), "square", "squares"), missing)
	}
	return marks, nil
}

// look is an [answer.Look] that makes missing tables, also those that only some of
// a map's squares need. Where they are not made that is a missing table.
func (d *diagram) look(ctx context.Context, p draughts.Position) (tables.Outcome, tables.Plies, error) {
	o, dtw, err := answer.Value(d.prober.prober, d.variant, p)
	if !errors.Is(err, tables.ErrMissing) || d.pack != nil {
		return o, dtw, err
	}
	if _, err := d.complete(ctx, p, false, false); err != nil {
		return o, dtw, err
	}
	return answer.Value(d.prober.prober, d.variant, p)
}

// drawnArrows returns the arrows of --arrows, and what they stand for in words.
func (d *diagram) drawnArrows(ctx context.Context, p draughts.Position) (arrows []svg.Arrow, words []string, err error) {
	switch d.arrows {
	case "":
		return nil, nil, nil
	case "best", "all":
		return d.moveArrows(ctx, p)
	}
	for text := range strings.SplitSeq(d.arrows, ",") {
		var arrow svg.Arrow
		for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("-x: ", r) }) {
			s, err := d.variant.ParseSquare(name)
			if err != nil {
				return nil, nil, fmt.Errorf("--arrows %s: %w", shorten(text), err)
			}
			if n := len(arrow.Squares); n > 0 && arrow.Squares[n-1] == s {
				return nil, nil, fmt.Errorf("--arrows %s: an arrow leads from one square to another", shorten(text))
			}
			arrow.Squares = append(arrow.Squares, s)
		}
		if len(arrow.Squares) < 2 {
			return nil, nil, fmt.Errorf("--arrows %s: an arrow needs two squares, such as 23-18", shorten(text))
		}
		arrows, words = append(arrows, arrow), append(words, strings.TrimSpace(text))
	}
	return arrows, words, nil
}

// moveArrows are those of legal moves. The best are drawn last, above the others.
func (d *diagram) moveArrows(ctx context.Context, p draughts.Position) (arrows []svg.Arrow, words []string, err error) {
	v := d.variant
	ans := d.answer(ctx, v.FEN(p))
	if ans.err != nil {
		return nil, nil, ans.err
	}
	texts := answer.MoveTexts(v, p, ans.result)
	for i, m := range ans.result.Moves {
		best := ans.result.Moves[0]
		known := m.Err == nil
		if d.arrows == "best" && (!known || m.Outcome != best.Outcome || m.DTW != best.DTW) {
			break
		}
		arrow := svg.Arrow{Squares: []draughts.Square{m.Move.From, m.Move.To}, Value: svg.Unknown}
		for path := range v.Paths(p, m.Move) {
			arrow.Squares = append([]draughts.Square{m.Move.From}, path...)
			break
		}
		word := texts[i] + "  unknown"
		if known {
			arrow.Value = svg.ValueOf(m.Outcome)
			word = texts[i] + "  " + d.paint(outcomeColour(m.Outcome), worth(m.Outcome, m.DTW))
		}
		arrows, words = append([]svg.Arrow{arrow}, arrows...), append(words, word)
	}
	return arrows, words, nil
}

// writeBoard writes the board with letters, coloured squares as signs, and the
// arrows below it.
func (d *diagram) writeBoard(picture *svg.Diagram, moves []string) error {
	signs := map[draughts.Square]string{}
	for _, m := range picture.Marks {
		switch m.Value {
		case svg.Wins:
			signs[m.Square] = d.paint(green, "+")
		case svg.Loses:
			signs[m.Square] = d.paint(red, "-")
		case svg.Draws:
			signs[m.Square] = "="
		default:
			signs[m.Square] = "?"
		}
	}
	fmt.Fprintf(d.out, "%s\n\n%s", d.variant.FEN(picture.Position), board{
		v: d.variant, p: picture.Position, flipped: d.flipped, bare: d.noNumbers, signs: signs,
	}.String())
	if len(signs) > 0 {
		unknown := ""
		if slices.ContainsFunc(picture.Marks, func(m svg.Mark) bool { return m.Value == svg.Unknown }) {
			unknown = ", ? unknown"
		}
		fmt.Fprintf(d.out, "\n%s to move: + wins, = draws, - loses%s\n", sideTitle(picture.Position.Side()), unknown)
	}
	if len(moves) > 0 {
		fmt.Fprintf(d.out, "\n  %s\n", strings.Join(moves, "\n  "))
	}
	return nil
}
