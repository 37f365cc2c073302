package httpapi_test

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"
	"go.uber.org/goleak"

	"threekings/internal/httpapi"
	"threekings/tables"
)

const goodPosition = "/v1/english?fen=W:WK32,31:BK1"

func with(method, path string, header ...string) *http.Request {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// The check of every answer must be able to fail.
func TestAnswersAreHeldAgainstTheDocument(t *testing.T) {
	router := specification(t)
	validate := func(body string) error {
		r := with("GET", goodPosition)
		route, params, err := router.FindRoute(r)
		if err != nil {
			t.Fatal(err)
		}
		return openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
			Status:                 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
		})
	}
	const good = `{"variant":"english","fen":"W:W1:B2","side":"white","outcome":null,"dtw":null,"moves":[],"error":null}`
	if err := validate(good); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{
		strings.Replace(good, `"outcome":null`, `"outcome":"lost"`, 1),
		strings.Replace(good, `"dtw":null,`, ``, 1),
		strings.Replace(good, `"error":null`, `"error":null,"news":1`, 1),
	} {
		if validate(bad) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}

// changingLibrary lists what it is told to.
type changingLibrary struct {
	httpapi.Library
	list *[]*tables.Manifest
}

func (l changingLibrary) List(string) ([]*tables.Manifest, error) { return *l.list, nil }

func TestAnswersAreKeptAsLongAsTheTablesStay(t *testing.T) {
	st := openTables(t)
	list, err := st.List("")
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, st, httpapi.Options{Version: "1"})
	first := a.get(t, goodPosition)
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "public, no-cache" {
		t.Fatalf("%v", first.Header)
	}
	for _, match := range []string{tag, `"other", ` + tag} {
		again := a.do(t, with("GET", goodPosition, "If-None-Match", match))
		if again.StatusCode != http.StatusNotModified || len(again.text) != 0 || again.Header.Get("ETag") != tag {
			t.Errorf("%s: %d %s", match, again.StatusCode, again.text)
		}
	}
	if again := a.do(t, with("GET", goodPosition, "If-None-Match", `W/"other"`)); again.StatusCode != http.StatusOK {
		t.Errorf("%d", again.StatusCode)
	}

	// With the version in the address, for good; with that of other tables, not.
	v, _ := a.get(t, "/v1/variants").json(t)["v"].(string)
	if got := a.get(t, goodPosition+"&v="+v).Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("%q", got)
	}
	if got := a.get(t, goodPosition+"&v=1-0123").Header.Get("Cache-Control"); got != "public, no-cache" {
		t.Errorf("%q", got)
	}

	// Another table, another program: another tag.
	fewer := list[1:]
	for _, other := range []*api{
		newAPI(t, changingLibrary{st, &fewer}, httpapi.Options{Version: "1"}),
		newAPI(t, st, httpapi.Options{Version: "2"}),
	} {
		if got := other.do(t, with("GET", goodPosition, "If-None-Match", tag)); got.StatusCode != http.StatusOK || got.Header.Get("ETag") == tag {
			t.Errorf("%d %v", got.StatusCode, got.Header)
		}
	}
}

func TestAnswersAreCompressedIfTheClientLikes(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	plain := a.get(t, "/v1/variants")
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, with("GET", "/v1/variants", "Accept-Encoding", "gzip"))
	if w.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(w.Header().Get("Vary"), "Accept-Encoding") {
		t.Fatalf("%v", w.Header())
	}
	r, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || string(text) != string(plain.text) {
		t.Errorf("%v, or not the same", err)
	}
}

func TestOtherSitesMayRead(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	got := a.do(t, with("GET", goodPosition, "Origin", "https://example.org"))
	if got.Header.Get("Access-Control-Allow-Origin") != "*" || got.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("%v", got.Header)
	}
	got = a.do(t, with("OPTIONS", "/v1/english", "Origin", "https://example.org", "Access-Control-Request-Method", "POST"))
	if got.StatusCode != http.StatusNoContent || got.Header.Get("Access-Control-Allow-Methods") != "GET, POST, HEAD, OPTIONS" ||
		!strings.Contains(got.Header.Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
	if got := a.get(t, "/").Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("the page: %q", got)
	}
	head := a.do(t, with("HEAD", goodPosition))
	if head.StatusCode != http.StatusOK || head.Header.Get("ETag") == "" {
		t.Errorf("%d %v", head.StatusCode, head.Header)
	}
}

