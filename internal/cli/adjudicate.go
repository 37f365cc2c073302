package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

func (a *app) adjudicateCommand() *cobra.Command {
	var variant variantFlag
	ad := adjudicator{scanner: scanner{app: a}}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "adjudicate FILE...",
		Short: "Judge games in PDN by the draw rules and the tables",
		Long: `Replays games in PDN and says of each: where a draw rule or a repetition took
effect or could be claimed, which moves threw away a win or a draw, and what the
last position is worth, against the result that the game states. Files are named,
- is standard input. Games without a tag GameType are of --variant.

Moves are judged as far as tables are stored; none are made. With distances to
reset (generate --metric dtr) they are judged under the draw rules at the count
that the game has reached, else as if there were no limits. Variations are not
looked at. A game with an illegal move is judged up to it, reported, and the games
after it go on.

The exit code is 1 if a game states a result although its last position, or a draw
rule, has decided it otherwise, and 2 if a game or a file could not be read.`,
		Example: `  threekings adjudicate game.pdn
  threekings adjudicate --json --profile none - < games.pdn`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ad.variant = variant.Variant
			ad.write = ad.writeText
			if asJSON {
				ad.write = ad.writeJSON
			}
			return ad.run(cmd.Context(), args)
		},
	}
	addVariant(cmd, &variant)
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "one JSON object a line for each game")
	flags.StringVar(&ad.profile, "profile", "", "the draw rules: see threekings rules (default: those of each game's variant)")
	flags.StringVar(&ad.packName, "pack", "", "judge by this pack instead of the stored tables")
	return cmd
}

// adjudicator judges one game after the other.
type adjudicator struct {
	scanner
	profile string
	write   func(*ruling) error

	files  int
	counts struct{ games, errors, decided, mistakes, unread int }
	absent map[string]map[string]bool // variant, table: looked for and not stored
	resets map[string]bool            // variant and metric: any such table is stored
	broken error                      // the first table that is damaged
}

func (ad *adjudicator) run(ctx context.Context, files []string) (err error) {
	ad.files = len(files)
	ad.absent, ad.resets = map[string]map[string]bool{}, map[string]bool{}
	if err := ad.openAny(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ad.close()) }()
	for _, name := range files {
		if err := ad.file(ctx, name); err != nil {
			return err
		}
	}
	return ad.sum()
}

// openAny is open, but goes on if nothing is stored: rules need no tables.
func (ad *adjudicator) openAny() (err error) {
	if ad.packName != "" {
		return ad.open()
	}
	if ad.store, err = ad.openRead(); err != nil {
		return err
	}
	var src tables.Source = noTables{}
	if ad.store != nil {
		src = ad.store
	}
	ad.prober = probe.Open(src, probe.Options{})
	return nil
}

// manifests lists what is stored of a variant; damaged tables are not among them
// and are noticed when they are needed.
func (ad *adjudicator) manifests(v *draughts.Variant) (list []*tables.Manifest) {
	switch {
	case ad.pack != nil:
		list, _ = ad.pack.List(v.Name)
	case ad.store != nil:
		list, _ = ad.store.List(v.Name)
	}
	return list
}

// file judges the games of a file. One that cannot be read, or not to its end, is
// reported, and those after it go on.
func (ad *adjudicator) file(ctx context.Context, name string) (err error) {
	in := ad.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			ad.unread(err)
			return nil
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		in = f
	}
	in, done := interruptible(ctx, in)
	defer done()
	r := draughts.NewPDNReader(in, draughts.PDNOptions{Variant: ad.variant, MainLine: true})
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if g == nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			ad.unread(fmt.Errorf("%s: %w", name, err))
			return nil
		}
		ru := ad.judge(g, err)
		ru.File = name
		ad.counts.games++
		ad.counts.mistakes += len(ru.Mistakes)
		if ru.Error != nil {
			ad.counts.errors++
		}
		if ru.contradicted() {
			ad.counts.decided++
		}
		if err := errors.Join(ad.write(ru), ad.out.Flush()); err != nil {
			return err
		}
	}
}

