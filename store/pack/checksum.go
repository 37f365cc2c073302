package pack

import (
	"encoding/binary"
	"hash/crc32"

	"threekings/tables"
)

// Checksums are CRC-32 as in zlib, gzip and PNG (polynomial 0xEDB88320), not
// the CRC-32C with which Pebble guards its own blocks: with one polynomial for
// both, a change that slips past the one would slip past the other as well. It
// finds every change of up to 32 bits in a row and every three changed bits.
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

// keySeed is the checksum over what a key's table is, so that what belongs to
// one table never passes for another's.
func keySeed(k tables.Key) uint32 {
	b := make([]byte, 0, 64)
	b = append(append(b, k.Variant...), 0)
	b = append(append(b, k.Material.String()...), 0)
	b = append(append(b, k.Metric...), 0)
	return checksum(0, b)
}

// layoutSeed goes on with the version of the coding and the shape of the
// table's blocks.
func layoutSeed(seed uint32, positions uint64, blockLen int, bits uint8) uint32 {
	b := make([]byte, 0, 16)
	b = append(b, Format)
	b = binary.LittleEndian.AppendUint64(b, positions)
	b = binary.LittleEndian.AppendUint32(b, uint32(blockLen))
	b = append(b, bits)
	return checksum(seed, b)
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
