package draughts_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"threekings/draughts"
)

// readGames reads all games and the error of each.
func readGames(t testing.TB, text string, opts draughts.PDNOptions) (games []*draughts.Game, errs []error) {
	t.Helper()
	r := draughts.NewPDNReader(strings.NewReader(text), opts)
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			return games, errs
		}
		if g == nil {
			t.Fatal(err)
		}
		games, errs = append(games, g), append(errs, err)
	}
}

func readGame(t testing.TB, text string) *draughts.Game {
	t.Helper()
	games, errs := readGames(t, text, draughts.PDNOptions{})
	if len(games) != 1 || errs[0] != nil {
		t.Fatalf("%d games, %v", len(games), errs)
	}
	return games[0]
}

func moveTexts(g *draughts.Game, v *draughts.Variation) string {
	at := g.Start.Position
	var texts []string
	for _, m := range v.Moves {
		texts = append(texts, g.Variant.MoveText(at, m.Move))
		at = m.Position
	}
	return strings.Join(texts, " ")
}

// The forms are those of the PDN 3.0 reading grammar and of the files that its
// documents list as met in practice.
func TestFormsOfMoves(t *testing.T) {
	const want = "32-28 19-23 28x19 14x23"
	for _, text := range []string{
		"1. 32-28 19-23 2. 28x19 14x23 *",
		"1. 32-28 19-23 2. 28x19 14x23",
		"1.32-28 19-23 2.28x19 14x23 2-0",
		"32-28 19-23 28x19 14x23 1-1",
		"01. 32-28 19-23 02. 28x19 14x23 0-2",
		"1. 32-28 1... 19-23 2. 28:19 2... 14:23 *",
		"1. 32 - 28 19 - 23 2. 28 x 19 14 x 23 *",
		"1. 3228 1923 2. 2819 1423 1/2-1/2",
		"1. 32-28! 19-23?! 2. 28x19(!) 14x23(??) 1-0",
		"1. 32-28 $1 19-23 $146 2. 28x19$2 14x23 0-1",
		"1. 32-28* 19-23 2. 28x19* 14x23*",
		"1. 32-28 {a comment} 19-23 ; and one more\n2. 28x19\r\n14x23 0-0",
		"% a line of its own\n1. 32-28 % the rest of a line\r\n19-23\r2. 28x19 14x23 . *",
		"1. 32-28 (1. 31-27 17-21 (20-24 2. 37-31)) 19-23 2. 28x19 14x23 *",
		"\xef\xbb\xbf1. 32-28 19-23 2. 28X19 14X23 *",
		"/FEN \"W:W31-50:B1-20\"/ 32-28 19-23 28x19 14x23 *",
	} {
		g := readGame(t, text)
		if got := moveTexts(g, &g.Main); got != want {
			t.Errorf("%q: moves %s", text, got)
		}
	}
}

func TestResults(t *testing.T) {
	for text, want := range map[string]draughts.GameResult{
		"2-0": draughts.WhiteWins, "1-0": draughts.WhiteWins, "0-2": draughts.BlackWins, "0-1": draughts.BlackWins,
		"1-1": draughts.GameDrawn, "1/2-1/2": draughts.GameDrawn, "1/2 - 1/2": draughts.GameDrawn, "2 - 0": draughts.WhiteWins, "0-0": draughts.BothLose, "*": draughts.NoResult,
	} {
		if g := readGame(t, "1. 32-28 "+text); g.Result != want || g.Score() != want || len(g.Main.Moves) != 1 {
			t.Errorf("%s: %v, %d moves", text, g.Result, len(g.Main.Moves))
		}
		if g := readGame(t, `[Result "`+text+`"]`); g.Score() != want {
			t.Errorf("tag %s: %v", text, g.Score())
		}
		if got, ok := draughts.ParseResult(text); got != want || !ok {
			t.Errorf("ParseResult(%s) = %v, %v", text, got, ok)
		}
	}
	// A score of ten points, as some tournaments count, ends a game too.
	g := readGame(t, "[Result \"4-6\"]\n1. 32-28 19-23 4-6\n")
	if len(g.Main.Moves) != 2 || g.Score() != draughts.NoResult {
		t.Errorf("%d moves, %v", len(g.Main.Moves), g.Score())
	}
	// A move is a move unless it ends the game.
	g = readGame(t, "[Result \"32-28\"]\n1. 32-28 19-23 *\n")
	if len(g.Main.Moves) != 2 {
		t.Errorf("%d moves", len(g.Main.Moves))
	}
	for _, v := range draughts.Variants() {
		for _, r := range []draughts.GameResult{draughts.NoResult, draughts.WhiteWins, draughts.BlackWins, draughts.GameDrawn, draughts.BothLose} {
			if back, ok := draughts.ParseResult(v.ResultText(r)); back != r || !ok {
				t.Errorf("%s: %v is written %s", v.Name, r, v.ResultText(r))
			}
		}
	}
}

