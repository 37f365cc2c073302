package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/tables"
)

// api serves the routes of one address. What a client sends is read, and what it
// gets is written, while no turn is taken: a slow client keeps nobody waiting.
func (s *Server) api(methods map[string]*route) http.Handler {
	allow := slices.Sorted(maps.Keys(methods))
	if methods[http.MethodGet] != nil {
		allow = append(allow, http.MethodHead)
	}
	allowed := strings.Join(append(allow, http.MethodOptions), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		method := r.Method
		switch method {
		case http.MethodOptions:
			h.Set("Allow", allowed)
			h.Set("Access-Control-Allow-Methods", allowed)
			h.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		case http.MethodHead:
			method = http.MethodGet
		}
		route := methods[method]
		if route == nil {
			err := refuse(codeMethod, "use one of: %s", allowed)
			err.allow = allowed
			s.fail(w, err)
			return
		}
		if err := s.serve(w, r, route); err != nil {
			s.report(r, err)
			s.fail(w, public(err))
		}
	})
}

// serve answers one request of a route.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, route *route) error {
	if !route.free {
		if err := s.charge(r, cmp.Or(route.cost, 1)); err != nil {
			return err
		}
	}
	req, err := s.read(w, r, route)
	if err != nil {
		return err
	}
	if route.extra != nil {
		cost, err := route.extra(req)
		if err == nil && cost > 0 {
			err = s.charge(r, cost)
		}
		if err != nil {
			return err
		}
	}
	_, version := s.version.get()
	tag := `W/"` + version + `"` // weak: compressed or not, it is the same
	if route.method == http.MethodGet && matches(r.Header.Get("If-None-Match"), tag) {
		s.keep(w.Header(), tag, req, version)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	reply, text, err := s.work(r.Context(), route, req)
	if err != nil {
		return err
	}
	h := w.Header()
	if reply.lasting {
		s.keep(h, tag, req, version)
	} else {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Content-Type", reply.kind)
	// No length: it is not that of what is compressed.
	w.WriteHeader(cmp.Or(reply.status, http.StatusOK))
	_, _ = w.Write(text) // nobody is left to be told
	return nil
}

// keep says how long an answer may be kept. With the version of the tables in
// its address it is true for good; else it must be asked for again, which costs
// little.
func (s *Server) keep(h http.Header, tag string, r *request, version string) {
	h.Set("ETag", tag)
	if list := r.query["v"]; len(list) == 1 && list[0] == version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "public, no-cache")
	}
}

// matches reports whether a list of entity tags has this one.
func matches(list, tag string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(part) == tag {
			return true
		}
	}
	return false
}

// charge takes units from the client's allowance.
func (s *Server) charge(r *http.Request, units int) error {
	wait := s.rates.take(s.client(r), units, time.Now())
	if wait == 0 {
		return nil
	}
	s.metrics.refused.WithLabelValues(codeRate).Inc()
	err := refuse(codeRate, "too many requests: %v a second are allowed, %d at once, and this one counts as %d; come back in %v",
		s.limits.Rate, s.limits.Burst, units, roundUp(wait))
	err.retry = wait
	return err
}

// read reads and checks everything that a request is made of.
func (s *Server) read(w http.ResponseWriter, r *http.Request, route *route) (req *request, err error) {
	req = &request{path: r.PathValue}
	if name := r.PathValue("variant"); name != "" {
		if req.variant, err = draughts.Lookup(name); err != nil {
			return nil, refuse(codeUnknownVariant, "%v", err)
		}
	}
	if req.query, err = parseQuery(r.URL.RawQuery, route.params); err != nil {
		return nil, err
	}
	if route.method != http.MethodPost {
		return req, nil
	}
	req.body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, s.limits.BodyBytes))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, refuse(codeTooLarge, "the body is over %d bytes", s.limits.BodyBytes)
	case err != nil:
		return nil, refuse(codeBadRequest, "the body did not arrive whole")
	}
	return req, nil
}

// work waits for a turn and runs a route.
func (s *Server) work(ctx context.Context, route *route, req *request) (reply, []byte, error) {
	if route.free {
		return s.run(ctx, route, req)
	}
	turn, cancel := context.WithTimeout(ctx, s.limits.Wait)
	err := s.slots.Acquire(turn, 1)
	cancel()
	if err != nil {
		s.metrics.refused.WithLabelValues(codeBusy).Inc()
		busy := refuse(codeBusy, "too many requests are being worked on; come back in a second")
		busy.retry = time.Second
		return reply{}, nil, busy
	}
	defer s.slots.Release(1)
	s.metrics.working.Inc()
	defer s.metrics.working.Dec()
	return s.run(ctx, route, req)
}

// run runs a route and writes its answer down.
func (s *Server) run(ctx context.Context, route *route, req *request) (reply, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Work)
	defer cancel()
	rep, err := route.run(s, ctx, req)
	if err != nil {
		return reply{}, nil, err
	}
	if text, ok := rep.body.([]byte); ok {
		return rep, text, nil
	}
	rep.kind = jsonType
	text, err := encode(rep.body)
	return rep, text, err
}

const jsonType = "application/json; charset=utf-8"

func encode(body any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(body)
	return b.Bytes(), err
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, err *apiError) {
	h := w.Header()
	for _, name := range []string{"ETag", "Last-Modified", "Content-Encoding"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", jsonType)
	if err.allow != "" {
		h.Set("Allow", err.allow)
	}
	if err.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int(roundUp(err.retry).Seconds())))
	}
	body := err.body
	if body == nil {
		body = map[string]answer.Error{"error": err.says}
	}
	text, encoding := encode(body)
	if encoding != nil { // cannot be: these are plain values
		text = []byte(`{"error":{"code":"internal","message":"something went wrong here"}}` + "\n")
	}
	w.WriteHeader(statuses[err.says.Code])
	_, _ = w.Write(text)
}

// report logs what a client is not told.
func (s *Server) report(r *http.Request, err error) {
	if errors.Is(err, tables.ErrDamaged) {
		s.metrics.damaged.Inc()
	}
	if p := public(err); statuses[p.says.Code] == http.StatusInternalServerError {
		s.log.Error("failed", "path", r.URL.Path, "query", r.URL.RawQuery, "error", err.Error())
	}
}

// roundUp returns whole seconds.
func roundUp(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(d.Seconds())) * time.Second
}
