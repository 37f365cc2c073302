package tables_test

import (
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"threekings/tables"
)

// packOutcomes and packDistances pack values as the comment of Block says.
func packOutcomes(outcomes []tables.Outcome) tables.Block {
	b := tables.Block{Bits: 2, Data: make([]byte, (len(outcomes)+3)/4)}
	for i, o := range outcomes {
		b.Data[i/4] |= byte(o) << (2 * (i % 4))
	}
	return b
}

func packDistances(bits uint8, distances []tables.Plies) tables.Block {
	b := tables.Block{Bits: bits}
	for _, d := range distances {
		if bits == 8 {
			b.Data = append(b.Data, byte(min(d, 0xFF)))
		} else {
			b.Data = binary.LittleEndian.AppendUint16(b.Data, uint16(d))
		}
	}
	return b
}

func TestBlockOfOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOf(rapid.SampledFrom([]tables.Outcome{tables.Draw, tables.Win, tables.Loss})).Draw(t, "outcomes")
		b := packOutcomes(outcomes)
		if b.Size(len(outcomes)) != len(b.Data) {
			t.Fatalf("size %d, want %d", b.Size(len(outcomes)), len(b.Data))
		}
		for i, want := range outcomes {
			if got := b.Outcome(i); got != want {
				t.Fatalf("outcome %d of %d: %s, want %s", i, len(outcomes), got, want)
			}
		}
	})
}

func TestBlockOfDistances(t *testing.T) {
	for _, test := range []struct {
		bits      uint8
		distances []tables.Plies
	}{
		{8, []tables.Plies{0, 1, 2, 127, 128, 253, 254, tables.NoPlies}},
		{16, []tables.Plies{0, 1, 253, 254, 255, 256, 257, 32767, 32768, 65533, 65534, tables.NoPlies}},
	} {
		b := packDistances(test.bits, test.distances)
		if b.Size(len(test.distances)) != len(b.Data) {
			t.Errorf("%d bits: size %d, want %d", test.bits, b.Size(len(test.distances)), len(b.Data))
		}
		for i, want := range test.distances {
			if got := b.Distance(i); got != want {
				t.Errorf("%d bits, value %d: %d plies, want %d", test.bits, i, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.SampledFrom([]uint8{8, 16}).Draw(t, "bits")
		distances := rapid.SliceOf(rapid.OneOf(
			rapid.Map(rapid.Uint16Range(0, 1<<bits-2), func(n uint16) tables.Plies { return tables.Plies(n) }),
			rapid.Just(tables.NoPlies),
		)).Draw(t, "distances")
		b := packDistances(bits, distances)
		for i, want := range distances {
			if got := b.Distance(i); got != want {
				t.Fatalf("%d bits, value %d: %d plies, want %d", bits, i, got, want)
			}
		}
	})
}

func TestErrorsNameTheTable(t *testing.T) {
	key := tables.Key{Variant: "international", Material: material(t, "KKKvK"), Metric: tables.DTW}
	missing := &tables.MissingError{Key: key}
	if !errors.Is(missing, tables.ErrMissing) || errors.Is(missing, tables.ErrDamaged) {
		t.Error("a missing table is not ErrMissing alone")
	}
	if got, want := missing.Error(), "missing table: international KKKvK has no dtw; make it with: "+
		"threekings generate --variant international --material KKKvK --metric dtw"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	damaged := &tables.DamagedError{Key: key, Side: tables.Second, Block: 17, Err: io.ErrUnexpectedEOF}
	if !errors.Is(damaged, tables.ErrDamaged) || errors.Is(damaged, tables.ErrMissing) || !errors.Is(damaged, io.ErrUnexpectedEOF) {
		t.Error("a damaged table is not ErrDamaged with its cause alone")
	}
	if got, want := damaged.Error(), "damaged table: international KKKvK dtw, side 2, block 17: unexpected EOF"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	damaged.Manifest = true
	if got, want := damaged.Error(), "damaged table: international KKKvK dtw, manifest: unexpected EOF"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