func TestAnnotations(t *testing.T) {
	g := readGame(t, `{before} 1. 32-28! {good} $10 (31-27 {other} 17-21?? (17-22) (20-24 {third})) 19-23 ; then
{again} *`)
	if g.Main.Comment != "before" {
		t.Errorf("first comment %q", g.Main.Comment)
	}
	first, second := g.Main.Moves[0], g.Main.Moves[1]
	if first.Comment != "good" || !cmp.Equal(first.NAGs, []int{1, 10}) || second.Comment != "then again" {
		t.Errorf("%+v\n%+v", first, second)
	}
	if len(first.Variations) != 1 || len(first.Variations[0].Moves) != 2 {
		t.Fatalf("variations %+v", first.Variations)
	}
	other := first.Variations[0].Moves[1]
	if !cmp.Equal(other.NAGs, []int{4}) || len(other.Variations) != 2 || other.Variations[1].Moves[0].Comment != "third" {
		t.Errorf("%+v", other)
	}
	g = readGame(t, "32-28! 19-23? 28x19!! 14x23?? 37-32!? 10-14?! 41-37!!! 5-10* 46-41 *")
	for i, want := range []int{1, 2, 3, 4, 5, 6, 3, 7} {
		if got := g.Main.Moves[i].NAGs; !cmp.Equal(got, []int{want}) {
			t.Errorf("move %d has NAGs %v, want %d", i+1, got, want)
		}
	}
}

