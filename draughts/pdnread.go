package draughts

import (
	"fmt"
	"io"
	"strings"
)

// PDNOptions are what can be chosen when PDN is read. The zero value is the
// default.
type PDNOptions struct {
	// Variant is that of games without a tag GameType or Variant; nil is
	// International.
	Variant *Variant
	// MainLine leaves variations out: they are skipped, whatever they hold.
	MainLine bool
}

// PDNReader reads the games of a PDN file one after the other. It keeps one game
// in memory at a time. It is for one goroutine.
type PDNReader struct {
	opts  PDNOptions
	scan  *pdnScanner
	back  pdnWord // read but left for the next game
	again bool    // back means something
	games int
}

// The limits of one game.
const (
	// maxVariations is how deep variations may stand within each other.
	maxVariations = 64
	maxTags       = 1 << 10
	// maxGame bounds all moves, comments and tags of a game together, counted in
	// bytes with an allowance for each word.
	maxGame  = 8 << 20
	wordCost = 64
)

// NewPDNReader returns a reader of PDN 3.0 and of what older programs write:
// tags, moves with or without numbers, comments in braces and after a semicolon,
// lines after a percent sign, variations, NAGs, all results, line ends of any
// system, UTF-8 or Latin-1, blanks within moves, numbers without separators.
// Games end at a result, an asterisk, or where the next header begins.
func NewPDNReader(r io.Reader, opts PDNOptions) *PDNReader {
	if opts.Variant == nil {
		opts.Variant = International
	}
	return &PDNReader{opts: opts, scan: newPDNScanner(r)}
}

// Next returns the next game, or io.EOF after the last one. A [*PDNError] is
// about one game alone: what was read of it until then comes with the error, and
// the next call goes on with the game after it. Other errors are those of the
// underlying reader, and final.
func (r *PDNReader) Next() (*Game, error) {
	p := pdnGame{opts: r.opts, game: &Game{Number: r.games + 1, Variant: r.opts.Variant}}
	for {
		w := r.word()
		if r.scan.err != nil {
			return nil, fmt.Errorf("reading PDN: %w", r.scan.err)
		}
		end, keep := p.add(w, r.scan)
		if keep {
			r.back, r.again = w, true
		}
		if !end {
			continue
		}
		if !p.started {
			if w.kind == pdnEnd {
				return nil, io.EOF
			}
			p.reset() // a separator alone
			continue
		}
		r.games++
		p.finish(w)
		if p.err != nil {
			return p.game, p.err
		}
		return p.game, nil
	}
}

func (r *PDNReader) word() pdnWord {
	if r.again {
		r.again = false
		return r.back
	}
	return r.scan.next()
}

// pdnGame puts one game together.
type pdnGame struct {
	opts    PDNOptions
	game    *Game
	started bool
	body    bool // moves have begun
	size    int
	err     *PDNError // the first; what follows it is skipped
	tags    []pdnWord // where the tags are
	skip    int       // variations that are left out and still open
	stack   []pdnLine // the line under way last
	header  string    // comments between tags
	after   bool      // the last word was a move
}

// pdnLine is the main line or a variation under way.
type pdnLine struct {
	Variation
	at     Position // after its last move
	before Position // before that
	open   pdnWord  // the bracket
}

func (p *pdnGame) reset() { p.header = "" }

func (p *pdnGame) fail(w pdnWord, err error) {
	p.start(w)
	if p.err == nil {
		p.err = &PDNError{Game: p.game.Number, Line: w.line, Column: w.column, Err: err}
	}
}

func (p *pdnGame) failf(w pdnWord, format string, args ...any) {
	p.fail(w, fmt.Errorf("%w: %s", ErrPDN, fmt.Sprintf(format, args...)))
}

func (p *pdnGame) start(w pdnWord) {
	if !p.started {
		p.started = true
		p.game.Line = w.line
	}
}

