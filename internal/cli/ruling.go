package cli

import (
	"errors"
	"fmt"
	"strings"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/tables"
)

// ruling is what is to be said of a game. docs/formats.md has its JSON in words.
type ruling struct {
	File     string         `json:"file"`
	Game     int            `json:"game"`
	Line     int            `json:"line"`
	Variant  string         `json:"variant"`
	Profile  string         `json:"profile"`
	Event    string         `json:"event"`
	White    string         `json:"white"`
	Black    string         `json:"black"`
	Plies    int            `json:"plies"`
	Rules    []ruleRuling   `json:"rules"`
	Mistakes []mistake      `json:"mistakes"`
	Final    *finalRuling   `json:"final"`
	Stated   string         `json:"stated"`
	Agrees   *bool          `json:"agrees"`
	Unjudged int            `json:"unjudged"`
	Error    *rulingTrouble `json:"error"`
}

// ruleRuling is a draw rule in effect.
type ruleRuling struct {
	Ply    int    `json:"ply"`
	Move   string `json:"move"`
	Kind   string `json:"kind"`
	Rule   string `json:"rule"`
	Source string `json:"source"`
	Effect string `json:"effect"`
	// LastPly is the last ply after which it could be claimed.
	LastPly int `json:"last_ply"`
	Count   int `json:"count"`
}

// The effects of rules.
const (
	isDraw       = "draw"
	mayBeClaimed = "may_be_claimed"
)

// mistake is a move that threw something away.
type mistake struct {
	Ply     int           `json:"ply"`
	Move    string        `json:"move"`
	Side    string        `json:"side"`
	FEN     string        `json:"fen"`
	From    string        `json:"from"`
	FromDTW *tables.Plies `json:"from_dtw"`
	To      string        `json:"to"`
	ToDTW   *tables.Plies `json:"to_dtw"`
	// Count and the verdicts are those under the draw rules; null if unknown.
	Count       *int          `json:"count"`
	FromVerdict *string       `json:"from_verdict"`
	ToVerdict   *string       `json:"to_verdict"`
	Better      []answer.Move `json:"better"`
}

// finalRuling is what the last position is worth.
type finalRuling struct {
	FEN    string        `json:"fen"`
	Count  int           `json:"count"`
	Limit  *int          `json:"limit"`
	Result *string       `json:"result"`
	By     *string       `json:"by"`
	DTW    *tables.Plies `json:"dtw"`
	// Verdict is that under the draw rules, null if unknown.
	Verdict *string `json:"verdict"`
	Claim   bool    `json:"may_be_claimed"`
}

// What decides a last position.
const (
	byBoard  = "board"
	byRule   = "rule"
	byTables = "tables"
)