func TestTags(t *testing.T) {
	g := readGame(t, "[Event \"A \\\"great\\\" match\"]\n[ Site \"Oost \"west\" thuis\" ]\r\n[White \"M\xfcller\"][Black \"Жук\"]\n[WhiteTime \"1:59:20\"]\n[Path \"C:\\\\dam\\\"]\n[Bracket \"a \\\"[b\\\"] c\"]\n\n1. 32-28 *\n")
	for name, want := range map[string]string{
		"Event": `A "great" match`, "Site": `Oost "west" thuis`, "white": "Müller", "Black": "Жук", "WhiteTime": "1:59:20",
		"Path": `C:\dam\`, "Bracket": `a "[b"] c`, "Nothing": "",
	} {
		if got := g.Tag(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	g = readGame(t, "1. 32-28 {caf\xe9 } 2-0")
	if got := g.Main.Moves[0].Comment; got != "café" {
		t.Errorf("Latin-1 comment %q", got)
	}
}

func TestGamesOfAFile(t *testing.T) {
	games, errs := readGames(t, `[Event "first"]
[Result "2-0"]

1. 32-28 19-23 2-0

[Event "without an end"]
1. 31-27 17-21
[Event "empty"]
[Round "1"]
[Event "begins with a setup"]
[SetUp "1"]
[FEN "B:W28,K5:BK23:H12"]
23x32 *

32-28 * 33-28 18-22 *
* `, draughts.PDNOptions{})
	var got []string
	for i, g := range games {
		if errs[i] != nil {
			t.Error(errs[i])
		}
		got = append(got, fmt.Sprintf("%d %d %q %d %v", g.Number, g.Line, g.Tag("Event"), len(g.Main.Moves), g.Score()))
	}
	want := []string{
		`1 1 "first" 2 white wins`,
		`2 6 "without an end" 2 no result`,
		`3 8 "empty" 0 no result`,
		`4 10 "begins with a setup" 1 no result`,
		`5 15 "" 1 no result`,
		`6 15 "" 2 no result`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s := games[3].Start; !s.HasCount || s.Count != 12 {
		t.Errorf("%+v", s)
	}
}

func TestEveryVariantHasItsGameType(t *testing.T) {
	for _, v := range draughts.Variants() {
		tag := fmt.Sprintf("[GameType %q]", v.GameTypeTag())
		if v.GameType == 0 {
			tag = fmt.Sprintf("[Variant %q]", v.Name)
		}
		if g := readGame(t, tag); g.Variant != v || g.Start.Position != v.Initial() {
			t.Errorf("%s: %s, %s", tag, g.Variant.Name, g.Variant.FEN(g.Start.Position))
		}
		if v.GameType != 0 {
			if g := readGame(t, fmt.Sprintf("[GameType \"%d\"]", v.GameType)); g.Variant != v {
				t.Errorf("%d: %s", v.GameType, g.Variant.Name)
			}
		}
	}
	// The whole tags are those of the PDN 3.0 document.
	for name, want := range map[string]string{
		"international": "20,W,10,10,N2,0", "english": "21,B,8,8,N1,0", "italian": "22,W,8,8,N2,1", "pool": "23,B,8,8,N1,0",
		"spanish": "24,W,8,8,N1,1", "russian": "25,W,8,8,A0,0", "canadian": "27,W,12,12,N2,0", "portuguese": "28,W,8,8,N1,1",
		"czech": "29,W,8,8,A0,0", "turkish": "30,W,8,8,A0,0", "armenian": "",
	} {
		v, err := draughts.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.GameTypeTag(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	// Algebraic squares are read where numbers are written, and White may begin.
	games, errs := readGames(t, "[GameType \"26,W,8,8,A0,0\"] c3-d4 b6-a5 * [GameType \"23,W,8,8,A0,0\"] c3-d4 b6-a5 *", draughts.PDNOptions{})
	if len(games) != 2 || errs[0] != nil || errs[1] != nil || len(games[1].Main.Moves) != 2 {
		t.Error(len(games), errs)
	}
	// A much used server says N1 where it numbers from the top left.
	games, errs = readGames(t, "[GameType \"20,W,10,10,N1,0\"]\n1. 32-28 18-23 2. 33-29 23x32 3. 37x28 17-22 4. 28x17 11x22 0-1\n", draughts.PDNOptions{})
	if errs[0] != nil || len(games[0].Main.Moves) != 8 {
		t.Error(errs)
	}
	// Without a tag the caller says what it is.
	games, errs = readGames(t, "1. c3-d4 b6-a5 *", draughts.PDNOptions{Variant: draughts.Russian})
	if errs[0] != nil || games[0].Variant != draughts.Russian {
		t.Error(errs)
	}
}

// Each error says where it is, and the games around it are read.
func TestErrorsOfPDN(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		kind         error
		says         string
	}{
		{"1. 32-28 19-23\n2. 28-22 *", 2, 4, draughts.ErrIllegalMove, "the legal captures are"},
		{"1. 32-28 {Ж} 19-24 28x10 *", 1, 20, draughts.ErrIllegalMove, "28x10"},
		{"1. 32-28 foo *", 1, 10, draughts.ErrMoveText, "f"},
		{"1. 32-28 Foo *", 1, 10, draughts.ErrPDN, `"Foo"`},
		{"1. 32-28 19 *", 1, 10, draughts.ErrMoveText, "one square is not a move"},
		{"1. 32-28 - - *", 1, 10, draughts.ErrPDN, `"-"`},
		{"1. 32-28 (31-27 *", 1, 10, draughts.ErrPDN, "is not closed"},
		{"1. 32-28 ) *", 1, 10, draughts.ErrPDN, "no variation to close"},
		{"(32-28) *", 1, 1, draughts.ErrPDN, "needs a move before it"},
		{"1. 32-28 (31-28) *", 1, 11, draughts.ErrIllegalMove, "31-28"},
		{"1. 32-28 $256 *", 1, 10, draughts.ErrPDN, "0 to 255"},
		{"1. 32-28 $ *", 1, 10, draughts.ErrPDN, "0 to 255"},
		{"1. 32-28 1/3 *", 1, 10, draughts.ErrPDN, "not a result"},
		{"1. 32-28\n {no end", 2, 2, draughts.ErrPDN, "has no end"},
		{"[Event \"no end]\n1. 32-28 *", 1, 1, draughts.ErrPDN, "does not end"},
		{"[Event]\n*", 1, 1, draughts.ErrPDN, "is written"},
		{"[]\n", 1, 1, draughts.ErrPDN, "is written"},
		{"[GameType \"40\"]\n32-28 *", 1, 1, draughts.ErrPDN, "GameType 40"},
		{"[Round \"1\"]\n[GameType \"x\"] *", 2, 1, draughts.ErrPDN, "does not begin with a number"},
		{"[GameType \"20,W,8,10\"] *", 1, 1, draughts.ErrPDN, "the width"},
		{"[GameType \"20,W,10,8\"] *", 1, 1, draughts.ErrPDN, "the height"},
		{"[GameType \"25,W,8,8,N0,0\"] 11-15 *", 1, 28, draughts.ErrIllegalMove, "f6"},
		{"[GameType \"30,W,8,8,N0,0\"] *", 1, 1, draughts.ErrPDN, "algebraic"},
		{"[GameType \"23,B,8,8,A1,1\"] *", 1, 1, draughts.ErrPDN, "corner"},
		{"[GameType \"20,X\"] *", 1, 1, draughts.ErrPDN, "begins"},
		{"[GameType \"20\"]\n[GameType \"20\"] *", 2, 1, draughts.ErrPDN, "given twice"},
		{"[Variant \"Frisian\"] *", 1, 1, draughts.ErrUnknownVariant, "there are"},
		{"[SetUp \"1\"]\n*", 1, 1, draughts.ErrPDN, "no tag FEN"},
		{"[Round \"1\"]\n[FEN \"W:W51:B1\"]\n1. 32-28 *", 2, 1, draughts.ErrFEN, "51"},
		{"[FEN \"W:W1:B2\"] *", 1, 1, draughts.ErrIllegalPosition, "would be a king"},
		{"1. 32-28 /FEN \"W:W31:B1\"/ 31-27 *", 1, 10, draughts.ErrPDN, "before the first move"},
		{"/FEN \"W:W1:B2\"/ *", 1, 1, draughts.ErrIllegalPosition, "would be a king"},
		{"/hello/ *", 1, 1, draughts.ErrPDN, "is written"},
		{"1. 32-28 / *", 1, 10, draughts.ErrPDN, "both ends"},
		{"1. 32-28 " + strings.Repeat("12x", 400) + " *", 1, 10, draughts.ErrPDN, "too long"},
		{"1. 32-28 " + strings.Repeat("{"+strings.Repeat("x", 60_000)+"}\n", 2) + "19-23 *", 2, 1, draughts.ErrPDN, "too long"},
	} {
		text := "[Event \"before\"]\n1. 32-28 *\n" + c.text + "\n[Event \"after\"]\n1. 31-27 17-21 *\n"
		games, errs := readGames(t, text, draughts.PDNOptions{})
		if len(games) != 3 {
			t.Errorf("%q: %d games, %v", shortened(c.text), len(games), errs)
			continue
		}
		if errs[0] != nil || errs[2] != nil || len(games[2].Main.Moves) != 2 || games[2].Tag("Event") != "after" {
			t.Errorf("%q: the games around it: %v", shortened(c.text), errs)
		}
		var e *draughts.PDNError
		if !errors.As(errs[1], &e) || e.Game != 2 || e.Line != c.line+2 || e.Column != c.column || !errors.Is(e, c.kind) || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%q: %v, want line %d, column %d, %v, %s", shortened(c.text), errs[1], c.line+2, c.column, c.kind, c.says)
		}
	}
}

func shortened(text string) string { return text[:min(len(text), 60)] }

func TestDepthOfVariationsIsBounded(t *testing.T) {
	deep := func(n int) string {
		return "32-28 19-23 28x19 14x23 37-32 " + strings.Repeat("(37-32 ", n) + strings.Repeat(")", n) + " 10-14 *"
	}
	if g := readGame(t, deep(60)); len(g.Main.Moves) != 6 {
		t.Errorf("%d moves", len(g.Main.Moves))
	}
	_, errs := readGames(t, deep(100_000), draughts.PDNOptions{})
	if len(errs) != 1 || !errors.Is(errs[0], draughts.ErrPDN) || !strings.Contains(errs[0].Error(), "deep") {
		t.Error(errs)
	}
	// Variations that are left out may be as deep as they like, and hold anything.
	games, errs := readGames(t, "32-28 (31-28 Foo "+strings.Repeat("(", 1000)+strings.Repeat(")", 1000)+") 19-23 *", draughts.PDNOptions{MainLine: true})
	if len(games) != 1 || errs[0] != nil || len(games[0].Main.Moves) != 2 {
		t.Error(errs)
	}
}

// manyGames yields the same game again and again.
type manyGames struct {
	game []byte
	left int
	rest []byte
}

func (m *manyGames) Read(p []byte) (int, error) {
	if len(m.rest) == 0 {
		if m.left == 0 {
			return 0, io.EOF
		}
		m.left--
		m.rest = m.game
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func TestFileOfAnyLengthIsReadInBoundedMemory(t *testing.T) {
	const n = 100_000
	r := draughts.NewPDNReader(&manyGames{game: []byte("[Event \"x\"]\n[Result \"1-1\"]\n\n1. 32-28 19-23 2. 28x19 14x23 {comment} 1-1\n\n"), left: n}, draughts.PDNOptions{})
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	games := 0
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(g.Main.Moves) != 4 {
			t.Fatal(err)
		}
		if games++; games%20_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > before.HeapAlloc+4<<20 {
				t.Fatalf("%d bytes after %d games, %d before", now.HeapAlloc, games, before.HeapAlloc)
			}
		}
	}
	if games != n {
		t.Errorf("%d games", games)
	}
}

func TestGameWithoutEndIsRefused(t *testing.T) {
	r := draughts.NewPDNReader(io.MultiReader(strings.NewReader("1. 32-28 "), &manyGames{game: []byte("$1 "), left: 1 << 20}), draughts.PDNOptions{})
	if _, err := r.Next(); !errors.Is(err, draughts.ErrPDN) || !strings.Contains(err.Error(), "longer than is read") {
		t.Error(err)
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

var errDisk = errors.New("disk on fire")

func TestErrorOfReadingIsNoGame(t *testing.T) {
	r := draughts.NewPDNReader(io.MultiReader(strings.NewReader("1. 32-28 "), brokenReader{}), draughts.PDNOptions{})
	if g, err := r.Next(); g != nil || !errors.Is(err, errDisk) {
		t.Error(g, err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errDisk }

// randomGame draws a game of legal moves with annotations.
func randomGame(rt *rapid.T) *draughts.Game {
	v := rapid.SampledFrom(draughts.Variants()).Draw(rt, "variant")
	g := &draughts.Game{Number: 1, Variant: v, Start: draughts.Setup{Position: v.Initial()}}
	g.Result = rapid.SampledFrom([]draughts.GameResult{draughts.NoResult, draughts.WhiteWins, draughts.BlackWins, draughts.GameDrawn}).Draw(rt, "result")
	if rapid.Bool().Draw(rt, "setup") {
		for range rapid.IntRange(1, 30).Draw(rt, "plies") {
			moves := v.Moves(g.Start.Position, nil)
			if len(moves) == 0 {
				break
			}
			g.Start.Position = g.Start.Position.Play(rapid.SampledFrom(moves).Draw(rt, "move"))
		}
		g.Start.HasCount = rapid.Bool().Draw(rt, "count")
		if g.Start.HasCount {
			g.Start.Count = rapid.IntRange(0, 99).Draw(rt, "plies")
		}
	}
	g.Tags = append(g.Tags, draughts.Tag{Name: "Event", Value: comment(rt)}, draughts.Tag{Name: "Annotator", Value: comment(rt)})
	g.Main = randomLine(rt, v, g.Start.Position, 0)
	return g
}

func comment(rt *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-zé"\\%;.()*{}\]!-]{1,30}`), 0, 12).Draw(rt, "comment"), " ")
}

