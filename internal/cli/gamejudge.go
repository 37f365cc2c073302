package cli

import (
	"errors"
	"fmt"
	"slices"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/tables"
)

// judge judges a game. trouble is why it was not read to its end.
func (ad *adjudicator) judge(g *draughts.Game, trouble error) *ruling {
	ru := &ruling{
		Game: g.Number, Line: g.Line, Variant: g.Variant.Name,
		Event: g.Tag("Event"), White: g.Tag("White"), Black: g.Tag("Black"), Plies: len(g.Main.Moves),
		Rules: []ruleRuling{}, Mistakes: []mistake{}, Stated: resultWord(g.Score()),
	}
	profile, err := g.Variant.Profile(ad.profile)
	if err != nil {
		ru.Profile, ru.Error = ad.profile, troubleOf(fmt.Errorf("game %d, line %d: %w", g.Number, g.Line, err))
		return ru
	}
	ru.Profile = profile.Name
	j := gameJudge{ad: ad, game: g, profile: profile, ruling: ru}
	j.replay()
	if trouble != nil {
		ru.Error = troubleOf(trouble)
		return ru
	}
	j.final()
	return ru
}

// gameJudge judges one game.
type gameJudge struct {
	*ruling
	ad      *adjudicator
	game    *draughts.Game
	profile *draughts.Profile
	counter *draughts.Counter
	behind  *draughts.Counter // a ply behind counter
	over    bool              // an automatic rule has ended the game
	ruled   bool              // verdicts are known of some tables
	last    worthOf
}

// worthOf is what a position is worth for its side to move, as far as it is
// known.
type worthOf struct {
	known   bool
	outcome tables.Outcome // without draw rules
	dtw     tables.Plies
	verdict probe.Verdict // under them
}

// result returns the outcome under the draw rules, or without them if no verdict
// is known.
func (w worthOf) result() tables.Outcome {
	if w.verdict == probe.NoVerdict {
		return w.outcome
	}
	return w.verdict.Outcome()
}

// reversed returns the worth for the other side, one ply earlier.
func (w worthOf) reversed() worthOf {
	w.outcome = w.outcome.Reverse()
	if w.dtw != tables.NoPlies {
		w.dtw++
	}
	w.verdict = map[probe.Verdict]probe.Verdict{
		probe.VerdictWin: probe.VerdictLoss, probe.VerdictRuleDraw: probe.VerdictRuleSaved, probe.VerdictDraw: probe.VerdictDraw,
		probe.VerdictRuleSaved: probe.VerdictRuleDraw, probe.VerdictLoss: probe.VerdictWin,
	}[w.verdict]
	return w
}

// ended returns the worth after a rule has ended the game.
func (w worthOf) ended() worthOf {
	switch w.outcome {
	case tables.Win:
		w.verdict = probe.VerdictRuleDraw
	case tables.Loss:
		w.verdict = probe.VerdictRuleSaved
	default:
		w.verdict = probe.VerdictDraw
	}
	return w
}

// replay plays the game and notes rules and mistakes on the way, until a rule
// ends it.
func (j *gameJudge) replay() {
	v, start := j.game.Variant, j.game.Start
	j.counter = draughts.NewCounter(v, j.profile, start.Position, start.Count)
	j.behind = draughts.NewCounter(v, j.profile, start.Position, start.Count)
	j.ruled = j.ad.hasResets(v, j.profile)
	j.note(j.counter.Effects(), "")
	j.last = j.worth(start.Position)
	for i, m := range j.game.Main.Moves {
		if j.over {
			return
		}
		text := ""
		name := func() string {
			if text == "" {
				text = plyName(v, start, i) + " " + v.MoveText(j.behind.Position(), m.Move)
			}
			return text
		}
		effects := j.counter.Play(m.Move)
		if len(effects) > 0 {
			j.note(effects, name())
		}
		was, now := j.last, j.worth(m.Position)
		if was.known && now.known {
			j.compare(was, now.reversed(), m.Move, name)
		} else {
			j.Unjudged++
		}
		j.last = now
		j.behind.Play(m.Move)
	}
}

