package pack

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/tables"
)

func material(t testing.TB, name string) tables.Material {
	t.Helper()
	m, err := tables.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// layout returns one for blocks of the given length in a table of the given
// number of positions.
func layout(t testing.TB, metric tables.Metric, positions, blockLen int, bits uint8) *Layout {
	t.Helper()
	l, err := NewLayout(&tables.Manifest{
		Format: Format, Variant: "international", Material: material(t, "KKvK"), Metric: metric,
		Positions: uint64(positions), BlockLen: blockLen, Bits: bits,
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// drawPlies draws values that are random, in runs, or repeat with a period.
func drawPlies(t *rapid.T, n int, longest tables.Plies) []tables.Plies {
	values := make([]tables.Plies, n)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	one := func() tables.Plies {
		if rng.IntN(3) == 0 {
			return tables.NoPlies
		}
		return tables.Plies(rng.IntN(int(longest) + 1))
	}
	run := rapid.SampledFrom([]int{1, 2, 10, 300, 1 << 20}).Draw(t, "run")
	period := rapid.SampledFrom([]int{0, 1, 7, 47}).Draw(t, "period")
	value := one()
	for i := range values {
		if rng.IntN(run) == 0 {
			value = one()
		}
		values[i] = value
		if period > 0 && i >= period && rng.IntN(20) > 0 {
			values[i] = values[i-period]
		}
	}
	return values
}

func drawFree(t *rapid.T, n int) []bool {
	free := make([]bool, n)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "free seed"), 0))
	share := rapid.SampledFrom([]int{0, 1, 5, 9, 10}).Draw(t, "free of ten")
	on := false
	for i := range free {
		if rng.IntN(4) == 0 {
			on = rng.IntN(10) < share
		}
		free[i] = on
	}
	if share == 0 {
		return nil
	}
	return free
}

var lengths = rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(1, 70), rapid.IntRange(1, 1000), rapid.IntRange(1, 20000), rapid.Just(4096))