// add takes one word. end: the game is over with it; keep: it belongs to the
// next game.
func (p *pdnGame) add(w pdnWord, scan *pdnScanner) (end, keep bool) {
	afterMove := p.after
	p.after = false
	if w.kind == pdnTag && (p.body || strings.EqualFold(w.name, "Event") && p.hasTag("Event")) {
		return true, true
	}
	if p.size += len(w.text) + len(w.name) + wordCost; p.size > maxGame && w.kind != pdnEnd {
		p.failf(w, "the game is longer than is read, %d bytes", maxGame)
		scan.skipToHeader()
		return true, false
	}
	switch w.kind {
	case pdnEnd:
		return true, false
	case pdnTag:
		p.tag(w)
	case pdnResult:
		if p.inVariation() {
			return false, false // that of the variation
		}
		p.game.Result = resultTexts[w.text]
		return true, false
	case pdnStar:
		if afterMove && w.glued && !scan.endsGame() {
			p.annotate(w, strengthOnly)
			return false, false
		}
		return !p.inVariation(), false
	case pdnMove:
		if w.text == p.score() && scan.endsGame() {
			return true, false // a score that is no result of PDN's
		}
		p.begin(w)
		p.move(w)
		p.after = true
	case pdnNumber:
		p.after = afterMove
	case pdnComment:
		p.comment(w)
	case pdnOpen:
		p.open(w)
	case pdnClose:
		p.close(w)
	case pdnNAG:
		n, ok := readNumber(w.text, 255)
		if !ok || n > 255 {
			p.failf(w, "$ is followed by a number from 0 to 255")
			return false, false
		}
		p.annotate(w, n)
	case pdnStrength:
		p.annotate(w, strengthNAG(w.text))
	case pdnSetup:
		p.setup(w)
	case pdnBad:
		if p.skip == 0 {
			p.failf(w, "%s", w.text)
		}
	case pdnEndless:
		p.failf(w, "%s", w.text)
		if w.name == "" {
			scan.skipToHeader() // whatever comes may be part of it
			return true, false
		}
	}
	return false, false
}

// strengthOnly is the NAG of a star behind a move: no other move will do.
const strengthOnly = 7

func (p *pdnGame) inVariation() bool { return p.skip > 0 || len(p.stack) > 1 }

// score is the value of the tag Result as it stands at the end of the moves.
func (p *pdnGame) score() string { return withoutBlanks(p.game.Tag("Result")) }

func (p *pdnGame) hasTag(name string) bool {
	_, ok := p.game.findTag(name)
	return ok
}

func (p *pdnGame) tag(w pdnWord) {
	p.start(w)
	for _, once := range []string{"FEN", "GameType", "Result", "SetUp"} {
		if strings.EqualFold(w.name, once) && p.hasTag(once) {
			p.failf(w, "the tag %s is given twice", once)
			return
		}
	}
	if len(p.game.Tags) == maxTags {
		p.failf(w, "there are more than %d tags", maxTags)
		return
	}
	p.game.Tags = append(p.game.Tags, Tag{w.name, w.text})
	p.tags = append(p.tags, w)
}

// tagWord returns the place of a tag.
func (p *pdnGame) tagWord(name string) (w pdnWord, ok bool) {
	for _, w := range p.tags {
		if strings.EqualFold(w.name, name) && w.text != "" && w.text != "?" {
			return w, true
		}
	}
	return pdnWord{}, false
}

// begin sets the position up in which the moves begin.
func (p *pdnGame) begin(w pdnWord) {
	if p.body {
		return
	}
	p.start(w)
	p.body = true
	first := p.variant()
	v := p.game.Variant
	p.game.Start = Setup{Position: v.Initial().WithSide(first)}
	if fen, ok := p.tagWord("FEN"); ok {
		setup, err := v.ParseFEN(fen.text)
		if err != nil {
			p.fail(fen, fmt.Errorf("tag FEN: %w", err))
		} else {
			p.game.Start = setup
		}
	} else if setup, ok := p.tagWord("SetUp"); ok && setup.text == "1" {
		p.failf(setup, "the tag SetUp promises a position, but there is no tag FEN")
	}
	p.stack = []pdnLine{{Variation: Variation{Comment: p.header}, at: p.game.Start.Position}}
}

// variant finds out which game it is and who begins.
func (p *pdnGame) variant() (first Color) {
	if w, ok := p.tagWord("GameType"); ok {
		v, first, err := readGameType(w.text)
		if err == nil {
			p.game.Variant = v
			return first
		}
		p.fail(w, err)
	} else if w, ok := p.tagWord("Variant"); ok {
		v, err := Lookup(strings.ToLower(w.text))
		if err == nil {
			p.game.Variant = v
		} else {
			p.fail(w, fmt.Errorf("tag Variant: %w", err))
		}
	}
	return p.game.Variant.FirstMover
}