func TestBrowsersAreToldToBeCareful(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	for _, path := range []string{"/", "/nowhere", goodPosition, "/metrics", "/v1/english/board.svg?fen=W:W23:B5"} {
		h := a.get(t, path).Header
		policy := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") || strings.Contains(policy, "unsafe") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Frame-Options") != "DENY" || h.Get("Referrer-Policy") == "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestEachAddressHasItsOwnAllowance(t *testing.T) {
	limits := httpapi.Limits{Rate: 0.01, Burst: 10}
	for name, test := range map[string]struct {
		opts  httpapi.Options
		mine  func(*http.Request)
		other func(*http.Request)
	}{
		"address": {
			httpapi.Options{Limits: limits},
			func(r *http.Request) {
				r.RemoteAddr = "[2001:db8::1]:1000"
				r.Header.Set("X-Forwarded-For", fmt.Sprint(time.Now().Nanosecond())) // helps nobody
			},
			func(r *http.Request) { r.RemoteAddr = "[2001:db8:0:1::1]:1000" },
		},
		"proxy": {
			httpapi.Options{Limits: limits, ClientHeader: "X-Forwarded-For"},
			func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.77, 198.51.100.1") },
			func(r *http.Request) { r.Header.Set("X-Forwarded-For", "198.51.100.1, 192.0.2.78") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t, openTables(t), test.opts)
			ask := func(who func(*http.Request), path string) answered {
				r := with("GET", path)
				who(r)
				return a.do(t, r)
			}
			for range 6 {
				if got := ask(test.mine, goodPosition); got.StatusCode != http.StatusOK {
					t.Errorf("%d %s", got.StatusCode, got.text)
				}
			}
			// A line costs 4: exactly what is left.
			if got := ask(test.mine, "/v1/english/line?fen=W:WK1:BK32"); got.StatusCode != http.StatusOK {
				t.Errorf("%d %s", got.StatusCode, got.text)
			}
			got := ask(test.mine, goodPosition)
			if retry := got.Header.Get("Retry-After"); got.StatusCode != http.StatusTooManyRequests || retry != "100" && retry != "99" {
				t.Errorf("%d, Retry-After %s", got.StatusCode, retry)
			}
			if got := ask(test.other, goodPosition); got.StatusCode != http.StatusOK {
				t.Errorf("another: %d %s", got.StatusCode, got.text)
			}
		})
	}
}

func TestBatchesCostByTheirSize(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{Limits: httpapi.Limits{Rate: 0.01, Burst: 5}})
	fens := func(n int) string {
		return `{"fens":["W:WK1:BK32"` + strings.Repeat(`,"W:WK1:BK32"`, n-1) + `]}`
	}
	if got := a.post(t, "/v1/english", fens(100)); got.StatusCode != http.StatusOK { // 4
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	if got := a.post(t, "/v1/english", fens(26)); got.StatusCode != http.StatusTooManyRequests { // 2 of 1
		t.Errorf("%d", got.StatusCode)
	}
	if got := a.get(t, "/v1/english?fen=W:WK1:BK32"); got.StatusCode != http.StatusTooManyRequests { // the 1 was for the request
		t.Errorf("%d", got.StatusCode)
	}
}

// running is a server on a port of its own.
type running struct {
	url, address string
	stop         context.CancelFunc
	done         chan error
}

func run(t testing.TB, library httpapi.Library, opts httpapi.Options) *running {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{"http://" + listener.Addr().String(), listener.Addr().String(), cancel, make(chan error, 1)}
	s := httpapi.New(library, opts)
	go func() { r.done <- s.Serve(ctx, listener) }()
	t.Cleanup(func() { cancel() })
	return r
}

// end stops a server and waits for it.
func (r *running) end(t testing.TB) {
	t.Helper()
	r.stop()
	select {
	case err := <-r.done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the server does not end")
	}
}

func ask(t testing.TB, url string) (status int, text string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res.StatusCode, string(body)
}

func TestRequestsUnderWayEndBeforeTheServer(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	wait := make(chan struct{})
	r := run(t, slowLibrary{st, wait}, httpapi.Options{})
	status := make(chan int)
	go func() {
		s, _ := ask(t, r.url+goodPosition)
		status <- s
	}()
	for { // until it is being worked on
		if _, text := ask(t, r.url+"/metrics"); strings.Contains(text, "threekings_http_working 1") {
			break
		}
	}
	r.stop()
	for { // until nobody is let in any more
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			break
		}
		conn.Close()
	}
	close(wait)
	if s := <-status; s != http.StatusOK {
		t.Errorf("%d", s)
	}
	r.end(t)
	http.DefaultClient.CloseIdleConnections()
}

func TestTheServerDoesNotWaitForEver(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	wait := make(chan struct{})
	r := run(t, slowLibrary{st, wait}, httpapi.Options{Limits: httpapi.Limits{Grace: 50 * time.Millisecond}})
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", goodPosition)
	for {
		if _, text := ask(t, r.url+"/metrics"); strings.Contains(text, "threekings_http_working 1") {
			break
		}
	}
	r.end(t)
	if _, err := bufio.NewReader(conn).ReadByte(); err == nil {
		t.Error("the connection goes on")
	}
	conn.Close()
	close(wait)
	http.DefaultClient.CloseIdleConnections()
}