func randomLine(rt *rapid.T, v *draughts.Variant, at draughts.Position, depth int) draughts.Variation {
	var line draughts.Variation
	if rapid.IntRange(0, 3).Draw(rt, "say") == 0 {
		line.Comment = comment(rt)
	}
	for range rapid.IntRange(min(depth, 1), 12).Draw(rt, "moves") {
		moves := v.Moves(at, nil)
		if len(moves) == 0 {
			break
		}
		m := draughts.GameMove{Move: rapid.SampledFrom(moves).Draw(rt, "move")}
		m.Position = at.Play(m.Move)
		if rapid.IntRange(0, 3).Draw(rt, "say") == 0 {
			m.Comment = comment(rt)
			m.NAGs = rapid.SliceOfN(rapid.IntRange(0, 255), 1, 3).Draw(rt, "nags")
		}
		if depth < 3 && rapid.IntRange(0, 5).Draw(rt, "vary") == 0 {
			m.Variations = append(m.Variations, randomLine(rt, v, at, depth+1))
		}
		line.Moves = append(line.Moves, m)
		at = m.Position
	}
	return line
}

func TestWrittenGamesReadBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := randomGame(rt)
		var text bytes.Buffer
		for range 2 {
			if err := draughts.WritePDN(&text, g); err != nil {
				rt.Fatal(err)
			}
		}
		games, errs := readGames(t, text.String(), draughts.PDNOptions{})
		if len(games) != 2 || errs[0] != nil || errs[1] != nil {
			rt.Fatalf("%d games, %v\n%s", len(games), errs, text.String())
		}
		sameGame := cmp.Options{
			cmpopts.IgnoreFields(draughts.GameMove{}, "Line", "Column"),
			cmp.Comparer(func(a, b draughts.Position) bool { return a == b }),
			cmp.Comparer(func(a, b draughts.Move) bool { return a == b }),
			cmpopts.EquateEmpty(),
		}
		for _, back := range games {
			if back.Variant != g.Variant || back.Start != g.Start || back.Score() != g.Result {
				rt.Fatalf("%s, %+v, %v\n%s", back.Variant.Name, back.Start, back.Score(), text.String())
			}
			if diff := cmp.Diff(g.Main, back.Main, sameGame); diff != "" {
				rt.Fatalf("%s\n%s", diff, text.String())
			}
			for _, tag := range g.Tags {
				if back.Tag(tag.Name) != tag.Value {
					rt.Fatalf("%s is %q\n%s", tag.Name, back.Tag(tag.Name), text.String())
				}
			}
		}
		for line := range strings.Lines(text.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 && !strings.HasPrefix(line, "[") && !strings.Contains(line, ";") {
				rt.Fatalf("a line of %d characters\n%s", n, line)
			}
		}
	})
}

