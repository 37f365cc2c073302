package answer

import (
	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// Line is best play from a position.
type Line struct {
	Variant string        `json:"variant"`
	FEN     *string       `json:"fen"`
	Side    *string       `json:"side"`
	Outcome *string       `json:"outcome"`
	DTW     *tables.Plies `json:"dtw"`
	*Judged
	Line  []Ply   `json:"line"`
	End   *string `json:"end"`
	Error *Error  `json:"error"`
}

// Ply is one move of a line.
type Ply struct {
	Ply int `json:"ply"`
	Move
}

// LineOf returns the line of a position that could be read.
func LineOf(v *draughts.Variant, s draughts.Setup, line probe.Line) Line {
	l := LineUnanswered(v, &s, nil)
	l.Outcome, l.DTW, l.End = new(line.Outcome.String()), Plies(line.DTW), new(line.End.String())
	if line.Ruling != nil {
		l.Judged = &Judged{Profile: line.Rules.Profile.Name, Ruling: rulingOf(line.Ruling), LeftOut: LeftOut(line.Rules.Profile)}
	}
	for i, text := range LineTexts(v, s.Position, line) {
		m := line.Moves[i]
		ply := Ply{i + 1, Move{Move: text, FEN: v.FEN(m.Position), Outcome: new(m.Outcome.String()), DTW: Plies(m.DTW)}}
		if line.Ruling != nil {
			ply.Ruling = new(rulingOf(&m.Ruling))
		}
		l.Line = append(l.Line, ply)
	}
	if line.Err != nil {
		l.Error = ErrorOf(line.Err)
	}
	return l
}

// LineUnanswered returns the line where there is an error in place of a value.
// The setup is nil if the position could not be read.
func LineUnanswered(v *draughts.Variant, s *draughts.Setup, err *Error) Line {
	l := Line{Variant: v.Name, Line: []Ply{}, Error: err}
	if s != nil {
		l.FEN, l.Side = new(v.SetupFEN(*s)), new(s.Position.Side().String())
	}
	return l
}

// LineTexts returns the moves of a line from a position as they are written.
func LineTexts(v *draughts.Variant, at draughts.Position, line probe.Line) []string {
	texts := make([]string, len(line.Moves))
	for i, m := range line.Moves {
		texts[i] = v.MoveText(at, m.Move)
		at = m.Position
	}
	return texts
}
