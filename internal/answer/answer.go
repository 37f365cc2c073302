// Package answer is the JSON in which positions and tables are described: the
// command line and the server write the same. docs/formats.md has it in words;
// what is unknown is null.
package answer

import (
	"errors"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// Answer is what came of one position.
type Answer struct {
	Variant string        `json:"variant"`
	FEN     *string       `json:"fen"`
	Side    *string       `json:"side"`
	Outcome *string       `json:"outcome"`
	DTW     *tables.Plies `json:"dtw"`
	*Judged
	Moves []Move `json:"moves"`
	Error *Error `json:"error"`
}

// Move is what a legal move is worth.
type Move struct {
	Move    string        `json:"move"`
	FEN     string        `json:"fen"`
	Outcome *string       `json:"outcome"`
	DTW     *tables.Plies `json:"dtw"`
	*Ruling
}

// Judged is what draw rules add to an answer; without them its keys are left out.
type Judged struct {
	Profile string `json:"profile"`
	Ruling
	// LeftOut are rules that the verdict does not know of.
	LeftOut []string `json:"left_out"`
}

// Ruling is what a position or a move is worth under draw rules.
type Ruling struct {
	// Count is how many plies have been counted, after the move if it is one's.
	Count     int           `json:"count"`
	Verdict   *string       `json:"verdict"`
	DTR       *tables.Plies `json:"dtr"`
	Limit     *int          `json:"limit"`
	PliesLeft *int          `json:"plies_left"`
}

func rulingOf(r *probe.Ruling) Ruling {
	j := Ruling{Count: r.Count, DTR: Plies(r.DTR)}
	if r.Verdict != probe.NoVerdict {
		j.Verdict = new(r.Verdict.String())
	}
	if r.HasLimit {
		j.Limit, j.PliesLeft = new(r.Limit), new(r.PliesLeft)
	}
	return j
}

// LeftOut names the rules of a profile that no verdict knows of.
func LeftOut(p *draughts.Profile) []string {
	list := []string{}
	if p.Repetition > 0 {
		list = append(list, "repetition")
	}
	for i := range p.Extra {
		list = append(list, p.Extra[i].Name)
	}
	return list
}

// Error says why there is no answer.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Of returns the answer to a position that could be read.
func Of(v *draughts.Variant, s draughts.Setup, r probe.Result) Answer {
	p := s.Position
	a := Unanswered(v, &s, nil)
	a.Outcome, a.DTW = new(r.Outcome.String()), Plies(r.DTW)
	if r.Ruling != nil {
		a.Judged = &Judged{Profile: r.Rules.Profile.Name, Ruling: rulingOf(r.Ruling), LeftOut: LeftOut(r.Rules.Profile)}
	}
	for i, text := range MoveTexts(v, p, r) {
		m := r.Moves[i]
		jm := Move{Move: text, FEN: v.FEN(m.Position)}
		if m.Err == nil {
			jm.Outcome, jm.DTW = new(m.Outcome.String()), Plies(m.DTW)
		}
		if r.Ruling != nil {
			jm.Ruling = new(rulingOf(&m.Ruling))
		}
		a.Moves = append(a.Moves, jm)
	}
	return a
}

// Unanswered returns the answer where there is an error in place of a value. The
// setup is nil if the position could not be read.
func Unanswered(v *draughts.Variant, s *draughts.Setup, err *Error) Answer {
	a := Answer{Variant: v.Name, Moves: []Move{}, Error: err}
	if s != nil {
		a.FEN, a.Side = new(v.SetupFEN(*s)), new(s.Position.Side().String())
	}
	return a
}

// MoveTexts returns the moves of a result as they are written.
func MoveTexts(v *draughts.Variant, p draughts.Position, r probe.Result) []string {
	moves := make([]draughts.Move, len(r.Moves))
	for i, m := range r.Moves {
		moves[i] = m.Move
	}
	return v.MoveTexts(p, moves)
}

// Plies returns a distance, or nil for none: null.
func Plies(d tables.Plies) *tables.Plies {
	if d == tables.NoPlies {
		return nil
	}
	return &d
}

// ErrorOf returns an error with its code and its own text.
func ErrorOf(err error) *Error { return &Error{Code: Code(err), Message: err.Error()} }

// The codes of errors: the stable names of their kinds.
const (
	BadFEN          = "bad_fen"
	IllegalPosition = "illegal_position"
	TooManyPieces   = "too_many_pieces"
	BadCount        = "bad_count"
	MissingTable    = "missing_table"
	DamagedTable    = "damaged_table"
	Internal        = "internal"
)

// Code returns the code of an error.
func Code(err error) string {
	for _, c := range []struct {
		err  error
		code string
	}{
		{draughts.ErrFEN, BadFEN},
		{draughts.ErrIllegalPosition, IllegalPosition},
		{probe.ErrTooManyPieces, TooManyPieces},
		{probe.ErrCount, BadCount},
		{tables.ErrMissing, MissingTable},
		{tables.ErrDamaged, DamagedTable},
	} {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return Internal
}
