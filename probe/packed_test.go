package probe

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"threekings/tables"
)

// samePacked compares packed outcomes with the block that they come from.
func samePacked(t *testing.T, b tables.Block) {
	t.Helper()
	p := pack(b)
	if p.Len() != b.Len() {
		t.Fatalf("%d positions of %d", p.Len(), b.Len())
	}
	for i := range b.Len() {
		if got, want := p.Outcome(i), b.Outcome(i); got != want {
			t.Fatalf("position %d of %d: %v, want %v", i, b.Len(), got, want)
		}
	}
	from := b.Len() / 3
	all := make([]tables.Outcome, b.Len()-from)
	p.Outcomes(from, all)
	for i, o := range all {
		if want := b.Outcome(from + i); o != want {
			t.Fatalf("position %d of %d in a run: %v, want %v", from+i, b.Len(), o, want)
		}
	}
}

// Blocks of all lengths, up to more than the smallest groups hold, and around the
// lengths at which groups grow: runs from single positions to whole blocks, of all
// outcomes, of two of them, and with what is none.
func TestPackedOutcomesAreThoseOfTheBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var sizes []int // in bytes
	for size := range 600 {
		sizes = append(sizes, size)
	}
	for shift := range 5 {
		for d := -20; d <= 20; d++ {
			sizes = append(sizes, groups<<(smallestGroup+shift)/4+d)
		}
	}
	for _, size := range sizes {
		for _, run := range []int{1, 7, 40, 300, 1 << 20} {
			for _, from := range []string{"\x00\x01\x02", "\x00\x01", "\x00\x02", "\x01\x02", "\x00\x01\x02\x03", "\x03"} {
				b := tables.Block{Bits: 2, Data: make([]byte, size)}
				o := from[0]
				for i := range b.Len() {
					if rng.IntN(run) == 0 {
						o = from[rng.IntN(len(from))]
					}
					b.Data[i/4] |= o << (i % 4 * 2)
				}
				samePacked(t, b)
			}
		}
	}
}

func FuzzPack(f *testing.F) {
	f.Add([]byte{0, 0, 0x55, 0xAA, 0xFF}, uint16(900))
	f.Fuzz(func(t *testing.T, data []byte, repeat uint16) {
		b := tables.Block{Bits: 2}
		for _, x := range data { // runs of each byte, so that groups are of all kinds
			for range int(x)*int(repeat)%200 + 1 {
				b.Data = append(b.Data, x)
			}
		}
		if b.Data = b.Data[:min(len(b.Data), 1<<14)]; len(b.Data) > 0 {
			samePacked(t, b)
		}
	})
}

// What a probe reads first is one line of the processor's cache.
func TestCachedBlockIsOneLine(t *testing.T) {
	if size := unsafe.Sizeof(cached{}); unsafe.Sizeof(uintptr(0)) == 8 && size != 64 {
		t.Errorf("%d bytes", size)
	}
}
