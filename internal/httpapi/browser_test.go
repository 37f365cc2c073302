package httpapi_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"threekings/internal/httpapi"
)

// browserVariable says, if it is "required", that a test without a browser fails.
const browserVariable = "THREEKINGS_BROWSER"

// findBrowser returns a Chromium, or skips the test.
func findBrowser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("browsers take long")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const how = "no Chromium is installed; on Debian: apt-get install chromium"
	if os.Getenv(browserVariable) == "required" {
		t.Fatal(how)
	}
	t.Skip(how)
	return ""
}

// tab is a page in a browser, and what went wrong on it.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu     sync.Mutex
	errors []string
}

// TestBrowser does in a browser what people do. All use one browser and one
// server, each in a tab of its own.
func TestBrowser(t *testing.T) {
	path := findBrowser(t)
	server := run(t, openTables(t), httpapi.Options{Limits: httpapi.Limits{Rate: -1}})
	defer server.end(t)
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Headless,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("force-prefers-reduced-motion", true), chromedp.WindowSize(1200, 900),
	)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil { // start it
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *tab)
	}{
		{"SetsUpAPosition", setsUpAPosition},
		{"PlaysTheBestLineToItsEnd", playsTheBestLineToItsEnd},
		{"AppliesDrawRules", appliesDrawRules},
		{"DrawsAMap", drawsAMap},
		{"SharesByItsAddress", sharesByItsAddress},
		{"SaysWhatIsWrongWithAFEN", saysWhatIsWrongWithAFEN},
		{"IsUsedByKeyboardAlone", isUsedByKeyboardAlone},
		{"StepsThroughAGame", stepsThroughAGame},
		{"ShowsStatistics", showsStatistics},
		{"Fits360Pixels", fits360Pixels},
		{"ShowsEveryVariant", showsEveryVariant},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, newTab(ctx, t, server.url)) })
	}
}

func newTab(browser context.Context, t *testing.T, url string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, url: url}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	for _, enable := range []func() error{
		func() error { _, err := chromedp.Call(ctx, cdplog.Enable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(ctx, runtime.Enable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); return err },
	} {
		if err := enable(); err != nil {
			t.Fatal(err)
		}
	}
	b.do(chromedp.EmulateViewport(1200, 900))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, e := range b.errors {
			t.Errorf("console: %s", e)
		}
	})
	return b
}

// listen collects all that a person would find in the console in red.
func (b *tab) listen(event any) {
	note := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		note = fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			note = fmt.Sprint(e.Args)
		}
	case *cdplog.EventEntryAdded:
		// A position without a table is answered with 404, which browsers note.
		if e.Entry.Level == cdplog.EntryLevelError && !strings.Contains(e.Entry.Text, "status of 404") && !strings.Contains(e.Entry.Text, "status of 400") {
			note = e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.url) && !strings.HasPrefix(e.Request.URL, "data:") {
			note = "asks for " + e.Request.URL
		}
	}
	if note != "" {
		b.mu.Lock()
		b.errors = append(b.errors, note)
		b.mu.Unlock()
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open shows an address and waits for the answer.
func (b *tab) open(query string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url + "/" + query))
	b.wait(`document.querySelector("#verdict").className !== "" && !document.querySelector("#verdict.loading")`)
}

