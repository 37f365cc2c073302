package tables_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"threekings/draughts"
	"threekings/tables"
)

// memory is a table of any values.
type memory struct {
	distances [2][]tables.Plies
	captures  [2][]bool
}

func (m *memory) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	for i := range dst {
		dst[i] = m.distances[s][start+uint64(i)].Outcome()
	}
}

func (m *memory) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	copy(dst, m.distances[s][start:])
}

func (m *memory) Captures(s tables.Side, start uint64, dst []bool) {
	copy(dst, m.captures[s][start:])
}

func TestSummarizeCountsAndHashes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, test := range []struct {
		v        *draughts.Variant
		material string
		values   []tables.Plies
	}{
		{draughts.English, "KvK", []tables.Plies{tables.NoPlies, 1, 2, 3, 300}},
		{draughts.English, "KvM", []tables.Plies{tables.NoPlies, 0, 1}},
		{draughts.English, "KvM", []tables.Plies{tables.NoPlies}},
		{draughts.English, "KvM", []tables.Plies{0}},
		{draughts.International, "KKvK", []tables.Plies{0, 1, 2, 254, 255, 256, 65533, 65534, tables.NoPlies}},
		{draughts.Turkish, "KKvK", []tables.Plies{7, 6}},
	} {
		m := material(t, test.material)
		n := tables.Count(test.v, m)
		values := &memory{}
		var wantDTW, wantDTR, wantOutcomes []tables.Summary
		dtw, outcome, dtr := sha256.New(), sha256.New(), sha256.New()
		for s := range m.Sides() {
			var sum tables.Summary
			longest := [3]int{-1, -1, -1}
			var at [3]uint64
			for i := range n {
				d := test.values[random.IntN(len(test.values))]
				capture := random.IntN(3) == 0
				values.distances[s] = append(values.distances[s], d)
				values.captures[s] = append(values.captures[s], capture)
				if capture {
					sum.Captures++
				}
				code := 0
				switch {
				case d == 0xFFFF:
					sum.Draws++
				case d%2 == 1:
					sum.Wins++
					code = 1
				default:
					sum.Losses++
					code = 2
				}
				if code != 0 && int(d) > longest[code] {
					longest[code], at[code] = int(d), i
				}
				outcome.Write([]byte{byte(code)})
				dtw.Write([]byte{byte(d & 0xFF), byte(d >> 8)})
				// As a distance to reset it is half of that, rounded up.
				reset := (int(d) + 1) / 2
				if code == 0 {
					reset = 0xFFFF
				}
				dtr.Write([]byte{byte(code), byte(reset & 0xFF), byte(reset >> 8)})
			}
			wantOutcomes = append(wantOutcomes, sum)
			sum.LongestWin, sum.LongestWinAt = tables.Plies(max(longest[1], 0)), at[1]
			sum.LongestLoss, sum.LongestLossAt = tables.Plies(max(longest[2], 0)), at[2]
			wantDTW = append(wantDTW, sum)
			sum.LongestWin, sum.LongestLoss = (sum.LongestWin+1)/2, (sum.LongestLoss+1)/2
			wantDTR = append(wantDTR, sum)
		}
		sides, digest := tables.Summarize(test.v, m, tables.DTR("none"), values)
		if diff := cmp.Diff(wantDTR, sides); diff != "" {
			t.Errorf("%s %s dtr (-want +got):\n%s", test.v.Name, m, diff)
		}
		if want := hex.EncodeToString(dtr.Sum(nil)); digest != want {
			t.Errorf("%s %s dtr: digest %s, want %s", test.v.Name, m, digest, want)
		}
		sides, digest = tables.Summarize(test.v, m, tables.DTW, values)
		if diff := cmp.Diff(wantDTW, sides); diff != "" {
			t.Errorf("%s %s dtw (-want +got):\n%s", test.v.Name, m, diff)
		}
		if want := hex.EncodeToString(dtw.Sum(nil)); digest != want {
			t.Errorf("%s %s dtw: digest %s, want %s", test.v.Name, m, digest, want)
		}
		sides, digest = tables.Summarize(test.v, m, tables.Outcomes, values)
		if diff := cmp.Diff(wantOutcomes, sides); diff != "" {
			t.Errorf("%s %s outcome (-want +got):\n%s", test.v.Name, m, diff)
		}
		if want := hex.EncodeToString(outcome.Sum(nil)); digest != want {
			t.Errorf("%s %s outcome: digest %s, want %s", test.v.Name, m, digest, want)
		}
	}
}

func manifest(t *testing.T) (tables.Key, *tables.Manifest) {
	t.Helper()
	m := material(t, "KMvK")
	n := tables.Count(draughts.International, m)
	return tables.Key{Variant: "international", Material: m, Metric: tables.DTW}, &tables.Manifest{
		Format: 1, Generator: "test", Variant: "international", Material: m, Metric: tables.DTW,
		Positions: n, BlockLen: 1 << 12, Bits: 8, Bytes: 1234,
		Sides: []tables.Summary{
			{Wins: n - 3, Draws: 2, Losses: 1, Captures: n, LongestWin: 9, LongestWinAt: n - 1, LongestLoss: 2, LongestLossAt: 5},
			{Draws: n},
		},
		Digest: strings.Repeat("0a", 32),
	}
}