func TestTagThatCannotBeWritten(t *testing.T) {
	g := &draughts.Game{Variant: draughts.English, Tags: []draughts.Tag{{Name: "no name", Value: "x"}}}
	if err := draughts.WritePDN(io.Discard, g); !errors.Is(err, draughts.ErrPDN) {
		t.Error(err)
	}
}

// A game by its variant's own signs; move 47x36 alone would mean two captures.
func ExampleWritePDN() {
	v := draughts.International
	setup, err := v.ParseFEN("W:WK47:B14,19,29,31,42")
	if err != nil {
		panic(err)
	}
	m, err := v.ParseMove(setup.Position, "47x38x24x13x36")
	if err != nil {
		panic(err)
	}
	g := &draughts.Game{Variant: v, Start: setup, Result: draughts.WhiteWins}
	g.Main.Moves = []draughts.GameMove{{Move: m, Comment: "wins"}}
	var text strings.Builder
	if err := draughts.WritePDN(&text, g); err != nil {
		panic(err)
	}
	fmt.Print(text.String())
	// Output:
	// [Result "2-0"]
	// [GameType "20,W,10,10,N2,0"]
	// [SetUp "1"]
	// [FEN "W:WK47:B14,19,29,31,42"]
	//
	// 1. 47x38x24x13x36 {wins} 2-0
}

