package draughts

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// pdnKind is a kind of word in PDN.
type pdnKind uint8

const (
	pdnEnd pdnKind = iota
	pdnTag         // [name "text"]
	pdnMove
	pdnNumber // of a move, with its dots
	pdnResult
	pdnStar // "*", alone or right behind a move
	pdnComment
	pdnOpen
	pdnClose
	pdnNAG      // "$7"
	pdnStrength // "!", "?!", "(?)"
	pdnSetup    // "/FEN .../"
	pdnBad      // text says why
	pdnEndless  // a comment or string without an end; text says why
)

// pdnWord is one word and where it begins.
type pdnWord struct {
	kind         pdnKind
	text         string
	name         string // of a tag
	glued        bool   // nothing stands between it and the word before
	line, column int
}

const (
	// maxPDNText is the longest comment or tag that is read, in bytes. It bounds
	// what an opening bracket without its partner swallows.
	maxPDNText = 1 << 16
	pdnBuffer  = 2 * maxPDNText
)

// pdnScanner cuts PDN into words. It looks ahead within its buffer alone and
// keeps nothing: files of any length are read in bounded memory.
type pdnScanner struct {
	r            *bufio.Reader
	line, column int  // of the next byte
	afterCR      bool // the byte before was a carriage return
	err          error
}

func newPDNScanner(r io.Reader) *pdnScanner {
	s := &pdnScanner{r: bufio.NewReaderSize(r, pdnBuffer), line: 1, column: 1}
	if bom, _ := s.r.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = s.r.Discard(3)
	}
	return s
}

// peek returns the next byte, or 0 at the end. A NUL in the file reads as a
// blank would.
func (s *pdnScanner) peek() byte {
	b := s.ahead(1)
	if len(b) == 0 {
		return 0
	}
	if b[0] == 0 {
		return ' '
	}
	return b[0]
}

// ahead returns up to n of the next bytes without taking them.
func (s *pdnScanner) ahead(n int) []byte {
	b, err := s.r.Peek(n)
	if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
		s.err = err
	}
	return b
}

// find returns the bytes before the first of set and where that is, or -1 if
// there is none within reach.
func (s *pdnScanner) find(set string) (before []byte, at int) {
	b := s.ahead(min(s.r.Buffered(), maxPDNText))
	if at = bytes.IndexAny(b, set); at < 0 {
		b = s.ahead(maxPDNText)
		if at = bytes.IndexAny(b, set); at < 0 {
			return b, -1
		}
	}
	return b[:at], at
}

// skip takes n bytes, which must have been looked at.
func (s *pdnScanner) skip(n int) {
	for _, b := range s.ahead(n) {
		switch {
		case b == '\n' && s.afterCR: // counted already
		case b == '\n' || b == '\r':
			s.line++
			s.column = 1
		case b < 0x80 || b >= 0xC0: // not the rest of a character
			s.column++
		}
		s.afterCR = b == '\r'
	}
	_, _ = s.r.Discard(n)
}

// blank skips blanks and lines that begin with a percent sign, and reports
// whether there were any.
func (s *pdnScanner) blank() bool {
	any := false
	for {
		switch s.peek() {
		case ' ', '\t', '\r', '\n', '\v', '\f':
			s.skip(1)
		case '%':
			s.skipLine()
		default:
			return any
		}
		any = true
	}
}

// skipLine skips the rest of a line, however long.
func (s *pdnScanner) skipLine() {
	for {
		b := s.ahead(1)
		if len(b) == 0 || b[0] == '\n' || b[0] == '\r' {
			return
		}
		line := s.ahead(min(s.r.Buffered(), pdnBuffer))
		if n := bytes.IndexAny(line, "\r\n"); n >= 0 {
			line = line[:n]
		}
		s.skip(len(line))
	}
}

