package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"threekings/internal/httpapi"
	"threekings/store"
	"threekings/tables"
)

func (a *app) serveCommand() *cobra.Command {
	s := server{prober: prober{app: a}}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve answers over HTTP, with a page to explore them",
		Long: `Serves a page on which positions can be set up and looked up, and an API for
programs under /v1 (described by /v1/openapi.json), until it is interrupted.
Nothing is loaded from elsewhere and nothing is written. Missing tables are not
made; tables that are added meanwhile are found.

Without --listen only this machine can reach it. What one client may ask for is
limited by --rate; behind a proxy, --client-header names the header in which the
proxy says whom it speaks for. /healthz and /metrics are for monitoring: they have
no limits and are open to all who reach the server.`,
		Example: `  threekings serve
  threekings serve --listen :8080 --pack four-pieces.pack --rate 10`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8080", "address and port; port 0 takes a free one")
	flags.StringVar(&s.packName, "pack", "", "answer from this pack instead of the stored tables")
	flags.Var(&s.cache, "cache", "memory for blocks of tables, such as 512MB (default 64MiB)")
	flags.Float64Var(&s.rate, "rate", 20, "requests a second that one address may make for long; 0 is no limit")
	flags.IntVar(&s.burst, "burst", 0, "requests that one address may make at once (default 5 times the rate)")
	flags.IntVar(&s.concurrent, "concurrent", 0, "requests that are worked on at a time (default 4 times the processors)")
	flags.StringVar(&s.clientHeader, "client-header", "", "header in which a proxy names its client, such as X-Forwarded-For")
	flags.StringVar(&s.logFormat, "log", "text", "access log on standard error: text, json or none")
	return cmd
}

// The bounds of --rate: beyond them time cannot be reckoned with.
const lowRate, highRate = 0.001, 1_000_000

// server is the command serve.
type server struct {
	prober
	listen, clientHeader, logFormat string
	rate                            float64
	burst, concurrent               int
	late                            *lateLibrary // nil if something is stored
}

func (s *server) run(ctx context.Context) (err error) {
	log, err := s.logger()
	if err != nil {
		return err
	}
	if s.rate != 0 && !(s.rate >= lowRate && s.rate <= highRate) { // NaN is neither
		return fmt.Errorf("--rate %v: use a number from %v to %v, or 0 for no limit", s.rate, lowRate, highRate)
	}
	if s.burst < 0 || s.concurrent < 0 {
		return errors.New("--burst and --concurrent cannot be below 0")
	}
	library, err := s.library()
	if err != nil {
		return err
	}
	defer func() {
		if s.late != nil {
			err = errors.Join(err, s.late.close())
		}
		err = errors.Join(err, s.close())
	}()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	limits := httpapi.Limits{Rate: s.rate, Burst: s.burst, Concurrent: s.concurrent}
	if s.rate == 0 {
		limits.Rate = -1
	}
	web := httpapi.New(library, httpapi.Options{
		Version: served(), Log: log, CacheBytes: s.cacheBytes(),
		ClientHeader: s.clientHeader, Limits: limits,
	})
	fmt.Fprintf(s.out, "http://%s/\n", listener.Addr())
	if err := s.out.Flush(); err != nil {
		return errors.Join(err, listener.Close())
	}
	return web.Serve(ctx, listener)
}

// library opens what is served. Where nothing is stored yet the page works all
// the same, without values.
func (s *server) library() (httpapi.Library, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	if s.pack != nil {
		return s.pack, nil
	}
	if s.store != nil {
		return s.store, nil
	}
	dir, err := s.tableDir()
	if err != nil {
		return nil, err
	}
	s.say("no tables are stored in %s: moves have no values until you make some: threekings generate --pieces 4", dir)
	s.late = &lateLibrary{open: s.openRead}
	return s.late, nil
}

// served is the version that answers are marked with. Caches take answers of one
// version for equal, so what is not exactly a commit is known by its bytes.
func served() string {
	if revision, modified := commit(); revision != "" && !modified {
		return Version + "-" + revision
	}
	digest, err := executableDigest()
	if err != nil {
		digest = rand.Text() // of this run alone
	}
	return Version + "-" + digest[:12]
}

// executableDigest returns the SHA-256 of the program's file, in hexadecimal.
func executableDigest() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

func (s *server) logger() (*slog.Logger, error) {
	switch s.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(s.stderr, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(s.stderr, nil)), nil
	case "none":
		return slog.New(slog.DiscardHandler), nil
	default:
		return nil, fmt.Errorf("--log %s: use text, json or none", cmp.Or(s.logFormat, `""`))
	}
}

// lateLibrary is a directory in which nothing is stored at first.
type lateLibrary struct {
	open func() (*store.Store, error)

	mu    sync.Mutex
	store *store.Store // nil as long as there is nothing
	asked time.Time
}

// again is how long an empty directory is not looked at again.
const again = 2 * time.Second

func (l *lateLibrary) get() *store.Store {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil && time.Since(l.asked) > again {
		l.asked = time.Now()
		// What cannot be opened is as good as not there yet: it is tried again.
		l.store, _ = l.open()
	}
	return l.store
}

func (l *lateLibrary) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil
	}
	return l.store.Close()
}

// Manifest implements [tables.Source].
func (l *lateLibrary) Manifest(k tables.Key) (*tables.Manifest, error) {
	if st := l.get(); st != nil {
		return st.Manifest(k)
	}
	return nil, &tables.MissingError{Key: k}
}

// Block implements [tables.Source].
func (l *lateLibrary) Block(k tables.Key, side tables.Side, n uint64, dst []byte) (tables.Block, error) {
	if st := l.get(); st != nil {
		return st.Block(k, side, n, dst)
	}
	return tables.Block{}, &tables.MissingError{Key: k}
}

// BlockPart implements [tables.PartSource].
func (l *lateLibrary) BlockPart(k tables.Key, side tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	if st := l.get(); st != nil {
		return st.BlockPart(k, side, n, upTo, dst)
	}
	return tables.Block{}, &tables.MissingError{Key: k}
}

// List returns nothing as long as there is nothing.
func (l *lateLibrary) List(variant string) ([]*tables.Manifest, error) {
	if st := l.get(); st != nil {
		return st.List(variant)
	}
	return nil, nil
}

var (
	_ httpapi.Library = (*store.Store)(nil)
	_ httpapi.Library = (*store.Pack)(nil)
)