func TestManifestComesBack(t *testing.T) {
	key, m := manifest(t)
	if err := m.Check(key); err != nil {
		t.Fatal(err)
	}
	coded, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var again tables.Manifest
	if err := json.Unmarshal(coded, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*m, again, sameMaterials); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestManifestThatCannotBe(t *testing.T) {
	for name, damage := range map[string]func(m *tables.Manifest){
		"variant":               func(m *tables.Manifest) { m.Variant = "russian" },
		"material":              func(m *tables.Manifest) { m.Material = m.Material.Reverse() },
		"metric":                func(m *tables.Manifest) { m.Metric = tables.Outcomes },
		"positions":             func(m *tables.Manifest) { m.Positions++ },
		"no positions":          func(m *tables.Manifest) { m.Positions = 0 },
		"block length":          func(m *tables.Manifest) { m.BlockLen = 0 },
		"negative block length": func(m *tables.Manifest) { m.BlockLen = -1 },
		"sides":                 func(m *tables.Manifest) { m.Sides = m.Sides[:1] },
		"no sides":              func(m *tables.Manifest) { m.Sides = nil },
		"wins":                  func(m *tables.Manifest) { m.Sides[0].Wins++ },
		"draws":                 func(m *tables.Manifest) { m.Sides[1].Draws-- },
		"losses":                func(m *tables.Manifest) { m.Sides[1].Losses-- },
		"counts that overflow":  func(m *tables.Manifest) { m.Sides[1].Wins, m.Sides[1].Losses = 1<<63, 1<<63 },
		"captures":              func(m *tables.Manifest) { m.Sides[0].Captures = m.Positions + 1 },
		"place of longest win":  func(m *tables.Manifest) { m.Sides[0].LongestWinAt = m.Positions },
		"place of longest loss": func(m *tables.Manifest) { m.Sides[0].LongestLossAt = 1 << 40 },
		"longest win":           func(m *tables.Manifest) { m.Sides[0].LongestWin = tables.NoPlies },
		"longest loss":          func(m *tables.Manifest) { m.Sides[0].LongestLoss = tables.NoPlies },
		"short digest":          func(m *tables.Manifest) { m.Digest = m.Digest[2:] },
		"digest in capitals":    func(m *tables.Manifest) { m.Digest = strings.ToUpper(m.Digest) },
		"digest":                func(m *tables.Manifest) { m.Digest = strings.Repeat("xy", 32) },
	} {
		key, m := manifest(t)
		damage(m)
		if err := m.Check(key); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestManifestOfNoTable(t *testing.T) {
	for name, change := range map[string]func(k *tables.Key, m *tables.Manifest){
		"order of the sides": func(k *tables.Key, m *tables.Manifest) {
			k.Material, m.Material = k.Material.Reverse(), k.Material.Reverse()
		},
		"no material":      func(k *tables.Key, m *tables.Manifest) { k.Material, m.Material = tables.Material{}, tables.Material{} },
		"unknown variant":  func(k *tables.Key, m *tables.Manifest) { k.Variant, m.Variant = "frisian", "frisian" },
		"variant's case":   func(k *tables.Key, m *tables.Manifest) { k.Variant, m.Variant = "International", "International" },
		"unknown metric":   func(k *tables.Key, m *tables.Manifest) { k.Metric, m.Metric = "dtm", "dtm" },
		"wrong board size": func(k *tables.Key, m *tables.Manifest) { k.Variant, m.Variant = "russian", "russian" },
	} {
		key, m := manifest(t)
		change(&key, m)
		if err := m.Check(key); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	key, m := manifest(t)
	key.Material, m.Material = tables.Material{}, tables.Material{}
	if err := m.Check(key); !errors.Is(err, tables.ErrMaterial) {
		t.Errorf("no material: %v", err)
	}
}

func TestBlocksOfAManifest(t *testing.T) {
	for _, test := range []struct {
		positions uint64
		length    int
		blocks    uint64
		last      int
	}{
		{1, 10, 1, 1}, {9, 10, 1, 9}, {10, 10, 1, 10}, {11, 10, 2, 1}, {20, 10, 2, 10}, {21, 10, 3, 1},
		{1<<32 + 1, 1 << 16, 1<<16 + 1, 1}, {837_839_148_300, 1 << 16, 12_784_411, 54_540},
	} {
		m := &tables.Manifest{Positions: test.positions, BlockLen: test.length}
		if got := m.Blocks(); got != test.blocks {
			t.Errorf("%d positions: %d blocks of %d, want %d", test.positions, got, test.length, test.blocks)
		}
		sum := uint64(0)
		if test.blocks < 1<<20 {
			for n := range m.Blocks() {
				sum += uint64(m.BlockPositions(n))
			}
			if sum != test.positions {
				t.Errorf("blocks hold %d positions, want %d", sum, test.positions)
			}
		}
		if got := m.BlockPositions(test.blocks - 1); got != test.last {
			t.Errorf("%d positions: the last block has %d, want %d", test.positions, got, test.last)
		}
	}
}

// A table of distances to reset says under which rules it was solved: rules that
// have changed since do not pass for the same.
func TestManifestOfDistancesToReset(t *testing.T) {
	under := func(rules string, metric tables.Metric, longest tables.Plies) error {
		key, m := manifest(t)
		key.Metric, m.Metric, m.Rules = metric, metric, rules
		m.Sides[0].LongestWin = longest
		return m.Check(key)
	}
	definition := draughts.International.DefaultProfile().Definition()
	if err := under(definition, "dtr/fmjd", 9); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"rules of another profile":            under(definition, "dtr/none", 9),
		"no rules":                            under("", "dtr/fmjd", 9),
		"rules of a distance to win":          under(definition, tables.DTW, 9),
		"unknown profile":                     under(definition, "dtr/fide", 9),
		"profile in capitals":                 under(definition, "dtr/FMJD", 9),
		"no profile":                          under(definition, "dtr/", 9),
		"a distance that no value stands for": under(definition, "dtr/fmjd", 40_000),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
