package draughts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrPDN: a game's text is not PDN, or not of a game that is known.
var ErrPDN = errors.New("bad PDN")

// PDNError says where in a file a game went wrong. Err is what is wrong: it
// matches [ErrPDN], [ErrFEN], [ErrIllegalPosition] or one of the kinds of
// [MoveError].
type PDNError struct {
	Game   int // in the file, from 1
	Line   int // from 1
	Column int // in characters, from 1
	Err    error
}

func (e *PDNError) Error() string {
	return fmt.Sprintf("game %d, line %d, column %d: %v", e.Game, e.Line, e.Column, e.Err)
}

// Unwrap returns Err.
func (e *PDNError) Unwrap() error { return e.Err }

// GameResult is how a game ended. The zero value is that it has not.
type GameResult uint8

// The results.
const (
	NoResult  GameResult = iota // "*", or a score that no result of PDN 3.0 is
	WhiteWins                   // 1-0, 2-0
	BlackWins                   // 0-1, 0-2
	GameDrawn                   // 1/2-1/2, 1-1
	BothLose                    // 0-0
)

// String returns "white wins", "black wins", "draw", "both lose" or "no result".
func (r GameResult) String() string {
	switch r {
	case WhiteWins:
		return "white wins"
	case BlackWins:
		return "black wins"
	case GameDrawn:
		return "draw"
	case BothLose:
		return "both lose"
	default:
		return "no result"
	}
}

// resultTexts are all that end a game in files, whatever its variant.
var resultTexts = map[string]GameResult{
	"*": NoResult, "0-0": BothLose,
	"1-0": WhiteWins, "0-1": BlackWins, "1/2-1/2": GameDrawn,
	"2-0": WhiteWins, "0-2": BlackWins, "1-1": GameDrawn,
}

// ParseResult reads a result such as 1-0, 1-1 or 1/2-1/2, of any variant; blanks
// in it are dropped. ok is false for other scores, which files may have too.
func ParseResult(text string) (r GameResult, ok bool) {
	r, ok = resultTexts[withoutBlanks(text)]
	return r, ok
}

func withoutBlanks(text string) string {
	return strings.Join(strings.Fields(text), "")
}

// ResultText writes a result as the variant does: 2-0, 1-1, 0-2 where PDN 3.0
// counts two points a game (International, Canadian), else 1-0, 1/2-1/2, 0-1.
func (v *Variant) ResultText(r GameResult) string {
	two := v.GameType == international.GameType || v.GameType == Canadian.GameType
	switch {
	case r == WhiteWins && two:
		return "2-0"
	case r == WhiteWins:
		return "1-0"
	case r == BlackWins && two:
		return "0-2"
	case r == BlackWins:
		return "0-1"
	case r == GameDrawn && two:
		return "1-1"
	case r == GameDrawn:
		return "1/2-1/2"
	case r == BothLose:
		return "0-0"
	default:
		return "*"
	}
}

// Tag is one line of a game's header.
type Tag struct{ Name, Value string }

// Game is one game of a PDN file.
type Game struct {
	// Number is the game's place in the file, Line where it begins, both from 1.
	Number, Line int
	Variant      *Variant
	// Tags are those of the header, in order.
	Tags []Tag
	// Start is the position in which the game begins.
	Start Setup
	// Main is what was played.
	Main Variation
	// Result is what stands behind the moves, NoResult if nothing does.
	// [Game.Score] joins it with the tag.
	Result GameResult
}

// Variation is a sequence of moves, with a comment before the first of them.
type Variation struct {
	Comment string
	Moves   []GameMove
}

// GameMove is a move of a game.
type GameMove struct {
	Move Move
	// Position is the position after the move.
	Position Position
	// Line and Column are where the file has it, from 1.
	Line, Column int
	// NAGs are annotations by number: 1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6
	// "?!", 7 the only move.
	NAGs []int
	// Comment is what follows the move; blanks and line ends in it count as one
	// blank.
	Comment string
	// Variations are what could have been played instead of this move.
	Variations []Variation
}

// Tag returns the value of a tag, whose name may be in upper or lower case, or
// nothing if it is not there.
func (g *Game) Tag(name string) string {
	value, _ := g.findTag(name)
	return value
}

