package httpapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"

	"threekings/internal/cli"
	"threekings/internal/httpapi"
	"threekings/tables"
)

func init() {
	openapi3filter.RegisterBodyDecoder("image/svg+xml", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("image/png", openapi3filter.FileBodyDecoder)
}

func TestDocumentIsValid(t *testing.T) {
	if err := document(t).Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

// Every address that is served is described, with its methods and parameters,
// and the other way round.
func TestDocumentNamesWhatIsServed(t *testing.T) {
	served := map[string][]string{}
	for route, params := range httpapi.Routes() {
		served[route] = slices.Sorted(slices.Values(append(params, "v")))
	}
	described := map[string][]string{}
	for path, item := range document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			var params []string
			for _, p := range operation.Parameters {
				if p.Value.In == "query" {
					params = append(params, p.Value.Name)
				}
			}
			described[method+" "+path] = slices.Sorted(slices.Values(params))
		}
	}
	for _, route := range slices.Sorted(maps.Keys(served)) {
		if !slices.Equal(served[route], described[route]) {
			t.Errorf("%s has %v, described are %v", route, served[route], described[route])
		}
	}
	for route := range described {
		if served[route] == nil {
			t.Errorf("%s is described but not served", route)
		}
	}
}

// The server and the command line cannot differ.
func TestPositionIsWhatProbePrints(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	dir, _ := tablesDir()
	for _, fen := range []string{"W:WK32,31:BK1", "B:W K32,31 : B K1 : H3 .", "W:WK32:BK30", "B:W31:B", "B:W22,26:BK18", "W:WK1,K2,22:BK31", "W:WK32,K31:BK1:H60"} {
		var out, stderr bytes.Buffer
		if code := cli.Run(t.Context(), []string{"probe", "--variant", "english", "--db", dir, "--no-generate", "--json", fen}, nil, &out, &stderr); code != 0 {
			t.Fatal(stderr.String())
		}
		for _, blank := range []string{"+", "_", "%20"} {
			got := a.get(t, "/v1/english?fen="+strings.ReplaceAll(fen, " ", blank))
			if got.StatusCode != http.StatusOK || !bytes.Equal(got.text, out.Bytes()) {
				t.Errorf("%s: %d\n%s\nprobe prints\n%s", fen, got.StatusCode, got.text, out.Bytes())
			}
		}
	}
}

