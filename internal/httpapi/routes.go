package httpapi

import (
	"context"
	"net/http"

	"threekings/draughts"
)

// request is a request as its route sees it: all that is outside is done.
type request struct {
	variant *draughts.Variant // nil where the path names none
	path    func(name string) string
	query   query
	body    []byte
}

// reply is what a route answers. A body that is no []byte is written as JSON.
type reply struct {
	body   any
	kind   string // of a []byte
	status int    // 0 is 200
	// lasting: the same request has this answer as long as the tables stay. Others
	// must not be kept.
	lasting bool
}

// route is one address of the API.
type route struct {
	pattern string // of http.ServeMux, without a method
	method  string // GET serves HEAD too
	params  []string
	// cost is how many units a request takes; 0 is 1.
	cost int
	// free: takes no units and waits for no turn, as it takes next to no work.
	free bool
	// extra, which may be nil, is what the body costs beyond that. It is called
	// before there is a turn to wait for: its work is bounded by the body alone.
	extra func(r *request) (int, error)
	run   func(s *Server, ctx context.Context, r *request) (reply, error)
}

// apiRoutes returns all addresses of the API: what openapi.json describes.
func apiRoutes() []route {
	board := []string{"fen", "flip", "numbers"}
	return []route{
		{pattern: "/v1/variants", method: http.MethodGet, run: (*Server).variants},
		{pattern: "/v1/{variant}", method: http.MethodGet, params: []string{"fen", "profile", "count"}, run: (*Server).position},
		{pattern: "/v1/{variant}", method: http.MethodPost, extra: batchCost, run: (*Server).batch},
		{pattern: "/v1/{variant}/moves", method: http.MethodGet, params: []string{"fen"}, run: (*Server).moves},
		{pattern: "/v1/{variant}/line", method: http.MethodGet, params: []string{"fen", "plies", "profile", "count"}, cost: 4, run: (*Server).line},
		{pattern: "/v1/{variant}/map", method: http.MethodGet, params: []string{"fen", "square"}, cost: 3, run: (*Server).squareMap},
		{pattern: "/v1/{variant}/game", method: http.MethodPost, params: []string{"number"}, cost: 20, run: (*Server).game},
		{pattern: "/v1/{variant}/board.svg", method: http.MethodGet, params: board, run: (*Server).boardSVG},
		{pattern: "/v1/{variant}/board.png", method: http.MethodGet, params: append([]string{"width"}, board...), cost: 4, run: (*Server).boardPNG},
		{pattern: "/v1/{variant}/tables", method: http.MethodGet, run: (*Server).tables},
		{pattern: "/v1/{variant}/tables/{material}", method: http.MethodGet, run: (*Server).table},
		{pattern: "/v1/openapi.json", method: http.MethodGet, run: (*Server).openAPI},
		{pattern: "/healthz", method: http.MethodGet, free: true, run: (*Server).health},
	}
}

// routes builds the handler of everything.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	byPattern := map[string]map[string]*route{}
	for _, r := range apiRoutes() {
		if byPattern[r.pattern] == nil {
			byPattern[r.pattern] = map[string]*route{}
		}
		byPattern[r.pattern][r.method] = &r
	}
	for pattern, methods := range byPattern {
		mux.Handle(pattern, s.api(methods))
	}
	mux.Handle("/metrics", s.metrics.handler())
	mux.Handle("/", s.page())
	mux.Handle("/v1/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.fail(w, refuse(codeNotFound, "there is nothing at this address; /v1/openapi.json lists what there is"))
	}))
	return s.guard(mux)
}