// next returns the next word.
func (s *pdnScanner) next() pdnWord {
	w := pdnWord{glued: !s.blank(), line: s.line, column: s.column}
	switch b := s.peek(); {
	case b == 0:
		w.kind = pdnEnd
	case b == '[':
		s.tag(&w)
	case b == '{':
		s.braces(&w)
	case b == ';':
		s.skip(1)
		s.lineComment(&w)
	case b == '(':
		s.open(&w)
	case b == ')':
		s.skip(1)
		w.kind = pdnClose
	case b == '*':
		s.skip(1)
		w.kind = pdnStar
	case b == '!' || b == '?':
		w.kind, w.text = pdnStrength, s.run("!?")
	case b == '$':
		s.skip(1)
		w.kind, w.text = pdnNAG, s.run(digits)
	case b == '/':
		s.setup(&w)
	case b == '.':
		w.kind, w.text = pdnNumber, s.run(".")
	case b >= '0' && b <= '9', b >= 'a' && b <= 'l':
		s.move(&w)
	default:
		w.kind, w.text = pdnBad, "found "+quoted(s.junk())+", which is neither a move nor anything else that PDN has"
	}
	return w
}

const digits = "0123456789"

// maxRun bounds words that have no end of their own.
const maxRun = maxMoveText + 1

// run takes the bytes that are in set.
func (s *pdnScanner) run(set string) string {
	b := s.ahead(maxRun)
	n := 0
	for n < len(b) && strings.IndexByte(set, b[n]) >= 0 {
		n++
	}
	text := string(b[:n])
	s.skip(n)
	return text
}

// junk takes what cannot be read, up to the next blank or bracket.
func (s *pdnScanner) junk() string {
	b := s.ahead(64)
	n := 1
	for n < len(b) && strings.IndexByte(" \t\r\n\v\f[](){};", b[n]) < 0 {
		n++
	}
	text := string(b[:n])
	s.skip(n)
	return text
}

// tag reads [Name "value"]. The value ends at the first quote before a bracket,
// so that quotes within it need no escape, though they may have one.
func (s *pdnScanner) tag(w *pdnWord) {
	w.kind = pdnTag
	line, _ := s.find("\r\n")
	fail := func(reason string) {
		w.kind, w.text = pdnEndless, reason
		s.skip(len(line))
	}
	at := 1 + leadingBlanks(line[1:])
	name := at
	for at < len(line) && isWordByte(line[at]) {
		at++
	}
	w.name = string(line[name:at])
	at += leadingBlanks(line[at:])
	if w.name == "" || at >= len(line) || line[at] != '"' {
		fail(`a tag is written [Name "value"] on one line`)
		return
	}
	at++
	var value []byte
	for ; ; at++ {
		switch {
		case at >= len(line):
			fail("the tag " + w.name + ` does not end with "] on its line`)
			return
		case line[at] == '\\' && at+1 < len(line) && (line[at+1] == '\\' || line[at+1] == '"' && !endsTag(line[at+1:])):
			at++
			value = append(value, line[at])
			continue
		case line[at] == '"':
			if closesTag(line[at:]) {
				at += 1 + leadingBlanks(line[at+1:]) + 1
				s.skip(at)
				w.text = pdnText(value)
				return
			}
		}
		value = append(value, line[at])
	}
}

// endsTag reports whether text, a quote with a backslash before it, ends a value
// that ends with the backslash: whether it closes the tag and nothing after it on
// the line does.
func endsTag(text []byte) bool {
	if !closesTag(text) {
		return false
	}
	for at := 1; at < len(text); at++ {
		if closesTag(text[at:]) {
			return false
		}
	}
	return true
}

// closesTag reports whether text is a quote with nothing but blanks before a
// bracket.
func closesTag(text []byte) bool {
	if text[0] != '"' {
		return false
	}
	n := 1 + leadingBlanks(text[1:])
	return n < len(text) && text[n] == ']'
}

func leadingBlanks(b []byte) int {
	n := 0
	for n < len(b) && (b[n] == ' ' || b[n] == '\t') {
		n++
	}
	return n
}

func isWordByte(b byte) bool {
	return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_'
}

// braces reads {a comment}. One without an end is left to be read as if it were
// none.
func (s *pdnScanner) braces(w *pdnWord) {
	b, n := s.find("}")
	if n < 0 {
		s.skip(1)
		w.kind, w.text = pdnEndless, "the comment that begins here has no end"
		return
	}
	w.kind, w.text = pdnComment, oneLine(pdnText(b[1:]))
	s.skip(n + 1)
}