func TestDrawRulesAreThoseOfProbe(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	dir, _ := tablesDir()
	for query, flags := range map[string][]string{
		"&profile=wcdf":          {"--profile", "wcdf"},
		"&profile=WCDF&count=60": {"--profile", "wcdf", "--count", "60"},
		"&count=20":              {"--count", "20"},
		":H70&profile=wcdf":      {"--count", "70"},
	} {
		const fen = "W:WK32,K31:BK1"
		var out, stderr bytes.Buffer
		args := append([]string{"probe", "--variant", "english", "--db", dir, "--no-generate", "--json", fen}, flags...)
		if code := cli.Run(t.Context(), args, nil, &out, &stderr); code != 0 {
			t.Fatal(stderr.String())
		}
		got := a.get(t, "/v1/english?fen="+fen+query).json(t)
		var want map[string]any
		if err := json.Unmarshal(out.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got["fen"] = want["fen"] // one has the count in it
		if !reflect.DeepEqual(got, want) || got["verdict"] == nil {
			t.Errorf("%s: %v\nprobe prints\n%v", query, got, want)
		}
	}
	// Without distances to reset there is no verdict, but an answer.
	got := a.get(t, "/v1/english?fen=W:W31,K32:BK1&profile=wcdf")
	if m := got.json(t); got.StatusCode != http.StatusOK || m["dtw"] != 33.0 || m["verdict"] != nil || m["limit"] != 80.0 {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	batch := a.post(t, "/v1/english", `{"fens":["W:WK32,K31:BK1:H60","W:WK32,K31:BK1"],"profile":"wcdf"}`)
	if n := strings.Count(string(batch.text), `"profile":"wcdf"`); n != 2 {
		t.Errorf("%d judged: %s", n, batch.text)
	}
}

// A line too, with draw rules and without, also where there is no verdict to
// follow.
func TestLineIsWhatLinePrints(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	dir, _ := tablesDir()
	for _, c := range []struct {
		variant, fen, query string
		flags               []string
		has                 string
	}{
		{"english", "W:WK32,K31:BK1", "", nil, `"end":"game_over"`},
		{"english", "W:WK32,K31:BK1:H47", "", nil, `"count":47,"verdict":"win"`},
		{"english", "W:WK32,K31:BK1:H48", "", nil, `"verdict":"rule_draw"`},
		{"english", "W:WK32,K31:BK1", "&profile=wcdf&count=40&plies=3", []string{"--count", "40", "--max-plies", "3"}, `"end":"cut"`},
		{"international", "W:W23:B5,6:H49", "", nil, `"profile":"fmjd","count":49,"verdict":null`},
	} {
		var out, stderr bytes.Buffer
		args := append([]string{"line", "--variant", c.variant, "--db", dir, "--no-generate", "--json", c.fen}, c.flags...)
		cli.Run(t.Context(), args, nil, &out, &stderr)
		got := a.get(t, "/v1/"+c.variant+"/line?fen="+c.fen+c.query)
		if got.StatusCode != http.StatusOK || !bytes.Equal(got.text, out.Bytes()) || !strings.Contains(string(got.text), c.has) {
			t.Errorf("%s%s: %d\n%s\nline prints\n%s%s", c.fen, c.query, got.StatusCode, got.text, out.Bytes(), stderr.String())
		}
	}
	if got := a.get(t, "/v1/english/line?fen=W:WK32,K31:BK1&profile=none"); got.code(t) != "missing_table" || got.json(t)["end"] != "unknown" {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	if got := a.get(t, "/v1/english/line?fen=W:WK32,K31:BK1:H47&count=3"); got.code(t) != "bad_count" {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
}

func TestUnknownIsNull(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	got := a.get(t, "/v1/english?fen=W:WK1,K2,22:BK31")
	for key, want := range map[string]any{"outcome": "win", "dtw": nil, "error": nil} {
		if got.json(t)[key] != want {
			t.Errorf("%s is %v", key, got.json(t)[key])
		}
	}
	// The capture leads into a table that is there, the move after it does not.
	got = a.get(t, "/v1/international?fen=W:WK1,K2:BK50,K49,K48")
	if got.StatusCode != http.StatusNotFound || got.json(t)["outcome"] != nil {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
}

func TestBatchAnswersEachPosition(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	fens := []string{"W:WK32,31:BK1", "nonsense", "W:W4:BK10", "W:WK1,K2,K3,K4:BK32,K31"}
	body, _ := json.Marshal(map[string]any{"fens": fens})
	got := a.post(t, "/v1/english", string(body))
	answers, _ := got.json(t)["answers"].([]any)
	if got.StatusCode != http.StatusOK || len(answers) != len(fens) {
		t.Fatalf("%d %s", got.StatusCode, got.text)
	}
	for i, fen := range fens {
		one := a.get(t, "/v1/english?fen="+fen)
		text, _ := json.Marshal(one.json(t))
		if batch, _ := json.Marshal(answers[i]); !bytes.Equal(text, batch) {
			t.Errorf("%s: %s in a batch, %s alone", fen, batch, text)
		}
	}
}

func TestBatchTakesAThousandPositions(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	fens := func(n int) string {
		text, _ := json.Marshal(map[string]any{"fens": slices.Repeat([]string{"W:WK32,31:BK1"}, n)})
		return string(text)
	}
	if got := a.post(t, "/v1/english", fens(1000)); got.StatusCode != http.StatusOK || strings.Count(string(got.text), `"dtw":33,"moves"`) != 1000 {
		t.Errorf("%d", got.StatusCode)
	}
	if got := a.post(t, "/v1/english", fens(1001)); got.code(t) != "too_large" {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
}

func TestMovesAreThereWithoutTables(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	about := a.get(t, "/v1/variants").json(t)
	for _, v := range about["variants"].([]any) {
		v := v.(map[string]any)
		got := a.get(t, fmt.Sprintf("/v1/%s/moves?fen=%s", v["name"], v["initial"])).json(t)
		if len(got["moves"].([]any)) < 5 || got["over"] != false {
			t.Errorf("%v: %v", v["name"], got)
		}
	}
	got := a.get(t, "/v1/international/moves?fen=W:WK47:B14,19,29,31,42")
	if !strings.Contains(string(got.text), `"squares":["47","38","24","13","36"]`) {
		t.Errorf("%s", got.text)
	}
	if got := a.get(t, "/v1/turkish/moves?fen=W:WKa1:BKh8"); got.json(t)["over"] != true {
		t.Errorf("%s", got.text)
	}
}

func TestLineLeadsToTheEnd(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	line := a.get(t, "/v1/international/line?fen=W:W23:B5,6").json(t)
	moves := line["line"].([]any)
	if len(moves) != 29 || line["end"] != "game_over" || line["dtw"] != 29.0 {
		t.Fatalf("%v", line)
	}
	last := moves[28].(map[string]any)["fen"].(string)
	if over := a.get(t, "/v1/international/moves?fen="+last).json(t); over["over"] != true {
		t.Errorf("%s is not the end", last)
	}
	if cut := a.get(t, "/v1/international/line?fen=W:W23:B5,6&plies=5").json(t); len(cut["line"].([]any)) != 5 || cut["end"] != "cut" {
		t.Errorf("%v", cut)
	}
	if draw := a.get(t, "/v1/international/line?fen=W:WK1:BK49").json(t); draw["end"] != "draw" || draw["error"] != nil {
		t.Errorf("%v", draw)
	}
	// Outcomes alone lead nowhere, and the line says so.
	got := a.get(t, "/v1/english/line?fen=W:WK1,K2,22:BK31").json(t)
	if e, _ := got["error"].(map[string]any); got["end"] != "unknown" || e["code"] != "missing_table" {
		t.Errorf("%v", got)
	}
}

func TestMapAgreesWithPositions(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	m := a.get(t, "/v1/english/map?fen=W:W31,K32:BK1&square=31").json(t)
	squares := m["squares"].([]any)
	if len(squares) != 32-5 || m["kind"] != "man" || m["colour"] != "white" { // not on the last row, nor on the king at home
		t.Errorf("%d squares: %v", len(squares), m)
	}
	for _, s := range squares {
		s := s.(map[string]any)
		one := a.get(t, "/v1/english?fen="+s["fen"].(string)).json(t)
		if one["outcome"] != s["outcome"] || one["dtw"] != s["dtw"] {
			t.Errorf("%v, but %v", s, one)
		}
	}
}

func TestStatisticsAddUp(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	for _, material := range []string{"KvK", "KMvK", "KvMK", "MvM"} {
		var got map[string]any
		for begin := time.Now(); ; {
			res := a.get(t, "/v1/english/tables/"+material)
			if got = res.json(t); res.StatusCode == http.StatusOK {
				break
			}
			if res.StatusCode != http.StatusAccepted || got["state"] != "counting" || time.Since(begin) > time.Minute {
				t.Fatalf("%d %s", res.StatusCode, res.text)
			}
		}
		for _, side := range got["sides"].([]any) {
			side := side.(map[string]any)
			sums, longest := map[bool]float64{}, 0.0
			for _, d := range side["distances"].([]any) {
				d := d.(map[string]any)
				odd := int(d["dtw"].(float64))%2 == 1
				sums[odd] += d["positions"].(float64)
				if odd {
					longest = d["dtw"].(float64)
				}
			}
			if sums[true] != side["wins"] || sums[false] != side["losses"] || longest != side["max_win_dtw"] {
				t.Errorf("%s: %v in %v", material, sums, side)
			}
			for i, l := range side["longest"].([]any) {
				l := l.(map[string]any)
				one := a.get(t, "/v1/english?fen="+l["fen"].(string)).json(t)
				if one["dtw"] != l["dtw"] || i == 0 && (l["dtw"] != side["max_win_dtw"] || l["fen"] != side["max_win_fen"]) {
					t.Errorf("%s: %v, %v", material, l, one)
				}
			}
		}
	}
	if got := a.get(t, "/v1/english/tables/KKMvK").json(t); got["state"] != "outcomes only" {
		t.Errorf("%v", got)
	}
}

func TestTablesAreListedAsInfoDoes(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	dir, _ := tablesDir()
	var out, stderr bytes.Buffer
	if code := cli.Run(t.Context(), []string{"info", "--variant", "english", "--db", dir, "--json"}, nil, &out, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	want := fmt.Sprintf(`{"tables":[%s],"variant":"english"}`+"\n", strings.ReplaceAll(strings.TrimSpace(out.String()), "\n", ","))
	if got := a.get(t, "/v1/english/tables"); string(got.text) != want {
		t.Errorf("%s\ninfo prints\n%s", got.text, want)
	}
}

func TestPicturesAreServed(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{})
	got := a.get(t, "/v1/turkish/board.svg?fen=W:Wa2:BKh8&flip=1&numbers=0")
	if got.Header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(string(got.text), "<title>Turkish draughts") {
		t.Errorf("%v %s", got.Header, got.text)
	}
	got = a.get(t, "/v1/turkish/board.png?fen=W:Wa2:BKh8&width=200")
	if c, err := png.DecodeConfig(bytes.NewReader(got.text)); err != nil || c.Width != 200 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestGamesHaveValuesOnceTablesReachThem(t *testing.T) {
	a := newAPI(t, openTables(t), httpapi.Options{Limits: httpapi.Limits{GamePlies: 7}})
	const pdn = `[Event "One"]
[GameType "21"]
[SetUp "1"]
[FEN "W:WK32,31:BK1"]

1. 31-26 {best} (1. 31-27) 1-5 2. 26-23 *

[Event "Two"]
[GameType "21"]

1. 11-15 23-19 1/2-1/2`
	got := a.post(t, "/v1/international/game", pdn).json(t)
	moves := got["moves"].([]any)
	if got["variant"] != "english" || got["games"] != 2.0 || len(moves) != 3 || got["result"] != "*" || got["cut"] != false {
		t.Fatalf("%v", got)
	}
	for _, m := range append(moves, got["start"]) {
		m := m.(map[string]any)
		one := a.get(t, "/v1/english?fen="+m["fen"].(string)).json(t)
		if one["outcome"] == nil || m["outcome"] != one["outcome"] || m["dtw"] != one["dtw"] {
			t.Errorf("%v, but %v", m, one)
		}
	}
	if first := moves[0].(map[string]any); first["move"] != "31-26" || first["comment"] != "best" {
		t.Errorf("%v", first)
	}
	second := a.post(t, "/v1/english/game?number=2", pdn).json(t)
	if m := second["moves"].([]any); len(m) != 2 || second["result"] != "1/2-1/2" || m[1].(map[string]any)["outcome"] != nil {
		t.Errorf("%v", second)
	}
	long := a.post(t, "/v1/english/game", `[FEN "W:WK32,K31:BK1"]`+strings.Repeat(" 32-28 1-5 28-32 5-1", 5)).json(t)
	if len(long["moves"].([]any)) != 7 || long["cut"] != true {
		t.Errorf("%v", long)
	}
}

// slowLibrary waits before every block.
type slowLibrary struct {
	httpapi.Library
	wait <-chan struct{}
}

func (l slowLibrary) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	<-l.wait
	return l.Library.Block(k, s, n, dst)
}

// brokenLibrary fails, or panics, at every block.
type brokenLibrary struct {
	httpapi.Library
	err error
}

func (l brokenLibrary) Block(k tables.Key, s tables.Side, n uint64, _ []byte) (tables.Block, error) {
	if l.err == nil {
		panic("all is lost in /var/lib/secret")
	}
	return tables.Block{}, l.err
}

// partialLibrary is damaged in one table.
type partialLibrary struct {
	httpapi.Library
	damaged string
}

func (l partialLibrary) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	if k.Material.String() == l.damaged {
		return tables.Block{}, &tables.DamagedError{Key: k, Side: s, Block: n, Err: errors.New("checksum in " + secret)}
	}
	return l.Library.Block(k, s, n, dst)
}

// An answer that damage keeps from being complete must not be kept: mending the
// table does not change its version.
func TestAnswersWithGapsFromDamageAreNotKept(t *testing.T) {
	var log bytes.Buffer
	a := newAPI(t, partialLibrary{openTables(t), "KKvK"}, httpapi.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	got := a.get(t, "/v1/english?fen=W:W5,K32:BK20")
	for _, m := range got.json(t)["moves"].([]any) {
		m := m.(map[string]any)
		if (m["move"] == "5-1") != (m["outcome"] == nil) {
			t.Errorf("%v", m)
		}
	}
	if got.StatusCode != http.StatusOK || got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("ETag") != "" {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
	if !strings.Contains(log.String(), secret) || strings.Contains(string(got.text), secret) {
		t.Errorf("log %s\nanswer %s", log.String(), got.text)
	}
	// A table that is merely missing changes the version when it comes.
	if got := a.get(t, "/v1/english?fen=W:W31,K32:BK1"); got.Header.Get("ETag") == "" {
		t.Errorf("%v", got.Header)
	}
}

const secret = "/var/lib/secret"

// Every error of the API: its status, its code, and that it says why.
func TestErrors(t *testing.T) {
	st := openTables(t)
	a := newAPI(t, st, httpapi.Options{})
	damaged := newAPI(t, brokenLibrary{st, &tables.DamagedError{Key: tables.Key{Variant: "english"}, Err: errors.New("checksum in " + secret)}}, httpapi.Options{})
	failing := newAPI(t, brokenLibrary{st, errors.New("read " + secret + ": input/output error")}, httpapi.Options{})
	panicking := newAPI(t, brokenLibrary{st, nil}, httpapi.Options{})
	hasty := newAPI(t, st, httpapi.Options{Limits: httpapi.Limits{Work: 1}})
	small := newAPI(t, st, httpapi.Options{Limits: httpapi.Limits{BodyBytes: 30}})
	limited := newAPI(t, st, httpapi.Options{Limits: httpapi.Limits{Rate: 0.001, Burst: 1}})
	limited.get(t, "/v1/english?fen=W:WK1:BK32")

	const good = "/v1/english?fen=W:WK32,31:BK1"
	seen := map[string]bool{}
	for _, test := range []struct {
		api          *api
		method, path string
		body         string
		status       int
		code, says   string
	}{
		{a, "GET", "/v1/english?fen=W:Wq:B1", "", 400, "bad_fen", `found "q" at offset 3: not a square`},
		{a, "GET", "/v1/english?fen=", "", 400, "bad_fen", "turn"},
		{a, "GET", "/v1/english/line?fen=X", "", 400, "bad_fen", "turn"},
		{a, "GET", "/v1/english/moves?fen=X", "", 400, "bad_fen", "turn"},
		{a, "GET", "/v1/english/map?fen=X&square=1", "", 400, "bad_fen", "turn"},
		{a, "GET", "/v1/english/board.svg?fen=X", "", 400, "bad_fen", "turn"},
		{a, "GET", "/v1/english/board.png?fen=X", "", 400, "bad_fen", "turn"},
		{a, "GET", "/v1/english?fen=W:W1:B5", "", 400, "illegal_position", "a white man stands on 1, where it would be a king"},
		{a, "GET", "/v1/english?fen=W:WK1:BK32:H3&count=4", "", 400, "bad_count", "the position says 3 plies, the parameter 4"},
		{a, "GET", "/v1/english?fen=W:WK1:BK32&count=-1", "", 400, "bad_request", "count is a number from 0 to 1000000"},
		{a, "GET", "/v1/english?fen=W:WK1:BK32&profile=fmjd", "", 400, "bad_request", "profile: "},
		{a, "POST", "/v1/english", `{"fens":["W:WK1:BK32"],"profile":"fmjd"}`, 400, "bad_request", "profile: "},
		{a, "GET", "/v1/english?fen=W:WK1,K2,K3,K4,K5:BK32,K31,K30,K29", "", 404, "too_many_pieces", "9 on the board; tables have at most 8"},
		{a, "GET", "/v1/english?fen=W:WK1,K2:BK32,K31", "", 404, "missing_table", "threekings generate"},
		{a, "GET", "/v1/english/line?fen=W:WK1,K2:BK32,K31", "", 404, "missing_table", "threekings generate"},
		{a, "GET", "/v1/english/map?fen=W:WK1,K2:BK32,K31&square=1", "", 404, "missing_table", "threekings generate"},
		{a, "GET", "/v1/english/tables/KKKKvK", "", 404, "missing_table", "english KKKKvK"},
		{damaged, "GET", good, "", 500, "damaged_table", "a table that is needed is damaged here"},
		{damaged, "GET", "/v1/english/map?fen=W:WK32,31:BK1&square=1", "", 500, "damaged_table", "damaged"},
		{damaged, "GET", "/v1/english/line?fen=W:WK32,31:BK1", "", 500, "damaged_table", "damaged"},
		{failing, "GET", good, "", 500, "internal", "something went wrong here"},
		{failing, "GET", "/v1/english/line?fen=W:WK32,31:BK1", "", 500, "internal", "something went wrong here"},
		{panicking, "GET", good, "", 500, "internal", "something went wrong here"},
		{a, "GET", "/v1/chess?fen=W:W1:B5", "", 404, "unknown_variant", `unknown variant "chess": there are international`},
		{a, "GET", "/v1/chess/tables", "", 404, "unknown_variant", "chess"},
		{a, "POST", "/v1/chess", `{"fens":["W:W1:B5"]}`, 404, "unknown_variant", "chess"},
		{a, "GET", "/v1/english/nothing", "", 404, "not_found", "/v1/openapi.json"},
		{a, "GET", "/v2", "", 404, "not_found", "nothing at this address"},
		{a, "GET", "/etc/passwd", "", 404, "not_found", "nothing at this address"},
		{a, "DELETE", "/v1/english", "", 405, "method_not_allowed", "GET, POST, HEAD, OPTIONS"},
		{a, "POST", "/v1/english/line", "", 405, "method_not_allowed", "GET, HEAD, OPTIONS"},
		{a, "POST", "/", "", 405, "method_not_allowed", "GET or HEAD"},
		{a, "GET", "/v1/english", "", 400, "bad_request", "the parameter fen is missing"},
		{a, "GET", "/v1/english?fen=W:W1:B5&fen=W:W1:B5", "", 400, "bad_request", "the parameter fen is given 2 times"},
		{a, "GET", "/v1/english?fan=W:W1:B5", "", 400, "bad_request", `no parameter "fan"; there are: fen`},
		{a, "GET", "/v1/english?fen=%zz", "", 400, "bad_request", "the query cannot be read"},
		{a, "GET", "/v1/english/line?fen=W:WK1:BK32&plies=0", "", 400, "bad_request", "plies is a number from 1 to 600"},
		{a, "GET", "/v1/english/line?fen=W:WK1:BK32&plies=601", "", 400, "bad_request", "plies is a number from 1 to 600"},
		{a, "GET", "/v1/english/map?fen=W:WK1:BK32", "", 400, "bad_request", "the parameter square is missing"},
		{a, "GET", "/v1/english/map?fen=W:WK1:BK32&square=33", "", 400, "bad_request", "bad square"},
		{a, "GET", "/v1/english/map?fen=W:WK1:BK32&square=7", "", 400, "bad_request", "square 7 is empty"},
		{a, "GET", "/v1/english/board.svg?fen=W:WK1:BK32&flip=yes", "", 400, "bad_request", "flip is 1 or 0"},
		{a, "GET", "/v1/english/board.svg?fen=W:WK1:BK32&numbers=2", "", 400, "bad_request", "numbers is 1 or 0"},
		{a, "GET", "/v1/english/board.png?fen=W:WK1:BK32&width=99999", "", 400, "bad_request", "width is a number from 100 to 1600"},
		{a, "GET", "/v1/english/tables/QvK", "", 400, "bad_request", "bad material"},
		{a, "POST", "/v1/english", "[]", 400, "bad_request", "the body is not JSON such as"},
		{a, "POST", "/v1/english", `{"fens":[]}`, 400, "bad_request", "fens is empty"},
		{a, "POST", "/v1/english", `{"fens":["W:W1:B5"]} x`, 400, "bad_request", "something follows"},
		{a, "POST", "/v1/english", `{"fens":["W:W1:B5"],"more":1}`, 400, "bad_request", "the body is not JSON such as"},
		{small, "POST", "/v1/english", `{"fens":["W:W23:B5","W:W23:B6"]}`, 413, "too_large", "over 30 bytes"},
		{a, "POST", "/v1/english/game", "1. 11-15 1-2", 400, "bad_game", "game 1, line 1, column 10"},
		{a, "POST", "/v1/english/game", "", 400, "bad_game", "there is no game in the text"},
		{a, "POST", "/v1/english/game?number=2", "1. 11-15 *", 400, "bad_game", "no game 2 in the text, only 1"},
		{a, "POST", "/v1/english/game?number=x", "1. 11-15 *", 400, "bad_request", "number is a number from 1 to 1000"},
		{small, "POST", "/v1/english/game", strings.Repeat("1. 11-15 *", 10), 413, "too_large", "over 30 bytes"},
		{hasty, "POST", "/v1/english/game", "1. 11-15 *", 503, "timeout", "took too long"},
		{limited, "GET", good, "", 429, "rate_limited", "0.001 a second are allowed, 1 at once"},
		{hasty, "POST", "/v1/english", `{"fens":["W:WK1:BK32"]}`, 503, "timeout", "took too long"},
	} {
		r := httptest.NewRequest(test.method, "/", strings.NewReader(test.body))
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(test.path, "?")
		r.Header.Set("Content-Type", "application/json")
		got := test.api.do(t, r)
		if got.StatusCode != test.status || got.code(t) != test.code || !strings.Contains(string(got.text), strings.ReplaceAll(test.says, `"`, `\"`)) {
			t.Errorf("%s %s: %d %s", test.method, test.path, got.StatusCode, got.text)
		}
		if strings.Contains(string(got.text), secret) || got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("ETag") != "" {
			t.Errorf("%s %s: %v %s", test.method, test.path, got.Header, got.text)
		}
		if retry := got.Header.Get("Retry-After"); (retry != "") != (test.status == 429 || test.status == 503) || retry == "0" {
			t.Errorf("%s: Retry-After %q", test.path, retry)
		}
		if test.status == 405 && got.Header.Get("Allow") == "" {
			t.Errorf("%s: no Allow", test.path)
		}
		seen[test.code] = true
	}

	wait := make(chan struct{})
	busy := newAPI(t, slowLibrary{st, wait}, httpapi.Options{Limits: httpapi.Limits{Concurrent: 1, Wait: time.Millisecond}})
	first := make(chan answered)
	go func() { first <- busy.get(t, good) }()
	for !strings.Contains(string(busy.get(t, "/metrics").text), "\nthreekings_http_working 1\n") {
		continue
	}
	if got := busy.get(t, "/healthz"); got.StatusCode != http.StatusOK {
		t.Errorf("not healthy: %d", got.StatusCode)
	}
	got := busy.get(t, good)
	if got.StatusCode != http.StatusServiceUnavailable || got.code(t) != "busy" || got.Header.Get("Retry-After") != "1" {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	seen["busy"] = true
	close(wait)
	if got := <-first; got.StatusCode != http.StatusOK {
		t.Errorf("the first: %d %s", got.StatusCode, got.text)
	}

	for _, code := range document(t).Components.Schemas["Error"].Value.Properties["code"].Value.Enum {
		if !seen[code.(string)] {
			t.Errorf("no test for the error %s", code)
		}
	}
}

// Values that damage keeps from a game or a line are null, counted and logged.
func TestGapsFromDamageAreCountedAndLogged(t *testing.T) {
	var log bytes.Buffer
	a := newAPI(t, partialLibrary{openTables(t), "KKvK"}, httpapi.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	game := a.post(t, "/v1/english/game", `[FEN "W:W5,K32:BK20"] 1. 5-1 20-24 *`).json(t)
	values := []any{game["start"].(map[string]any)["outcome"]}
	for _, m := range game["moves"].([]any) {
		values = append(values, m.(map[string]any)["outcome"])
	}
	if values[0] != "win" || values[1] != nil || values[2] != nil {
		t.Errorf("%v", values)
	}
	line := a.get(t, "/v1/english/line?fen=W:W11,K4:BK8") // it promotes at ply 3
	if line.code(t) != "damaged_table" || line.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v %s", line.Header, line.text)
	}
	if got := a.get(t, "/metrics"); !strings.Contains(string(got.text), "\nthreekings_damaged_total 2\n") {
		t.Errorf("%s", got.text)
	}
	if n := strings.Count(log.String(), secret); n != 2 {
		t.Errorf("%d in\n%s", n, log.String())
	}
}

// A table is counted outside of any request: what panics there is contained too,
// and not tried again.
func TestPanicsWhileCountingAreContained(t *testing.T) {
	var log bytes.Buffer
	a := newAPI(t, brokenLibrary{openTables(t), nil}, httpapi.Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	var got answered
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		if got = a.get(t, "/v1/english/tables/KKvK"); got.StatusCode != http.StatusAccepted {
			break
		}
	}
	if got.StatusCode != http.StatusInternalServerError || got.code(t) != "internal" || strings.Contains(string(got.text), secret) {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	if got := a.get(t, "/metrics"); !strings.Contains(string(got.text), "\nthreekings_panics_total 1\n") {
		t.Errorf("%s", got.text)
	}
	if !strings.Contains(log.String(), `"msg":"counting failed"`) || !strings.Contains(log.String(), secret) {
		t.Error(log.String())
	}
}

func TestPanicsAreContainedCountedAndLogged(t *testing.T) {
	var log bytes.Buffer
	a := newAPI(t, brokenLibrary{openTables(t), nil}, httpapi.Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	for range 3 {
		if got := a.get(t, "/v1/english?fen=W:WK32,31:BK1"); got.StatusCode != http.StatusInternalServerError {
			t.Errorf("%d", got.StatusCode)
		}
	}
	if got := a.get(t, "/metrics"); !strings.Contains(string(got.text), "\nthreekings_panics_total 3\n") {
		t.Errorf("%s", got.text)
	}
	if n := strings.Count(log.String(), `"msg":"panic"`); n != 3 || !strings.Contains(log.String(), secret) {
		t.Errorf("%d in\n%s", n, log.String())
	}
}

func TestAccessLogHasEveryRequest(t *testing.T) {
	var log bytes.Buffer
	a := newAPI(t, openTables(t), httpapi.Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	a.get(t, "/v1/english?fen=W:WK32,31:BK1")
	a.get(t, "/nowhere")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	var entry map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &entry); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"method": "GET", "path": "/v1/english", "query": "fen=W:WK32,31:BK1", "status": 200.0, "client": "192.0.2.1/32"} {
		if entry[key] != want {
			t.Errorf("%s is %v", key, entry[key])
		}
	}
	if got := a.get(t, "/metrics"); !strings.Contains(string(got.text), `threekings_http_requests_total{route="/v1/{variant}",status="200"} 1`) ||
		!strings.Contains(string(got.text), "threekings_positions_total 1") {
		t.Errorf("%s", got.text)
	}
}
