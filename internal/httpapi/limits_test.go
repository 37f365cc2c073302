package httpapi

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"threekings/draughts"
	"threekings/tables"
)

func TestAllowanceComesBackWithTime(t *testing.T) {
	r := newRates(Limits{Rate: 2, Burst: 4})
	client := clientOf(netip.MustParseAddr("192.0.2.1"))
	begin := time.Unix(1_000_000, 0)
	for _, step := range []struct {
		at    time.Duration
		units int
		wait  time.Duration
	}{
		{0, 1, 0},
		{0, 3, 0},
		{0, 1, 500 * time.Millisecond},
		{0, 4, 2 * time.Second}, // the refused took nothing
		{500 * time.Millisecond, 1, 0},
		{time.Second, 2, 500 * time.Millisecond},
		{time.Hour, 1000, 0}, // more than a burst is a burst
		{time.Hour, 1, 500 * time.Millisecond},
	} {
		if wait := r.take(client, step.units, begin.Add(step.at)); wait != step.wait {
			t.Errorf("%d units at %v: wait %v, not %v", step.units, step.at, wait, step.wait)
		}
	}
}

func TestNoLimitIsNoLimit(t *testing.T) {
	r := newRates(Limits{Rate: -1}.withDefaults())
	for range 10_000 {
		if r.take(netip.Prefix{}, 1000, time.Now()) != 0 {
			t.Fatal("limited")
		}
	}
	if len(r.used) != 0 {
		t.Errorf("%d clients are remembered", len(r.used))
	}
}

// A client that comes from ever new addresses does not fill the memory.
func TestClientsAreForgotten(t *testing.T) {
	r := newRates(Limits{Rate: 1, Burst: 5})
	begin := time.Unix(1_000_000, 0)
	address := netip.MustParseAddr("10.0.0.0")
	for i := range 2*maxClients + 10 {
		r.take(clientOf(address), 1, begin.Add(time.Duration(i)))
		address = address.Next()
	}
	if len(r.used) > maxClients {
		t.Errorf("%d clients", len(r.used))
	}
	r.take(netip.Prefix{}, 1, begin.Add(time.Minute))
	if len(r.used) != 1 {
		t.Errorf("%d clients after a minute", len(r.used))
	}
}

func TestNeighboursInAnIPv6NetworkAreOneClient(t *testing.T) {
	of := func(text string) netip.Prefix { return clientOf(netip.MustParseAddr(text)) }
	if of("2001:db8::1") != of("2001:db8::ffff:1") || of("2001:db8::1") == of("2001:db8:0:1::1") {
		t.Error("IPv6")
	}
	if of("192.0.2.1") == of("192.0.2.2") || of("192.0.2.1") != of("::ffff:192.0.2.1") {
		t.Error("IPv4")
	}
}

func TestLongestWinsAreKeptInOrder(t *testing.T) {
	var l longestWins
	for i := range uint64(1000) {
		l.add(2*tables.Plies(i*7919%101)+1, i)
		l.add(500, i) // losses do not count
	}
	if len(l.list) != maxLongest || !slices.IsSortedFunc(l.list, func(a, b winAt) int {
		if a.dtw != b.dtw {
			return int(b.dtw) - int(a.dtw)
		}
		return int(a.at) - int(b.at)
	}) || l.list[0].dtw != 201 {
		t.Errorf("%v", l.list)
	}
}

// Whatever stands in an address, there is an error with a code or a position that
// reads the same again.
func FuzzQuery(f *testing.F) {
	f.Add("fen=W:W23:B5,6", "fen", "english")
	f.Add("fen=W_W23_:_B5&v=1", "fen", "russian")
	f.Add("fen=%zz", "fen,square", "turkish")
	f.Add("fen=W:Wa1:Bh8:H3&square=a1&plies=7", "fen,square,plies", "turkish")
	f.Add("a=1;b=2", "", "italian")
	f.Fuzz(func(t *testing.T, raw, allowed, name string) {
		told := func(err error) {
			var api *apiError
			if !errors.As(err, &api) || statuses[api.says.Code] == 0 {
				t.Errorf("%q: %v", raw, err)
			}
		}
		q, err := parseQuery(raw, strings.Split(allowed, ","))
		if err != nil {
			told(err)
			return
		}
		for name, list := range q {
			if len(list) != 1 || name != "v" && !slices.Contains(strings.Split(allowed, ","), name) {
				t.Errorf("%q: %v passed", raw, q)
			}
		}
		if _, err := q.flag("flip"); err != nil {
			told(err)
		}
		if n, err := q.number("plies", 1, 600, 600); err != nil {
			told(err)
		} else if n < 1 || n > 600 {
			t.Errorf("%q: %d plies", raw, n)
		}
		v, err := draughts.Lookup(name)
		if err != nil {
			v = draughts.International
		}
		setup, err := q.setup(v)
		if err != nil {
			told(public(err))
			return
		}
		written := v.SetupFEN(setup)
		again, err := parseQuery("fen="+url.QueryEscape(written), []string{"fen"})
		if err != nil {
			t.Fatal(err)
		}
		if second, err := again.setup(v); err != nil || v.SetupFEN(second) != written {
			t.Errorf("%q: %s is read as %s, %v", raw, written, v.SetupFEN(second), err)
		}
	})
}
