package store

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"threekings/draughts"
	"threekings/store/pack"
	"threekings/tables"
)

// readFake is made-up values that may fail to be read.
type readFake struct {
	*fake
	err error
}

func (f readFake) Err() error { return f.err }

func contentDigest(t testing.TB, s *Store) string {
	t.Helper()
	d, err := s.ContentDigest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A database from a pack of another has the same bytes.
func TestPackedAndAddedIsTheSame(t *testing.T) {
	v := draughts.International
	a := mustOpen(t, filepath.Join(t.TempDir(), "a"), Options{Write: true})
	defer a.Close()
	b := mustOpen(t, filepath.Join(t.TempDir(), "b"), Options{Write: true})
	defer b.Close()
	var keys []tables.Key
	for i, name := range []string{"KKvK", "KvM", "KvK"} {
		m := material(t, name)
		mustPut(t, a, v, m, newFake(v, m, uint64(i), 300, 20))
		for _, metric := range both {
			keys = append(keys, tables.Key{Variant: v.Name, Material: m, Metric: metric})
		}
	}
	var packed bytes.Buffer
	if _, err := a.Export(t.Context(), &packed, keys); err != nil {
		t.Fatal(err)
	}
	p, err := pack.Open(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(keys); i += 2 {
		if err := b.Add(t.Context(), p, keys[i:i+2], RunRecord{Host: "other"}); err != nil {
			t.Fatal(err)
		}
	}
	if contentDigest(t, a) != contentDigest(t, b) {
		t.Error("the bytes are others")
	}
	for _, k := range keys {
		if err := b.CheckBlocks(t.Context(), k); err != nil {
			t.Error(err)
		}
	}
	var again bytes.Buffer
	if _, err := b.Export(t.Context(), &again, keys); err != nil || !bytes.Equal(packed.Bytes(), again.Bytes()) {
		t.Error("another pack", err)
	}
	if err := b.Add(t.Context(), p, keys[:1], RunRecord{}); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
}

// Readers of the writer's store and of one that only reads get true values, or
// are told that the table is missing, while tables of a pack are added.
func TestManyGoroutinesReadDuringAnImport(t *testing.T) {
	v := draughts.International
	source := mustOpen(t, filepath.Join(t.TempDir(), "source"), Options{Write: true})
	defer source.Close()
	names := []string{"KvK", "KvM", "KKvK"}
	fakes := map[string]*fake{}
	var keys []tables.Key
	for i, name := range names {
		m := material(t, name)
		fakes[name] = newFake(v, m, uint64(i), 300, 20)
		mustPut(t, source, v, m, fakes[name])
		for _, metric := range both {
			keys = append(keys, tables.Key{Variant: v.Name, Material: m, Metric: metric})
		}
	}
	var packed bytes.Buffer
	if _, err := source.Export(t.Context(), &packed, keys); err != nil {
		t.Fatal(err)
	}
	p, err := pack.Open(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "target")
	w := mustOpen(t, dir, Options{Write: true})
	defer w.Close()
	r := mustOpen(t, dir, Options{})
	defer r.Close()
	var wg sync.WaitGroup
	done := make(chan struct{})
	for g := range 8 {
		wg.Go(func() {
			src := []*Store{w, r}[g%2]
			for round := 0; ; round++ {
				select {
				case <-done:
					return
				default:
				}
				name := names[(g+round)%len(names)]
				for _, metric := range both {
					_, errs := check(t, src, v, material(t, name), metric, fakes[name])
					for _, err := range errs {
						if !errors.Is(err, tables.ErrMissing) {
							t.Error(err)
						}
					}
				}
			}
		})
	}
	for i := 0; i < len(keys); i += 2 {
		if err := w.Add(t.Context(), p, keys[i:i+2], RunRecord{}); err != nil {
			t.Error(err)
		}
	}
	close(done)
	wg.Wait()
	for _, name := range names {
		for _, metric := range both {
			if _, errs := check(t, r, v, material(t, name), metric, fakes[name]); errs != nil {
				t.Error(errs)
			}
		}
	}
}

// One damaged block, and nothing of the table is added.
func TestDamagedBlockIsNotAdded(t *testing.T) {
	v, m := draughts.International, material(t, "KKvK")
	a := mustOpen(t, filepath.Join(t.TempDir(), "a"), Options{Write: true})
	defer a.Close()
	mustPut(t, a, v, m, newFake(v, m, 1, 300, 20))
	b := mustOpen(t, filepath.Join(t.TempDir(), "b"), Options{Write: true})
	defer b.Close()
	keys := []tables.Key{{Variant: v.Name, Material: m, Metric: tables.Outcomes}, {Variant: v.Name, Material: m, Metric: tables.DTW}}
	err := b.Add(t.Context(), damagedCoded{a}, keys, RunRecord{})
	var damaged *tables.DamagedError
	if !errors.As(err, &damaged) || damaged.Key != keys[1] || damaged.Side != 1 || damaged.Block != 3 {
		t.Fatal(err)
	}
	for _, k := range keys {
		if _, err := b.Manifest(k); !errors.Is(err, tables.ErrMissing) {
			t.Error(k, err)
		}
	}
	if err := b.Add(t.Context(), a, []tables.Key{keys[0], keys[0]}, RunRecord{}); err == nil {
		t.Error("the same twice")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Add(ctx, a, keys, RunRecord{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type damagedCoded struct{ *Store }

func (d damagedCoded) Coded(k tables.Key, s tables.Side, n uint64, dst []byte) ([]byte, error) {
	dst, err := d.Store.Coded(k, s, n, dst)
	if k.Metric == tables.DTW && s == 1 && n == 3 {
		dst[len(dst)/2] ^= 16
	}
	return dst, err
}

func TestRecode(t *testing.T) {
	v, m := draughts.International, material(t, "KKvK")
	f := newFake(v, m, 1, 300, 20)
	dir := t.TempDir()
	s := mustOpen(t, dir, Options{Write: true, Generator: "first"})
	mustPut(t, s, v, m, f)
	old := contentDigest(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, dir, Options{Write: true, Generator: "second"})
	defer s.Close()
	reader := mustOpen(t, dir, Options{})
	defer reader.Close()
	k := tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW}
	record, err := s.RunRecord(k)
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range both {
		before, after, err := s.Recode(t.Context(), tables.Table{Variant: v, Material: m}, metric, readFake{f, nil})
		if err != nil || before.Digest != after.Digest {
			t.Fatal(before, after, err)
		}
	}
	for _, src := range []*Store{s, reader} {
		for _, metric := range both {
			if unread, errs := check(t, src, v, m, metric, f); unread > 0 {
				t.Fatal(errs)
			}
		}
	}
	if contentDigest(t, s) != old {
		t.Error("the same coder has made other bytes")
	}
	if now, err := s.RunRecord(k); err != nil || now != record {
		t.Error(now, err)
	}

	// What is not true, or cannot be read, changes nothing.
	wrong := newFake(v, m, 1, 300, 20)
	wrong.distances[1][77]++
	var damaged *tables.DamagedError
	if _, _, err := s.Recode(t.Context(), tables.Table{Variant: v, Material: m}, tables.DTW, readFake{wrong, nil}); !errors.As(err, &damaged) || !strings.Contains(err.Error(), "digest") {
		t.Error(err)
	}
	unreadable := errors.New("unreadable")
	if _, _, err := s.Recode(t.Context(), tables.Table{Variant: v, Material: m}, tables.DTW, readFake{f, unreadable}); !errors.Is(err, unreadable) {
		t.Error(err)
	}
	if _, _, err := s.Recode(t.Context(), tables.Table{Variant: v, Material: material(t, "KvK")}, tables.DTW, readFake{f, nil}); !errors.Is(err, tables.ErrMissing) {
		t.Error(err)
	}
	if _, _, err := reader.Recode(t.Context(), tables.Table{Variant: v, Material: m}, tables.DTW, readFake{f, nil}); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if contentDigest(t, s) != old {
		t.Error("failing has changed something")
	}
}

// Whoever has opened a table must not take blocks of another length for its own.
func TestTableOfAnotherShapeIsRefused(t *testing.T) {
	v, m := draughts.International, material(t, "KvM")
	dir := t.TempDir()
	s := mustOpen(t, dir, Options{Write: true})
	defer s.Close()
	mustPut(t, s, v, m, newFake(v, m, 1, 200, 20))
	reader := mustOpen(t, dir, Options{})
	defer reader.Close()
	k := tables.Key{Variant: v.Name, Material: m, Metric: tables.DTW}
	if _, err := reader.Block(k, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Drop(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	// Distances over 254 take 16 bits.
	if _, err := s.Put(t.Context(), tables.Table{Variant: v, Material: m}, []tables.Metric{tables.DTW}, newFake(v, m, 1, 600, 20), RunRecord{}); err != nil {
		t.Fatal(err)
	}
	if err := reader.reopen(); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Block(k, 0, 0, nil); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if _, err := s.Manifest(k); err != nil {
		t.Errorf("who has dropped it: %v", err)
	}
}

// Nor must it take for true what is left out since then.
func TestTableThatLeavesOutMoreIsRefused(t *testing.T) {
	v, m := draughts.International, material(t, "KKvM")
	dir := t.TempDir()
	s := mustOpen(t, dir, Options{Write: true, LeaveOutFrom: -1})
	f := newFake(v, m, 1, 200, 20)
	for i := range f.distances[0] {
		if f.captures[0][i] || !f.captures[1][i] {
			f.distances[0][i] = tables.NoPlies // all else is threatened
		}
	}
	mustPut(t, s, v, m, f)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reader := mustOpen(t, dir, Options{})
	defer reader.Close()
	k := tables.Key{Variant: v.Name, Material: m, Metric: tables.Outcomes}
	if _, err := reader.Block(k, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, dir, Options{Write: true, LeaveOutFrom: 1})
	defer s.Close()
	before, after, err := s.Recode(t.Context(), tables.Table{Variant: v, Material: m}, tables.Outcomes, readFake{f, nil})
	if err != nil || before.LeftOut != nil || after.LeftOut == nil || before.BlockLen != after.BlockLen || before.Order != after.Order {
		t.Fatalf("left out %v before, %v after, %d and %d positions in a block (%v)", before.LeftOut, after.LeftOut, before.BlockLen, after.BlockLen, err)
	}
	if err := reader.reopen(); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Block(k, 0, 0, nil); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}

// reopen does what a reader does when files have changed.
func (s *Store) reopen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.db
	if err := s.openRead(); err != nil {
		return err
	}
	return before.close()
}
