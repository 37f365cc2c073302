package httpapi

import (
	"cmp"
	"math"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits are what one request and one client may take. Zero values are the
// defaults. The page shows those that a client meets.
type Limits struct {
	// Rate is how many units a client may use each second for long, Burst how many
	// at once. A request is one unit unless its cost says more. A negative rate is
	// no limit.
	Rate  float64
	Burst int

	// Concurrent is how many requests are worked on at a time, Wait how long one
	// waits for its turn before it is sent away.
	Concurrent int
	Wait       time.Duration
	// Work is how long one request may be worked on.
	Work time.Duration

	// BodyBytes and HeaderBytes bound what is read, Positions the batch, LinePlies
	// a line, GamePlies a game.
	BodyBytes   int64
	HeaderBytes int
	Positions   int
	LinePlies   int
	GamePlies   int

	// Connections is how many may be open, in all and from one address.
	Connections, ConnectionsPerAddress int
	// Times for reading a header, reading a request, writing an answer, waiting for
	// the next request, and ending.
	HeaderTime, ReadTime, WriteTime, IdleTime, Grace time.Duration
}

func (l Limits) withDefaults() Limits {
	l.Rate = cmp.Or(l.Rate, 20)
	l.Burst = cmp.Or(l.Burst, int(math.Ceil(5*math.Max(l.Rate, 0))), 1)
	l.Concurrent = cmp.Or(l.Concurrent, 4*runtime.GOMAXPROCS(0))
	l.Wait = cmp.Or(l.Wait, 2*time.Second)
	l.Work = cmp.Or(l.Work, 5*time.Second)
	l.BodyBytes = cmp.Or(l.BodyBytes, 256<<10)
	l.HeaderBytes = cmp.Or(l.HeaderBytes, 16<<10)
	l.Positions = cmp.Or(l.Positions, 1000)
	l.LinePlies = cmp.Or(l.LinePlies, 600)
	l.GamePlies = cmp.Or(l.GamePlies, 600)
	l.Connections = cmp.Or(l.Connections, 4096)
	l.ConnectionsPerAddress = cmp.Or(l.ConnectionsPerAddress, 256)
	l.HeaderTime = cmp.Or(l.HeaderTime, 5*time.Second)
	l.ReadTime = cmp.Or(l.ReadTime, 15*time.Second)
	l.WriteTime = cmp.Or(l.WriteTime, 30*time.Second)
	l.IdleTime = cmp.Or(l.IdleTime, time.Minute)
	l.Grace = cmp.Or(l.Grace, 10*time.Second)
	return l
}

// unit is how many positions of a batch or a game cost as much as one request.
const unit = 25

// units returns the cost of looking up n positions.
func units(n int) int { return max(1, (n+unit-1)/unit) }

// rates keeps what each client has used.
type rates struct {
	limit rate.Limit
	burst int
	mu    sync.Mutex
	used  map[netip.Prefix]*use
	swept time.Time
}

type use struct {
	limiter *rate.Limiter
	last    time.Time
}

// Clients that are remembered. Whoever was not seen for as long as it takes to
// be as good as new is forgotten; if there are still too many, all are.
const maxClients = 100_000

func newRates(l Limits) *rates {
	r := &rates{limit: rate.Limit(l.Rate), burst: l.Burst, used: map[netip.Prefix]*use{}}
	if l.Rate < 0 {
		r.limit = rate.Inf
	}
	return r
}

// take takes units from a client's allowance. If there is not so much left it
// takes nothing and returns how long to wait. More than a burst is taken as one.
func (r *rates) take(client netip.Prefix, units int, now time.Time) (wait time.Duration) {
	if r.limit == rate.Inf {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	u := r.used[client]
	if u == nil {
		u = &use{limiter: rate.NewLimiter(r.limit, r.burst)}
		r.used[client] = u
	}
	u.last = now
	reservation := u.limiter.ReserveN(now, min(units, r.burst))
	if wait = reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// sweep forgets clients from time to time. The caller holds mu.
func (r *rates) sweep(now time.Time) {
	full := time.Duration(float64(r.burst) / float64(r.limit) * float64(time.Second))
	if now.Sub(r.swept) < max(full, time.Second) && len(r.used) < maxClients {
		return
	}
	r.swept = now
	for client, u := range r.used {
		if now.Sub(u.last) >= full {
			delete(r.used, client)
		}
	}
	if len(r.used) >= maxClients {
		clear(r.used)
	}
}

// clientOf returns whom an address stands for. Whoever has one IPv6 address has
// at least a /64 of them.
func clientOf(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := 32
	if address.Is6() {
		bits = 64
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{} // all whose address is unknown
	}
	return prefix
}
