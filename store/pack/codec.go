package pack

import (
	"sync"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// zstdMagic begins every zstd frame. It is not stored.
var zstdMagic = [4]byte{0x28, 0xB5, 0x2F, 0xFD}

// scratch is what decoding a block needs beside its destination.
type scratch struct {
	zstd     *zstd.Decoder
	huff     huff0.Scratch
	frame    []byte // a zstd frame with its magic number
	symbols  []byte
	outcomes []byte
	words    []uint64 // outcomes, 32 to a word
	values   []halfValue
}

var scratches = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxMemory(2*MaxBlockLen),
		zstd.WithDecoderMaxWindow(1<<18))
	if err != nil {
		panic(err) // the options are constants
	}
	return &scratch{zstd: d}
}}

// grow returns a buffer of n bytes, b if it is large enough.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// unzstd decodes a zstd frame without its magic number into dst's capacity and
// returns what came out.
func (sc *scratch) unzstd(frame, dst []byte) ([]byte, error) {
	sc.frame = append(append(sc.frame[:0], zstdMagic[:]...), frame...)
	return sc.zstd.DecodeAll(sc.frame, dst[:0:len(dst)])
}

// unhuff decodes a huff0 table and stream into dst, which must have the length
// of what comes out.
func (sc *scratch) unhuff(in, dst []byte) error {
	s, stream, err := huff0.ReadTable(in, &sc.huff)
	if err != nil {
		return err
	}
	out, err := s.Decoder().Decompress1X(dst[:0:len(dst)], stream)
	if err != nil {
		return err
	}
	if len(out) != len(dst) {
		return ErrShort
	}
	return nil
}

// squeezer compresses symbols. It is for one goroutine.
type squeezer struct {
	zstd  *zstd.Encoder
	huff  huff0.Scratch
	frame []byte
}

// newSqueezers returns one squeezer for each kind of block. The best level takes
// twice as long as the one below it. Outcomes, which every program reads, get it
// for 3 % fewer bytes; distances, where it would take most of the time of coding,
// do without its 8 %.
func newSqueezers() (outcomes, distances *squeezer) {
	return newSqueezer(zstd.SpeedBestCompression), newSqueezer(zstd.SpeedBetterCompression)
}

func newSqueezer(level zstd.EncoderLevel) *squeezer {
	e, err := zstd.NewWriter(nil,
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(level),
		zstd.WithWindowSize(MaxBlockLen),
		zstd.WithEncoderCRC(false),
		zstd.WithSingleSegment(true),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return &squeezer{zstd: e, huff: huff0.Scratch{Reuse: huff0.ReusePolicyNone}}
}

// zstdFrame returns a frame without its magic number, valid until the next
// call.
func (q *squeezer) zstdFrame(symbols []byte) []byte {
	q.frame = q.zstd.EncodeAll(symbols, q.frame[:0])
	return q.frame[len(zstdMagic):]
}

// huffStream returns a huff0 table and stream, valid until the next call. ok is
// false where huff0 gains nothing.
func (q *squeezer) huffStream(symbols []byte) (stream []byte, ok bool) {
	out, _, err := huff0.Compress1X(symbols, &q.huff)
	return out, err == nil
}
