package httpapi

import (
	"net"
	"net/netip"
	"sync"
)

// connections is a listener that closes what is too much: so a client that opens
// connections and leaves them idle takes none away from the others.
type connections struct {
	net.Listener
	limit, perAddress int

	mu   sync.Mutex
	open map[netip.Prefix]int
	all  int
}

func newConnections(l net.Listener, limit, perAddress int) *connections {
	return &connections{Listener: l, limit: limit, perAddress: perAddress, open: map[netip.Prefix]int{}}
}

// Accept returns the next connection that is not too much.
func (c *connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		var client netip.Prefix
		if address, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil {
			client = clientOf(address.Addr())
		}
		if c.add(client) {
			return &connection{Conn: conn, done: sync.OnceFunc(func() { c.remove(client) })}, nil
		}
		_ = conn.Close() // too much: nobody waits for it
	}
}

func (c *connections) add(client netip.Prefix) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= c.limit || c.open[client] >= c.perAddress {
		return false
	}
	c.all++
	c.open[client]++
	return true
}

func (c *connections) remove(client netip.Prefix) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.open[client]--; c.open[client] == 0 {
		delete(c.open, client)
	}
}

// connection counts until it is closed.
type connection struct {
	net.Conn
	done func()
}

// Close closes the connection.
func (c *connection) Close() error {
	c.done()
	return c.Conn.Close()
}
