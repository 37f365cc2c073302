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
	Moves   []Move        `json:"moves"`
	Error   *Error        `json:"error"`
}

// Move is what a legal move is worth.
type Move struct {
	Move    string        `json:"move"`
	FEN     string        `json:"fen"`
	Outcome *string       `json:"outcome"`
	DTW     *tables.Plies `json:"dtw"`
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
	for i, text := range MoveTexts(v, p, r) {
		m := r.Moves[i]
		jm := Move{Move: text, FEN: v.FEN(m.Position)}
		if m.Err == nil {
			jm.Outcome, jm.DTW = new(m.Outcome.String()), Plies(m.DTW)
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
		{tables.ErrMissing, MissingTable},
		{tables.ErrDamaged, DamagedTable},
	} {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return Internal
}