// lineComment reads a comment to the end of its line.
func (s *pdnScanner) lineComment(w *pdnWord) {
	b, _ := s.find("\r\n")
	w.kind, w.text = pdnComment, oneLine(pdnText(b))
	s.skip(len(b))
	if len(b) == maxPDNText {
		w.kind, w.text = pdnBad, "a line of comment is too long"
		s.skipLine()
	}
}

// oneLine makes one blank of all that stand together.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// pdnText returns text from a file: UTF-8, or Latin-1 if it cannot be that.
func pdnText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// open tells the beginning of a variation from a strength in brackets.
func (s *pdnScanner) open(w *pdnWord) {
	b := s.ahead(maxRun)
	n := 1
	for n < len(b) && (b[n] == '!' || b[n] == '?') {
		n++
	}
	if n > 1 && n < len(b) && b[n] == ')' {
		w.kind, w.text = pdnStrength, string(b[1:n])
		s.skip(n + 1)
		return
	}
	s.skip(1)
	w.kind = pdnOpen
}

// setup reads /FEN "W:..."/, which sets up a position among the moves.
func (s *pdnScanner) setup(w *pdnWord) {
	b := s.ahead(maxFEN)
	if n := bytes.IndexByte(b[1:], '/'); n >= 0 {
		w.kind, w.text = pdnSetup, string(b[1:1+n])
		s.skip(n + 2)
		return
	}
	w.kind, w.text = pdnBad, "found "+quoted(s.junk())+"; a position among the moves has a / at both ends"
}

// move reads a move, or what looks like one for a while: its number, or a
// result. Blanks may stand around the separators of a move.
func (s *pdnScanner) move(w *pdnWord) {
	b := s.ahead(maxRun)
	n := squareRun(b)
	numeric := n > 0 && strings.Trim(string(b[:n]), digits) == ""
	switch {
	case numeric && n < len(b) && b[n] == '.':
		w.kind = pdnNumber
		s.skip(n)
		w.text = string(b[:n]) + s.run(".")
		return
	case numeric && n < len(b) && b[n] == '/':
		for n < len(b) {
			at := n + leadingBlanks(b[n:])
			if at < len(b) && b[at] == '-' {
				n = at + 1 + leadingBlanks(b[at+1:])
				continue
			}
			if b[n] != '/' && (b[n] < '0' || b[n] > '9') {
				break
			}
			n++
		}
		w.text = withoutBlanks(string(b[:n]))
		s.skip(n)
		if w.kind = pdnResult; resultTexts[w.text] == NoResult {
			w.kind, w.text = pdnBad, quoted(w.text)+" is not a result"
		}
		return
	}
	for n < len(b) {
		at := n + leadingBlanks(b[n:])
		if at >= len(b) || strings.IndexByte("-x:X", b[at]) < 0 {
			break
		}
		at++
		at += leadingBlanks(b[at:])
		more := squareRun(b[at:])
		if more == 0 {
			break
		}
		n = at + more
	}
	w.kind, w.text = pdnMove, strings.ToLower(withoutBlanks(string(b[:n])))
	s.skip(n)
	switch {
	case n >= maxMoveText:
		w.kind, w.text = pdnBad, "a move is too long"
	case resultTexts[w.text] != NoResult:
		w.kind = pdnResult
	}
}

// squareRun returns how many bytes look like squares without separators.
func squareRun(b []byte) int {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n] >= 'a' && b[n] <= 'l') {
		n++
	}
	return n
}

// endsGame reports whether nothing but the end of the file or the header of
// another game follows.
func (s *pdnScanner) endsGame() bool {
	for n := 64; ; n *= 2 {
		b := s.ahead(n)
		rest := bytes.TrimLeft(b, blanks+"\v\f")
		if len(rest) > 0 {
			return rest[0] == '['
		}
		if len(b) < n || n > maxPDNText {
			return true
		}
	}
}

// skipToHeader skips lines up to one that begins with a tag.
func (s *pdnScanner) skipToHeader() {
	for {
		b := s.ahead(2)
		if len(b) == 0 || s.column == 1 && len(b) == 2 && b[0] == '[' && b[1] >= 'A' && b[1] <= 'Z' {
			return
		}
		if b[0] == '\n' || b[0] == '\r' {
			s.skip(1)
			continue
		}
		s.skipLine()
	}
}
