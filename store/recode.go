package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"threekings/tables"
)

// ReadValues are true values that are read from somewhere. Once reading has
// failed, Err says so and the values mean nothing.
type ReadValues interface {
	tables.Values
	Err() error
}

// Recode codes a stored metric of a table anew and puts it in the place of what
// is stored, all at once: after an error, or a crash, there is the one or the
// other. It returns the old and the new manifest. Values must be the true values
// of all positions: if their counts or their digest are not those of the
// manifest, that is a [*tables.DamagedError] and nothing is changed. The run
// record and the generator are kept.
func (s *Store) Recode(ctx context.Context, t tables.Table, metric tables.Metric, values ReadValues) (before, after *tables.Manifest, err error) {
	k := t.Key(metric)
	rec, err := s.RunRecord(k)
	if err != nil {
		return nil, nil, err
	}
	if before, err = s.Manifest(k); err != nil {
		return nil, nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.writable(); err != nil {
		return nil, nil, err
	}
	out := &sortedTables{d: s.db}
	defer out.discard()
	p := put{s: s, table: t, values: values, generator: before.Generator}
	err = p.metric(ctx, metric, rec, out)
	if failed := errors.Join(values.Err(), ctx.Err()); failed != nil {
		err = failed
	}
	if err != nil {
		return nil, nil, fmt.Errorf("recode %s: %w", k, err)
	}
	after = p.manifests[0]
	if after.Digest != before.Digest || !slices.Equal(after.Sides, before.Sides) {
		return nil, nil, &tables.DamagedError{Key: k, Manifest: true, Err: fmt.Errorf("the digest of the values is %s, but %s is kept", after.Digest, before.Digest)}
	}
	prefix := keyPrefix(k)
	s.moving.Lock()
	defer s.moving.Unlock()
	defer s.forget(k)
	// From here on it is done or not done, without regard to ctx.
	if err := s.db.replace(context.WithoutCancel(ctx), out.paths, prefix, keyEnd(prefix)); err != nil {
		return nil, nil, fmt.Errorf("recode %s: %w", k, err)
	}
	return before, after, nil
}
