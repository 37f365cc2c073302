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

// ruling is what is to be said of a game, as [adjudicator.judge] finds it. docs/formats.md has its JSON in words.
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
	Count       *int         `json:"count"`
	FromVerdict *string      `json:"from_verdict"`
	ToVerdict   *string      `json:"to_verdict"`
	Better      []betterMove `json:"better"`

	thrown tables.Outcome // what could have been kept
}

// betterMove is a move that would have kept what a mistake threw away.
type betterMove struct {
	answer.Move
	verdict *string        // with the rules that end a game; nil if unknown
	result  tables.Outcome // by the verdict, else without rules
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
	value := func(outcome string, dtw *tables.Plies, verdict *string) string {
		text := outcome
		if dtw != nil {
			text = fmt.Sprintf("%s in %s", outcome, count(int(*dtw), "ply", "plies"))
		}
		switch {
		case verdict == nil:
		case *verdict == probe.VerdictRuleDraw.String():
			text += ", but a draw by rule"
		case *verdict == probe.VerdictRuleSaved.String():
			text += ", but saved by rule"
		}
		return text
	}
	text := value(m.To, m.ToDTW, m.ToVerdict)
	if len(m.Better) == 0 {
		return text
	}
	const shown = 3
	var better []string
	for _, b := range m.Better[:min(shown, len(m.Better))] {
		better = append(better, b.Move.Move+" ("+value(*b.Outcome, b.DTW, b.verdict)+")")
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
