package tables_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func materials(t testing.TB, names string) []tables.Material {
	t.Helper()
	var list []tables.Material
	for _, name := range strings.Fields(names) {
		list = append(list, material(t, name))
	}
	return list
}

// sameMaterials lets cmp compare them as they are written.
var sameMaterials = cmp.Transformer("written", tables.Material.String)

// randomMaterial draws any material, in either order.
func randomMaterial(t *rapid.T) tables.Material {
	first := rapid.IntRange(1, tables.MaxPieces-1).Draw(t, "pieces of the first side")
	second := rapid.IntRange(1, tables.MaxPieces-first).Draw(t, "pieces of the second side")
	k1 := rapid.IntRange(0, first).Draw(t, "kings of the first side")
	k2 := rapid.IntRange(0, second).Draw(t, "kings of the second side")
	m, err := tables.NewMaterial(k1, first-k1, k2, second-k2)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMaterialIsReadInAnyOrderAndCase(t *testing.T) {
	for _, test := range []struct{ text, written string }{
		{"KvK", "KvK"},
		{"kvk", "KvK"},
		{"MKvK", "KMvK"},
		{"mkmVmk", "KMMvKM"},
		{"KKKvK", "KKKvK"},
		{"KvKKK", "KvKKK"},
		{"MMMMvMMMM", "MMMMvMMMM"},
		{"KKKKKKKVm", "KKKKKKKvM"},
	} {
		if got := material(t, test.text).String(); got != test.written {
			t.Errorf("%q is %s, want %s", test.text, got, test.written)
		}
	}
}

func TestBadMaterial(t *testing.T) {
	for _, test := range []struct{ text, found string }{
		{"", "write the pieces of both sides with a v between them"},
		{"KK", "write the pieces of both sides with a v between them"},
		{"v", "a side without pieces"},
		{"Kv", "a side without pieces"},
		{"vK", "a side without pieces"},
		{"KvKvK", "found 'v'"},
		{"KQvK", "found 'Q'"},
		{"K vK", "found ' '"},
		{"2KvK", "found '2'"},
		{"\u212avK", "found '\u212a'"}, // the Kelvin sign is no K
		{"K\xffvK", "found '\ufffd'"},
		{"KKKKKvKKKK", "9 pieces"},
		{"KKKKKKKKKvK", "9 pieces of one kind"},
		{strings.Repeat("K", 1000) + "vM", "1000 pieces"},
		{strings.Repeat("K", 256) + "vM", "256 pieces"},
		{strings.Repeat("M", 257) + "vM", "257 pieces"},
	} {
		m, err := tables.ParseMaterial(test.text)
		if !errors.Is(err, tables.ErrMaterial) || m != (tables.Material{}) {
			t.Errorf("%q: %s, %v", test.text, m, err)
			continue
		}
		if !strings.Contains(err.Error(), test.found) {
			t.Errorf("%q: %v, want it to say %q", test.text, err, test.found)
		}
	}
}

func TestBadCounts(t *testing.T) {
	for _, n := range [][4]int{
		{}, {1, 0, 0, 0}, {0, 0, 0, 1}, {-1, 2, 1, 0}, {1, 0, 1, -1},
		{8, 0, 1, 0}, {9, 0, 1, 0}, {4, 1, 4, 0}, {1 << 30, 0, 1, 0},
	} {
		if m, err := tables.NewMaterial(n[0], n[1], n[2], n[3]); !errors.Is(err, tables.ErrMaterial) || m != (tables.Material{}) {
			t.Errorf("%v: %s, %v", n, m, err)
		}
	}
}

func FuzzParseMaterial(f *testing.F) {
	for _, text := range []string{"KMvKM", "mkVk", "", "KKKKKvKKKK", "KvKv", "K\u212avK"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := tables.ParseMaterial(text)
		if err != nil {
			if !errors.Is(err, tables.ErrMaterial) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if len(m.String()) != len(text) {
			t.Fatalf("%q was read as %s", text, m)
		}
		if again, err := tables.ParseMaterial(m.String()); err != nil || again != m {
			t.Fatalf("%q was read as %s and then as %s, %v", text, m, again, err)
		}
	})
}

func TestMaterialComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMaterial(t)
		text := m.String()
		if again, err := tables.ParseMaterial(text); err != nil || again != m {
			t.Fatalf("%s came back as %s, %v", text, again, err)
		}
		letters := rapid.Permutation([]byte(text)).Draw(t, "shuffled")
		if i := slices.Index(letters, 'v'); i == strings.IndexByte(text, 'v') {
			shuffled := string(letters)
			same := strings.Count(shuffled[:i], "K") == m.Count(tables.First, draughts.King)
			if again, err := tables.ParseMaterial(shuffled); err != nil || (again == m) != same {
				t.Fatalf("%s for %s came back as %s, %v", shuffled, text, again, err)
			}
		}
		coded, err := json.Marshal(map[string]tables.Material{"material": m})
		if want := `{"material":"` + text + `"}`; err != nil || string(coded) != want {
			t.Fatalf("%s, %v, want %s", coded, err, want)
		}
		var decoded map[string]tables.Material
		if err := json.Unmarshal(coded, &decoded); err != nil || decoded["material"] != m {
			t.Fatalf("%s came back as %s, %v", coded, decoded["material"], err)
		}
	})
}

func TestTableServesBothOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMaterial(t)
		r := m.Reverse()
		table, first := m.Table()
		other, second := r.Table()
		if table != other || table != m && table != r {
			t.Fatalf("%s is in %s, %s in %s", m, table, r, other)
		}
		if table.String() != min(m.String(), r.String()) {
			t.Fatalf("%s is in %s, which is not the smaller name", m, table)
		}
		if m.Symmetric() != (m == r) || (m.Sides() == 1) != (m == r) || len(table.Ordered()) != m.Sides() {
			t.Fatalf("%s: symmetric %t, %d sides, orders %v", m, m.Symmetric(), m.Sides(), table.Ordered())
		}
		if m == r && (first != tables.First || second != tables.First) || m != r && second != first.Other() {
			t.Fatalf("%s: sides %d and %d", m, first, second)
		}
		if got := table.Ordered()[first]; got != m {
			t.Fatalf("order %d of %s is %s, want %s", first, table, got, m)
		}
		if m.Pieces() != m.Men()+m.Kings() || m.Pieces() != m.SidePieces(tables.First)+m.SidePieces(tables.Second) {
			t.Fatalf("%s: %d pieces, %d men, %d kings", m, m.Pieces(), m.Men(), m.Kings())
		}
		if m.Compare(r) != -r.Compare(m) || (m.Compare(r) == 0) != (m == r) {
			t.Fatalf("%s and %s compare as %d and %d", m, r, m.Compare(r), r.Compare(m))
		}
	})
}

func TestMaterialOfPosition(t *testing.T) {
	for _, test := range []struct{ fen, want string }{
		{"W:W23:B5,6", "MvMM"},
		{"B:W23:B5,6", "MMvM"},
		{"W:WK1,K2,30:BK50", "KKMvK"},
		{"B:WK1,K2,30:BK50", "KvKKM"},
		{"W:WK1,K2,K3,K4:BK47,K48,K49,K50", "KKKKvKKKK"},
		{"W:WK1,K2,K3,K4,K5:BK47,K48,K49,K50", ""},
		{"W:WK1:B", ""},
		{"B:WK1:B", ""},
	} {
		setup, err := draughts.International.ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := tables.MaterialOf(setup.Position)
		if ok != (test.want != "") || ok && m.String() != test.want || !ok && m != (tables.Material{}) {
			t.Errorf("%s: %s %t, want %q", test.fen, m, ok, test.want)
		}
		if n, numbered := tables.NumberOf(&setup.Position); numbered != ok || ok && n != m.Number() {
			t.Errorf("%s: number %d %t, want %d %t", test.fen, n, numbered, m.Number(), ok)
		}
	}
}

func TestAllTablesInSolvingOrder(t *testing.T) {
	// Fewer pieces first, then fewer men, then by name.
	want := materials(t, "KvK KvM MvM KKvK KKvM KMvK KMvM KvMM MMvM")
	if diff := cmp.Diff(want, tables.All(3), sameMaterials); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for pieces := range tables.MaxPieces + 3 {
		all := tables.All(pieces)
		// Ordered materials with both sides present, counted one by one.
		ordered := 0
		for n := range 9 * 9 * 9 * 9 {
			k1, m1, k2, m2 := n/729, n/81%9, n/9%9, n%9
			if k1+m1 > 0 && k2+m2 > 0 && k1+m1+k2+m2 <= min(pieces, tables.MaxPieces) {
				ordered++
			}
		}
		for i, m := range all {
			if table, _ := m.Table(); table != m {
				t.Errorf("%s is not the name of a table", m)
			}
			if i > 0 && all[i-1].Compare(m) >= 0 {
				t.Errorf("%s before %s", all[i-1], m)
			}
			ordered -= m.Sides()
		}
		if ordered != 0 {
			t.Errorf("up to %d pieces: %d materials are missing", pieces, ordered)
		}
	}
}

// Numbers of materials are all different, and none is left out but those of
// positions that no table holds.
func TestMaterialsHaveNumbersOfTheirOwn(t *testing.T) {
	seen := map[int]tables.Material{}
	for _, m := range tables.All(tables.MaxPieces) {
		for _, o := range m.Ordered() {
			n := o.Number()
			if n < 0 || n >= tables.Materials {
				t.Fatalf("%s has number %d of %d", o, n, tables.Materials)
			}
			if other, ok := seen[n]; ok {
				t.Fatalf("%s and %s have number %d", o, other, n)
			}
			seen[n] = o
		}
	}
	// Up to eight pieces of one side alone: C(8+2, 2), counted twice but for none.
	if want := tables.Materials - (2*45 - 1); len(seen) != want {
		t.Errorf("%d numbers, want %d", len(seen), want)
	}
}
