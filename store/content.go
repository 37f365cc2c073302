package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"threekings/store/pack"
	"threekings/tables"
)

// RunRecord returns how a stored table came to be.
func (s *Store) RunRecord(k tables.Key) (RunRecord, error) {
	var rec RunRecord
	err := s.read(func() error {
		e, err := s.entry(k)
		if err != nil {
			return err
		}
		value, closer, err := s.db.get(appendKey(nil, e.prefix, runKind))
		switch {
		case errors.Is(err, errNotFound):
			err = errors.New("the run record is gone")
		case err == nil:
			if value, err = pack.Unseal(k, pack.RunRecord, value); err == nil {
				err = json.Unmarshal(value, &rec)
			}
			_ = closer.Close()
		case !errors.Is(err, ErrDamaged):
			return fmt.Errorf("read %s, run record: %w", k, err)
		}
		if err != nil {
			return &tables.DamagedError{Key: k, Manifest: true, Err: fmt.Errorf("run record: %w", err)}
		}
		return nil
	})
	return rec, err
}

// maxErrors is how many damaged blocks of a table are told of.
const maxErrors = 16

// CheckBlocks reads every block of a table's metric and checks its checksum and
// coding, and that their bytes add up. It does not know whether values are true.
// The error joins what is wrong with the first few damaged blocks.
func (s *Store) CheckBlocks(ctx context.Context, k tables.Key) error {
	m, err := s.Manifest(k)
	if err != nil {
		return err
	}
	if _, err := s.RunRecord(k); err != nil {
		return err
	}
	var errs []error
	var dst []byte
	for side := range tables.Side(m.Material.Sides()) {
		for n := range m.Blocks() {
			if err := ctx.Err(); err != nil {
				return err
			}
			b, err := s.Block(k, side, n, dst)
			if err != nil {
				if errs = append(errs, err); len(errs) >= maxErrors {
					return errors.Join(errs...)
				}
				continue
			}
			dst = b.Data
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	bytes := uint64(0)
	prefix := keyPrefix(k)
	err = s.read(func() error {
		bytes = 0
		return s.db.scan(ctx, prefix, keyEnd(prefix), func(key, value []byte) error {
			if key[len(prefix)] == blockKind {
				bytes += uint64(len(value))
			}
			return nil
		})
	})
	if err == nil && bytes != m.Bytes {
		err = &tables.DamagedError{Key: k, Manifest: true, Err: fmt.Errorf("blocks of %d bytes, not %d", bytes, m.Bytes)}
	}
	return err
}

// All calls fn for every key and value in order; run says whether it is a run
// record. What fn is given is valid during the call.
func (s *Store) All(ctx context.Context, fn func(key, value []byte, run bool) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return ErrClosed
	}
	return s.db.scan(ctx, nil, nil, func(key, value []byte) error {
		p, err := parseKey(key)
		if err != nil {
			return err
		}
		return fn(key, value, p.kind == runKind)
	})
}

// ContentDigest returns a SHA-256, in hexadecimal, over all keys and values in
// order but run records: each key and each value with its length before it, in
// eight little-endian bytes. Two databases with equal digests hold the same
// bytes.
func (s *Store) ContentDigest(ctx context.Context) (string, error) {
	h := sha256.New()
	write := func(b []byte) {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	err := s.All(ctx, func(key, value []byte, run bool) error {
		if !run {
			write(key)
			write(value)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Signature returns the signature of tables: a SHA-256, in hexadecimal, over one
// line for each, "variant material metric digest" and a line feed, in ASCII
// order. It changes only if a value changes or a table comes or goes.
func Signature(manifests []*tables.Manifest) string {
	lines := make([]string, len(manifests))
	for i, m := range manifests {
		lines[i] = fmt.Sprintf("%s %s %s %s\n", m.Variant, m.Material, m.Metric, m.Digest)
	}
	slices.Sort(lines)
	h := sha256.New()
	for _, line := range lines {
		h.Write([]byte(line))
	}
	return hex.EncodeToString(h.Sum(nil))
}
