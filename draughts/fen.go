package draughts

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Setup is what a FEN says: the position, and the counters that may follow it.
type Setup struct {
	Position Position
	// Count is the number of plies already counted under the draw rules, from the
	// field H; it means something only with HasCount.
	Count    int
	HasCount bool
	// FullMove is the number of the move to come, from the field F; it means
	// something only with HasFullMove. It is read but never written.
	FullMove    int
	HasFullMove bool
}

// MaxCount is the largest number accepted in the fields H and F of a FEN.
const MaxCount = 1_000_000

// maxFEN is the longest FEN that is read, in bytes: several times what a full
// board of kings with leading zeros and blanks needs.
const maxFEN = 4096

// FENError says where and why a FEN cannot be read. It matches [ErrFEN].
type FENError struct {
	FEN    string // the whole text
	Offset int    // of Found in FEN, in bytes
	Field  string // what was being read: "turn", "white pieces", "H", ...
	Found  string // the offending part; empty at the end of the text
	Reason string
}

func (e *FENError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("%v: %s: %s", ErrFEN, e.Field, e.Reason)
	}
	return fmt.Sprintf("%v: %s: found %s at offset %d: %s", ErrFEN, e.Field, quoted(e.Found), e.Offset, e.Reason)
}

// Is reports whether target is ErrFEN.
func (e *FENError) Is(target error) bool { return target == ErrFEN }

// PositionError says why pieces cannot stand as they do in a variant. It
// matches [ErrIllegalPosition].
type PositionError struct {
	Squares Set // the squares at fault; empty if no square is
	Reason  string
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("%v: %s", ErrIllegalPosition, e.Reason)
}

// Is reports whether target is ErrIllegalPosition.
func (e *PositionError) Is(target error) bool { return target == ErrIllegalPosition }

// Check reports whether p can stand in this variant, with a [*PositionError] if
// not: there is at least one piece, no side has more than it begins with, every
// piece has a square of the board to itself, and no man stands on its promotion
// row. A side without pieces is accepted (it has lost), and so are Turkish and
// Armenian men on their own first rank, where they can be set up but never get
// by play.
//
// The limit on pieces also bounds the work of the move generator: crowds of
// pieces that no game can have are what makes the number of ways to capture
// explode.
func (v *Variant) Check(p Position) error {
	if v.wide == nil && v.Passes(&p) {
		return nil
	}
	if p.side > Black {
		return &PositionError{Reason: "the side to move is neither white nor black"}
	}
	var taken Set
	for c := White; c <= Black; c++ {
		for k := Man; k <= King; k++ {
			pieces := p.Pieces(c, k)
			if off := pieces.AndNot(v.board.all); !off.IsEmpty() {
				return &PositionError{off, fmt.Sprintf("a %v %v is beyond the board's %d squares", c, k, v.board.squares)}
			}
			if twice := pieces.And(taken); !twice.IsEmpty() {
				return &PositionError{twice, fmt.Sprintf("two pieces stand on %s", v.nameSet(twice))}
			}
			taken = taken.Or(pieces)
		}
		if n := p.SideSet(c).Len(); n > v.sideLimit {
			return &PositionError{p.SideSet(c), fmt.Sprintf("%v has %d pieces, but begins with %d", c, n, v.sideLimit)}
		}
		if men := p.Pieces(c, Man).And(v.board.promotion[c]); !men.IsEmpty() {
			return &PositionError{men, fmt.Sprintf("a %v man stands on %s, where it would be a king", c, v.nameSet(men))}
		}
	}
	if taken.IsEmpty() {
		return &PositionError{Reason: "there are no pieces"}
	}
	return nil
}

// Passes reports whether [Variant.Check] finds nothing wrong. It is the faster
// one, as it neither copies the position nor says what is wrong.
func (v *Variant) Passes(p *Position) bool {
	if v.wide != nil {
		return v.Check(*p) == nil
	}
	men, enemyMen := p.low[0], p.low[2]
	white, black := men|p.low[1], enemyMen|p.low[3]
	wrong := men&p.low[1] | enemyMen&p.low[3] | white&black | (white|black)&^v.board.all.lo |
		men&v.board.promotion[White].lo | enemyMen&v.board.promotion[Black].lo
	return wrong == 0 && p.high == [4]uint8{} && p.side <= Black && white|black != 0 &&
		bits.OnesCount64(white) <= v.sideLimit && bits.OnesCount64(black) <= v.sideLimit
}

