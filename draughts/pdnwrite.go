package draughts

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pdnWidth is the longest line of moves that is written.
const pdnWidth = 80

// sevenTags come first, in this order.
var sevenTags = []string{"Event", "Site", "Date", "Round", "White", "Black", "Result"}

// WritePDN writes a game as PDN 3.0, with an empty line behind it: the tags that
// it has, and beside them GameType and, if the game does not begin in the
// initial position, SetUp and FEN; then the moves in lines of at most 80
// characters, with the variant's own sign for captures; then the result. Moves
// must be legal one after the other: nothing is checked.
//
// The error is that of w, or says which tag PDN cannot hold.
func WritePDN(w io.Writer, g *Game) error {
	out := bufio.NewWriter(w)
	for _, t := range g.headerTags() {
		if t.Name == "" || strings.ContainsFunc(t.Name, func(r rune) bool { return r > 'z' || !isWordByte(byte(r)) }) {
			return fmt.Errorf("%w: %s is not the name of a tag", ErrPDN, quoted(t.Name))
		}
		value := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(t.Value))
		fmt.Fprintf(out, "[%s \"%s\"]\n", t.Name, value)
	}
	fmt.Fprintln(out)
	p := pdnWriter{v: g.Variant, out: out, first: g.Variant.FirstMover}
	if g.begunByTheOther() {
		p.first = p.first.Opponent()
	}
	number := 1
	if g.Start.HasFullMove {
		number = max(g.Start.FullMove, 1)
	}
	p.variation(&g.Main, g.Start.Position, number)
	p.word(g.Variant.ResultText(g.Score()))
	p.flush()
	fmt.Fprint(out, "\n\n")
	return out.Flush()
}

// headerTags are the tags of a game in the order in which they are written, with
// those that follow from the game itself.
func (g *Game) headerTags() []Tag {
	var tags []Tag
	set := func(name, value string) {
		tags = append(tags, Tag{name, value})
	}
	own := map[string]bool{"gametype": true, "fen": true, "setup": true, "variant": g.Variant.GameType == 0}
	for _, name := range sevenTags {
		if value, ok := g.findTag(name); ok {
			set(name, value)
		} else if name == "Result" {
			set(name, g.Variant.ResultText(g.Result))
		}
		own[strings.ToLower(name)] = true
	}
	if text := g.gameTypeTag(); text != "" {
		set("GameType", text)
	} else {
		set("Variant", g.Variant.Name)
	}
	if g.Start.HasCount || g.Start.HasFullMove || g.Start.Position != g.Variant.Initial() && !g.begunByTheOther() {
		set("SetUp", "1")
		fen := g.Variant.SetupFEN(g.Start)
		if g.Start.HasFullMove {
			fen += ":F" + strconv.Itoa(g.Start.FullMove)
		}
		set("FEN", fen)
	}
	for _, t := range g.Tags {
		if !own[strings.ToLower(t.Name)] {
			tags = append(tags, t)
		}
	}
	return tags
}

// gameTypeTag is that of the variant, with the side that begins in this game.
func (g *Game) gameTypeTag() string {
	if !g.begunByTheOther() {
		return g.Variant.GameTypeTag()
	}
	other := *g.Variant
	other.FirstMover = other.FirstMover.Opponent()
	return other.GameTypeTag()
}

// begunByTheOther reports whether the game begins in the initial position, but
// with the side to move that does not begin in its variant: Pool as played by
// unified rules. The tag GameType can say so.
func (g *Game) begunByTheOther() bool {
	initial := g.Variant.Initial()
	return g.Variant.GameType != 0 && g.Start == Setup{Position: initial.WithSide(initial.Side().Opponent())}
}

// pdnWriter fills lines with words.
type pdnWriter struct {
	v      *Variant
	first  Color // whose moves have new numbers
	out    *bufio.Writer
	column int
	held   string // a word to which the next may still be glued
	glue   bool   // it is
}

func (p *pdnWriter) word(text string) {
	if p.glue {
		p.held += text
		p.glue = false
		return
	}
	p.flush()
	p.held = text
}

// flush writes the word that is held, on a new line if this one is full.
func (p *pdnWriter) flush() {
	length := utf8.RuneCountInString(p.held)
	switch {
	case length == 0:
		return
	case p.column == 0:
	case p.column+1+length > pdnWidth:
		fmt.Fprintln(p.out)
		p.column = 0
	default:
		fmt.Fprint(p.out, " ")
		p.column++
	}
	fmt.Fprint(p.out, p.held)
	p.column += length
	p.held = ""
}

// pdnFrame is a variation under way.
type pdnFrame struct {
	line   *Variation
	next   int // move to write
	at     Position
	number int // of that move
	fresh  bool
	// of the last move: what is written next of its variations
	before     Position
	variation  int
	beforeMove int
}

// variation writes moves and, on a stack of its own, the variations among them.
func (p *pdnWriter) variation(line *Variation, at Position, number int) {
	p.comment(line.Comment)
	stack := []pdnFrame{{line: line, at: at, number: number, fresh: true}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next > 0 {
			if vs := f.line.Moves[f.next-1].Variations; f.variation < len(vs) {
				v := &vs[f.variation]
				f.variation++
				f.fresh = true
				p.word("(")
				p.glue = true
				p.comment(v.Comment)
				stack = append(stack, pdnFrame{line: v, at: f.before, number: f.beforeMove, fresh: true})
				continue
			}
		}
		if f.next == len(f.line.Moves) {
			if stack = stack[:len(stack)-1]; len(stack) > 0 {
				p.glue = true
				p.word(")")
			}
			continue
		}
		p.move(f)
	}
}

func (p *pdnWriter) move(f *pdnFrame) {
	m := &f.line.Moves[f.next]
	f.before, f.beforeMove, f.variation = f.at, f.number, 0
	starts := f.at.Side() == p.first
	text := strings.ReplaceAll(p.v.MoveText(f.at, m.Move), "x", p.v.captureSign())
	switch {
	case starts:
		p.word(strconv.Itoa(f.number) + ".")
	case f.fresh:
		p.word(strconv.Itoa(f.number) + "...")
	}
	f.fresh = false
	p.word(text)
	for _, nag := range m.NAGs {
		p.word("$" + strconv.Itoa(nag))
	}
	if m.Comment != "" {
		p.comment(m.Comment)
		f.fresh = true
	}
	if !starts {
		f.number++
	}
	f.at = f.at.Play(m.Move)
	f.next++
}

// captureSign is what stands between the squares of a capture.
func (v *Variant) captureSign() string {
	if v.GameType == Russian.GameType {
		return ":"
	}
	return "x"
}

// comment writes a comment, broken into lines at its blanks. One with a closing
// brace goes on lines of its own behind a semicolon.
func (p *pdnWriter) comment(text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "}") }) {
		p.word(";")
		p.flush()
		fmt.Fprintf(p.out, " %s\n", strings.Join(words, " "))
		p.column, p.glue = 0, false
		return
	}
	words[0] = "{" + words[0]
	words[len(words)-1] += "}"
	for _, w := range words {
		p.word(w)
	}
}