func (g *Game) findTag(name string) (string, bool) {
	for _, t := range g.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value, true
		}
	}
	return "", false
}

// Score returns the result that the tag Result states, or what stands behind
// the moves if the tag is missing or says nothing.
func (g *Game) Score() GameResult {
	if r, ok := ParseResult(g.Tag("Result")); ok && r != NoResult {
		return r
	}
	return g.Result
}

// VariantOfGameType returns the variant with the given PDN 3.0 number.
func VariantOfGameType(number int) (*Variant, error) {
	var known []string
	for _, v := range Variants() {
		if v.GameType == 0 {
			continue
		}
		if v.GameType == number {
			return v, nil
		}
		known = append(known, fmt.Sprintf("%d %s", v.GameType, v.Name))
	}
	return nil, fmt.Errorf("%w: GameType %d is not among %s", ErrPDN, number, strings.Join(known, ", "))
}

// GameTypeTag returns the whole value of the tag GameType: number, who begins,
// width, height, notation, and whether the board is mirrored. It is empty where
// PDN 3.0 has no number (Armenian).
func (v *Variant) GameTypeTag() string {
	if v.GameType == 0 {
		return ""
	}
	return fmt.Sprintf("%d,%c,%d,%d,%s,%d", v.GameType, colorLetter[v.FirstMover], v.Width, v.Height, v.notationField(), mirrorField(v.Mirrored))
}

func mirrorField(mirrored bool) int {
	if mirrored {
		return 1
	}
	return 0
}

// notationField says how squares are named, and in which corner the first one
// is, seen by the side that begins: 0 bottom left, 1 bottom right, 2 top left, 3
// top right.
func (v *Variant) notationField() string {
	if v.Algebraic {
		return "A" + strconv.Itoa(mirrorField(v.Mirrored))
	}
	return "N" + strconv.Itoa(v.numberOrigin())
}

func (v *Variant) numberOrigin() int {
	corner := 2 // top left, seen by White
	if v.Numbering == FromBottomRight {
		corner = 1
	}
	if v.FirstMover == Black {
		corner = 3 - corner
	}
	return corner
}

// readGameType returns the variant that a tag GameType names and who begins. A
// board that is not the variant's is an error: it is another game. Where numbers
// begin is not looked at, since the games of the largest server say N1 for boards
// that they number from the top left; a game that is numbered in another way has
// illegal moves.
func readGameType(text string) (*Variant, Color, error) {
	fields := strings.Split(text, ",")
	for i := range fields {
		fields[i] = strings.Trim(fields[i], blanks)
	}
	number, ok := readNumber(fields[0], 1000)
	if !ok {
		return nil, 0, fmt.Errorf("%w: GameType %s does not begin with a number", ErrPDN, quoted(text))
	}
	v, err := VariantOfGameType(number)
	if err != nil {
		return nil, 0, err
	}
	first := v.FirstMover
	wrong := func(what, want string) (*Variant, Color, error) {
		return nil, 0, fmt.Errorf("%w: GameType %s: %s of %s draughts is %s", ErrPDN, quoted(text), what, v.Title, want)
	}
	if len(fields) > 1 {
		switch strings.ToUpper(fields[1]) {
		case "W":
			first = White
		case "B":
			first = Black
		default:
			return wrong("the side that begins", first.String()+", written W or B")
		}
	}
	if len(fields) > 2 && fields[2] != strconv.Itoa(v.Width) {
		return wrong("the width", strconv.Itoa(v.Width))
	}
	if len(fields) > 3 && fields[3] != strconv.Itoa(v.Height) {
		return wrong("the height", strconv.Itoa(v.Height))
	}
	if len(fields) > 4 && strings.HasPrefix(strings.ToUpper(fields[4]), "N") && v.Numbering == Unnumbered {
		return wrong("the notation", "algebraic")
	}
	if len(fields) > 5 && fields[5] != "" && fields[5] != strconv.Itoa(mirrorField(v.Mirrored)) {
		return wrong("the last field, for the corner that plays,", strconv.Itoa(mirrorField(v.Mirrored)))
	}
	return v, first, nil
}