// Clients that send a byte now and then, or none, are many; the others do not
// notice, and the slow are hung up on.
func TestSlowClientsDoNotStarveOthers(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := run(t, st, httpapi.Options{Limits: httpapi.Limits{
		Rate: -1, Concurrent: 1, HeaderTime: 300 * time.Millisecond, ReadTime: 600 * time.Millisecond, ConnectionsPerAddress: 130,
	}})
	var slow []net.Conn
	for i := range 120 {
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			t.Fatal(err)
		}
		slow = append(slow, conn)
		if i%2 == 0 { // a header that does not end
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nX-Slow: ", goodPosition)
		} else { // a body that does not come
			fmt.Fprint(conn, "POST /v1/english HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
		}
	}
	begin := time.Now()
	for range 50 {
		if status, text := ask(t, r.url+goodPosition); status != http.StatusOK {
			t.Errorf("%d %s", status, text)
		}
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("50 requests took %v", took)
	}
	for _, conn := range slow {
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, conn); err != nil {
			t.Errorf("not hung up on: %v", err)
		}
		conn.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	r.end(t)
}

func TestConnectionsOfOneAddressAreLimited(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := run(t, st, httpapi.Options{Limits: httpapi.Limits{ConnectionsPerAddress: 3}})
	answers := func(conn net.Conn) bool {
		fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	}
	var open []net.Conn
	for i := range 4 {
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if got := answers(conn); got != (i < 3) {
			t.Errorf("connection %d: answered %v", i+1, got)
		}
		open = append(open, conn)
	}
	open[0].Close()
	for begin := time.Now(); ; { // once the server has noticed, there is room for one
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			t.Fatal(err)
		}
		ok := answers(conn)
		conn.Close()
		if ok {
			break
		}
		if time.Since(begin) > 10*time.Second {
			t.Fatal("no room for another")
		}
	}
	for _, conn := range open {
		conn.Close()
	}
	r.end(t)
}

func TestHeadersThatAreTooLargeAreRefused(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := run(t, st, httpapi.Options{})
	// The server may hang up before the client has sent everything.
	res, err := http.Get(r.url + "/v1/english?fen=" + strings.Repeat("W", 40<<10))
	if err == nil {
		if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%d", res.StatusCode)
		}
		res.Body.Close()
	}
	if status, text := ask(t, r.url+"/v1/english?fen="+strings.Repeat("W", 8<<10)); status != http.StatusBadRequest || len(text) > 500 {
		t.Errorf("%d %s", status, text)
	}
	http.DefaultClient.CloseIdleConnections()
	r.end(t)
}

func TestCountingEndsWithTheServer(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := run(t, st, httpapi.Options{})
	if status, text := ask(t, r.url+"/v1/english/tables/KKvK"); status != http.StatusAccepted {
		t.Errorf("%d %s", status, text)
	}
	http.DefaultClient.CloseIdleConnections()
	r.end(t)
}

// The page is small, whole, and loads nothing from elsewhere.
func TestThePageIsSmallAndWhole(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	size := 0
	seen := map[string]bool{}
	elsewhere := regexp.MustCompile(`(src|href)="(https?:)?//|url\(|@import|fetch\("?http`)
	link := regexp.MustCompile(`(?:src|href)="([\w.-]+\.(?:css|js|svg))"|from "\./([\w-]+\.js)"`)
	for queue := []string{""}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		got := a.get(t, "/"+name)
		if got.StatusCode != http.StatusOK || got.Header.Get("ETag") == "" {
			t.Fatalf("%q: %d", name, got.StatusCode)
		}
		again := a.do(t, with("GET", "/"+name, "If-None-Match", got.Header.Get("ETag")))
		if again.StatusCode != http.StatusNotModified || len(again.text) != 0 {
			t.Errorf("%q again: %d", name, again.StatusCode)
		}
		size += len(got.text)
		if found := elsewhere.FindString(string(got.text)); found != "" {
			t.Errorf("%q has %s", name, found)
		}
		for _, m := range link.FindAllStringSubmatch(string(got.text), -1) {
			queue = append(queue, cmp.Or(m[1], m[2]))
		}
	}
	for _, name := range []string{"style.css", "boards.css", "main.js", "board.js", "statistics.js", "icon.svg"} {
		if !seen[name] {
			t.Errorf("%s is not part of the page", name)
		}
	}
	if size > 150_000 {
		t.Errorf("the page has %d bytes", size)
	}
	t.Logf("%d files, %d bytes", len(seen), size)
}