// compare looks whether a move threw something away, by the worth before it and
// after it for the side that made it: by the verdicts, or where one of them is
// unknown by the outcomes. A game that a rule ends is a draw.
func (j *gameJudge) compare(was, got worthOf, played draughts.Move, name func() string) {
	switch {
	case j.over:
		got = got.ended()
	case was.verdict == probe.NoVerdict || got.verdict == probe.NoVerdict:
		was.verdict, got.verdict = probe.NoVerdict, probe.NoVerdict
	}
	if rankOf(got.result()) >= rankOf(was.result()) {
		return
	}
	// The tables leave aside how often a position has occurred, and without verdicts
	// the limit too. What could be kept is what some other move keeps.
	kept, better := j.better(was, played)
	if rankOf(got.result()) < rankOf(kept) {
		j.mistake(name(), was, got, kept, better)
	}
}

// rankOf is larger for better outcomes.
func rankOf(o tables.Outcome) int {
	switch o {
	case tables.Win:
		return 2
	case tables.Draw:
		return 1
	default:
		return 0
	}
}

// plyName returns the number of ply i of a game, as it is written before a move.
func plyName(v *draughts.Variant, start draughts.Setup, i int) string {
	first := v.FirstMover
	if start.Position == v.Initial().WithSide(first.Opponent()) {
		first = first.Opponent()
	}
	number := 1
	if start.HasFullMove {
		number = max(start.FullMove, 1)
	}
	if start.Position.Side() != first {
		i++
	}
	if i%2 == 1 {
		return fmt.Sprintf("%d...", number+i/2)
	}
	return fmt.Sprintf("%d.", number+i/2)
}

// ends reports whether a rule in effect ends the game.
func ends(e draughts.RuleEffect) bool { return !e.OnClaim }

// note keeps the rules in effect. One that may be claimed again and again is
// kept once.
func (j *gameJudge) note(effects []draughts.RuleEffect, move string) {
	for _, e := range effects {
		r := ruleRuling{
			Ply: e.Ply, Move: move, Kind: e.Kind.String(), Rule: e.Rule, Source: e.Source, Effect: isDraw,
			LastPly: e.Ply, Count: j.counter.Count(),
		}
		switch e.Kind {
		case draughts.RepetitionRule:
			r.Count = j.counter.Occurrences()
		case draughts.ExtraRuleKind, draughts.EndedRule:
			r.Count = 0
		case draughts.LimitRule:
		}
		if ends(e) {
			j.over = true
		} else {
			r.Effect = mayBeClaimed
			if j.goesOn(r) {
				continue
			}
		}
		j.Rules = append(j.Rules, r)
	}
}

// goesOn reports whether the same rule could be claimed a ply before, and if so
// extends that entry.
func (j *gameJudge) goesOn(r ruleRuling) bool {
	for i := range j.Rules {
		if old := &j.Rules[i]; old.Kind == r.Kind && old.Rule == r.Rule && old.Effect == r.Effect && old.LastPly == r.Ply-1 {
			old.LastPly = r.Ply
			return true
		}
	}
	return false
}

// worth looks up the position that the counter has reached.
func (j *gameJudge) worth(pos draughts.Position) worthOf {
	v := j.game.Variant
	if pos.Len() > tables.MaxPieces {
		return worthOf{}
	}
	var w worthOf
	var err error
	if j.ruled {
		var r probe.Ruling
		w.outcome, w.dtw, r, err = j.ad.prober.Judge(v, pos, probe.Rules{Profile: j.profile, Count: j.counter.Count()})
		w.verdict = r.Verdict
		if err == nil && r.Err != nil && !errors.Is(r.Err, tables.ErrMissing) {
			j.ad.notJudged(v, pos, r.Err)
		}
	} else {
		w.outcome, w.dtw, err = answer.Value(j.ad.prober, v, pos)
	}
	if err != nil {
		j.ad.notJudged(v, pos, err)
		return worthOf{}
	}
	w.known = true
	return w
}

// hasResets reports whether any distances to reset under the profile are stored.
func (ad *adjudicator) hasResets(v *draughts.Variant, p *draughts.Profile) bool {
	key := v.Name + " " + string(tables.DTR(p.Name))
	known, ok := ad.resets[key]
	if !ok {
		for _, m := range ad.manifests(v) {
			known = known || m.Metric == tables.DTR(p.Name)
		}
		ad.resets[key] = known
	}
	return known
}

