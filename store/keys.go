package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"threekings/store/pack"
	"threekings/tables"
)

// A key is variant, material and metric, each ended by a zero byte, then what it
// is. All keys of a table's metric follow each other:
//
//	international 0 KKvK 0 dtw 0  1 side block   a block; the number big-endian
//	international 0 KKvK 0 dtw 0  2              the manifest
//	international 0 KKvK 0 dtw 0  3              the run record
const (
	blockKind    = byte(pack.Block)
	manifestKind = byte(pack.Manifest)
	runKind      = byte(pack.RunRecord)
)

// blockSuffix is the length of a block's key after the kind: side and number.
const blockSuffix = 1 + 4

// keyPrefix returns what all keys of k begin with.
func keyPrefix(k tables.Key) []byte {
	p := make([]byte, 0, 64)
	p = append(append(p, k.Variant...), 0)
	p = append(append(p, k.Material.String()...), 0)
	return append(append(p, k.Metric...), 0)
}

// keyEnd returns the first key after all of those with the prefix.
func keyEnd(prefix []byte) []byte {
	end := bytes.Clone(prefix)
	end[len(end)-1]++ // the zero byte
	return end
}

// appendBlockKey appends the key of a block.
func appendBlockKey(dst, prefix []byte, s tables.Side, n uint64) []byte {
	dst = append(append(dst, prefix...), blockKind, byte(s))
	return binary.BigEndian.AppendUint32(dst, uint32(n))
}

// appendKey appends the key of a manifest or a run record.
func appendKey(dst, prefix []byte, kind byte) []byte {
	return append(append(dst, prefix...), kind)
}

// parsedKey is a key taken apart.
type parsedKey struct {
	key   tables.Key
	kind  byte
	side  tables.Side
	block uint64
}

// parseKey takes a key apart. Only what the functions above write is a key.
func parseKey(b []byte) (p parsedKey, err error) {
	bad := func() (parsedKey, error) { return parsedKey{}, fmt.Errorf("%w: key %q", ErrNotDatabase, b) }
	var fields [3][]byte
	rest, ok := b, false
	for i := range fields {
		if fields[i], rest, ok = bytes.Cut(rest, []byte{0}); !ok {
			return bad()
		}
	}
	p.key.Variant, p.key.Metric = string(fields[0]), tables.Metric(fields[2])
	if p.key.Material, err = tables.ParseMaterial(string(fields[1])); err != nil || p.key.Material.String() != string(fields[1]) {
		return bad()
	}
	switch {
	case len(rest) == 1 && (rest[0] == manifestKind || rest[0] == runKind):
		p.kind = rest[0]
	case len(rest) == 1+blockSuffix && rest[0] == blockKind && rest[1] <= byte(tables.Second):
		p.kind, p.side, p.block = rest[0], tables.Side(rest[1]), uint64(binary.BigEndian.Uint32(rest[2:]))
	default:
		return bad()
	}
	return p, nil
}
