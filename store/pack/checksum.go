package pack

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"threekings/tables"
)

// Checksums are CRC-32 as in zlib, gzip and PNG (polynomial 0xEDB88320), not
// the CRC-32C with which Pebble guards its own blocks: with one polynomial for
// both, a change that slips past the one would slip past the other as well. It
// finds every change within 32 bits in a row and every one, two or three changed
// bits.
const checksumSize = 4

// checksum goes on with a checksum over more bytes.
func checksum(seed uint32, b []byte) uint32 { return crc32.Update(seed, crc32.IEEETable, b) }

// seal appends the checksum of what b holds from start on.
func seal(b []byte, start int, seed uint32) []byte {
	return binary.LittleEndian.AppendUint32(b, checksum(seed, b[start:]))
}

// unseal takes the checksum off, or says that it is wrong.
func unseal(b []byte, seed uint32) ([]byte, error) {
	if len(b) < checksumSize {
		return nil, ErrShort
	}
	body, sum := b[:len(b)-checksumSize], b[len(b)-checksumSize:]
	if checksum(seed, body) != binary.LittleEndian.Uint32(sum) {
		return nil, ErrChecksum
	}
	return body, nil
}

// keySeed is the checksum over a key and a kind, so that what belongs to one
// table never passes for another's, nor a manifest for a run record.
func keySeed(k tables.Key, kind Kind) uint32 {
	b := make([]byte, 0, 64)
	b = append(append(b, k.Variant...), 0)
	b = append(append(b, k.Material.String()...), 0)
	b = append(append(b, k.Metric...), 0)
	return checksum(0, append(b, byte(kind)))
}

// Kind is what of a table's metric is stored. It is part of every checksum.
type Kind uint8

// The kinds.
const (
	Block     Kind = iota + 1
	Manifest       // JSON of a [tables.Manifest]
	RunRecord      // JSON of how the table came to be
)

// Seal appends to b a checksum over it and over what it is.
func Seal(k tables.Key, kind Kind, b []byte) []byte { return seal(b, 0, keySeed(k, kind)) }

// Unseal checks and takes off what [Seal] has appended. The error is
// [ErrChecksum] or [ErrShort].
func Unseal(k tables.Key, kind Kind, b []byte) ([]byte, error) { return unseal(b, keySeed(k, kind)) }

// layoutSeed goes on with the version of the coding, the shape of the table's
// blocks, what they leave out, and the models without which they mean nothing.
func layoutSeed(seed uint32, m *tables.Manifest) uint32 {
	b := make([]byte, 0, 32)
	b = append(b, byte(m.Format))
	b = binary.LittleEndian.AppendUint64(b, m.Positions)
	b = binary.LittleEndian.AppendUint32(b, uint32(m.BlockLen))
	b = append(b, m.Bits)
	if m.Format > 1 {
		b = append(b, byte(m.Order), byte(m.RowSquares), byte(m.RowPieces), byte(len(m.Models)), byte(len(m.HalfModels)))
	}
	if m.Format > 3 {
		b = append(b, byte(len(m.LeftOut)))
		for _, l := range m.LeftOut {
			b = append(b, byte(l))
		}
	}
	seed = checksum(seed, b)
	for _, model := range slices.Concat(m.Models, m.HalfModels) {
		seed = checksum(seed, binary.LittleEndian.AppendUint32(nil, uint32(len(model))))
		seed = checksum(seed, model)
	}
	return seed
}

// blockSeed goes on with which block it is.
func blockSeed(seed uint32, s tables.Side, n uint64) uint32 {
	// By hand and not by checksum, so that nothing escapes to the heap.
	c := ^seed
	c = crc32.IEEETable[byte(c)^byte(s)] ^ c>>8
	for range 8 {
		c = crc32.IEEETable[byte(c)^byte(n)] ^ c>>8
		n >>= 8
	}
	return ^c
}
