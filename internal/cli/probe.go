package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

// defaultAutoPositions is how many positions probe makes at most without being
// asked. It lets any International position of up to four pieces be answered:
// all those tables have 42.8 million, which takes some 20 seconds on two
// processors, and one position needs a part of them.
const defaultAutoPositions = 45_000_000

func (a *app) probeCommand() *cobra.Command {
	var variant variantFlag
	pr := prober{app: a}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "probe [FEN...]",
		Short: "Answer positions: who wins, how fast, by which moves",
		Long: `Answers positions: who wins with best play, in how many plies, and what every
legal move is worth, best first. Positions are arguments, or one a line on
standard input; there is one answer for each, in order.

With a count of plies, from --count or :H in the FEN, positions are also judged under
the variant's draw rules, or those that --profile names: whether the win comes in
time, how far it is to the next move that restarts the count, and the best verdict
first. Repetition, and rules that no table can express, are left out; which ones is
said. Where there is no verdict, since distances to reset are missing, the rest is
answered; if --count or --profile was given, the exit code is 2.

Tables that are missing are made on the way if all that must be made is at most
--auto-positions positions.`,
		Example: `  threekings probe "W:W23:B5,6"
  threekings probe --count 20 "W:WK1,K2,7:BK50"
  threekings probe --variant russian --json < positions.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			pr.variant = variant.Variant
			pr.write = pr.writeText
			if asJSON {
				pr.write = pr.writeJSON
			}
			return pr.run(cmd.Context(), args)
		},
	}
	addVariant(cmd, &variant)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line for each position")
	pr.addFlags(cmd)
	pr.judging.addFlags(cmd)
	return cmd
}

// addFlags defines the flags of all commands that answer positions.
func (pr *prober) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Uint64Var(&pr.auto, "auto-positions", defaultAutoPositions, "make missing tables if they have at most this many positions")
	flags.Var(&pr.cache, "cache", "memory for blocks of tables, such as 512MB (default 64MiB)")
	flags.BoolVar(&pr.noGenerate, "no-generate", false, "never make missing tables")
	flags.StringVar(&pr.packName, "pack", "", "answer from this pack instead of the stored tables, and make none")
}

// prober answers one position after the other.
type prober struct {
	*app
	variant    *draughts.Variant
	auto       uint64
	noGenerate bool
	cache      sizeFlag
	write      func(given) error
	judging    judging

	packName string       // no pack if it is empty
	pack     *store.Pack  // nil if there is none
	store    *store.Store // nil while nothing is stored
	prober   *probe.Prober
}

// given is what came of one position.
type given struct {
	input  string
	setup  draughts.Setup
	parsed bool // setup means something
	result probe.Result
	err    error
	// unjudged is why there is no verdict, if one was asked for in so many words. All
	// else that is known is in result.
	unjudged error
}

func (pr *prober) run(ctx context.Context, args []string) (err error) {
	if err := pr.judging.open(pr.variant); err != nil {
		return err
	}
	if err := pr.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pr.close()) }()
	bad := 0
	for fen, err := range pr.inputs(ctx, args) {
		if err != nil {
			return err
		}
		ans := pr.answer(ctx, fen)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if ans.err != nil || ans.unjudged != nil {
			bad++
		}
		if err := errors.Join(pr.write(ans), pr.out.Flush()); err != nil {
			return err
		}
	}
	return withoutAnswer(bad)
}

// open opens the pack, or what is stored, for reading.
func (pr *prober) open() (err error) {
	if pr.packName != "" {
		if pr.pack, err = store.OpenPack(pr.packName); err != nil {
			return err
		}
		pr.prober = probe.Open(pr.pack, probe.Options{CacheBytes: pr.cacheBytes()})
		return nil
	}
	if pr.store, err = pr.openRead(); err != nil {
		return err
	}
	var src tables.Source = noTables{}
	if pr.store != nil {
		src = pr.store
	}
	pr.prober = probe.Open(src, probe.Options{CacheBytes: pr.cacheBytes()})
	return nil
}

func (pr *prober) close() (err error) {
	if pr.store != nil {
		err = errors.Join(err, pr.store.Close())
	}
	if pr.pack != nil {
		err = errors.Join(err, pr.pack.Close())
	}
	return err
}

// cacheBytes is the prober's budget: for it 0 is the usual, and below 0 nothing.
func (pr *prober) cacheBytes() int64 {
	if pr.cache.given && pr.cache.bytes == 0 {
		return -1
	}
	return int64(pr.cache.bytes)
}

func (pr *prober) source() tables.Source {
	if pr.store == nil {
		return noTables{}
	}
	return pr.store
}

func (pr *prober) answer(ctx context.Context, fen string) given {
	ans := given{input: fen}
	if ans.setup, ans.err = pr.variant.ParseFEN(fen); ans.err != nil {
		return ans
	}
	ans.parsed = true
	pos := ans.setup.Position
	rules, judged, err := pr.judging.rules(ans.setup)
	if err != nil {
		ans.err = err
		return ans
	}
	ask := func() {
		if judged {
			ans.result, ans.err = pr.prober.ProbeUnder(pr.variant, pos, rules)
		} else {
			ans.result, ans.err = pr.prober.Probe(pr.variant, pos)
		}
	}
	ask()
	if lacks(ans.result, ans.err) && pr.pack == nil {
		var making bool
		making, err = pr.complete(ctx, pos, judged, ans.err == nil)
		switch {
		case err == nil:
			ask()
		case making || ans.err != nil:
			ans.err = err
			return ans
		}
	}
	if r := ans.result.Ruling; ans.err == nil && r != nil && r.Err != nil && pr.judging.asked() {
		if err != nil && errors.Is(r.Err, tables.ErrMissing) {
			r.Err = err // it names the command that makes what is missing
		}
		ans.unjudged = r.Err
	}
	return ans
}

// complete makes the tables that are missing of what answers a position. It
// reports whether it came to making any; if they may not be made, the error is a
// [*refusedError]: where the outcome is known, of what the verdict lacks.
func (pr *prober) complete(ctx context.Context, pos draughts.Position, judged, known bool) (making bool, err error) {
	metrics := pr.judging.metrics(judged)
	if pr.noGenerate && judged && known {
		metrics = metrics[len(allMetrics):]
	}
	p, err := newPlan(pr.source(), pr.variant, needed(pr.variant, pos), metrics)
	if err == nil && judged && !pr.judging.asked() && (pr.noGenerate || p.positions > pr.auto) {
		// Better no verdict than no answer.
		p, err = newPlan(pr.source(), pr.variant, needed(pr.variant, pos), allMetrics)
	}
	switch {
	case err != nil:
		return false, err
	case len(p.make) == 0: // another process was faster, or only verdicts are missing
		return false, nil
	case pr.noGenerate, p.positions > pr.auto:
		return false, pr.refusal(pos, p)
	}
	return true, pr.makeMissing(ctx, p)
}

// lacks reports whether a missing table keeps an answer from being complete.
func lacks(r probe.Result, err error) bool {
	if err != nil {
		return errors.Is(err, tables.ErrMissing)
	}
	if r.Ruling != nil && errors.Is(r.Ruling.Err, tables.ErrMissing) {
		return true
	}
	for _, m := range r.Moves {
		if errors.Is(m.Err, tables.ErrMissing) || r.Ruling != nil && errors.Is(m.Ruling.Err, tables.ErrMissing) {
			return true
		}
	}
	return false
}

// needed returns the materials whose tables, with what they depend on, answer a
// position and all its moves. If captures are pending its own is not needed.
func needed(v *draughts.Variant, p draughts.Position) []tables.Material {
	m, ok := tables.MaterialOf(p)
	if !ok || v.Ended(p) {
		return nil
	}
	captures := v.Captures(p, nil)
	if len(captures) == 0 {
		return []tables.Material{m}
	}
	var list []tables.Material
	for _, c := range captures {
		list = append(list, needed(v, p.Play(c))...)
	}
	return list
}

// refusal is the error for tables that are not made: it says which command makes
// them.
func (pr *prober) refusal(p draughts.Position, missing *plan) error {
	var wanted []string
	for _, m := range needed(pr.variant, p) {
		if table, _ := m.Table(); len(missing.missing(table)) > 0 {
			wanted = append(wanted, "--material "+table.String())
		}
	}
	if len(wanted) == 0 { // only what they depend on
		for _, m := range missing.materials() {
			wanted = append(wanted, "--material "+m.String())
		}
	}
	command := fmt.Sprintf("threekings generate --variant %s %s", pr.variant.Name, strings.Join(unique(wanted), " "))
	if profile := missing.onlyResets(); profile != "" {
		command += " --metric dtr --profile " + profile
	} else if profile := missing.profile(); profile != "" {
		command += " --metric outcome,dtw,dtr --profile " + profile
	}
	if pr.dir != "" {
		command += " --db " + shellQuote(pr.dir)
	}
	return &refusedError{command: command, missing: missing, limit: pr.auto, refused: pr.noGenerate}
}

// refusedError is a missing table that was not made on the way.
type refusedError struct {
	command string
	missing *plan
	limit   uint64
	refused bool // by --no-generate
}

func (e *refusedError) Error() string {
	list := e.missing.materials()
	text := fmt.Sprintf("missing table: %s %s is not stored", e.missing.variant.Name, list[len(list)-1])
	if profile := e.missing.onlyResets(); profile != "" {
		text = fmt.Sprintf("missing table: %s %s has no %s", e.missing.variant.Name, list[len(list)-1], tables.DTR(profile))
	}
	switch more := len(list) - 1; more {
	case 0:
	case 1:
		text += ", nor is 1 other that it needs"
	default:
		text += fmt.Sprintf(", nor are %d others that it needs", more)
	}
	if e.refused {
		return fmt.Sprintf("%s; make it (%d positions) with: %s", text, e.missing.positions, e.command)
	}
	return fmt.Sprintf("%s; %d positions are more than --auto-positions %d; make it with: %s",
		text, e.missing.positions, e.limit, e.command)
}

// Is makes errors.Is(err, tables.ErrMissing) true.
func (e *refusedError) Is(target error) bool { return target == tables.ErrMissing }

// makeMissing makes what is missing, after one line that says so.
func (pr *prober) makeMissing(ctx context.Context, p *plan) (err error) {
	dir, err := pr.tableDir()
	if err != nil {
		return err
	}
	if err := pr.checkSpace(p); err != nil {
		return err
	}
	pr.say("making %s (%d positions) in %s", count(len(p.make), "missing table", "missing tables"), p.positions, dir)
	w, err := pr.openWrite(ctx, 0, true)
	if err != nil {
		return err
	}
	// Another process may have made them meanwhile.
	p, err = newPlan(w, p.variant, p.materials(), p.metrics)
	if err == nil && len(p.make) > 0 {
		_, err = pr.produce(ctx, w, p, usualMaking())
	}
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	if pr.store == nil {
		return pr.open()
	}
	return nil
}

func unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// shellQuote quotes a path for the command line if it must be.
func shellQuote(path string) string {
	if !strings.ContainsAny(path, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// writeText writes an answer for reading.
func (pr *prober) writeText(ans given) error {
	if ans.err != nil {
		pr.say("%s: %v", shorten(ans.input), ans.err)
		return nil //nolint:nilerr // it has been reported, and counts in run
	}
	v, p, r := pr.variant, ans.setup.Position, ans.result
	fmt.Fprintf(pr.out, "%s\n\n%s\n", v.SetupFEN(ans.setup), boardText(v, p))
	fmt.Fprintf(pr.out, "%s\n", pr.paint(outcomeColour(r.Outcome), verdict(v, p, r.Outcome, r.DTW)))
	if r.Ruling != nil {
		fmt.Fprintf(pr.out, "%s\n", pr.paint(outcomeColour(r.Ruling.Verdict.Outcome()), rulingText(r.Rules.Profile, r.Ruling)))
		pr.writeLeftOut(r.Rules.Profile)
	}
	fmt.Fprintln(pr.out)
	texts := answer.MoveTexts(v, p, r)
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	for i, m := range r.Moves {
		value := "unknown: "
		if m.Err == nil {
			value = pr.paint(outcomeColour(m.Outcome), worth(m.Outcome, m.DTW))
			if r.Ruling != nil {
				value += "; " + pr.paint(outcomeColour(m.Ruling.Verdict.Outcome()), moveRuling(&m.Ruling))
			}
		} else {
			value += m.Err.Error()
		}
		fmt.Fprintf(pr.out, "  %-*s  %s\n", longest, texts[i], value)
	}
	if len(r.Moves) > 0 {
		fmt.Fprintln(pr.out)
	}
	if ans.unjudged != nil {
		pr.say("%s: no verdict: %v", shorten(ans.input), ans.unjudged)
	}
	return nil
}

// writeJSON writes an answer as one object on one line.
func (pr *prober) writeJSON(ans given) error {
	var j answer.Answer
	switch {
	case ans.err == nil:
		j = answer.Of(pr.variant, ans.setup, ans.result)
		if ans.unjudged != nil {
			j.Error = answer.ErrorOf(ans.unjudged)
		}
	case ans.parsed:
		j = answer.Unanswered(pr.variant, &ans.setup, answer.ErrorOf(ans.err))
	default:
		j = answer.Unanswered(pr.variant, nil, answer.ErrorOf(ans.err))
	}
	e := json.NewEncoder(pr.out)
	e.SetEscapeHTML(false)
	return e.Encode(j)
}
