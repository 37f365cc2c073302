package store

import (
	"context"
	"hash/crc32"
	"sync/atomic"
	"testing"

	"threekings/tables"
)

func crc(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }

// cancelAfter returns a context that is cancelled after so many calls of the
// values' methods.
func cancelAfter(t *testing.T, f *fake, calls int) (context.Context, tables.Values) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, &cancelling{fake: f, left: int64(calls), cancel: cancel}
}

type cancelling struct {
	*fake
	left   int64
	cancel context.CancelFunc
}

func (c *cancelling) Captures(s tables.Side, start uint64, dst []bool) {
	if atomic.AddInt64(&c.left, -1) < 0 {
		c.cancel()
	}
	c.fake.Captures(s, start, dst)
}