func FuzzPDN(f *testing.F) {
	for _, seed := range []string{
		"1. 32-28 19-23 2. 28x19 14x23 2-0", "[Event \"x\"]\n[FEN \"W:W31:BK4\"]\n31-27 {a} (31-26 $3) *", "((((", "[[[", "{", ";", "%",
		"/FEN \"W:W31:B4\"/ 31-27", "1... *", "[GameType \"25\"] c3d4 1/2-1/2", "32-28* 19-23*", "\xff\xfe1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := draughts.NewPDNReader(bytes.NewReader(text), draughts.PDNOptions{})
		for n := 0; ; n++ {
			if n > len(text)+1 {
				t.Fatal("more games than bytes")
			}
			g, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var e *draughts.PDNError
			if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Game != n+1) {
				t.Fatalf("game %d: %v", n+1, err)
			}
			if err != nil {
				continue
			}
			checkLegal(t, g.Variant, g.Start.Position, &g.Main)
			var out bytes.Buffer
			if err := draughts.WritePDN(&out, g); err != nil {
				t.Fatal(err)
			}
			back, err := draughts.NewPDNReader(&out, draughts.PDNOptions{}).Next()
			if err != nil || back.Start.Position != g.Start.Position || len(back.Main.Moves) != len(g.Main.Moves) {
				t.Fatalf("read back: %v", err)
			}
		}
	})
}