// nameSet names the squares of a set, in the order in which they are written.
func (v *Variant) nameSet(set Set) string {
	var names []string
	for _, s := range v.written {
		if set.Has(s) {
			names = append(names, v.names[s])
		}
	}
	return strings.Join(names, ", ")
}

// FEN writes a position in the one canonical form: White first, men before
// kings, squares ascending (algebraic ones rank by rank from a1), a K before
// each king, no ranges, blanks or final dot.
func (v *Variant) FEN(p Position) string { return string(v.AppendFEN(nil, p)) }

// AppendFEN appends what [Variant.FEN] returns to dst.
func (v *Variant) AppendFEN(dst []byte, p Position) []byte {
	dst = append(dst, colorLetter[p.side])
	for c := White; c <= Black; c++ {
		dst = append(dst, ':', colorLetter[c])
		first := true
		for k := Man; k <= King; k++ {
			pieces := p.Pieces(c, k)
			if pieces.IsEmpty() {
				continue
			}
			for _, s := range v.written {
				if !pieces.Has(s) {
					continue
				}
				if !first {
					dst = append(dst, ',')
				}
				first = false
				if k == King {
					dst = append(dst, 'K')
				}
				dst = append(dst, v.names[s]...)
			}
		}
	}
	return dst
}

// SetupFEN writes a setup: the canonical FEN, then :H and the count if there is
// one.
func (v *Variant) SetupFEN(s Setup) string {
	dst := v.AppendFEN(nil, s.Position)
	if s.HasCount {
		dst = strconv.AppendInt(append(dst, ":H"...), int64(s.Count), 10)
	}
	return string(dst)
}

var colorLetter = [...]byte{White: 'W', Black: 'B'}

// ParseFEN reads a position in the form of PDN 3.0, such as
// "W:W31-50:BK4,12": the side to move, then the squares of each colour in either
// order, K before a king or before a range of kings. Squares may be numbers
// where the variant has them, algebraic, or mixed. A colour that is not named
// has no pieces. The fields :H (plies counted for the draw rules) and :F (number
// of the move) are kept, other fields are skipped; blanks between the parts and
// one dot at the end are allowed.
//
// The error is a [*FENError] if the text cannot be read, and a [*PositionError]
// if it can but is no position of the variant ([Variant.Check]).
func (v *Variant) ParseFEN(fen string) (Setup, error) {
	r := fenReader{v: v, fen: fen}
	if err := r.read(); err != nil {
		return Setup{}, err
	}
	if err := v.Check(r.setup.Position); err != nil {
		return Setup{}, err
	}
	return r.setup, nil
}

// fenReader reads one FEN. The text is cut into fields at colons, and those of
// a colour into items at commas; offset is where the part under way begins.
type fenReader struct {
	v     *Variant
	fen   string
	setup Setup
	seen  [2]bool // by colour
	field string  // for errors
}

// part is a piece of the FEN and where it begins.
type part struct {
	text   string
	offset int
}

const blanks = " \t\r\n"

// trim drops blanks at both ends.
func (p part) trim() part {
	left := strings.TrimLeft(p.text, blanks)
	return part{strings.TrimRight(left, blanks), p.offset + len(p.text) - len(left)}
}

// from returns the part without its first n bytes.
func (p part) from(n int) part { return part{p.text[n:], p.offset + n} }

// cut splits at the first sep.
func (p part) cut(sep string) (before, after part, found bool) {
	a, b, found := strings.Cut(p.text, sep)
	return part{a, p.offset}, part{b, p.offset + len(p.text) - len(b)}, found
}

func (r *fenReader) fail(at part, reason string) error {
	return &FENError{FEN: r.fen, Offset: at.offset, Field: r.field, Found: at.text, Reason: reason}
}

func (r *fenReader) read() error {
	r.field = "length"
	if len(r.fen) > maxFEN {
		return r.fail(part{}, fmt.Sprintf("%d bytes are more than the %d that are read", len(r.fen), maxFEN))
	}
	text := part{text: r.fen}.trim()
	if t, ok := strings.CutSuffix(text.text, "."); ok {
		text.text = strings.TrimRight(t, blanks)
	}
	turn, rest, more := text.cut(":")
	if err := r.turn(turn.trim()); err != nil {
		return err
	}
	for more {
		var f part
		f, rest, more = rest.cut(":")
		if err := r.other(f.trim()); err != nil {
			return err
		}
	}
	return nil
}

