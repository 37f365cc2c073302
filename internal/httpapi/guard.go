package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// guard is around everything: it contains panics, sets the headers that make
// browsers careful, compresses, counts, and writes the access log.
func (s *Server) guard(mux *http.ServeMux) http.Handler {
	compressed, err := gzhttp.NewWrapper(gzhttp.MinSize(1000))
	if err != nil {
		panic(err) // only options that do not exist
	}
	inner := compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.contain(w, r)
		mux.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		secure(w.Header())
		counted := &countedWriter{ResponseWriter: w}
		inner.ServeHTTP(counted, r)
		took := time.Since(begin)
		_, pattern := mux.Handler(r)
		status := counted.status
		if status == 0 {
			status = http.StatusOK
		}
		s.metrics.done(pattern, status, took)
		s.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("query", r.URL.RawQuery),
			slog.Int("status", status), slog.Int64("bytes", counted.bytes),
			slog.Duration("took", took), slog.String("client", s.client(r).String()))
	})
}

// contain answers in place of a handler that panicked.
func (s *Server) contain(w http.ResponseWriter, r *http.Request) {
	what := recover()
	if what == nil {
		return
	}
	if err, ok := what.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(what) // how handlers hang up
	}
	s.metrics.panics.Inc()
	s.log.Error("panic", "what", what, "path", r.URL.Path, "query", r.URL.RawQuery, "stack", string(debug.Stack()))
	s.fail(w, public(errors.New("panic")))
}

// policy lets the page load what comes from this server and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
}

// countedWriter notes what was written.
type countedWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (c *countedWriter) WriteHeader(status int) {
	if c.status == 0 && status >= http.StatusOK {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *countedWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (c *countedWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// client returns whom a request is counted for: the address it comes from, or
// what the proxy in front says.
func (s *Server) client(r *http.Request) netip.Prefix {
	if header := s.opts.ClientHeader; header != "" {
		// The proxy adds at the end; what stands before is whatever the client wrote.
		list := r.Header.Values(header)
		if len(list) > 0 {
			parts := strings.Split(list[len(list)-1], ",")
			if address, err := netip.ParseAddr(strings.TrimSpace(parts[len(parts)-1])); err == nil {
				return clientOf(address)
			}
		}
	}
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Prefix{}
	}
	return clientOf(address.Addr())
}
