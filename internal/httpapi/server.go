// Package httpapi is the explorer: answers over HTTP, and the page that shows
// them. It is made to face the internet: every request is bounded in size, time
// and number, and no error tells of more than the request.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"golang.org/x/sync/semaphore"

	"threekings/probe"
	"threekings/tables"
)

// Library is where the tables are: a store or a pack.
type Library interface {
	tables.Source
	// List returns the manifests of all tables of a variant, or of all if variant
	// is empty; both results may be used.
	List(variant string) ([]*tables.Manifest, error)
}

// Options are what can be chosen for a server. The zero value is the default.
type Options struct {
	// Version is that of the program.
	Version string
	// Log takes the access log and what goes wrong; nil drops it.
	Log *slog.Logger
	// CacheBytes is the prober's budget, as in [probe.Options].
	CacheBytes int64
	// ClientHeader names the header in which a proxy in front says whom it speaks
	// for, such as X-Forwarded-For; its last address counts. Empty: no proxy.
	ClientHeader string
	Limits       Limits
}

// Server answers requests. Serve runs it; Handler alone serves tests and other
// servers.
type Server struct {
	opts    Options
	limits  Limits
	log     *slog.Logger
	library Library
	prober  *probe.Prober
	version *version
	metrics *metrics
	rates   *rates
	slots   *semaphore.Weighted
	counts  *counting
	handler http.Handler
}

// New returns a server of what a library holds. The library must stay open until
// Close has returned.
func New(library Library, opts Options) *Server {
	s := &Server{
		opts: opts, limits: opts.Limits.withDefaults(), library: library,
		log:    cmp.Or(opts.Log, slog.New(slog.DiscardHandler)),
		prober: probe.Open(library, probe.Options{CacheBytes: opts.CacheBytes}),
	}
	s.version = newVersion(library, opts.Version, s.log)
	s.metrics = newMetrics()
	s.rates = newRates(s.limits)
	s.slots = semaphore.NewWeighted(int64(s.limits.Concurrent))
	s.counts = newCounting(library, s.log, s.metrics.panics)
	s.handler = s.routes()
	return s
}

// Handler returns what answers requests. Several goroutines may use it.
func (s *Server) Handler() http.Handler { return s.handler }

// Close stops what goes on in the background and waits for it.
func (s *Server) Close() { s.counts.close() }

// Serve answers on a listener until ctx is done. Then it takes no new request,
// gives those under way a few seconds to end, and returns nil.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	l := s.limits
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: l.HeaderTime,
		ReadTimeout:       l.ReadTime,
		WriteTimeout:      l.WriteTime,
		IdleTimeout:       l.IdleTime,
		MaxHeaderBytes:    l.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	perAddress := l.ConnectionsPerAddress
	if s.opts.ClientHeader != "" {
		perAddress = l.Connections // the proxy's address is everybody's
	}
	bounded := newConnections(listener, l.Connections, perAddress)
	var wg sync.WaitGroup
	stopped := make(chan struct{})
	var shut error
	wg.Go(func() {
		select {
		case <-ctx.Done():
		case <-stopped:
			return
		}
		// The request's own time limit is shorter than this.
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.Grace)
		defer cancel()
		if shut = server.Shutdown(grace); errors.Is(shut, context.DeadlineExceeded) {
			s.log.Warn("connections cut at the end", "after", l.Grace.String())
			shut = server.Close()
		}
	})
	err := server.Serve(bounded)
	close(stopped)
	wg.Wait()
	s.Close()
	if errors.Is(err, http.ErrServerClosed) {
		return shut
	}
	return err
}