func (r *fenReader) turn(f part) error {
	r.field = "turn"
	switch f.text {
	case "W":
		r.setup.Position = r.setup.Position.WithSide(White)
	case "B":
		r.setup.Position = r.setup.Position.WithSide(Black)
	case "?":
		return r.fail(f, "the side to move is unknown; it must be W or B")
	case "":
		return r.fail(f, "the side to move, W or B, is missing")
	default:
		return r.fail(f, "the side to move must be W or B")
	}
	return nil
}

func (r *fenReader) other(f part) error {
	if f.text == "" {
		r.field = "fields"
		return r.fail(f, "there is nothing between or after colons")
	}
	var err error
	switch f.text[0] {
	case 'W':
		return r.pieces(White, f.from(1))
	case 'B':
		return r.pieces(Black, f.from(1))
	case 'H':
		r.field = "H"
		r.setup.Count, err = r.number(f.from(1), r.setup.HasCount)
		r.setup.HasCount = true
	case 'F':
		r.field = "F"
		r.setup.FullMove, err = r.number(f.from(1), r.setup.HasFullMove)
		r.setup.HasFullMove = true
	case 'w', 'b', 'K', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		// Other programs' fields are skipped, but to skip what was meant as a list of
		// pieces would give a wrong position.
		r.field = "fields"
		return r.fail(f, "a list of pieces begins with W or B")
	}
	return err
}

func (r *fenReader) number(f part, again bool) (int, error) {
	f = f.trim()
	n, ok := readNumber(f.text, MaxCount)
	switch {
	case again:
		return 0, r.fail(f, "the field is given twice")
	case f.text == "":
		return 0, r.fail(f, "a number is missing")
	case !ok:
		return 0, r.fail(f, "a number was expected")
	case n > MaxCount:
		return 0, r.fail(f, fmt.Sprintf("numbers above %d are not accepted", MaxCount))
	}
	return n, nil
}

func (r *fenReader) pieces(c Color, list part) error {
	r.field = c.String() + " pieces"
	if r.seen[c] {
		return r.fail(list, "these pieces are listed twice")
	}
	r.seen[c] = true
	if list.trim().text == "" {
		return nil
	}
	for more := true; more; {
		var item part
		item, list, more = list.cut(",")
		if err := r.item(c, item.trim()); err != nil {
			return err
		}
	}
	return nil
}

// item reads one piece or one range of pieces.
func (r *fenReader) item(c Color, item part) error {
	k, squares := Man, item
	if strings.HasPrefix(item.text, "K") {
		k, squares = King, item.from(1).trim()
	}
	first, last, isRange := squares.cut("-")
	if !isRange {
		s, reason := r.v.readSquare(squares.text)
		if reason != "" {
			return r.badSquare(squares, reason)
		}
		return r.put(c, k, s, squares)
	}
	first, last = first.trim(), last.trim()
	var ends [2]int
	for i, end := range []part{first, last} {
		s, reason := r.v.readSquare(end.text)
		if reason != "" {
			return r.badSquare(end, reason)
		}
		if end.text[0] >= 'a' {
			return r.fail(squares, "a range needs numbers")
		}
		ends[i] = r.v.Number(s)
	}
	if ends[0] > ends[1] {
		return r.fail(squares, "the range runs backward")
	}
	for n := ends[0]; n <= ends[1]; n++ {
		if err := r.put(c, k, r.v.SquareNumbered(n), squares); err != nil {
			return err
		}
	}
	return nil
}

func (r *fenReader) badSquare(at part, reason string) error {
	if at.text != "" && (at.text[0] == 'G' || at.text[0] == 'P') {
		reason = "pieces in the middle of being captured (G, P) cannot be set up"
	}
	return r.fail(at, reason)
}

func (r *fenReader) put(c Color, k Kind, s Square, at part) error {
	if r.setup.Position.Occupied().Has(s) {
		return r.fail(at, fmt.Sprintf("there already is a piece on %s", r.v.names[s]))
	}
	r.setup.Position.Put(c, k, s)
	return nil
}
