package index_test

import (
	"cmp"
	"encoding/csv"
	"errors"
	"iter"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/truth"
	"threekings/tables"
)

// boards has a variant for each board.
var boards = []*draughts.Variant{
	draughts.English, draughts.Italian, draughts.International, draughts.Canadian, draughts.Turkish,
}

func material(t testing.TB, name string) tables.Material {
	t.Helper()
	m, err := tables.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newIndex(t testing.TB, v *draughts.Variant, name string) *index.Index {
	t.Helper()
	ix, err := index.New(v, material(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// subsets yields the subsets of k squares in colexicographic order: by their
// highest square, then by the next.
func subsets(squares []draughts.Square, k int) iter.Seq[draughts.Set] {
	return func(yield func(draughts.Set) bool) {
		if k == 0 {
			yield(draughts.Set{})
			return
		}
		for top := k - 1; top < len(squares); top++ {
			for rest := range subsets(squares[:top], k-1) {
				if !yield(rest.With(squares[top])) {
					return
				}
			}
		}
	}
}

func list(s draughts.Set) []draughts.Square {
	var squares []draughts.Square
	for sq := range s.All() {
		squares = append(squares, sq)
	}
	return squares
}

// placements yields the positions of a material with White to move in the order
// that the package documents: men first, those of the first side on its own back
// row before its others, and then the kings.
func placements(v *draughts.Variant, m tables.Material) iter.Seq[draughts.Position] {
	home := v.PromotionRow(draughts.Black)
	middle := v.Board().AndNot(home).AndNot(v.PromotionRow(draughts.White))
	m1, m2 := m.Count(tables.First, draughts.Man), m.Count(tables.Second, draughts.Man)
	k1, k2 := m.Count(tables.First, draughts.King), m.Count(tables.Second, draughts.King)
	return func(yield func(draughts.Position) bool) {
		for back := range m1 + 1 {
			for low := range subsets(list(home), back) {
				for high := range subsets(list(middle), m1-back) {
					for black := range subsets(list(v.Board().AndNot(home).AndNot(high)), m2) {
						men := low.Or(high)
						free := v.Board().AndNot(men).AndNot(black)
						for kings := range subsets(list(free), k1) {
							for others := range subsets(list(free.AndNot(kings)), k2) {
								if !yield(draughts.PositionOf(draughts.White, men, kings, black, others)) {
									return
								}
							}
						}
					}
				}
			}
		}
	}
}

// checkOrder counts the positions of a table one by one and compares the numbers
// both ways.
func checkOrder(t *testing.T, v *draughts.Variant, m tables.Material) {
	t.Helper()
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	slice, slices := draughts.Position{}, uint64(0)
	n := uint64(0)
	for p := range placements(v, m) {
		if got := ix.Position(tables.First, n); got != p {
			t.Fatalf("%s %s: number %d is %s, want %s", v.Name, m, n, v.FEN(got), v.FEN(p))
		}
		for side := range tables.Side(m.Sides()) {
			p := p.WithSide(side.Color())
			if s, got := ix.Rank(p); s != side || got != n {
				t.Fatalf("%s %s: %s is side %d number %d, want side %d number %d", v.Name, m, v.FEN(p), s, got, side, n)
			}
		}
		men := draughts.PositionOf(draughts.White,
			p.Pieces(draughts.White, draughts.Man), draughts.Set{}, p.Pieces(draughts.Black, draughts.Man), draughts.Set{})
		if men != slice || n == 0 {
			if n != slices*ix.SliceSize() {
				t.Fatalf("%s %s: slice %d begins at %d, want %d", v.Name, m, slices, n, slices*ix.SliceSize())
			}
			if got := ix.Men(slices); got != men {
				t.Fatalf("%s %s: slice %d has the men %s, want %s", v.Name, m, slices, v.FEN(got), v.FEN(men))
			}
			slice = men
			slices++
		}
		n++
	}
	if n != ix.Size() || slices != ix.Slices() {
		t.Errorf("%s %s: %d positions in %d slices, want %d in %d", v.Name, m, ix.Size(), ix.Slices(), n, slices)
	}
}

func TestEveryPositionUpToThreePieces(t *testing.T) {
	for _, v := range boards {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			for _, m := range tables.All(3) {
				checkOrder(t, v, m)
			}
		})
	}
}

func TestEveryPositionOfFourPieces(t *testing.T) {
	for _, test := range []struct {
		v         *draughts.Variant
		materials string
	}{
		{draughts.English, "KKvKK KMvKM MMvMM KKMvK KMMvM MMMvK KvMMM KMvKK KKvMM"},
		{draughts.Italian, "KMvKM KKMvM MMvMM"},
		{draughts.International, "KKvKK MMMvM"},
	} {
		t.Run(test.v.Name, func(t *testing.T) {
			t.Parallel()
			for _, name := range strings.Fields(test.materials) {
				table, _ := material(t, name).Table()
				checkOrder(t, test.v, table)
			}
		})
	}
}

// Every placement of the pieces, taken square by square, has a number of its
// own, and every number has one.
func TestNumbersAreDistinctAndComplete(t *testing.T) {
	for _, v := range boards {
		for _, name := range []string{"KKvM", "KMvK", "KMvM", "MMvM", "KvMM"} {
			table, _ := material(t, name).Table()
			ix := newIndex(t, v, name)
			seen := make([]bool, ix.Size())
			count := uint64(0)
			var place func(p draughts.Position, left [4]int, from draughts.Square)
			place = func(p draughts.Position, left [4]int, from draughts.Square) {
				if left == [4]int{} {
					_, n := ix.Rank(p)
					if seen[n] {
						t.Fatalf("%s %s: two positions have number %d, one is %s", v.Name, table, n, v.FEN(p))
					}
					seen[n] = true
					count++
					return
				}
				for s := from; int(s) < v.Squares(); s++ {
					for i := range left {
						c, k := draughts.Color(i/2), draughts.Kind(i%2)
						if left[i] == 0 || k == draughts.Man && v.PromotionRow(c).Has(s) {
							continue
						}
						next, rest := p, left
						next.Put(c, k, s)
						rest[i]--
						place(next, rest, s+1)
					}
				}
			}
			place(draughts.Position{}, [4]int{
				table.Count(tables.First, draughts.Man), table.Count(tables.First, draughts.King),
				table.Count(tables.Second, draughts.Man), table.Count(tables.Second, draughts.King),
			}, 0)
			if count != ix.Size() {
				t.Errorf("%s %s: %d positions, size %d", v.Name, table, count, ix.Size())
			}
		}
	}
}

// The totals of the closed form, computed elsewhere: sums over all ordered
// materials.
func TestTotals(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(truth.KnownResults)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	squares := map[string]int{
		"any 8x8 on 32 squares":                            32,
		"any 10x10 on 50 squares":                          50,
		"12x12 on 72 squares":                              72,
		"8x8 orthogonal on 64 squares (Turkish, Armenian)": 64,
	}
	checked, beyond := 0, 0
	for _, r := range records {
		if !strings.HasPrefix(r[0], "closed form") {
			continue
		}
		rest, ok := strings.CutPrefix(r[2], "all with ")
		number, which, _ := strings.Cut(rest, " pieces, ")
		pieces, err := strconv.Atoi(number)
		if !ok || err != nil || squares[r[1]] == 0 {
			t.Fatalf("row not understood: %q", r)
		}
		want, err := strconv.ParseUint(r[4], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		perSide := tables.MaxPieces
		switch which {
		case "both sides present":
		case "at most 5 a side":
			perSide = 5
		default:
			t.Fatalf("row not understood: %q", r)
		}
		if pieces > tables.MaxPieces {
			beyond++
			continue
		}
		for _, v := range draughts.Variants() {
			if v.Squares() != squares[r[1]] {
				continue
			}
			var total uint64
			for _, m := range tables.All(pieces) {
				if m.Pieces() != pieces || max(m.SidePieces(tables.First), m.SidePieces(tables.Second)) > perSide {
					continue
				}
				ix, err := index.New(v, m)
				if err != nil {
					t.Fatal(err)
				}
				if n := ix.Slices() * ix.SliceSize(); ix.Size() != n || ix.Size() != tables.Count(v, m) {
					t.Errorf("%s %s: size %d, slices hold %d, counted %d", v.Name, m, ix.Size(), n, tables.Count(v, m))
				}
				total += ix.Size() * uint64(len(m.Ordered()))
			}
			if total != want {
				t.Errorf("%s, %s: %d, want %d", v.Name, r[2], total, want)
			}
		}
		checked++
	}
	if checked != 28 || beyond != 3 {
		t.Errorf("%d rows checked and %d with too many pieces, want 28 and 3", checked, beyond)
	}
}

// Position counts of another generator, GWDEGTB: rows of known-results.csv.
func TestPublishedSizes(t *testing.T) {
	for name, want := range map[string]string{"KKMvKM": "102997680", "KKMvKKM": "2317447800"} {
		ix := newIndex(t, draughts.International, name)
		if got := strconv.FormatUint(ix.Size(), 10); got != want || !strings.Contains(truth.KnownResults, ",positions,"+want) {
			t.Errorf("%s: %s positions, want %s", name, got, want)
		}
	}
}

func TestNotAMaterial(t *testing.T) {
	if _, err := index.New(draughts.International, tables.Material{}); !errors.Is(err, tables.ErrMaterial) {
		t.Errorf("the zero material: %v", err)
	}
}

// Both orders of a material have one index.
func TestOneIndexForBothOrders(t *testing.T) {
	a, b := newIndex(t, draughts.Russian, "KvKM"), newIndex(t, draughts.Russian, "KMvK")
	if a.Material() != b.Material() || a.Material().String() != "KMvK" || a.Variant() != draughts.Russian {
		t.Errorf("%s and %s", a.Material(), b.Material())
	}
}

// tablesOf has the tables by their number of pieces.
var tablesOf = func() (of [tables.MaxPieces + 1][]tables.Material) {
	for _, m := range tables.All(tables.MaxPieces) {
		of[m.Pieces()] = append(of[m.Pieces()], m)
	}
	return of
}()

// randomIndex is the index of any table.
func randomIndex(t *rapid.T) *index.Index {
	v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
	pieces := rapid.IntRange(2, tables.MaxPieces).Draw(t, "pieces")
	ix, err := index.New(v, rapid.SampledFrom(tablesOf[pieces]).Draw(t, "material"))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// repeat checks a property more often than rapid does by itself.
func repeat(t *testing.T, property func(t *rapid.T)) {
	for range 20 {
		rapid.Check(t, property)
	}
}

func TestNumbersComeBack(t *testing.T) {
	repeat(t, func(t *rapid.T) {
		ix := randomIndex(t)
		v, m := ix.Variant(), ix.Material()
		n := rapid.Uint64Range(0, ix.Size()-1).Draw(t, "n")
		side := rapid.SampledFrom([]tables.Side{tables.First, tables.Second}[:m.Sides()]).Draw(t, "side")
		p := ix.Position(side, n)
		if err := v.Check(p); err != nil {
			t.Fatalf("%s: %v", v.FEN(p), err)
		}
		if got, ok := tables.MaterialOf(p.WithSide(draughts.White)); !ok || got != m {
			t.Fatalf("%s has material %s", v.FEN(p), got)
		}
		if p.Side() != side.Color() {
			t.Fatalf("%v to move, want side %d", p.Side(), side)
		}
		if s, got := ix.Rank(p); s != side || got != n {
			t.Fatalf("%s: side %d number %d, want side %d number %d", v.FEN(p), s, got, side, n)
		}
		if s, got := ix.Rank(v.Twin(p)); s != side || got != n {
			t.Fatalf("twin of %s: side %d number %d, want side %d number %d", v.FEN(p), s, got, side, n)
		}
		slice := n / ix.SliceSize()
		men := ix.Men(slice)
		for c := draughts.White; c <= draughts.Black; c++ {
			if men.Pieces(c, draughts.Man) != p.Pieces(c, draughts.Man) || men.Count(c, draughts.King) != 0 {
				t.Fatalf("slice %d has the men %s, position %s", slice, v.FEN(men), v.FEN(p))
			}
		}
		if got := ix.Slice(men.Pieces(draughts.White, draughts.Man), men.Pieces(draughts.Black, draughts.Man)); got != slice {
			t.Fatalf("the men of slice %d have number %d", slice, got)
		}
	})
}

// key is what positions are ordered by.
func key(v *draughts.Variant, p draughts.Position) []draughts.Set {
	home := v.PromotionRow(draughts.Black)
	men := p.Pieces(draughts.White, draughts.Man)
	return []draughts.Set{
		men.And(home), men.AndNot(home), p.Pieces(draughts.Black, draughts.Man),
		p.Pieces(draughts.White, draughts.King), p.Pieces(draughts.Black, draughts.King),
	}
}

// compare orders positions as the index does. Sets of one size are in
// colexicographic order, which is that of the sets read as numbers.
func compare(v *draughts.Variant, p, q draughts.Position) int {
	a, b := key(v, p), key(v, q)
	order := cmp.Compare(a[0].Len(), b[0].Len())
	for i := range a {
		lo, hi := a[i].Words()
		otherLo, otherHi := b[i].Words()
		order = cmp.Or(order, cmp.Compare(hi, otherHi), cmp.Compare(lo, otherLo))
	}
	return order
}

func TestNumbersAscendInTheCanonicalOrder(t *testing.T) {
	repeat(t, func(t *rapid.T) {
		ix := randomIndex(t)
		v := ix.Variant()
		a := rapid.Uint64Range(0, ix.Size()-1).Draw(t, "a")
		b := rapid.OneOf(
			rapid.Uint64Range(0, ix.Size()-1),
			rapid.Uint64Range(a, min(a+1000, ix.Size()-1)),
		).Draw(t, "b")
		p, q := ix.Position(tables.First, a), ix.Position(tables.First, b)
		if got, want := compare(v, p, q), cmp.Compare(a, b); got != want {
			t.Fatalf("numbers %d and %d are %s and %s: order %d, want %d", a, b, v.FEN(p), v.FEN(q), got, want)
		}
	})
}

// Positions that were put up piece by piece, in either colour.
func TestAnyPositionHasANumber(t *testing.T) {
	repeat(t, func(t *rapid.T) {
		v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
		var p draughts.Position
		p = p.WithSide(rapid.SampledFrom([]draughts.Color{draughts.White, draughts.Black}).Draw(t, "side"))
		for i := range rapid.IntRange(2, tables.MaxPieces).Draw(t, "pieces") {
			c := draughts.Color(i & 1)
			if i > 1 {
				c = rapid.SampledFrom([]draughts.Color{draughts.White, draughts.Black}).Draw(t, "color")
			}
			k := rapid.SampledFrom([]draughts.Kind{draughts.Man, draughts.King}).Draw(t, "kind")
			free := v.Board().AndNot(p.Occupied())
			if k == draughts.Man {
				free = free.AndNot(v.PromotionRow(c))
			}
			p.Put(c, k, rapid.SampledFrom(list(free)).Draw(t, "square"))
		}
		m, ok := tables.MaterialOf(p)
		if !ok {
			t.Fatalf("%s has no material", v.FEN(p))
		}
		ix, err := index.New(v, m)
		if err != nil {
			t.Fatal(err)
		}
		side, n := ix.Rank(p)
		if n >= ix.Size() || int(side) >= m.Sides() {
			t.Fatalf("%s: side %d number %d of %d", v.FEN(p), side, n, ix.Size())
		}
		if _, first := m.Table(); side != first {
			t.Fatalf("%s: the side to move is side %d, want %d", v.FEN(p), side, first)
		}
		if q := ix.Position(side, n); q != p && q != v.Twin(p) {
			t.Fatalf("%s came back as %s", v.FEN(p), v.FEN(q))
		}
	})
}

// Sizes far beyond 2^32: the ends of the largest tables.
func TestLargestTables(t *testing.T) {
	for _, v := range boards {
		for _, name := range []string{"KKKKvKKKK", "KKMMvKKMM", "MMMMvMMMM", "KKKKKKKvK", "MMMMMMMvM"} {
			ix := newIndex(t, v, name)
			for _, n := range []uint64{0, 1, ix.SliceSize() - 1, ix.Size() / 2, ix.Size() - 2, ix.Size() - 1} {
				p := ix.Position(tables.First, n)
				if err := v.Check(p); err != nil {
					t.Errorf("%s %s: number %d of %d: %v", v.Name, name, n, ix.Size(), err)
				}
				if _, got := ix.Rank(p); got != n {
					t.Errorf("%s %s: number %d of %d came back as %d", v.Name, name, n, ix.Size(), got)
				}
			}
		}
	}
}

func TestMenWalk(t *testing.T) {
	names := []string{"MvM", "KvM", "KMvM", "MMvK", "MMvM", "KvMM"}
	for _, v := range draughts.Variants() {
		for _, name := range names {
			ix := newIndex(t, v, name)
			for slice := range ix.Slices() {
				p := ix.Men(slice)
				walk := ix.Walk(slice)
				for c := draughts.White; c <= draughts.Black; c++ {
					for from := range p.Pieces(c, draughts.Man).All() {
						for d := range draughts.Direction(8) {
							to := v.Step(from, d)
							if !v.ManMoves.Of(c).Has(d) || to == draughts.NoSquare || p.Occupied().Has(to) || v.PromotionRow(c).Has(to) {
								continue
							}
							q := p
							q.Remove(from)
							q.Put(c, draughts.Man, to)
							next := ix.Slice(q.Pieces(draughts.White, draughts.Man), q.Pieces(draughts.Black, draughts.Man))
							want := walk - 1
							row, _ := v.RowOf(from)
							if toRow, _ := v.RowOf(to); toRow == row {
								want = walk
							}
							if got := ix.Walk(next); got != want {
								t.Fatalf("%s %s: %s walk %d, %s walk %d, want %d", v.Name, name, v.FEN(p), walk, v.FEN(q), got, want)
							}
						}
					}
				}
			}
		}
	}
}

// Turned by 180 degrees the men have as far to walk as before.
func TestTwinSlicesWalkAlike(t *testing.T) {
	for _, v := range boards {
		ix := newIndex(t, v, "KMvKM")
		for slice := range ix.Slices() {
			twin := v.Twin(ix.Men(slice))
			other := ix.Slice(twin.Pieces(draughts.White, draughts.Man), twin.Pieces(draughts.Black, draughts.Man))
			if ix.Walk(slice) != ix.Walk(other) {
				t.Fatalf("%s: slices %d and %d walk %d and %d", v.Name, slice, other, ix.Walk(slice), ix.Walk(other))
			}
		}
	}
}

func TestLevelsHoldEverySliceOnce(t *testing.T) {
	for _, v := range boards {
		for _, m := range tables.All(4) {
			if m.Men() > 3 && v.Squares() > 50 {
				continue
			}
			ix, err := index.New(v, m)
			if err != nil {
				t.Fatal(err)
			}
			seen := make([]bool, ix.Slices())
			last := -1
			for _, level := range ix.Levels() {
				for i, slice := range level {
					if seen[slice] {
						t.Fatalf("%s %s: slice %d twice", v.Name, m, slice)
					}
					seen[slice] = true
					walk := ix.Walk(slice)
					if i == 0 && walk <= last || i > 0 && walk != last {
						t.Fatalf("%s %s: slice %d walks %d after %d", v.Name, m, slice, walk, last)
					}
					last = walk
				}
			}
			for slice, ok := range seen {
				if !ok {
					t.Fatalf("%s %s: slice %d is in no level", v.Name, m, slice)
				}
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, v := range boards {
		ix := newIndex(t, v, "KKMMvKKMM")
		n := ix.Size() / 3
		if allocs := testing.AllocsPerRun(1000, func() {
			p := ix.Position(tables.Second, n)
			_, back := ix.Rank(v.Twin(p))
			n = (n + back/7 + 1) % ix.Size()
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", v.Name, allocs)
		}
	}
}
