package store

import (
	"context"
	"encoding/json"
	"fmt"

	"threekings/store/pack"
	"threekings/tables"
)

// Add stores metrics of tables as src has them coded, all at once: if it returns
// an error, none of them is stored. Every manifest, checksum and coding is
// checked, but nothing is known of the values: whoever adds what others have made
// compares the digest with the true values first. A metric that is stored
// already is an [*ExistsError].
func (s *Store) Add(ctx context.Context, src pack.Coded, keys []tables.Key, rec RunRecord) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.writable(); err != nil {
		return err
	}
	run, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	for i, k := range keys {
		for _, before := range keys[:i] {
			if before == k {
				return fmt.Errorf("add %s: named twice", k)
			}
		}
		if err := s.absent(k); err != nil {
			return err
		}
	}
	var out []*sortedTables
	defer func() {
		for _, t := range out {
			t.discard()
		}
	}()
	var paths []string
	for _, k := range keys {
		t := &sortedTables{d: s.db}
		out = append(out, t)
		if err := t.copy(ctx, src, k, run); err != nil {
			return fmt.Errorf("add %s: %w", k, err)
		}
		paths = append(paths, t.paths...)
	}
	if err := s.takeIn(ctx, keys, paths); err != nil {
		return fmt.Errorf("add tables: %w", err)
	}
	return nil
}

// copy writes all keys of k as src has them.
func (t *sortedTables) copy(ctx context.Context, src pack.Coded, k tables.Key, run []byte) error {
	m, err := src.Manifest(k)
	if err != nil {
		return err
	}
	layout, err := pack.NewLayout(m)
	if err != nil {
		return err
	}
	prefix := keyPrefix(k)
	var key, coded, decoded []byte
	bytes := uint64(0)
	for side := range tables.Side(k.Material.Sides()) {
		for n := range layout.Blocks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if coded, err = src.Coded(k, side, n, coded[:0]); err != nil {
				return err
			}
			b, err := layout.Decode(coded, side, n, decoded)
			if err != nil {
				return err
			}
			decoded = b.Data
			key = appendBlockKey(key[:0], prefix, side, n)
			if err := t.set(key, coded); err != nil {
				return err
			}
			bytes += uint64(len(coded))
		}
	}
	if bytes != m.Bytes {
		return &tables.DamagedError{Key: k, Manifest: true, Err: fmt.Errorf("blocks of %d bytes, not %d", bytes, m.Bytes)}
	}
	return t.end(k, prefix, m, run)
}
