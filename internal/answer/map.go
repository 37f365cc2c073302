package answer

import (
	"errors"
	"fmt"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// ErrNoPiece: a map was asked for, but there is no piece on its square.
var ErrNoPiece = errors.New("no piece there")

// Map is what the position would be worth with one piece on another square.
type Map struct {
	Variant string `json:"variant"`
	FEN     string `json:"fen"`
	Side    string `json:"side"`
	// Square, Colour and Kind are those of the piece that is moved about.
	Square string `json:"square"`
	Colour string `json:"colour"`
	Kind   string `json:"kind"`
	// Squares are all squares on which it can stand, its own among them.
	Squares []MapSquare `json:"squares"`
}

// MapSquare is the value for the side to move with the piece on a square.
type MapSquare struct {
	Square  string        `json:"square"`
	FEN     string        `json:"fen"`
	Outcome *string       `json:"outcome"`
	DTW     *tables.Plies `json:"dtw"`

	At    draughts.Square `json:"-"`
	Value tables.Outcome  `json:"-"` // means something only with Outcome
}

// placements returns the squares on which the piece on a square can stand when
// all others stay, with the positions that this gives. The error wraps
// [ErrNoPiece].
func placements(v *draughts.Variant, p draughts.Position, square draughts.Square) ([]draughts.Square, []draughts.Position, error) {
	colour, kind, ok := p.At(square)
	if !ok {
		return nil, nil, fmt.Errorf("%w: square %s is empty", ErrNoPiece, v.SquareName(square))
	}
	p.Remove(square)
	var squares []draughts.Square
	var positions []draughts.Position
	for s := range v.Board().AndNot(p.Occupied()).All() {
		moved := p
		moved.Put(colour, kind, s)
		if v.Check(moved) == nil {
			squares, positions = append(squares, s), append(positions, moved)
		}
	}
	return squares, positions, nil
}

// Look looks a position up: its outcome, and its distance if that is stored.
type Look func(draughts.Position) (tables.Outcome, tables.Plies, error)

// Value is a [Look] into a prober's tables, with the errors of
// [probe.Prober.Outcome].
func Value(pr *probe.Prober, v *draughts.Variant, p draughts.Position) (tables.Outcome, tables.Plies, error) {
	d, err := pr.Distance(v, p)
	if err == nil || !errors.Is(err, tables.ErrMissing) {
		return d.Outcome(), d, err
	}
	o, err := pr.Outcome(v, p)
	return o, tables.NoPlies, err
}

// MapOf returns the map of the piece on a square. Squares whose tables are missing
// have no value. The error is [ErrNoPiece], or one of looking if no square has a
// value or it is another than [tables.ErrMissing].
func MapOf(look Look, v *draughts.Variant, p draughts.Position, square draughts.Square) (*Map, error) {
	squares, positions, err := placements(v, p, square)
	if err != nil {
		return nil, err
	}
	colour, kind, _ := p.At(square)
	m := &Map{
		Variant: v.Name, FEN: v.FEN(p), Side: p.Side().String(),
		Square: v.SquareName(square), Colour: colour.String(), Kind: kind.String(), Squares: []MapSquare{},
	}
	var missing error
	known := 0
	for i, s := range squares {
		ms := MapSquare{Square: v.SquareName(s), FEN: v.FEN(positions[i]), At: s}
		o, d, err := look(positions[i])
		switch {
		case err == nil:
			known++
			ms.Value, ms.Outcome, ms.DTW = o, new(o.String()), Plies(d)
		case errors.Is(err, tables.ErrMissing):
			missing = err
		default:
			return nil, err
		}
		m.Squares = append(m.Squares, ms)
	}
	if known == 0 && missing != nil {
		return nil, missing
	}
	return m, nil
}
