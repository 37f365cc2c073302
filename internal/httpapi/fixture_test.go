package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"threekings/internal/cli"
	"threekings/internal/httpapi"
	"threekings/store"
)

// made is the directory to be removed in the end.
var made string

// tablesDir is a directory with all English tables up to three pieces and two
// International ones, made once.
var tablesDir = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "threekings-httpapi")
	if err != nil {
		return "", err
	}
	made = dir
	for _, args := range []string{
		"generate --variant english --pieces 3",
		"generate --variant english --material KKMvK --metric outcome --verify none",
		"generate --variant english --material KKvK --metric dtr",
		"generate --material MvMM",
		"generate --material KKvK",
	} {
		if code := cli.Run(context.Background(), append(strings.Fields(args), "--db", dir), nil, io.Discard, os.Stderr); code != 0 {
			return dir, os.ErrInvalid
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if made != "" {
		_ = os.RemoveAll(made)
	}
	os.Exit(code)
}

func openTables(t testing.TB) *store.Store {
	t.Helper()
	dir, err := tablesDir()
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

// api is a server under test. Everything that goes over it is held against
// openapi.json.
type api struct {
	handler http.Handler
	router  routers.Router
}

func newAPI(t testing.TB, library httpapi.Library, opts httpapi.Options) *api {
	t.Helper()
	if opts.Limits.Rate == 0 {
		opts.Limits.Rate = -1
	}
	s := httpapi.New(library, opts)
	t.Cleanup(s.Close)
	return &api{s.Handler(), specification(t)}
}

func document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(httpapi.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func specification(t testing.TB) routers.Router {
	t.Helper()
	router, err := gorillamux.NewRouter(document(t))
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// answered is what came back.
type answered struct {
	*http.Response
	text []byte
}

func (a answered) json(t testing.TB) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(a.text, &m); err != nil {
		t.Fatalf("%v\n%s", err, a.text)
	}
	return m
}

func (a answered) code(t testing.TB) string {
	t.Helper()
	e, _ := a.json(t)["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

func (a *api) get(t testing.TB, path string) answered {
	t.Helper()
	return a.do(t, httptest.NewRequest(http.MethodGet, path, nil))
}

func (a *api) post(t testing.TB, path, body string) answered {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if !strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "text/plain")
	}
	return a.do(t, r)
}

func (a *api) do(t testing.TB, r *http.Request) answered {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r.WithContext(ctx))
	res := answered{w.Result(), w.Body.Bytes()}
	a.check(t, r, res)
	return res
}

// check holds an answer against the document.
func (a *api) check(t testing.TB, r *http.Request, res answered) {
	t.Helper()
	route, params, err := a.router.FindRoute(r)
	if err != nil {
		return // not an address of the API, or not a method of it
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 res.StatusCode, Header: res.Header, Body: io.NopCloser(bytes.NewReader(res.text)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
		t.Errorf("%s %s does not answer as openapi.json says: %v\n%s", r.Method, r.URL, err, res.text[:min(len(res.text), 600)])
	}
}
