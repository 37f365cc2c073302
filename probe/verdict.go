package probe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"threekings/draughts"
	"threekings/tables"
)

// ErrCount: a number cannot be a count of plies.
var ErrCount = errors.New("bad count")

// Rules are the draw rules under which a position is judged, and how many plies
// have been counted when it arises.
type Rules struct {
	// Profile is one of [draughts.Variant.Profiles]. Its repetitions and its Extra
	// rules are left out: no table knows them.
	Profile *draughts.Profile
	// Count is 0 after a move that restarts it. A count beyond the limit is a game
	// that has been drawn before.
	Count int
}

// Verdict is what a position is worth under draw rules at a count, beside what it
// would be worth without them. The zero value is no verdict.
type Verdict uint8

// The verdicts, from best to worst for the side to move.
const (
	NoVerdict Verdict = iota
	// VerdictWin: won, in time.
	VerdictWin
	// VerdictRuleDraw: won without draw rules, but they take the win away.
	VerdictRuleDraw
	// VerdictDraw: drawn with draw rules and without.
	VerdictDraw
	// VerdictRuleSaved: lost without draw rules, but they save the draw.
	VerdictRuleSaved
	// VerdictLoss: lost, in time.
	VerdictLoss
)

var verdictNames = [...]string{"unknown", "win", "rule_draw", "draw", "rule_saved", "loss"}

// String returns "win", "rule_draw", "draw", "rule_saved" or "loss", and
// "unknown" for none.
func (d Verdict) String() string { return verdictNames[d] }

// Outcome returns the result under the rules; that of [NoVerdict] means nothing.
func (d Verdict) Outcome() tables.Outcome {
	switch d {
	case VerdictWin:
		return tables.Win
	case VerdictLoss:
		return tables.Loss
	default:
		return tables.Draw
	}
}

// verdictOf joins the outcomes without the rules and under them.
func verdictOf(without, under tables.Outcome) Verdict {
	switch {
	case under == tables.Win:
		return VerdictWin
	case under == tables.Loss:
		return VerdictLoss
	case without == tables.Win:
		return VerdictRuleDraw
	case without == tables.Loss:
		return VerdictRuleSaved
	default:
		return VerdictDraw
	}
}

// Ruling is what a position, or a move, is worth under draw rules.
type Ruling struct {
	Verdict Verdict
	// DTR is the distance to reset in plies: to the next move that restarts the
	// count or ends the game, for a move counting the move itself. With the count it
	// must not exceed the limit. It is [tables.NoPlies] if the rules let nobody win.
	DTR tables.Plies
	// Count is how many plies have been counted, after the move if it is one's.
	Count int
	// Limit is the limit of the class in plies, PliesLeft how many may still follow.
	// They mean nothing without HasLimit.
	Limit, PliesLeft int
	HasLimit         bool
	// Err says why there is no verdict: a missing or damaged table.
	Err error
}

// ProbeUnder returns what [Prober.Probe] does and the rulings under draw rules,
// of the position and of every move: the best verdict first. Its errors are those
// of Probe and [ErrCount]. If the distances to reset that a verdict needs are
// missing or damaged, there is none, and Ruling.Err says so. A draw needs none: the
// rules give nobody a win.
func (p *Prober) ProbeUnder(v *draughts.Variant, pos draughts.Position, rules Rules) (Result, error) {
	if err := rules.check(); err != nil {
		return Result{}, err
	}
	r, err := p.Probe(v, pos)
	if err != nil {
		return Result{}, err
	}
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	ruling := p.rulePosition(v, pos, r.Outcome, rules, s)
	r.Ruling, r.Rules = &ruling, rules
	// A game that is drawn already goes on under no rules.
	over := ruling.HasLimit && ruling.PliesLeft == 0
	for i := range r.Moves {
		p.ruleMove(v, pos, &r.Moves[i], rules, over, s)
	}
	slices.SortStableFunc(r.Moves, func(a, b MoveValue) int {
		return cmp.Or(cmp.Compare(verdictGroup(a), verdictGroup(b)), compareMoves(a, b))
	})
	return r, nil
}