// unread reports a file that could not be read.
func (ad *adjudicator) unread(err error) {
	ad.say("%v", err)
	ad.counts.unread++
}

// sum says on standard error what there was, and returns the outcome of the run.
func (ad *adjudicator) sum() error {
	c := ad.counts
	if ad.broken != nil {
		ad.say("%v", ad.broken)
	}
	text := count(c.games, "game", "games")
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{c.mistakes, "move that threw something away", "moves that threw something away"},
		{c.decided, "result that cannot be", "results that cannot be"},
		{c.errors, "game not judged to its end", "games not judged to their end"},
		{c.unread, "file not read", "files not read"},
	} {
		if part.n > 0 {
			text += ", " + count(part.n, part.one, part.many)
		}
	}
	ad.say("%s", text)
	for _, v := range draughts.Variants() {
		if absent := ad.absent[v.Name]; len(absent) > 0 {
			ad.say("not judged for want of tables: %s", absentTables(v.Name, absent))
		}
	}
	switch {
	case c.errors > 0 || c.unread > 0 || ad.broken != nil:
		return saidError{errors.New("not all games were judged")}
	case c.decided > 0:
		return &negativeError{fmt.Errorf("%s not what the game decided", count(c.decided, "result is", "results are"))}
	}
	return nil
}

// absentTables names tables that are not stored, and the command that makes those
// that are made in no time.
func absentTables(variant string, absent map[string]bool) string {
	const (
		shown = 6
		quick = 4 // pieces whose tables are made in less than a minute
	)
	var names []string
	for name := range absent {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	pieces := 0
	for _, name := range names {
		if n := len(name) - 1; n <= quick {
			pieces = n
		}
	}
	text := variant + " " + strings.Join(names[:min(shown, len(names))], " ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if pieces == 0 {
		return text
	}
	return fmt.Sprintf("%s; make those of up to %d pieces with: threekings generate --variant %s --pieces %d", text, pieces, variant, pieces)
}

func (ad *adjudicator) writeJSON(ru *ruling) error {
	e := json.NewEncoder(ad.out)
	e.SetEscapeHTML(false)
	return e.Encode(ru)
}

// writeText writes a ruling for reading.
func (ad *adjudicator) writeText(ru *ruling) error {
	title := fmt.Sprintf("Game %d, line %d", ru.Game, ru.Line)
	if ad.files > 1 {
		title = plain(ru.File) + ": " + title
	}
	if ru.White != "" || ru.Black != "" {
		title += fmt.Sprintf(": %s - %s", orUnknown(ru.White), orUnknown(ru.Black))
	}
	fmt.Fprintf(ad.out, "%s (%s, rules %s, %s)\n", title, ru.Variant, ru.Profile, count(ru.Plies, "ply", "plies"))
	for _, e := range ru.Rules {
		at := "in the first position"
		if e.Move != "" {
			at = "after " + e.Move
		}
		text := "draw"
		if e.Effect == mayBeClaimed {
			text = "a draw may be claimed"
		}
		source := ""
		if e.Source != "" {
			source = " (" + e.Source + ")"
		}
		fmt.Fprintf(ad.out, "  %s: %s: %s%s%s\n", at, text, e.words(), source, e.playedOn(ru.Plies))
	}
	for _, m := range ru.Mistakes {
		fmt.Fprintf(ad.out, "  %s threw away a %s: %s\n", m.Move, m.thrown, m.words())
	}
	if ru.Final != nil {
		fmt.Fprintf(ad.out, "  the end: %s; %s\n", ru.Final.words(), ru.stated())
	}
	if ru.Error != nil {
		where := ""
		if ad.files > 1 {
			where = plain(ru.File) + ": "
		}
		fmt.Fprintf(ad.out, "  not judged further: %s\n", ru.Error.Message)
		ad.say("%s%s", where, ru.Error.Message)
	}
	return nil
}

func orUnknown(name string) string {
	if name == "" {
		return "?"
	}
	return plain(name)
}