// wait waits until an expression is true.
func (b *tab) wait(expression string) {
	b.t.Helper()
	for begin := time.Now(); ; {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if ok {
			return
		}
		if err != nil || time.Since(begin) > 20*time.Second {
			state, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.search + " " + document.querySelector("main").innerText.slice(0, 1500)`))
			b.t.Fatalf("%s: %v\n%s", expression, err, state)
		}
	}
}

// verdict waits for a text in the verdict.
func (b *tab) verdict(text string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`!document.querySelector("#verdict.loading") && document.querySelector("#verdict").innerText.includes(%q)`, text))
}

// text evaluates an expression.
func (b *tab) text(expression string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return text
}

// act evaluates an expression for what it does.
func (b *tab) act(expression string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](expression))
}

// fen returns the position in the address.
func (b *tab) fen() string {
	b.t.Helper()
	return b.text(`new URLSearchParams(location.search).get("fen")`)
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(selector))
}

// square clicks in the middle of a square, as a mouse does.
func (b *tab) square(name string) {
	b.t.Helper()
	x, y := b.middle(name)
	b.do(chromedp.MouseClickXY(x, y))
}

func (b *tab) middle(name string) (x, y float64) {
	b.t.Helper()
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => {
		const cell = document.querySelector('[data-square="%s"] .dark');
		cell.scrollIntoView({ block: "center" });
		const r = cell.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, name)))
	if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	return at[0], at[1]
}

// picture keeps a screenshot where THREEKINGS_PICTURES says, if it does.
func (b *tab) picture(name string, width, height int64) {
	b.t.Helper()
	dir := os.Getenv("THREEKINGS_PICTURES")
	if dir == "" {
		return
	}
	b.act(`scrollTo(0, 0)`)
	b.do(chromedp.EmulateViewport(width, height))
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

const english = "?variant=english&fen="

func setsUpAPosition(t *testing.T, b *tab) {
	b.open(english + "W:W31,K32:BK1")
	b.verdict("White to move wins in 33 plies (17 moves)")
	b.click("#mode-setup")
	b.click("#setup button:nth-of-type(6)") // Clear
	b.verdict("no pieces")
	b.click(`[data-tool="W"]`)
	b.square("32")
	b.click(`[data-tool="B"]`)
	b.square("1")
	b.square("2")
	b.square("2") // again: away
	b.click(`[data-tool="w"]`)
	b.square("28")
	b.wait(`new URLSearchParams(location.search).get("fen") === "W:W28,K32:BK1"`)
	b.verdict("White to move wins in 35 plies (18 moves)")
	b.click("#side")
	b.verdict("Black to move loses")
	if got := b.fen(); got != "B:W28,K32:BK1" {
		t.Error(got)
	}

	// A piece is dragged, and one is dragged off the board.
	drag := func(from string, x, y float64) {
		fx, fy := b.middle(from)
		b.do(chromedp.MouseEvent(chromedp.MousePressed, fx, fy, chromedp.ButtonLeft, chromedp.ClickCount(1)),
			chromedp.MouseEvent(chromedp.MouseMoved, (fx+x)/2, (fy+y)/2, chromedp.ButtonLeft),
			chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft),
			chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
	x, y := b.middle("27")
	drag("28", x, y)
	b.wait(`new URLSearchParams(location.search).get("fen") === "B:W27,K32:BK1"`)
	drag("27", 2, 2)
	b.wait(`new URLSearchParams(location.search).get("fen") === "B:WK32:BK1"`)
	b.verdict("Black to move: draw")

	// What is no position of the game is said in words.
	b.click(`[data-tool="w"]`)
	b.square("4")
	b.verdict("A white man stands on 4, where it would be a king")
}

func playsTheBestLineToItsEnd(t *testing.T, b *tab) {
	b.open("?variant=international&fen=W:W23:B5,6")
	b.verdict("White to move wins in 29 plies (15 moves)")
	if got := b.text(`[...document.querySelectorAll("#moves button")].map((b) => b.innerText.replace(/\s+/g, " ").trim()).join("|")`); got != "+ 23-18 Win in 29 plies (15 moves) BEST|= 23-19 Draw" {
		t.Error(got)
	}
	// Every position of the line is one ply nearer to the end.
	b.click("#line")
	b.wait(`document.querySelectorAll("#game li").length === 30`)
	for ply := 28; ply > 0; ply-- {
		words := fmt.Sprintf("Black to move loses in %d plies", ply)
		if ply%2 == 1 {
			words = fmt.Sprintf("White to move wins in %d pl", ply)
		}
		if ply == 28 {
			b.click("#run") // stop: the rest by hand
			b.act(`document.querySelectorAll("#game button")[1].click()`)
		} else {
			b.click("#forward")
		}
		b.verdict(words)
	}
	b.click("#forward")
	b.verdict("Black has lost")
	if got := b.text(`String(document.querySelector("#forward").disabled)`); got != "true" {
		t.Error("the line goes on")
	}
	b.click("#first")
	b.verdict("wins in 29 plies")

	// By the board: a piece, and where it goes.
	b.square("23")
	b.wait(`document.querySelectorAll(".is-target").length === 2`)
	b.square("19")
	b.verdict("Black to move: draw")
	b.click("#tab-game")
	b.wait(`document.querySelector("#game .mistake")?.ariaLabel.includes("lets the win go")`)
	b.click("#back")
	b.verdict("wins in 29 plies")
	b.click("#flip")
	b.wait(`document.querySelector(".cell").dataset.square === "50"`)
}

// Both verdicts are shown, and the count goes on with every move.
func appliesDrawRules(t *testing.T, b *tab) {
	b.open(english + "W:WK32,K31:BK1")
	b.verdict("White to move wins in 33 plies")
	if got := b.text(`document.querySelector("#verdict").innerText`); strings.Contains(got, "draw rules") {
		t.Error(got)
	}
	b.do(chromedp.SetValue("#rules", "wcdf"))
	b.act(`document.querySelector("#rules").dispatchEvent(new Event("change"))`)
	b.verdict("Under the draw rules wcdf at count 0 of 80: a win, in time; 33 plies to the next reset, 80 plies left.")
	b.do(chromedp.SetValue("#count", "47"))
	b.act(`document.querySelector("#count").dispatchEvent(new Event("change"))`)
	b.verdict("at count 47 of 80: a win, in time")
	b.click("#best")
	b.verdict("at count 48 of 80: a loss, in time")
	b.click("#back")
	b.click("#line") // best play goes on counting
	b.verdict("at count 49 of 80: a win, in time")
	// All of it was asked for, and is judged, under the rules.
	if got := b.text(`performance.getEntriesByType("resource").map((e) => e.name).filter((n) => n.includes("/line?")).at(-1)`); !strings.Contains(got, "profile=wcdf") {
		t.Error(got)
	}
	b.click("#last")
	b.verdict("Under the draw rules wcdf at count")
	b.wait(`document.querySelectorAll("#game li").length === 34`)
	b.click("#first")
	b.do(chromedp.SetValue("#count", "48"))
	b.act(`document.querySelector("#count").dispatchEvent(new Event("change"))`)
	b.verdict("White to move wins in 33 plies")
	b.verdict("at count 48 of 80: a draw: the rule takes the win away")
	b.wait(`document.querySelector("#line").disabled`) // no line is best in a draw
	b.wait(`document.querySelector("#moves").innerText.includes("draw by rule") && document.querySelector("#verdict.draw") && document.querySelectorAll("#moves .draw").length === 4`)
	b.open(b.text("location.search"))
	b.verdict("at count 48 of 80: a draw: the rule takes the win away")
	b.do(chromedp.SetValue("#rules", ""))
	b.act(`document.querySelector("#rules").dispatchEvent(new Event("change"))`)
	b.wait(`!document.querySelector("#verdict.loading") && !document.querySelector("#verdict").innerText.includes("draw rules")`)
}

func drawsAMap(t *testing.T, b *tab) {
	b.open("?variant=international&fen=W:WK7,K30:BK45")
	b.click("#mode-map")
	b.square("45")
	b.wait(`document.querySelectorAll(".mark").length === 48`)
	b.picture("map", 1200, 900)
	b.do(chromedp.EmulateViewport(1200, 900))
	m := b.text(`["win", "draw", "loss"].map((o) => document.querySelectorAll(".mark." + o).length).join()`)
	want := b.async(`(async () => {
		const answer = await (await fetch("v1/international/map?fen=W:WK7,K30:BK45&square=45")).json();
		return ["win", "draw", "loss"].map((o) => answer.squares.filter((s) => s.outcome === o).length).join();
	})()`)
	if m != want || !strings.HasSuffix(m, ",0") {
		t.Errorf("%s squares are won, drawn, lost; the server says %s", m, want)
	}
	if got := b.text(`document.querySelector('[data-square="23"]').getAttribute("aria-label")`); !strings.HasPrefix(got, "23, empty, Win in ") {
		t.Error(got)
	}
	if got := b.text(`document.querySelector("#hint").innerText`); !strings.Contains(got, "White wins: "+strings.Split(want, ",")[0]) {
		t.Error(got)
	}
	// What if it stood there?
	b.square("23")
	b.verdict("White to move wins in")
	if got := b.fen(); got != "W:WK7,K30:BK23" {
		t.Error(got)
	}
	b.click("#back")
	b.verdict("White to move: draw")
}

func sharesByItsAddress(t *testing.T, b *tab) {
	b.open(english + "W:W31,K32:BK1")
	b.click(`[data-move="32-28"]`)
	b.verdict("Black to move loses in 32 plies")
	b.click("#flip")
	b.verdict("Black to move loses in 32 plies")
	query := b.text("location.search")
	if query != "?variant=english&fen=B:W31,K28:BK1&flip=1" {
		t.Error(query)
	}
	b.do(chromedp.Navigate("about:blank"))
	b.open(query)
	b.verdict("Black to move loses in 32 plies")
	if got := b.text(`document.querySelector("#variant").value + document.querySelector(".cell").dataset.square`); got != "english32" {
		t.Error(got)
	}
	// A FEN in any form, and one that is none.
	b.open("?variant=russian&fen=" + "W:W+a1+:+BKh8+.")
	b.verdict("Unknown: not in the tables")
	b.verdict("threekings generate --variant russian --material MvK")
	b.wait(`document.querySelectorAll("#moves button").length === 1`) // it can be played all the same
	b.open("?variant=english&fen=nonsense")
	b.wait(`document.querySelector("#fen-error").innerText.includes("the side to move must be W or B")`)
	if got := b.text(`document.querySelector("#fen").value`); got != "nonsense" {
		t.Error(got)
	}
}

func saysWhatIsWrongWithAFEN(t *testing.T, b *tab) {
	b.open(english + "W:W31,K32:BK1")
	enter := func(fen string) {
		b.do(chromedp.SetValue("#fen", fen), chromedp.Click("#position button"))
	}
	enter("W:W31,Kq:BK1")
	b.wait(`document.querySelector("#fen-error").innerText.includes("not a square")`)
	if got := b.text(`document.querySelector("#fen").getAttribute("aria-invalid") + " " + document.querySelector("#verdict").innerText`); !strings.HasPrefix(got, "true White to move wins in 33") {
		t.Errorf("%s", got)
	}
	enter("W:W1:BK30")
	b.wait(`document.querySelector("#fen-error").innerText.includes("where it would be a king")`)
	enter("B: W 31 , K32 : BK1 .")
	b.verdict("Black to move loses in 30 plies")
	if got := b.text(`document.querySelector("#fen").value + document.querySelector("#fen-error").innerText`); got != "B:W31,K32:BK1" {
		t.Error(got)
	}
}

func isUsedByKeyboardAlone(t *testing.T, b *tab) {
	b.open(english + "W:W31,K32:BK1")
	focused := func() string {
		return b.text(`document.activeElement.dataset.square ?? document.activeElement.id ?? document.activeElement.tagName`)
	}
	for i := 0; ; i++ { // to the board
		b.do(chromedp.KeyEvent(kb.Tab))
		if f := focused(); f == "32" {
			break
		}
		if i > 10 {
			t.Fatal("the board is not reached")
		}
	}
	if got := b.text(`document.activeElement.getAttribute("aria-label") + "; " + document.activeElement.getAttribute("role")`); got != "32, white king, can move; gridcell" {
		t.Error(got)
	}
	// Up and down lead back; every square is reached.
	for _, step := range []struct{ key, square string }{
		{kb.ArrowLeft, "31"}, {kb.ArrowRight, "32"}, {kb.ArrowUp, "27"}, {kb.ArrowDown, "32"}, {kb.ArrowDown, "32"},
		{kb.ArrowUp, "27"}, {kb.ArrowUp, "24"}, {kb.ArrowLeft, "23"}, {kb.ArrowDown, "26"}, {kb.ArrowDown, "31"},
	} {
		b.do(chromedp.KeyEvent(step.key))
		if f := focused(); f != step.square {
			t.Errorf("at %s, not %s", f, step.square)
		}
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelector("#live").innerText.includes("white man on 31 can go to")`)
	b.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
	b.verdict("Black to move loses in 32 plies")
	b.wait(`document.querySelector("#live").innerText.startsWith("31-26. Black to move loses in 32 plies")`)
	if f := focused(); f != "26" {
		t.Errorf("the focus is lost: %s", f)
	}
	// Set up: a man in place of a king, a piece moved.
	b.do(chromedp.KeyEvent("s"), chromedp.KeyEvent(kb.Delete))
	b.verdict("Black to move: draw")
	b.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent("w"))
	b.wait(`/^B:W2[34],K32:BK1$/.test(new URLSearchParams(location.search).get("fen"))`)
	b.do(chromedp.KeyEvent("x"), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
	b.wait(`/^B:W(18|19|20),K32:BK1$/.test(new URLSearchParams(location.search).get("fen"))`)
	b.do(chromedp.KeyEvent("t"))
	b.verdict("White to move wins")
	b.do(chromedp.KeyEvent("m"), chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelectorAll(".mark").length > 20`)
	b.do(chromedp.KeyEvent("p"), chromedp.KeyEvent("f"))
	b.wait(`document.querySelector(".cell").dataset.square === "32"`)
	b.do(chromedp.KeyEvent(","))

	// Tabs by arrows.
	b.do(chromedp.Focus("#tab-moves"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	if f := focused(); f != "tab-statistics" {
		t.Error(f)
	}
	b.wait(`document.querySelectorAll(".tables button").length > 3`)
}

func stepsThroughAGame(t *testing.T, b *tab) {
	b.open("?variant=international")
	b.click("#tab-game")
	b.do(chromedp.SetValue("#pdn", `[White "One"] [Black "Other"] [GameType "21"]
[SetUp "1"] [FEN "W:W31,K32:BK1"] 1. 31-27 1-5 2. 27-23 5-9 1-0`), chromedp.Click("#pdn-form button"))
	b.wait(`document.querySelectorAll("#game li").length === 5`)
	b.verdict("White to move wins in 33 plies")
	if got := b.text(`document.querySelector("#variant").value + ": " + document.querySelector("#pdn-tags").innerText`); got != "english: One · Other · 1-0" {
		t.Error(got)
	}
	if got := b.text(`[...document.querySelectorAll("#game button")].slice(1).map((c) => c.ariaLabel).join("|")`); !strings.HasPrefix(got, "31-27, Win in 33 plies (17 moves)|1-5, Loss in ") {
		t.Error(got)
	}
	b.act(`document.querySelectorAll("#game button")[3].click()`)
	b.wait(`new URLSearchParams(location.search).get("fen") === "B:W23,K32:BK5"`)
	b.click("#last")
	b.wait(`new URLSearchParams(location.search).get("fen") === "W:W23,K32:BK9"`)
	b.do(chromedp.SetValue("#pdn", "1. 99-98"), chromedp.Click("#pdn-form button"))
	b.wait(`document.querySelector("#pdn-error").innerText.includes("line 1, column")`)
}

func showsStatistics(t *testing.T, b *tab) {
	b.open(english + "W:W31,K32:BK1")
	b.click("#tab-statistics")
	b.wait(`document.querySelectorAll(".tables button").length >= 6`)
	b.act(`[...document.querySelectorAll(".tables button")].find((x) => x.innerText.startsWith("KMvK")).click()`)
	b.wait(`document.querySelectorAll(".histogram rect").length > 10`)
	b.picture("statistics", 1200, 1500)
	b.click(".longest-wins button")
	b.verdict("White to move wins in")
	b.click("#tab-about")
	b.wait(`document.querySelector("#panel-about").innerText.includes("This server does not limit how often it is asked")`)
}

// A telephone: nothing is wider than the screen, whatever is open.
func fits360Pixels(t *testing.T, b *tab) {
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
	for _, query := range []string{
		"?variant=international&fen=W:W23:B5,6", "?variant=canadian&fen=" + strings.Repeat("W:WK1,K2,K3,K4,K5,K6:B60,61,62", 1),
		"?variant=english&fen=nonsense" + strings.Repeat("x", 300), english + "W:W31,K32:BK1",
	} {
		b.open(query)
		for _, button := range []string{"#tab-moves", "#tab-game", "#tab-statistics", "#tab-about", "#mode-setup", "#mode-map"} {
			b.click(button)
			b.wait(`true`)
			if got := b.text(`(() => {
				const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > 361 && !e.closest(".unseen, .skip") && !e.closest("svg"));
				return document.documentElement.scrollWidth + " " + wide.slice(0, 3).map((e) => e.tagName + "#" + e.id + "." + e.className).join();
			})()`); got != "360 " {
				t.Errorf("%.60s %s: %s", query, button, got)
			}
		}
		b.click("#mode-play")
	}
	// By touch.
	b.open(english + "W:W31,K32:BK1")
	x, y := b.middle("32")
	b.do(chromedp.TapXY(x, y))
	b.wait(`document.querySelectorAll(".is-target").length > 0`)
	x, y = b.middle("28")
	b.do(chromedp.TapXY(x, y))
	b.verdict("Black to move loses in 32 plies")
	b.picture("telephone", 360, 1000)
}

// Twelve boards, by day and by night.
func showsEveryVariant(t *testing.T, b *tab) {
	names := strings.Split(b.variants(), ",")
	if len(names) != 12 {
		t.Fatalf("%v", names)
	}
	for i, name := range names {
		scheme := []string{"light", "dark"}[i%2]
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		b.open("?variant=" + name + "&fen=" + b.initial(name))
		b.verdict("Unknown: not in the tables")
		if got := b.text(`[document.querySelector("#board").dataset.board, document.querySelectorAll("#board .piece").length === new URLSearchParams(location.search).get("fen").split(",").length + 1, document.querySelectorAll("#moves button").length > 4].join()`); got != name+",true,true" {
			t.Errorf("%s: %s", name, got)
		}
		b.picture(name, 400, 470)
		b.do(chromedp.EmulateViewport(1200, 900))
	}
}

func (b *tab) variants() string {
	b.open("")
	return b.text(`[...document.querySelectorAll("#variant option")].map((o) => o.value).join()`)
}

func (b *tab) initial(name string) string {
	return b.async(fmt.Sprintf(`(await (await fetch("v1/variants")).json()).variants.find((v) => v.name === %q).initial`, name))
}

// async evaluates an expression that waits.
func (b *tab) async(expression string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("(async () => "+expression+")()", chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return text
}