// rulingTrouble is why a game was not read to its end.
type rulingTrouble struct {
	Code    string `json:"code"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// badPDN is the code of errors in games, beside those of package answer.
const (
	badPDN         = "bad_pdn"
	illegalMove    = "illegal_move"
	unknownProfile = "unknown_profile"
)

func troubleOf(err error) *rulingTrouble {
	t := &rulingTrouble{Code: badPDN, Message: err.Error()}
	if at := (*draughts.PDNError)(nil); errors.As(err, &at) {
		t.Line, t.Column = at.Line, at.Column
	}
	switch {
	case errors.Is(err, draughts.ErrUnknownProfile):
		t.Code = unknownProfile
	case errors.Is(err, draughts.ErrIllegalMove), errors.Is(err, draughts.ErrAmbiguousMove), errors.Is(err, draughts.ErrMoveText):
		t.Code = illegalMove
	case errors.Is(err, draughts.ErrFEN), errors.Is(err, draughts.ErrIllegalPosition):
		t.Code = answer.Code(err)
	}
	return t
}

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
	over    bool // an automatic rule has ended the game
	ruled   bool // verdicts are known of some tables
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
	v := j.game.Variant
	j.counter = draughts.NewCounter(v, j.profile, j.game.Start.Position, j.game.Start.Count)
	j.ruled = j.ad.hasResets(v, j.profile)
	j.note(j.counter.Effects(), "")
	j.last = j.worth(j.game.Start.Position)
	for i, m := range j.game.Main.Moves {
		if j.over {
			return
		}
		before, count, text := j.counter.Position(), j.counter.Count(), ""
		name := func() string {
			if text == "" {
				text = plyName(v, j.game.Start, i) + " " + v.MoveText(before, m.Move)
			}
			return text
		}
		effects := j.counter.Play(m.Move)
		if len(effects) > 0 {
			j.note(effects, name())
		}
		was, now := j.last, j.worth(m.Position)
		if was.known && now.known {
			got := now.reversed()
			if j.over {
				got = got.ended()
			}
			if rankOf(got.result()) < rankOf(was.result()) {
				j.mistake(before, count, name(), was, got)
			}
		} else {
			j.Unjudged++
		}
		j.last = now
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
		if e.OnClaim {
			r.Effect = mayBeClaimed
			if j.goesOn(r) {
				continue
			}
		} else {
			j.over = true
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
		w.dtw, err = j.ad.prober.Distance(v, pos)
		w.outcome = w.dtw.Outcome()
		if errors.Is(err, tables.ErrMissing) {
			w.outcome, err = j.ad.prober.Outcome(v, pos)
			w.dtw = tables.NoPlies
		}
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

// mistake keeps a move that threw something away, with those that would have
// kept it.
func (j *gameJudge) mistake(before draughts.Position, count int, move string, was, got worthOf) {
	v := j.game.Variant
	m := mistake{
		Ply: j.counter.Ply(), Move: move, Side: before.Side().String(), FEN: v.FEN(before),
		From: was.outcome.String(), FromDTW: knownPlies(was.dtw), To: got.outcome.String(), ToDTW: knownPlies(got.dtw),
		FromVerdict: knownVerdict(was.verdict), ToVerdict: knownVerdict(got.verdict),
		Better: []answer.Move{},
	}
	var r probe.Result
	var err error
	if was.verdict != probe.NoVerdict {
		m.Count = &count
		r, err = j.ad.prober.ProbeUnder(v, before, probe.Rules{Profile: j.profile, Count: count})
	} else {
		r, err = j.ad.prober.Probe(v, before)
	}
	if err == nil {
		for i, better := range answer.Of(v, draughts.Setup{Position: before}, r).Moves {
			known := r.Moves[i]
			if known.Err == nil && (was.verdict != probe.NoVerdict && known.Ruling.Verdict == was.verdict ||
				was.verdict == probe.NoVerdict && known.Outcome == was.outcome) {
				m.Better = append(m.Better, better)
			}
		}
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

// resultOf is the result of a game whose side to move has an outcome.
func resultOf(side draughts.Color, o tables.Outcome) draughts.GameResult {
	switch {
	case o == tables.Draw:
		return draughts.GameDrawn
	case (o == tables.Win) == (side == draughts.White):
		return draughts.WhiteWins
	default:
		return draughts.BlackWins
	}
}

// resultWord is a result's stable name.
func resultWord(r draughts.GameResult) string {
	return strings.ReplaceAll(r.String(), " ", "_")
}

// contradicted reports whether the game states something else than what its
// last position or a rule has decided. What the tables say is no contradiction:
// players may resign and agree.
func (ru *ruling) contradicted() bool {
	return ru.Agrees != nil && !*ru.Agrees && *ru.Final.By != byTables
}

// words says what a rule is about.
func (e *ruleRuling) words() string {
	switch e.Kind {
	case draughts.RepetitionRule.String():
		return fmt.Sprintf("the position occurs %s", times(e.Count))
	case draughts.LimitRule.String():
		return fmt.Sprintf("%s, %s counted", e.Rule, count(e.Count, "ply", "plies"))
	default:
		return e.Rule
	}
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

// playedOn says how long play went on although the game was over, or the draw
// could be claimed.
func (e *ruleRuling) playedOn(plies int) string {
	switch {
	case e.Effect == mayBeClaimed && e.LastPly > e.Ply:
		return fmt.Sprintf(", up to ply %d", e.LastPly)
	case e.Effect == isDraw && plies > e.Ply:
		return fmt.Sprintf("; what was played on, %s, does not count", count(plies-e.Ply, "ply", "plies"))
	}
	return ""
}

// thrown says what a mistake threw away.
func (m *mistake) thrown() string {
	if m.FromVerdict != nil {
		return resultUnder(*m.FromVerdict)
	}
	return m.From
}

// resultUnder is the outcome that a verdict stands for, in words.
func resultUnder(verdict string) string {
	switch verdict {
	case probe.VerdictWin.String(), probe.VerdictLoss.String():
		return verdict
	default:
		return tables.Draw.String()
	}
}

// words says what a mistake led to and what would have been better.
func (m *mistake) words() string {
	value := func(outcome string, dtw *tables.Plies) string {
		if dtw == nil {
			return outcome
		}
		return fmt.Sprintf("%s in %s", outcome, count(int(*dtw), "ply", "plies"))
	}
	text := value(m.To, m.ToDTW)
	switch {
	case m.ToVerdict == nil:
	case *m.ToVerdict == probe.VerdictRuleDraw.String():
		text += ", but a draw by rule"
	case *m.ToVerdict == probe.VerdictRuleSaved.String():
		text += ", but saved by rule"
	}
	if len(m.Better) == 0 {
		return text
	}
	const shown = 3
	var better []string
	for _, b := range m.Better[:min(shown, len(m.Better))] {
		better = append(better, b.Move+" ("+value(*b.Outcome, b.DTW)+")")
	}
	text += "; better " + strings.Join(better, ", ")
	if more := len(m.Better) - shown; more > 0 {
		text += fmt.Sprintf(" or %d more", more)
	}
	return text
}

// words says what the last position is worth and why.
func (f *finalRuling) words() string {
	text := "not in the tables"
	if f.Result != nil {
		result := strings.ReplaceAll(*f.Result, "_", " ")
		switch *f.By {
		case byBoard:
			text = result + ", the other side cannot move"
		case byRule:
			text = result + " by the rules"
		default:
			text = result + " with best play"
			if f.DTW != nil && (f.Verdict == nil || resultUnder(*f.Verdict) != tables.Draw.String()) {
				text += " in " + count(int(*f.DTW), "ply", "plies")
			}
			switch {
			case f.Verdict == nil && f.Limit != nil && *f.Result != resultWord(draughts.GameDrawn):
				text += ", limits of the draw rules left aside"
			case f.Verdict == nil:
			case *f.Verdict == probe.VerdictRuleDraw.String():
				text += ", since the rule takes the win away"
			case *f.Verdict == probe.VerdictRuleSaved.String():
				text += ", since the rule saves it"
			}
		}
	}
	if f.Limit != nil && (f.By == nil || *f.By != byBoard) {
		text += fmt.Sprintf(", %d of %d plies counted", f.Count, *f.Limit)
	}
	if f.Claim {
		text += ", a draw may be claimed"
	}
	return text
}

// stated says what result the game states and whether that agrees.
func (ru *ruling) stated() string {
	stated := strings.ReplaceAll(ru.Stated, "_", " ")
	switch {
	case ru.Agrees == nil:
		return "stated: " + stated
	case *ru.Agrees:
		return "stated: " + stated + ", which agrees"
	case ru.contradicted():
		return "stated: " + stated + ", which cannot be"
	default:
		return "stated: " + stated + ", which differs"
	}
}