// checkLegal replays lines with the move generator.
func checkLegal(t *testing.T, v *draughts.Variant, at draughts.Position, line *draughts.Variation) {
	t.Helper()
	for i := range line.Moves {
		m := &line.Moves[i]
		legal := false
		for _, l := range v.Moves(at, nil) {
			legal = legal || l == m.Move
		}
		if !legal || at.Play(m.Move) != m.Position {
			t.Fatalf("move %d of %s", i+1, v.FEN(at))
		}
		for j := range m.Variations {
			checkLegal(t, v, at, &m.Variations[j])
		}
		at = m.Position
	}
}

// BenchmarkPDN reads games of 20 moves of each side.
func BenchmarkPDN(b *testing.B) {
	v := draughts.International
	g := &draughts.Game{Variant: v, Start: draughts.Setup{Position: v.Initial()}}
	at := g.Start.Position
	for i := range 40 {
		moves := v.Moves(at, nil)
		m := moves[i*5%len(moves)]
		at = at.Play(m)
		g.Main.Moves = append(g.Main.Moves, draughts.GameMove{Move: m, Position: at})
	}
	var text bytes.Buffer
	if err := draughts.WritePDN(&text, g); err != nil {
		b.Fatal(err)
	}
	many := &manyGames{game: text.Bytes(), left: math.MaxInt}
	r := draughts.NewPDNReader(many, draughts.PDNOptions{})
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	games := 0
	for b.Loop() {
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
		games++
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
}
