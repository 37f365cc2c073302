package draughts

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// MoveError says why a text is not a legal move. It matches [ErrMoveText],
// [ErrIllegalMove] or [ErrAmbiguousMove].
type MoveError struct {
	Text   string // as given
	Kind   error  // one of the three
	Reason string
	// Moves are the legal moves that an ambiguous text may mean, or else those to
	// consider instead, as [Variant.MoveText] writes them; there may be none.
	Moves []string
}

func (e *MoveError) Error() string {
	text := fmt.Sprintf("%v %s: %s", e.Kind, quoted(e.Text), e.Reason)
	if len(e.Moves) == 0 {
		return text
	}
	const limit = 12
	if len(e.Moves) > limit {
		return fmt.Sprintf("%s: %s, ... (%d moves)", text, strings.Join(e.Moves[:limit], ", "), len(e.Moves))
	}
	return text + ": " + strings.Join(e.Moves, ", ")
}

// Unwrap returns Kind.
func (e *MoveError) Unwrap() error { return e.Kind }

// MoveText writes a legal move of p: "32-28", "28x19" or "c3-d4". Only if
// another legal capture has the same start and end are the squares between
// listed too; of several ways to play a capture the first of [Variant.Paths] is
// written.
func (v *Variant) MoveText(p Position, m Move) string {
	return v.MoveTexts(p, []Move{m})[0]
}

// MoveTexts writes legal moves of p as [Variant.MoveText] does, all at once: it
// generates the legal captures once.
func (v *Variant) MoveTexts(p Position, moves []Move) []string {
	texts := make([]string, len(moves))
	captures := v.Captures(p, nil)
	var line []byte
	for i, m := range moves {
		line = append(line[:0], v.SquareName(m.From)...)
		if !m.IsCapture() {
			line = append(line, '-')
			texts[i] = string(append(line, v.SquareName(m.To)...))
			continue
		}
		path := []Square{m.To}
		if slices.ContainsFunc(captures, func(c Move) bool { return c.From == m.From && c.To == m.To && c != m }) {
			for landings := range v.Paths(p, m) {
				path = landings
				break
			}
		}
		for _, s := range path {
			line = append(append(line, 'x'), v.SquareName(s)...)
		}
		texts[i] = string(line)
	}
	return texts
}

// maxMoveText is the longest move that is read, in bytes: a capture of all
// squares of the largest board fits.
const maxMoveText = 512

// ParseMove reads a move as it is written in PDN and returns the legal move of
// p that it means. Squares may be numbers or algebraic; between them stands "-"
// for a quiet move and "x" or ":" for a capture, and between algebraic squares
// nothing at all if one likes. A capture may list any of the squares on which
// the piece lands, as long as only one legal capture fits; a capture listed in
// full always fits itself alone.
//
// The error is a [*MoveError].
func (v *Variant) ParseMove(p Position, text string) (Move, error) {
	squares, capture, quiet, reason := v.readMove(text)
	if reason != "" {
		return Move{}, &MoveError{Text: text, Kind: ErrMoveText, Reason: reason}
	}
	legal := v.Moves(p, nil)
	from, to := squares[0], squares[len(squares)-1]
	var same []Move
	for _, m := range legal {
		if m.From == from && m.To == to && (m.IsCapture() && !quiet || !m.IsCapture() && !capture) {
			same = append(same, m)
		}
	}
	via := squares[1:]
	if len(same) > 1 || len(via) > 1 {
		same = v.fitting(p, same, via)
	}
	switch len(same) {
	case 1:
		return same[0], nil
	case 0:
		return Move{}, v.illegal(p, text, squares, capture, quiet, legal)
	}
	return Move{}, &MoveError{
		Text: text, Kind: ErrAmbiguousMove, Reason: "it may mean any of several captures",
		Moves: sortedTexts(v.MoveTexts(p, same)),
	}
}

