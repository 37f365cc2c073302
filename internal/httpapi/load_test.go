package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"threekings/internal/httpapi"
)

// loadRequest is a request and the statuses that are right for it when nothing
// is too much.
type loadRequest struct {
	path, body string
	status     int
}

var loadRequests = []loadRequest{
	{"/v1/english?fen=W:WK32,31:BK1", "", 200},
	{"/v1/english?fen=B:W30,K32:BK5", "", 200},
	{"/v1/international?fen=W:W23:B5,6", "", 200},
	{"/v1/international?fen=W:WK7,K30:BK45", "", 200},
	{"/v1/international/line?fen=W:W23:B5,6", "", 200},
	{"/v1/english/map?fen=W:W31,K32:BK1&square=31", "", 200},
	{"/v1/canadian/moves?fen=W:WK1,K2,K3:B20,21,22", "", 200},
	{"/v1/english/tables", "", 200},
	{"/v1/variants", "", 200},
	{"/v1/english/board.svg?fen=W:W31,K32:BK1", "", 200},
	{"/", "", 200},
	{"/v1/english", `{"fens":["W:WK32,31:BK1"` + strings.Repeat(`,"B:W30,K32:BK5"`, 49) + `]}`, 200},
	{"/v1/english?fen=nonsense", "", 400},
	{"/v1/english?fen=" + strings.Repeat("W:W1", 500), "", 400},
	{"/v1/english", `{"fens":`, 400},
	{"/v1/english?fen=W:WK1,K2:BK31,K32", "", 404},
	{"/v1/chess?fen=W:W1:B2", "", 404},
	{"/nowhere", "", 404},
}

// loadTime is how long the load lasts; THREEKINGS_LOAD makes it longer.
func loadTime(t *testing.T) time.Duration {
	text := os.Getenv("THREEKINGS_LOAD")
	if text == "" {
		return 2 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Two hundred clients ask for good and bad things as fast as they can. All are
// answered, and rightly; memory stays within its budget, and nothing is left
// behind.
func TestLoad(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const clients = 200
	const cache = 8 << 20
	duration := loadTime(t)
	r := run(t, st, httpapi.Options{CacheBytes: cache, Limits: httpapi.Limits{Rate: -1, Wait: 20 * time.Second}})
	transport := &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: clients}
	client := &http.Client{Transport: transport, Timeout: time.Minute}

	before := heap()
	var peak atomic.Uint64
	var mu sync.Mutex
	var took []time.Duration
	statuses := map[int]int{}
	deadline := time.Now().Add(duration)
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			var mine []time.Duration
			got := map[int]int{}
			for i := c; time.Now().Before(deadline); i++ {
				q := loadRequests[i%len(loadRequests)]
				begin := time.Now()
				status, err := send(client, r.url, q)
				if err != nil || status != q.status {
					t.Errorf("%s: %d, %v", q.path, status, err)
					return
				}
				mine = append(mine, time.Since(begin))
				got[status]++
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
			for status, n := range got {
				statuses[status] += n
			}
		})
	}
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				peak.Store(max(peak.Load(), heap()))
			}
		}
	})
	all.Wait()
	close(done)
	watch.Wait()
	transport.CloseIdleConnections()

	if len(took) < clients {
		t.Fatalf("%d answers", len(took))
	}
	slices.Sort(took)
	at := func(share float64) time.Duration {
		return took[int(share*float64(len(took)-1))].Round(100 * time.Microsecond)
	}
	grown := int64(peak.Load()) - int64(before)
	t.Logf("%d clients for %v: %.0f answers a second, half within %v, 99%% within %v, all within %v; %v; heap grew by up to %.1f MB",
		clients, duration, float64(len(took))/duration.Seconds(), at(0.5), at(0.99), at(1), statuses, float64(grown)/1e6)
	// The cache of blocks, and what 200 clients with their connections take on both
	// sides in this process.
	if limit := int64(cache + clients*512<<10); grown > limit {
		t.Errorf("the heap grew by %d bytes; %d are allowed", grown, limit)
	}
	r.end(t)
}

func send(client *http.Client, url string, q loadRequest) (int, error) {
	var res *http.Response
	var err error
	if q.body == "" {
		res, err = client.Get(url + q.path)
	} else {
		res, err = client.Post(url+q.path, "application/json", strings.NewReader(q.body))
	}
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return res.StatusCode, err
	}
	return res.StatusCode, nil
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// With limits on, those who ask too much are told when to come back, and one who
// asks little is served all the same.
func TestLimitsUnderLoad(t *testing.T) {
	st := openTables(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r := run(t, st, httpapi.Options{ClientHeader: "X-Forwarded-For", Limits: httpapi.Limits{Rate: 20, Burst: 20}})
	transport := &http.Transport{MaxIdleConnsPerHost: 50}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	as := func(address string) (int, string) {
		req, err := http.NewRequest(http.MethodGet, r.url+goodPosition, nil)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		req.Header.Set("X-Forwarded-For", address)
		res, err := client.Do(req)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.StatusCode, res.Header.Get("Retry-After")
	}
	var refused atomic.Int64
	stop := make(chan struct{})
	var greedy sync.WaitGroup
	for range 20 {
		greedy.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				switch status, retry := as("192.0.2.1"); {
				case status == http.StatusTooManyRequests && retry == "1":
					refused.Add(1)
				case status != http.StatusOK:
					t.Errorf("%d, Retry-After %q", status, retry)
				}
			}
		})
	}
	for i := range 100 {
		if status, _ := as(fmt.Sprintf("198.51.100.%d", i)); status != http.StatusOK {
			t.Errorf("%d", status)
		}
	}
	close(stop)
	greedy.Wait()
	if refused.Load() == 0 {
		t.Error("nobody was refused")
	}
	transport.CloseIdleConnections()
	r.end(t)
}
