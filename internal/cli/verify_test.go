package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

// tampered are the true values of a table but for one distance.
type tampered struct {
	t      testing.TB
	prober *probe.Prober
	v      *draughts.Variant
	ix     *index.Index
	side   tables.Side
	at     uint64
	value  tables.Plies
}

func (w *tampered) key() tables.Key {
	return tables.Key{Variant: w.v.Name, Material: w.ix.Material(), Metric: tables.DTW}
}

func (w *tampered) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	if err := w.prober.Distances(w.t.Context(), w.key(), s, start, dst); err != nil {
		w.t.Fatal(err)
	}
	if s == w.side && w.at >= start && w.at < start+uint64(len(dst)) {
		dst[w.at-start] = w.value
	}
}

func (w *tampered) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	distances := make([]tables.Plies, len(dst))
	w.Distances(s, start, distances)
	for i, d := range distances {
		dst[i] = d.Outcome()
	}
}

func (w *tampered) Captures(s tables.Side, start uint64, dst []bool) {
	for i := range dst {
		dst[i] = w.v.HasCapture(w.ix.Position(s, start+uint64(i)))
	}
}

// A wrong value is found, whatever its kind, and named with the position and
// both values: exit code 1.
func TestVerifyNamesAWrongValue(t *testing.T) {
	v := draughts.English
	setup, err := v.ParseFEN("W:WK32:B2") // a win in 9 plies
	if err != nil {
		t.Fatal(err)
	}
	good := t.TempDir()
	mustRun(t, "generate", "--db", good, "--variant", v.Name, "--pieces", "2")
	from, err := store.Open(good, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	ix, err := index.New(v, material(t, "KvM"))
	if err != nil {
		t.Fatal(err)
	}
	side, at := ix.Rank(setup.Position)
	for value, want := range map[tables.Plies]string{
		11:             "stored win in 11 plies, proved win in 9 plies",
		4:              "stored loss in 4 plies, proved win in 9 plies",
		tables.NoPlies: "stored draw, proved win in 9 plies",
	} {
		db := t.TempDir()
		mustRun(t, "generate", "--db", db, "--variant", v.Name, "--pieces", "2")
		mustRun(t, "drop", "--db", db, "--variant", v.Name, "KvM")
		to, err := store.Open(db, store.Options{Write: true})
		if err != nil {
			t.Fatal(err)
		}
		values := &tampered{
			t: t, prober: probe.Open(from, probe.Options{}), v: v, ix: ix,
			side: side, at: at, value: value,
		}
		if _, err := to.Put(t.Context(), tables.Table{Variant: v, Material: ix.Material()}, []tables.Metric{tables.DTW}, values, store.RunRecord{}); err != nil {
			t.Fatal(err)
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		r := run(t, "", "verify", "--db", db, "--variant", v.Name, "KvM")
		if r.code != exitNegative || !strings.Contains(r.stdout, "W:WK32:B2 ") || !strings.Contains(r.stdout, want) {
			t.Errorf("%d: exit code %d, want %q: %s%s", value, r.code, want, r.stdout, r.stderr)
		}
		if r := run(t, "", "verify", "--checksums", "--db", db, "--variant", v.Name); r.code != exitDone {
			t.Errorf("%d: the bytes are sound, but --checksums has exit code %d: %s", value, r.code, r.stdout)
		}
	}
}

// A damaged table is reported by name, by verify and by probe, and the others
// go on answering.
func TestDamagedTableIsNamedAndTheOthersAnswer(t *testing.T) {
	db := t.TempDir()
	mustRun(t, "generate", "--db", db, "--variant", "english", "--pieces", "2")
	mustRun(t, "generate", "--db", db, "--variant", "english", "--material", "KKvK")
	damageLargest(t, db)

	r := run(t, "", "verify", "--checksums", "--db", db)
	if r.code != exitNegative || !strings.Contains(r.stdout+r.stderr, "damaged table: english KKvK dtw") ||
		!strings.Contains(r.stdout, "english KvM (outcome,dtw): undamaged") {
		t.Errorf("verify: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	r = run(t, "", "probe", "--db", db, "--variant", "english", "--json", "W:WK32,K5:BK20", "W:WK32:B2")
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	var bad, good answer.Answer
	if err := json.Unmarshal([]byte(lines[0]), &bad); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(lines[1]), &good); err != nil {
		t.Fatal(err)
	}
	if r.code != exitTrouble || bad.Error == nil || bad.Error.Code != "damaged_table" || bad.Outcome != nil {
		t.Errorf("the damaged table: exit code %d, %s", r.code, lines[0])
	}
	if good.DTW == nil || *good.DTW != 9 {
		t.Errorf("another table: %s", lines[1])
	}
}

// damageLargest changes every 64th byte in the first half of the largest file of
// a database: blocks of its largest table.
func damageLargest(t *testing.T, db string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(db, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	largest, size := "", int64(0)
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > size {
			largest, size = f, info.Size()
		}
	}
	b, err := os.ReadFile(largest)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < len(b)/2; i += 64 {
		b[i] ^= 0x55
	}
	if err := os.WriteFile(largest, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