// fitting returns those of the captures that can be played over the landing
// squares via. A path that is listed in full decides; failing that, one of which
// via lists a part.
func (v *Variant) fitting(p Position, captures []Move, via []Square) []Move {
	for _, fits := range []func(path, via []Square) bool{slices.Equal[[]Square], subsequence} {
		for _, midLine := range []bool{false, true} {
			var found []Move
			for _, m := range captures {
				if !m.IsCapture() {
					continue
				}
				if anyPath(v.paths(p, m, midLine), func(path []Square) bool { return fits(path, via) }) {
					found = append(found, m)
				}
			}
			if len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

func anyPath(paths iter.Seq[[]Square], ok func([]Square) bool) bool {
	for path := range paths {
		if ok(path) {
			return true
		}
	}
	return false
}

// subsequence reports whether part can be had from whole by leaving things out.
func subsequence(whole, part []Square) bool {
	for _, s := range whole {
		if len(part) > 0 && part[0] == s {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// readMove reads the squares of a move, at least two, and what the separators
// say: that it is a capture, that it is quiet, or neither.
func (v *Variant) readMove(text string) (squares []Square, capture, quiet bool, reason string) {
	if len(text) > maxMoveText {
		return nil, false, false, fmt.Sprintf("it is longer than %d bytes", maxMoveText)
	}
	rest := strings.Trim(text, blanks)
	if rest == "" {
		return nil, false, false, "it is empty"
	}
	for {
		n := squareLength(rest)
		s, reason := v.readSquare(rest[:n])
		if reason != "" {
			if n == 0 {
				return nil, false, false, "a square was expected before " + quoted(rest)
			}
			return nil, false, false, fmt.Sprintf("%s is %s", quoted(rest[:n]), reason)
		}
		named := rest[0] >= 'a'
		squares = append(squares, s)
		rest = strings.TrimLeft(rest[n:], blanks)
		if rest == "" {
			break
		}
		switch {
		case rest[0] == '-':
			quiet = true
		case rest[0] == 'x' || rest[0] == ':':
			capture = true
		case named && rest[0] >= 'a' && rest[0] <= 'l':
			continue
		default:
			return nil, false, false, "a separator (-, x or :) was expected before " + quoted(rest)
		}
		if rest = strings.TrimLeft(rest[1:], blanks); rest == "" {
			return nil, false, false, "a square is missing at the end"
		}
	}
	switch {
	case len(squares) < 2:
		return nil, false, false, "one square is not a move"
	case quiet && (capture || len(squares) > 2):
		return nil, false, false, "a move with - has two squares only"
	}
	return squares, capture, quiet, ""
}

// squareLength returns how many bytes of text look like a square: a letter and
// digits, or digits.
func squareLength(text string) int {
	n := 0
	if text != "" && text[0] >= 'a' && text[0] <= 'l' {
		n = 1
	}
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// illegal says why no legal move fits.
func (v *Variant) illegal(p Position, text string, squares []Square, capture, quiet bool, legal []Move) error {
	e := &MoveError{Text: text, Kind: ErrIllegalMove}
	from, to := squares[0], squares[len(squares)-1]
	name := v.SquareName(from)
	c, _, ok := p.At(from)
	fromHere := slices.DeleteFunc(slices.Clone(legal), func(m Move) bool { return m.From != from })
	sameEnds := slices.DeleteFunc(slices.Clone(fromHere), func(m Move) bool { return m.To != to })
	switch {
	case !ok:
		e.Reason = "there is no piece on " + name
	case c != p.side:
		e.Reason = fmt.Sprintf("the piece on %s is %v, and %v is to move", name, c, p.side)
	case len(sameEnds) > 0 && len(squares) > 2:
		e.Reason = "no capture goes over these squares; there is"
		e.Moves = v.MoveTexts(p, sameEnds)
	case len(sameEnds) > 0 && quiet:
		e.Reason = "it is a capture, written"
		e.Moves = v.MoveTexts(p, sameEnds)
	case len(sameEnds) > 0 && capture:
		e.Reason = "it captures nothing, and is written"
		e.Moves = v.MoveTexts(p, sameEnds)
	case len(legal) > 0 && legal[0].IsCapture():
		e.Reason = "the legal captures are"
		e.Moves = v.MoveTexts(p, legal)
	case len(fromHere) == 0:
		e.Reason = "the piece on " + name + " cannot move"
	default:
		e.Reason = "the moves from " + name + " are"
		e.Moves = v.MoveTexts(p, fromHere)
	}
	e.Moves = sortedTexts(e.Moves)
	return e
}

func sortedTexts(texts []string) []string {
	slices.Sort(texts)
	return texts
}