func TestOutcomesComeBack(t *testing.T) {
	e := NewEncoder()
	rapid.Check(t, func(t *rapid.T) {
		n := lengths.Draw(t, "n")
		values := make([]tables.Outcome, n)
		for i, p := range drawPlies(t, n, 3) {
			values[i] = p.Outcome()
		}
		free := drawFree(t, n)
		l, err := NewLayout(&tables.Manifest{Format: Format, Metric: tables.Outcomes, Positions: uint64(n), BlockLen: n, Bits: 2})
		if err != nil {
			t.Fatal(err)
		}
		coded, err := e.Outcomes(l, 0, 0, nil, values, free)
		if err != nil {
			t.Fatal(err)
		}
		if most := 2 + (n+3)/4 + checksumSize; len(coded) > most {
			t.Fatalf("%d bytes for %d outcomes; more than %d", len(coded), n, most)
		}
		b, err := l.Decode(coded, 0, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range values {
			if got := b.Outcome(i); got != want && (free == nil || !free[i]) || got > tables.Loss {
				t.Fatalf("position %d: %v, want %v", i, got, want)
			}
		}
	})
}

func TestDistancesComeBack(t *testing.T) {
	e := NewEncoder()
	rapid.Check(t, func(t *rapid.T) {
		n := lengths.Draw(t, "n")
		longest := rapid.SampledFrom([]tables.Plies{0, 1, 17, 253, 254, 255, 256, 511, 1000, 65533, 65534}).Draw(t, "longest")
		values := drawPlies(t, n, longest)
		values[n/2] = longest
		free := drawFree(t, n)
		l, err := NewLayout(&tables.Manifest{Format: Format, Metric: tables.DTW, Positions: uint64(n), BlockLen: n, Bits: Width(longest)})
		if err != nil {
			t.Fatal(err)
		}
		coded, err := e.Distances(l, 0, 0, nil, values, free)
		if err != nil {
			t.Fatal(err)
		}
		if most := 2 + n*int(l.bits)/8 + checksumSize; len(coded) > most {
			t.Fatalf("%d bytes for %d distances; more than %d", len(coded), n, most)
		}
		b, err := l.Decode(coded, 0, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range values {
			if got := b.Distance(i); got != want && (free == nil || !free[i]) {
				t.Fatalf("position %d: %d, want %d", i, got, want)
			}
		}
	})
}

func TestWidth(t *testing.T) {
	for longest, want := range map[tables.Plies]uint8{0: 8, 253: 8, 254: 8, 255: 16, 256: 16, 65534: 16} {
		if got := Width(longest); got != want {
			t.Errorf("Width(%d) = %d, want %d", longest, got, want)
		}
	}
	l := layout(t, tables.DTW, 4, 4, 8)
	if _, err := NewEncoder().Distances(l, 0, 0, nil, []tables.Plies{255, 0, 0, 0}, nil); err == nil {
		t.Error("a distance of 255 in 8 bits was coded")
	}
}

// someBlocks codes blocks of many kinds, one after the other with one encoder,
// and calls fn with each.
func someBlocks(t testing.TB, e func() *Encoder, fn func(l *Layout, coded []byte)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{1, 4, 5, 100, 4096, 1 << 14, MaxBlockLen} {
		for _, run := range []int{1, 3, 30, 1000} {
			for _, longest := range []int{1, 40, 254, 700} {
				if n > 1<<14 && run < 1000 {
					continue
				}
				period := rng.IntN(2) * 470
				plies := make([]tables.Plies, n)
				outcomes := make([]tables.Outcome, n)
				free := make([]bool, n)
				value := tables.NoPlies
				for i := range plies {
					if rng.IntN(run) == 0 {
						value = tables.Plies(rng.IntN(longest + 1))
						if rng.IntN(2) == 0 {
							value = tables.NoPlies
						}
					}
					plies[i], free[i] = value, rng.IntN(5) == 0
					if period > 0 && i > period && rng.IntN(50) > 0 {
						plies[i], free[i] = plies[i-period], free[i-period]
					}
					outcomes[i] = plies[i].Outcome()
				}
				l := layout(t, tables.DTW, n, n, Width(tables.Plies(longest)))
				coded, err := e().Distances(l, 0, 0, nil, plies, free)
				if err != nil {
					t.Fatal(err)
				}
				fn(l, coded)
				l = layout(t, tables.Outcomes, n, n, 2)
				if coded, err = e().Outcomes(l, 0, 0, nil, outcomes, free); err != nil {
					t.Fatal(err)
				}
				fn(l, coded)
			}
		}
	}
}

// oneEncoder returns the same encoder every time.
func oneEncoder() func() *Encoder {
	e := NewEncoder()
	return func() *Encoder { return e }
}

func TestSameBytesWhateverWasCodedBefore(t *testing.T) {
	var fresh, used [][]byte
	someBlocks(t, NewEncoder, func(_ *Layout, coded []byte) { fresh = append(fresh, coded) })
	someBlocks(t, oneEncoder(), func(_ *Layout, coded []byte) { used = append(used, coded) })
	for i := range fresh {
		if !bytes.Equal(fresh[i], used[i]) {
			t.Fatalf("block %d differs", i)
		}
	}
}

// TestEveryMethodIsUsed keeps the other tests from missing one.
func TestEveryMethodIsUsed(t *testing.T) {
	methods := map[string]bool{}
	someBlocks(t, oneEncoder(), func(l *Layout, coded []byte) {
		name := fmt.Sprint(l.bits == 2, coded[0])
		if method(coded[0]) == split {
			size := int(coded[1]) | int(coded[2])<<8
			name += fmt.Sprint(" ", coded[3+size])
		}
		methods[name] = true
	})
	want := []string{
		"true 0", "true 1", "true 2", "true 3", "true 4", "true 5",
		"false 0", "false 1", "false 5", "false 6 0", "false 6 1", "false 6 2", "false 6 3",
	}
	for _, name := range want {
		if !methods[name] {
			t.Errorf("no block has method %s", name)
		}
	}
}

func TestAnyChangedBitIsNoticed(t *testing.T) {
	blocks := 0
	someBlocks(t, oneEncoder(), func(l *Layout, coded []byte) {
		if len(coded) > 300 || blocks > 60 {
			return
		}
		blocks++
		for i := range len(coded) * 8 {
			bad := bytes.Clone(coded)
			bad[i/8] ^= 1 << (i % 8)
			if _, err := l.Decode(bad, 0, 0, nil); !errors.Is(err, ErrChecksum) || !errors.Is(err, tables.ErrDamaged) {
				t.Fatalf("bit %d: %v", i, err)
			}
		}
		for n := range coded {
			if _, err := l.Decode(coded[:n], 0, 0, nil); err == nil {
				t.Fatalf("cut to %d bytes: no error", n)
			}
		}
	})
}

func TestBlockInAnothersPlaceIsNoticed(t *testing.T) {
	m := tables.Manifest{Format: Format, Variant: "international", Material: material(t, "KKvK"), Metric: tables.DTW, Positions: 100, BlockLen: 10, Bits: 8}
	l, err := NewLayout(&m)
	if err != nil {
		t.Fatal(err)
	}
	coded, err := NewEncoder().Distances(l, tables.First, 3, nil, make([]tables.Plies, 10), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Decode(coded, tables.First, 3, nil); err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct {
		s tables.Side
		n uint64
	}{{tables.Second, 3}, {tables.First, 2}, {tables.First, 10}, {tables.First, 3 + 1<<32}, {2, 3}} {
		if _, err := l.Decode(coded, at.s, at.n, nil); err == nil {
			t.Errorf("side %d, block %d: no error", at.s, at.n)
		}
	}
	for name, change := range map[string]func(*tables.Manifest){
		"variant":   func(m *tables.Manifest) { m.Variant = "czech" },
		"material":  func(m *tables.Manifest) { m.Material = material(t, "KMvK") },
		"positions": func(m *tables.Manifest) { m.Positions++ },
		"blocks":    func(m *tables.Manifest) { m.BlockLen++ },
		"metric":    func(m *tables.Manifest) { m.Metric = "dtr/fmjd" },
	} {
		other := m
		change(&other)
		l, err := NewLayout(&other)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Decode(coded, tables.First, 3, nil); !errors.Is(err, ErrChecksum) {
			t.Errorf("another %s: %v", name, err)
		}
	}
}

func TestManifestComesBackOrIsRefused(t *testing.T) {
	v := draughts.International
	m := tables.Manifest{
		Format: Format, Generator: "test", Variant: v.Name, Material: material(t, "KvK"), Metric: tables.DTW,
		Positions: tables.Count(v, material(t, "KvK")), BlockLen: 4096, Bits: 8, Bytes: 10,
		Sides:  []tables.Summary{{Wins: tables.Count(v, material(t, "KvK")), LongestWin: 1}},
		Digest: strings.Repeat("0a", 32),
	}
	k := tables.Key{Variant: m.Variant, Material: m.Material, Metric: m.Metric}
	sealed, err := SealManifest(&m)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := OpenManifest(k, sealed)
	if err != nil || fmt.Sprint(*got) != fmt.Sprint(m) {
		t.Fatal(got, err)
	}
	for i := range len(sealed) * 8 {
		bad := bytes.Clone(sealed)
		bad[i/8] ^= 1 << (i % 8)
		if _, _, err := OpenManifest(k, bad); !errors.Is(err, tables.ErrDamaged) {
			t.Fatalf("bit %d: %v", i, err)
		}
	}
	for name, change := range map[string]func(*tables.Manifest){
		"no block length":       func(m *tables.Manifest) { m.BlockLen = 0 },
		"negative block length": func(m *tables.Manifest) { m.BlockLen = -1 },
		"block length":          func(m *tables.Manifest) { m.BlockLen = MaxBlockLen + 1 },
		"bits":                  func(m *tables.Manifest) { m.Bits = 2 },
		"more bits":             func(m *tables.Manifest) { m.Bits = 32 },
		"positions":             func(m *tables.Manifest) { m.Positions = 1 << 60 },
		"sides":                 func(m *tables.Manifest) { m.Sides = nil },
		"counts":                func(m *tables.Manifest) { m.Sides[0].Draws = 1 },
		"overflow":              func(m *tables.Manifest) { m.Sides[0].Draws = 1 << 63; m.Sides[0].Losses = 1 << 63 },
		"place":                 func(m *tables.Manifest) { m.Sides[0].LongestWinAt = m.Positions },
		"digest":                func(m *tables.Manifest) { m.Digest = "xyz" },
	} {
		bad := m
		bad.Sides = append([]tables.Summary(nil), m.Sides...)
		change(&bad)
		sealed, err := SealManifest(&bad)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := OpenManifest(k, sealed); !errors.Is(err, tables.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	future := m
	future.Format = Format + 1
	if sealed, err = SealManifest(&future); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenManifest(k, sealed); !errors.Is(err, ErrFormat) || errors.Is(err, tables.ErrDamaged) {
		t.Errorf("a format of the future: %v", err)
	}
}

func TestDecodeDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	dst := make([]byte, 2*MaxBlockLen)
	someBlocks(t, oneEncoder(), func(l *Layout, coded []byte) {
		allocs := testing.AllocsPerRun(20, func() {
			if _, err := l.Decode(coded, 0, 0, dst); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 0 {
			t.Errorf("%d positions of %d bits, method %d: %v allocations", l.blockLen, l.bits, coded[0], allocs)
		}
	})
}

func TestFillRun(t *testing.T) {
	for at := range 9 {
		for n := range 20 {
			dst := bytes.Repeat([]byte{0xFF}, 8)
			for i := range at {
				dst[i/4] &^= 3 << (2 * (i % 4)) // what stands before is a draw
			}
			fillRun(dst, at, n, 2)
			b := tables.Block{Bits: 2, Data: dst}
			for i := range at + n {
				want := tables.Loss
				if i < at {
					want = tables.Draw
				}
				if got := b.Outcome(i); got != want {
					t.Fatalf("%d from %d on: outcome %d is %v, want %v", n, at, i, got, want)
				}
			}
		}
	}
}

func TestBuildsWithoutPebble(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "threekings/store/pack").Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	if strings.Contains(string(out), "pebble") {
		t.Error("store/pack depends on Pebble")
	}
	cmd := exec.Command("go", "build", "threekings/store/pack")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("build for wasm: %v\n%s", err, out)
	}
}

func FuzzDecode(f *testing.F) {
	n := 0
	someBlocks(f, oneEncoder(), func(l *Layout, coded []byte) {
		if n++; n%7 == 0 && len(coded) < 2000 {
			f.Add(coded[:len(coded)-checksumSize], l.bits, uint32(l.blockLen))
		}
	})
	f.Fuzz(func(t *testing.T, body []byte, bits uint8, positions uint32) {
		positions = positions%MaxBlockLen + 1
		metric := tables.DTW
		if bits == 2 {
			metric = tables.Outcomes
		}
		l, err := NewLayout(&tables.Manifest{Format: Format, Metric: metric, Positions: uint64(positions), BlockLen: int(positions), Bits: bits})
		if err != nil {
			return
		}
		// With a checksum that fits, the bytes reach the decoders.
		coded := seal(bytes.Clone(body), 0, blockSeed(l.seed, 0, 0))
		size := tables.Block{Bits: bits}.Size(int(positions))
		dst := bytes.Repeat([]byte{0xA5}, size+8)
		b, err := l.Decode(coded, 0, 0, dst[:0:size])
		if !bytes.Equal(dst[size:], bytes.Repeat([]byte{0xA5}, 8)) {
			t.Fatal("written beyond the block")
		}
		if err != nil {
			if !errors.Is(err, tables.ErrDamaged) || b.Data != nil {
				t.Fatal(b, err)
			}
			return
		}
		if len(b.Data) != size || b.Bits != bits {
			t.Fatalf("%d bytes of %d bits, want %d", len(b.Data), b.Bits, size)
		}
		for i := range int(positions) {
			if bits == 2 && b.Outcome(i) > tables.Loss {
				t.Fatalf("outcome %d", b.Outcome(i))
			}
		}
		again, err := l.Decode(coded, 0, 0, nil)
		if err != nil || !bytes.Equal(again.Data, b.Data) {
			t.Fatal("the same bytes give other values", err)
		}
	})
}

// benchBlocks are values like those of a table: rows that resemble each other.
func benchBlocks(blockLen int) (plies []tables.Plies, outcomes []tables.Outcome, free []bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	const row = 47
	plies = make([]tables.Plies, blockLen)
	free = make([]bool, blockLen)
	for i := range plies {
		switch {
		case i < row || rng.IntN(30) == 0:
			plies[i] = tables.Plies(rng.IntN(9)*2 + 1)
			if rng.IntN(2) == 0 {
				plies[i] = tables.NoPlies
			}
			free[i] = rng.IntN(3) == 0
		default:
			plies[i], free[i] = plies[i-row], free[i-row]
		}
		outcomes = append(outcomes, plies[i].Outcome())
	}
	return plies, outcomes, free
}

func BenchmarkEncode(b *testing.B) { benchmark(b, true) }
func BenchmarkDecode(b *testing.B) { benchmark(b, false) }

func benchmark(b *testing.B, encode bool) {
	for metric, bits := range map[tables.Metric]uint8{tables.Outcomes: 2, tables.DTW: 8} {
		n := 1 << 14
		if bits == 8 {
			n = 1 << 12
		}
		b.Run(string(metric), func(b *testing.B) {
			plies, outcomes, free := benchBlocks(n)
			l := layout(b, metric, n, n, bits)
			e := NewEncoder()
			var coded, dst []byte
			code := func() {
				var err error
				if bits == 2 {
					coded, err = e.Outcomes(l, 0, 0, coded[:0], outcomes, free)
				} else {
					coded, err = e.Distances(l, 0, 0, coded[:0], plies, free)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			code()
			b.ReportAllocs()
			for b.Loop() {
				if encode {
					code()
					continue
				}
				block, err := l.Decode(coded, 0, 0, dst)
				if err != nil {
					b.Fatal(err)
				}
				dst = block.Data
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
			b.ReportMetric(float64(len(coded)*8)/float64(n), "bits/position")
		})
	}
}