// setup is a position among the moves, which may only come before them.
func (p *pdnGame) setup(w pdnWord) {
	if p.skip > 0 {
		return
	}
	if p.body && len(p.stack[0].Moves) > 0 || len(p.stack) > 1 {
		p.failf(w, "a position may be set up before the first move only")
		return
	}
	text := strings.Trim(w.text, blanks)
	fen, ok := strings.CutPrefix(text, "FEN")
	if !ok {
		p.failf(w, "found %s; a position is written /FEN \"...\"/", quoted(text))
		return
	}
	p.begin(w)
	setup, err := p.game.Variant.ParseFEN(strings.Trim(fen, blanks+`"`))
	if err != nil {
		p.fail(w, err)
		return
	}
	p.game.Start, p.stack[0].at = setup, setup.Position
}

func (p *pdnGame) line() *pdnLine { return &p.stack[len(p.stack)-1] }

func (p *pdnGame) move(w pdnWord) {
	if p.err != nil || p.skip > 0 {
		return
	}
	l := p.line()
	m, err := p.game.Variant.parseGameMove(l.at, w.text)
	if err != nil {
		p.fail(w, err)
		return
	}
	l.before, l.at = l.at, l.at.Play(m)
	l.Moves = append(l.Moves, GameMove{Move: m, Position: l.at, Line: w.line, Column: w.column})
}

// parseGameMove also reads four digits without a separator.
func (v *Variant) parseGameMove(at Position, text string) (Move, error) {
	if len(text) == 4 && strings.Trim(text, digits) == "" {
		from, to := text[:2], text[2:]
		if m, err := v.ParseMove(at, from+"x"+to); err == nil {
			return m, nil
		}
		text = from + "-" + to
	}
	return v.ParseMove(at, text)
}

func (p *pdnGame) comment(w pdnWord) {
	if w.text == "" || p.err != nil || p.skip > 0 {
		return
	}
	to := &p.header
	if p.body {
		l := p.line()
		to = &l.Comment
		if n := len(l.Moves); n > 0 {
			to = &l.Moves[n-1].Comment
		}
	}
	if len(*to)+len(w.text) > maxPDNText {
		p.failf(w, "the comments on one move are too long")
		return
	}
	if *to != "" {
		*to += " "
	}
	*to += w.text
}

// annotate adds a NAG to the last move. Without one it says nothing.
func (p *pdnGame) annotate(w pdnWord, nag int) {
	if p.err != nil || p.skip > 0 {
		return
	}
	p.begin(w)
	l := p.line()
	if n := len(l.Moves); n > 0 {
		l.Moves[n-1].NAGs = append(l.Moves[n-1].NAGs, nag)
	}
}

// strengthNAG returns the NAG of "!", "?!" and the like.
func strengthNAG(text string) int {
	good := strings.HasPrefix(text, "!")
	switch {
	case text == "!":
		return 1
	case text == "?":
		return 2
	case good && strings.Trim(text, "!") == "":
		return 3
	case strings.Trim(text, "?") == "":
		return 4
	case good:
		return 5
	default:
		return 6
	}
}

func (p *pdnGame) open(w pdnWord) {
	p.begin(w)
	if p.skip > 0 || p.opts.MainLine || p.err != nil {
		p.skip++
		return
	}
	l := p.line()
	switch {
	case len(l.Moves) == 0:
		p.failf(w, "a variation needs a move before it")
	case len(p.stack) > maxVariations:
		p.failf(w, "variations stand more than %d deep within each other", maxVariations)
	default:
		p.stack = append(p.stack, pdnLine{at: l.before, open: w})
		return
	}
	p.skip++
}

func (p *pdnGame) close(w pdnWord) {
	switch {
	case p.skip > 0:
		p.skip--
	case len(p.stack) < 2:
		p.failf(w, "there is no variation to close")
	default:
		p.fold()
	}
}

// fold ends the variation under way.
func (p *pdnGame) fold() {
	done := p.line().Variation
	p.stack = p.stack[:len(p.stack)-1]
	l := p.line()
	m := &l.Moves[len(l.Moves)-1]
	m.Variations = append(m.Variations, done)
}

// finish ends the game with its last word.
func (p *pdnGame) finish(w pdnWord) {
	p.begin(w)
	if p.err == nil && p.skip > 0 {
		p.failf(w, "a variation is not closed before the game ends")
	}
	if n := len(p.stack); n > 1 {
		p.failf(p.stack[n-1].open, "the variation that begins here is not closed before the game ends")
		for len(p.stack) > 1 {
			p.fold()
		}
	}
	p.game.Main = p.stack[0].Variation
}