// Judge returns the outcome and the distance of a position without draw rules, as
// [Prober.Probe] does, and its ruling under them, but nothing of its moves. Its
// errors are those of [Prober.ProbeUnder].
func (p *Prober) Judge(v *draughts.Variant, pos draughts.Position, rules Rules) (tables.Outcome, tables.Plies, Ruling, error) {
	if err := rules.check(); err != nil {
		return tables.Draw, tables.NoPlies, Ruling{}, err
	}
	if err := check(v, &pos); err != nil {
		return tables.Draw, tables.NoPlies, Ruling{}, err
	}
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	o, d, err := p.value(v, pos, s)
	if err != nil {
		return o, d, Ruling{}, err
	}
	return o, d, p.rulePosition(v, pos, o, rules, s), nil
}

// check reports a count that cannot be.
func (rules *Rules) check() error {
	if rules.Count < 0 || rules.Count > draughts.MaxCount {
		return fmt.Errorf("%w: %d plies; from 0 to %d are accepted", ErrCount, rules.Count, draughts.MaxCount)
	}
	return nil
}

// rulePosition works out the ruling of a position with a known outcome.
func (p *Prober) rulePosition(v *draughts.Variant, pos draughts.Position, without tables.Outcome, rules Rules, s *scratch) Ruling {
	ruling := rules.ruling(pos)
	if without == tables.Draw {
		ruling.Verdict = VerdictDraw
	} else if value, err := p.valueUnder(v, pos, rules.Profile, s); err != nil {
		ruling.Err = err
	} else {
		under := ruling.judge(value.Outcome(), resetPlies(value))
		ruling.Verdict = verdictOf(without, under)
	}
	return ruling
}

// verdictGroup is a move's place by its verdict. One that is unknown stands
// between the two that its outcome leaves open.
func verdictGroup(m MoveValue) int {
	switch {
	case m.Err != nil:
		return 2 * len(verdictNames)
	case m.Ruling.Verdict != NoVerdict:
		return 2 * int(m.Ruling.Verdict)
	case m.Outcome == tables.Win:
		return 2*int(VerdictWin) + 1
	default:
		return 2*int(VerdictLoss) - 1
	}
}

// ruling returns the ruling of a position without what it is worth.
func (rules *Rules) ruling(pos draughts.Position) Ruling {
	r := Ruling{Count: rules.Count, DTR: tables.NoPlies}
	r.Limit, r.HasLimit = rules.Profile.Limit(pos, rules.Count)
	if r.HasLimit {
		r.PliesLeft = max(0, r.Limit-r.Count)
	}
	return r
}

// judge notes the distance to reset of a position and returns its outcome under
// the rules, if o is that within the phase.
func (r *Ruling) judge(o tables.Outcome, distance tables.Plies) tables.Outcome {
	r.DTR = distance
	if o != tables.Draw && r.HasLimit && r.Count+int(distance) > r.Limit {
		return tables.Draw
	}
	return o
}

// after returns the rules, with their count, after a move of a position, and
// whether it restarts the count.
func (rules *Rules) after(pos draughts.Position, m draughts.Move) (after Rules, restarts bool) {
	if rules.Profile.MoveRestarts(pos, m) {
		return Rules{Profile: rules.Profile}, true
	}
	return Rules{rules.Profile, rules.Count + 1}, false
}

// ruleMove works out the ruling of a move from the position that it leads to.
func (p *Prober) ruleMove(v *draughts.Variant, pos draughts.Position, m *MoveValue, rules Rules, over bool, s *scratch) {
	child := m.Position
	after, restarts := rules.after(pos, m.Move)
	m.Ruling = after.ruling(child)
	if m.Ruling.Err = m.Err; m.Err != nil {
		return
	}
	if m.Outcome == tables.Draw {
		m.Ruling.Verdict = VerdictDraw
		return
	}
	value, err := p.valueUnder(v, child, rules.Profile, s)
	if err != nil {
		m.Ruling.Err = err
		return
	}
	under := m.Ruling.judge(value.Outcome(), resetPlies(value))
	switch {
	case over:
		under = tables.Draw
	case restarts && under == tables.Draw:
		m.Ruling.DTR = tables.NoPlies // the phase ends with nothing
	}
	if m.Ruling.DTR != tables.NoPlies {
		if m.Ruling.DTR++; restarts {
			m.Ruling.DTR = 1
		}
	}
	m.Ruling.Verdict = verdictOf(m.Outcome, under.Reverse())
}
