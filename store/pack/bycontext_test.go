package pack

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"threekings/tables"
)

// drawRows draws rows of all kinds.
func drawRows(t *rapid.T) Rows {
	k := rapid.IntRange(0, 4).Draw(t, "pieces")
	if k == 0 {
		return Rows{}
	}
	return Rows{Squares: rapid.SampledFrom([]int{k + 1, k + 2, 7 + k, 30, 48, maxRowSquares}).Draw(t, "squares"), Pieces: k}
}

// trained returns a layout whose models have seen some of the values.
func trained(t testing.TB, metric tables.Metric, blockLen int, bits uint8, rows Rows, values []tables.Outcome, free []bool) *Layout {
	t.Helper()
	if free == nil {
		free = make([]bool, len(values))
	}
	half := (len(values) + 1) / 2
	samples := []Sample{{0, slices.Clone(values[:half]), free[:half]}}
	model, _ := Train(rows, uint64(len(values)), samples)
	again, _ := Train(rows, uint64(len(values)), []Sample{{0, slices.Clone(values[:half]), free[:half]}})
	if !bytes.Equal(model, again) {
		t.Fatal("equal samples give different models")
	}
	l, err := NewLayout(&tables.Manifest{
		Format: Format, Variant: "international", Material: material(t, "KvK"), Metric: metric, Positions: uint64(len(values)), BlockLen: blockLen, Bits: bits,
		RowSquares: rows.Squares, RowPieces: rows.Pieces, Models: [][]byte{model},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func outcomesOf(plies []tables.Plies) []tables.Outcome {
	values := make([]tables.Outcome, len(plies))
	for i, p := range plies {
		values[i] = p.Outcome()
	}
	return values
}

func part[T any](s []T, from, to int) []T {
	if s == nil {
		return nil
	}
	return s[from:to]
}

// What is coded with a model comes back in all blocks of a table, whatever the
// model has seen and wherever rows begin.
func TestOutcomesComeBackByContext(t *testing.T) {
	e := NewEncoder()
	rapid.Check(t, func(rt *rapid.T) {
		n := lengths.Draw(rt, "n")
		values := outcomesOf(drawPlies(rt, n, 3))
		free := drawFree(rt, n)
		rows := drawRows(rt)
		blockLen := min(n, rapid.SampledFrom([]int{1, 50, 1000, 4096, 5000}).Draw(rt, "block"))
		if n/blockLen > 100 {
			blockLen = n
		}
		l := trained(t, tables.Outcomes, blockLen, 2, rows, values, free)
		for b := range l.Blocks() {
			from := int(b) * blockLen
			to := from + l.Positions(0, b)
			coded, err := e.Outcomes(l, 0, b, nil, values[from:to], part(free, from, to))
			if err != nil {
				rt.Fatal(err)
			}
			if most := 2 + (to-from+3)/4 + checksumSize; len(coded) > most {
				rt.Fatalf("%d bytes for %d outcomes; more than %d", len(coded), to-from, most)
			}
			block, err := l.Decode(coded, 0, b, nil)
			if err != nil {
				rt.Fatal(err)
			}
			for i, want := range values[from:to] {
				if got := block.Outcome(i); got != want && (free == nil || !free[from+i]) || got > tables.Loss {
					rt.Fatalf("position %d: %v, want %v", from+i, got, want)
				}
			}
			fresh, err := NewEncoder().Outcomes(l, 0, b, nil, values[from:to], part(free, from, to))
			if err != nil || !bytes.Equal(fresh, coded) {
				rt.Fatal("another encoder makes other bytes", err)
			}
			if to-from > 1000 {
				return // one such block is enough
			}
		}
	})
}

// withHalves returns a layout that has models of halves too.
func withHalves(t testing.TB, l *Layout, values []tables.Plies, outcomes []tables.Outcome, free []bool) *Layout {
	t.Helper()
	if free == nil {
		free = make([]bool, len(values))
	}
	half := (len(values) + 1) / 2
	sample := func() []HalfSample {
		s := slices.Clone(values[:half])
		FollowOutcomes(s, outcomes[:half], free[:half])
		return []HalfSample{{0, s, free[:half]}}
	}
	model, _ := TrainHalves(l.rows, uint64(len(values)), sample())
	again, _ := TrainHalves(l.rows, uint64(len(values)), sample())
	if !bytes.Equal(model, again) {
		t.Fatal("equal samples give different models")
	}
	l, err := NewLayout(&tables.Manifest{
		Format: Format, Variant: "international", Material: l.key.Material, Metric: l.key.Metric, Positions: l.positions, BlockLen: l.blockLen, Bits: l.bits,
		RowSquares: l.rows.Squares, RowPieces: l.rows.Pieces, Models: [][]byte{l.models[0].appendTo(nil)}, HalfModels: [][]byte{model},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(l.halves[0].appendTo(nil), model) {
		t.Fatal("the model of halves does not come back")
	}
	return l
}

func TestDistancesComeBackByContext(t *testing.T) {
	e := NewEncoder()
	rapid.Check(t, func(rt *rapid.T) {
		n := lengths.Draw(rt, "n")
		longest := rapid.SampledFrom([]tables.Plies{0, 1, 17, 254, 255, 1000, 65534}).Draw(rt, "longest")
		values := drawPlies(rt, n, longest)
		values[n/2] = longest
		free := drawFree(rt, n)
		l := trained(t, tables.DTW, n, Width(longest), drawRows(rt), outcomesOf(values), free)
		if rapid.Bool().Draw(rt, "halves by context") {
			l = withHalves(t, l, values, outcomesOf(values), free)
		}
		coded, err := e.Distances(l, 0, 0, nil, values, free)
		if err != nil {
			rt.Fatal(err)
		}
		if most := 2 + n*int(l.bits)/8 + checksumSize; len(coded) > most {
			rt.Fatalf("%d bytes for %d distances; more than %d", len(coded), n, most)
		}
		b, err := l.Decode(coded, 0, 0, nil)
		if err != nil {
			rt.Fatal(err)
		}
		for i, want := range values {
			if got := b.Distance(i); got != want && (free == nil || !free[i]) {
				rt.Fatalf("position %d: %d, want %d", i, got, want)
			}
		}
	})
}

// rowLike are outcomes with rows that resemble each other.
func rowLike(n int, rows Rows) (values []tables.Outcome, free []bool) {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	var w rowWalker
	w.start(rows, 0)
	value := tables.Draw
	for len(values) < n {
		for range w.length {
			if rng.IntN(12) == 0 {
				value = tables.Outcome(rng.IntN(3))
			}
			v := value
			if w.above > 0 && len(values) > w.above && rng.IntN(9) > 0 {
				v = values[len(values)-w.above]
			}
			values = append(values, v)
			free = append(free, rng.IntN(3) == 0)
		}
		w.next()
	}
	return values[:n], free[:n]
}

// The first positions of a block, however many are asked for, are those of the
// whole.
func TestPartsAreThoseOfTheWhole(t *testing.T) {
	for _, rows := range []Rows{{}, {46, 1}, {20, 2}, {12, 3}} {
		const count = 3001
		values, free := rowLike(count, rows)
		plies := make([]tables.Plies, count)
		for i, o := range values {
			plies[i] = tables.NoPlies
			if o != tables.Draw {
				plies[i] = 2*tables.Plies(i/7%40) + tables.Plies(o)&1
			}
		}
		outcomes := trained(t, tables.Outcomes, count, 2, rows, values, free)
		coded, err := NewEncoder().Outcomes(outcomes, 0, 0, nil, values, free)
		if err != nil || method(coded[0]) != byContext {
			t.Fatal(err, coded[0])
		}
		compareParts(t, outcomes, coded, count)
		for _, bits := range []uint8{8, 16} {
			distances := trained(t, tables.DTW, count, bits, rows, values, free)
			distances = withHalves(t, distances, plies, values, free)
			coded, err = NewEncoder().Distances(distances, 0, 0, nil, plies, free)
			if err != nil || method(coded[0]) != split || !hasParts(coded[:len(coded)-checksumSize], bits) {
				t.Fatal(err, coded[0])
			}
			compareParts(t, distances, coded, count)
			// Without a model there are no parts.
			plain := layout(t, tables.DTW, count, count, bits)
			if coded, err = NewEncoder().Distances(plain, 0, 0, nil, plies, free); err != nil {
				t.Fatal(err)
			}
			if b, err := plain.DecodePart(coded, 0, 0, 5, nil); err != nil || len(b.Data) != b.Size(count) {
				t.Fatal(err, len(b.Data))
			}
		}
	}
}

func compareParts(t *testing.T, l *Layout, coded []byte, count int) {
	t.Helper()
	whole, err := l.Decode(coded, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	dst := bytes.Repeat([]byte{0xAA}, whole.Size(count))
	for upTo := range count + 100 {
		b, err := l.DecodePart(coded, 0, 0, upTo, dst)
		if err != nil {
			t.Fatal(err)
		}
		if n := min(b.Len(), count); n < min(upTo, count) || n > upTo+4 {
			t.Fatalf("%d positions of %d", n, upTo)
		}
		if !bytes.Equal(b.Data, whole.Data[:len(b.Data)]) {
			t.Fatalf("the first %d positions differ", upTo)
		}
	}
	// A part is refused as the whole is, wherever the damage is.
	for i := range coded {
		bad := bytes.Clone(coded)
		bad[i] ^= 1
		if _, err := l.DecodePart(bad, 0, 0, 1, dst); !errors.Is(err, ErrChecksum) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
}

// A walker that begins anywhere agrees with one that has come from the
// beginning.
func TestRowsBeginAnywhere(t *testing.T) {
	for _, rows := range []Rows{{}, {5, 1}, {48, 1}, {6, 2}, {47, 2}, {9, 3}, {46, 3}, {8, 4}, {20, 5}} {
		var w rowWalker
		w.start(rows, 0)
		at := uint64(0)
		for range 3000 {
			for _, x := range []int{0, w.length / 2, w.length - 1} {
				var v rowWalker
				v.start(rows, at+uint64(x))
				if rows != (Rows{}) && v.x != x || v.length != w.length || v.above != w.above || v.above2 != w.above2 {
					t.Fatalf("%v, position %d: %+v, want %+v", rows, at+uint64(x), v, w)
				}
			}
			at += uint64(w.length)
			w.next()
		}
	}
}

// Whatever bit of a block or a model changes is noticed, or changes nothing.
func TestAnyChangedBitIsNoticedByContext(t *testing.T) {
	rows := Rows{20, 2}
	values, free := rowLike(3000, rows)
	l := trained(t, tables.Outcomes, 3000, 2, rows, values, free)
	coded, err := NewEncoder().Outcomes(l, 0, 0, nil, values, free)
	if err != nil {
		t.Fatal(err)
	}
	if method(coded[0]) != byContext {
		t.Fatalf("method %d", coded[0])
	}
	for i := range len(coded) * 8 {
		bad := bytes.Clone(coded)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := l.Decode(bad, 0, 0, nil); !errors.Is(err, ErrChecksum) {
			t.Fatalf("bit %d: %v", i, err)
		}
	}
	// A block of another model's does not pass as one of this.
	other := trained(t, tables.Outcomes, 3000, 2, rows, append(slices.Clone(values[1500:]), values[:1500]...), free)
	if _, err := other.Decode(coded, 0, 0, nil); !errors.Is(err, ErrChecksum) {
		t.Fatal(err)
	}
}

func TestContextsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	rows := Rows{46, 2}
	values, free := rowLike(1<<14, rows)
	l := trained(t, tables.Outcomes, 1<<14, 2, rows, values, free)
	coded, err := NewEncoder().Outcomes(l, 0, 0, nil, values, free)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 1<<12)
	if allocs := testing.AllocsPerRun(50, func() {
		if _, err := l.Decode(coded, 0, 0, dst); err != nil {
			t.Fatal(err)
		}
	}); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestLog2(t *testing.T) {
	for n, want := range map[uint64]int{1: 0, 2: 256, 3: 405, 4: 512, 1000: 2551, 1 << 40: 40 * 256, 1<<63 + 1<<62: 63*256 + 149} {
		if got := log2(n); got != want {
			t.Errorf("log2(%d) = %d/256, want %d/256", n, got, want)
		}
	}
}

// FuzzHalves decodes any bytes as halves with any model.
func FuzzHalves(f *testing.F) {
	for _, rows := range []Rows{{}, {46, 1}, {46, 2}} {
		outcomes, free := rowLike(1000, rows)
		values := make([]tables.Plies, len(outcomes))
		for i, o := range outcomes {
			values[i] = [...]tables.Plies{tables.NoPlies, tables.Plies(i/50*2 + 1), tables.Plies(i / 60 * 2)}[o]
		}
		l := withHalves(f, trained(f, tables.DTW, 1000, 8, rows, outcomes, free), values, outcomes, free)
		coded, err := NewEncoder().Distances(l, 0, 0, nil, values, free)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(coded[:len(coded)-checksumSize], l.models[0].appendTo(nil), l.halves[0].appendTo(nil), uint8(rows.Squares), uint8(rows.Pieces), uint16(1000), false)
	}
	f.Fuzz(func(t *testing.T, body, model, halves []byte, squares, pieces uint8, n uint16, wide bool) {
		n = n%5000 + 1
		bits := uint8(8)
		if wide {
			bits = 16
		}
		l, err := NewLayout(&tables.Manifest{
			Format: Format, Material: material(t, "KvK"), Metric: tables.DTW, Positions: uint64(n), BlockLen: int(n), Bits: bits,
			RowSquares: int(squares), RowPieces: int(pieces), Models: [][]byte{model}, HalfModels: [][]byte{halves},
		})
		if err != nil {
			return
		}
		if again, err := parseHalfModel(l.halves[0].appendTo(nil)); err != nil || !reflect.DeepEqual(again, l.halves[0]) {
			t.Fatal("the model does not come back", err)
		}
		b, err := l.Decode(seal(body, 0, blockSeed(l.seed, 0, 0)), 0, 0, nil)
		if err != nil && (!errors.Is(err, tables.ErrDamaged) || b.Data != nil) {
			t.Fatal(b, err)
		}
	})
}

// FuzzContexts decodes any bytes with any model: there is an error, or outcomes
// that are the same again.
func FuzzContexts(f *testing.F) {
	for _, rows := range []Rows{{}, {46, 1}, {46, 2}, {20, 3}} {
		values, free := rowLike(2000, rows)
		samples := []Sample{{0, slices.Clone(values), free}}
		model, _ := Train(rows, 2000, samples)
		l := trained(f, tables.Outcomes, 2000, 2, rows, values, free)
		coded, err := NewEncoder().Outcomes(l, 0, 0, nil, values, free)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(coded[1:len(coded)-checksumSize], model, uint8(rows.Squares), uint8(rows.Pieces), uint32(0), uint16(2000))
	}
	f.Fuzz(func(t *testing.T, body, model []byte, squares, pieces uint8, block uint32, n uint16) {
		n = n%5000 + 1
		l, err := NewLayout(&tables.Manifest{
			Format: Format, Material: material(t, "KvK"), Metric: tables.Outcomes, Positions: uint64(n) * (uint64(block) + 1), BlockLen: int(n), Bits: 2,
			RowSquares: int(squares), RowPieces: int(pieces), Models: [][]byte{model},
		})
		if err != nil {
			return
		}
		if again := l.models[0].appendTo(nil); len(again) > 0 {
			m, err := parseModel(again)
			if err != nil || *m != *l.models[0] {
				t.Fatal("the model does not come back", err)
			}
		}
		coded := seal(append([]byte{byte(byContext)}, body...), 0, blockSeed(l.seed, 0, uint64(block)))
		b, err := l.Decode(coded, 0, uint64(block), nil)
		if err != nil {
			if !errors.Is(err, tables.ErrDamaged) || b.Data != nil {
				t.Fatal(b, err)
			}
			return
		}
		for i := range int(n) {
			if b.Outcome(i) > tables.Loss {
				t.Fatal("an outcome that is none")
			}
		}
	})
}
