package retro

import (
	"container/list"
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"

	"threekings/draughts"
	"threekings/tables"
)

// memory shares out what a run may use: tables in work take what they need, and
// pages of finished tables are kept in what is left, those read first going
// first. Without a limit nothing ever goes.
type memory struct {
	limit uint64              // bytes; 0 is no limit
	work  *semaphore.Weighted // nil without a limit

	mu       sync.Mutex
	reserved uint64    // by tables in work
	used     uint64    // by pages
	pages    list.List // of *keptPage
}

// keptPage is a page of a finished table that can be read again.
type keptPage struct {
	bytes uint64
	drop  func()
	at    *list.Element
}

func newMemory(limit uint64) *memory {
	m := &memory{limit: limit}
	if limit > 0 {
		m.work = semaphore.NewWeighted(int64(min(limit, 1<<62)))
	}
	return m
}

// reserve takes memory for a table in work, waiting for other tables to be done
// if need be.
func (m *memory) reserve(ctx context.Context, v *draughts.Variant, material tables.Material, bytes uint64) error {
	if m.limit == 0 {
		return nil
	}
	if bytes > m.limit {
		return fmt.Errorf("the table of %s %s takes %d MiB of memory while it is made, %d MiB are allowed",
			v.Name, material, bytes>>20, m.limit>>20)
	}
	if err := m.work.Acquire(ctx, int64(bytes)); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved += bytes
	m.shrink()
	return nil
}

// free gives back what reserve has taken.
func (m *memory) free(bytes uint64) {
	if m.limit == 0 {
		return
	}
	m.work.Release(int64(bytes))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= bytes
}

// keep counts a page until drop is called to let go of it. drop is called from
// any goroutine.
func (m *memory) keep(bytes uint64, drop func()) *keptPage {
	if m.limit == 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p := &keptPage{bytes: bytes, drop: drop}
	p.at = m.pages.PushBack(p)
	m.used += bytes
	m.shrink()
	return p
}

// forget stops counting pages that nobody needs any more.
func (m *memory) forget(pages []*keptPage) {
	if m.limit == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pages {
		if p != nil && p.at != nil {
			m.remove(p)
		}
	}
}

func (m *memory) shrink() {
	for m.used > 0 && m.used+m.reserved > m.limit {
		p := m.pages.Front().Value.(*keptPage)
		m.remove(p)
		p.drop()
	}
}

func (m *memory) remove(p *keptPage) {
	m.pages.Remove(p.at)
	p.at = nil
	m.used -= p.bytes
}
