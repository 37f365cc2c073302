package draughts

import (
	"fmt"
	"slices"
	"strings"
)

// hubLetters are the letters of the Hub protocol, by plane; an empty square is
// 'e'.
const hubLetters = "wWbB"

// HubPosition writes a position as the Hub protocol of draughts engines does:
// the side to move, W or B, then one letter for each square: w and b men, W and
// B kings, e empty. Squares come in the order of their numbers; where they have
// none (Turkish, Armenian) in the order of [Square], row by row from the top
// left.
func (v *Variant) HubPosition(p Position) string {
	text := make([]byte, 1+v.board.squares)
	text[0] = colorLetter[p.side]
	for i := range v.board.squares {
		text[1+i] = 'e'
		if c, k, ok := p.At(v.hubSquare(i + 1)); ok {
			text[1+i] = hubLetters[plane(c, k)]
		}
	}
	return string(text)
}

// ParseHubPosition reads what [Variant.HubPosition] writes. The error is a
// [*HubError] if the text cannot be read and a [*PositionError] if it is no
// position of the variant.
func (v *Variant) ParseHubPosition(text string) (Position, error) {
	var p Position
	if want := 1 + v.board.squares; len(text) != want {
		return p, &HubError{text, 0, fmt.Sprintf("%d characters, want %d", len(text), want)}
	}
	switch text[0] {
	case 'W':
	case 'B':
		p.side = Black
	default:
		return Position{}, &HubError{text, 0, "the side to move must be W or B"}
	}
	for i := range v.board.squares {
		letter := text[1+i]
		if letter == 'e' {
			continue
		}
		n := strings.IndexByte(hubLetters, letter)
		if n < 0 {
			return Position{}, &HubError{text, 1 + i, "a square must be one of w, b, W, B, e"}
		}
		p.Put(Color(n>>1), Kind(n&1), v.hubSquare(i+1))
	}
	if err := v.Check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// HubError says where and why a Hub text cannot be read. It matches [ErrHub].
type HubError struct {
	Text   string // as given
	Offset int    // in bytes
	Reason string
}

func (e *HubError) Error() string {
	if e.Offset < len(e.Text) && e.Offset > 0 {
		return fmt.Sprintf("%v: found %s at offset %d: %s", ErrHub, quoted(e.Text[e.Offset:]), e.Offset, e.Reason)
	}
	return fmt.Sprintf("%v: %s: %s", ErrHub, quoted(e.Text), e.Reason)
}

// Is reports whether target is ErrHub.
func (e *HubError) Is(target error) bool { return target == ErrHub }

// HubMove writes a move as the Hub protocol does: "32-28", or "28x19x23" with
// all captured squares after the two ends, ascending. Squares are numbers; where
// they have none, 1 is the top left, as in [Variant.HubPosition].
func (v *Variant) HubMove(m Move) string {
	if !m.IsCapture() {
		return fmt.Sprintf("%d-%d", v.hubNumber(m.From), v.hubNumber(m.To))
	}
	var captured []int
	for s := range m.Captured.All() {
		captured = append(captured, v.hubNumber(s))
	}
	slices.Sort(captured)
	text := fmt.Appendf(nil, "%dx%d", v.hubNumber(m.From), v.hubNumber(m.To))
	for _, n := range captured {
		text = fmt.Appendf(text, "x%d", n)
	}
	return string(text)
}

// ParseHubMove reads a move as the Hub protocol writes it and returns the legal
// move of p that it means. The captured squares may come in any order, but all
// of them must be there. The error is a [*MoveError].
func (v *Variant) ParseHubMove(p Position, text string) (Move, error) {
	fail := func(kind error, reason string) (Move, error) {
		return Move{}, &MoveError{Text: text, Kind: kind, Reason: reason}
	}
	if len(text) > maxMoveText {
		return fail(ErrMoveText, fmt.Sprintf("it is longer than %d bytes", maxMoveText))
	}
	separator := "x"
	if strings.Contains(text, "-") {
		separator = "-"
	}
	var squares []Square
	for field := range strings.SplitSeq(text, separator) {
		n, ok := readNumber(field, MaxSquares)
		if !ok || n < 1 || n > v.board.squares {
			return fail(ErrMoveText, fmt.Sprintf("%s is not a square number from 1 to %d", quoted(field), v.board.squares))
		}
		squares = append(squares, v.hubSquare(n))
	}
	switch {
	case len(squares) < 2:
		return fail(ErrMoveText, "one square is not a move")
	case separator == "-" && len(squares) > 2:
		return fail(ErrMoveText, "a move with - has two squares only")
	case separator == "x" && len(squares) == 2:
		return fail(ErrMoveText, "a capture names the captured squares")
	}
	captured := SetOf(squares[2:]...)
	if captured.Len() != len(squares)-2 {
		return fail(ErrMoveText, "a captured square is named twice")
	}
	var found []Move
	for _, m := range v.Moves(p, nil) {
		if m.From == squares[0] && m.To == squares[1] && m.Captured == captured {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return fail(ErrIllegalMove, "no legal move has these ends and captures these pieces")
	case 1:
		return found[0], nil
	}
	return Move{}, &MoveError{
		Text: text, Kind: ErrAmbiguousMove, Reason: "it may mean any of several captures",
		Moves: sortedTexts(v.MoveTexts(p, found)),
	}
}

// hubNumber returns the number of a square in the Hub protocol.
func (v *Variant) hubNumber(s Square) int {
	if v.Numbering == Unnumbered {
		return int(s) + 1
	}
	return v.Number(s)
}

// hubSquare is the inverse of hubNumber; n must be the number of a square.
func (v *Variant) hubSquare(n int) Square {
	if v.Numbering == Unnumbered {
		return Square(n - 1)
	}
	return v.SquareNumbered(n)
}