// notJudged keeps why a position has no value.
func (ad *adjudicator) notJudged(v *draughts.Variant, pos draughts.Position, err error) {
	if !errors.Is(err, tables.ErrMissing) {
		if ad.broken == nil {
			ad.broken = fmt.Errorf("%s: %w", v.FEN(pos), err)
		}
		return
	}
	if ad.absent[v.Name] == nil {
		ad.absent[v.Name] = map[string]bool{}
	}
	name := ""
	if missing := (*tables.MissingError)(nil); errors.As(err, &missing) {
		name = missing.Key.Material.String()
	} else if m, ok := tables.MaterialOf(pos); ok {
		table, _ := m.Table()
		name = table.String()
	}
	ad.absent[v.Name][name] = true
}

// better returns the best result that a move other than the one played would have
// kept of what the position before it was worth, and all moves that would. If no
// move is known to keep anything, that is a loss.
func (j *gameJudge) better(was worthOf, played draughts.Move) (kept tables.Outcome, list []betterMove) {
	v, before := j.game.Variant, j.behind.Position()
	under := was.verdict != probe.NoVerdict
	var r probe.Result
	var err error
	if under {
		r, err = j.ad.prober.ProbeUnder(v, before, probe.Rules{Profile: j.profile, Count: j.behind.Count()})
	} else {
		r, err = j.ad.prober.Probe(v, before)
	}
	kept = tables.Loss
	unknown := err != nil
	for i, move := range answer.Of(v, draughts.Setup{Position: before}, r).Moves {
		m := &r.Moves[i]
		if m.Move == played {
			continue
		}
		w := worthOf{outcome: m.Outcome}
		if under {
			w.verdict = m.Ruling.Verdict
		}
		if m.Err != nil || under && w.verdict == probe.NoVerdict {
			unknown = true
			continue
		}
		if slices.ContainsFunc(j.behind.After(m.Move), ends) {
			w = w.ended()
		}
		list = append(list, betterMove{Move: move, verdict: knownVerdict(w.verdict), result: w.result()})
		if rankOf(w.result()) > rankOf(kept) {
			kept = w.result()
		}
	}
	if unknown && !j.over {
		kept = was.result() // by one of those
	}
	return kept, slices.DeleteFunc(list, func(b betterMove) bool { return rankOf(b.result) < rankOf(kept) })
}

// mistake keeps a move that threw something away.
func (j *gameJudge) mistake(move string, was, got worthOf, kept tables.Outcome, better []betterMove) {
	before, count := j.behind.Position(), j.behind.Count()
	m := mistake{
		Ply: j.counter.Ply(), Move: move, Side: before.Side().String(), FEN: j.game.Variant.FEN(before),
		From: was.outcome.String(), FromDTW: knownPlies(was.dtw), To: got.outcome.String(), ToDTW: knownPlies(got.dtw),
		FromVerdict: knownVerdict(was.verdict), ToVerdict: knownVerdict(got.verdict),
		Better: append([]betterMove{}, better...), thrown: kept,
	}
	if was.verdict != probe.NoVerdict {
		m.Count = &count
	}
	j.Mistakes = append(j.Mistakes, m)
}

func knownVerdict(d probe.Verdict) *string {
	if d == probe.NoVerdict {
		return nil
	}
	return new(d.String())
}

func knownPlies(d tables.Plies) *tables.Plies {
	if d == tables.NoPlies {
		return nil
	}
	return &d
}

// final judges the last position against what the game states.
func (j *gameJudge) final() {
	v, pos := j.game.Variant, j.counter.Position()
	f := &finalRuling{FEN: v.FEN(pos), Count: j.counter.Count()}
	j.Final = f
	if limit, ok := j.counter.Limit(); ok {
		f.Limit = &limit
	}
	for _, e := range j.Rules {
		f.Claim = f.Claim || e.Effect == mayBeClaimed && e.LastPly == j.counter.Ply()
	}
	decide := func(o tables.Outcome, by string) {
		f.Result, f.By = new(resultWord(resultOf(pos.Side(), o))), &by
	}
	switch {
	case j.counter.Over():
		decide(tables.Loss, byBoard)
		f.DTW = new(tables.Plies(0))
	case j.over:
		decide(tables.Draw, byRule)
	case j.last.known:
		decide(j.last.result(), byTables)
		f.DTW, f.Verdict = knownPlies(j.last.dtw), knownVerdict(j.last.verdict)
	default:
		return
	}
	if j.game.Score() != draughts.NoResult {
		j.Agrees = new(*f.Result == j.Stated)
	}
}
