package cli

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

func TestGenerateChecksTheDiskForRoom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	var out, stderr bytes.Buffer
	a := &app{out: bufio.NewWriter(&out), stderr: &stderr, dir: dir}
	asked := ""
	a.freeSpace = func(dir string) (uint64, error) {
		asked = dir
		return 1000, nil
	}
	err := a.generate(t.Context(), variantFlag{draughts.International}, tables.All(3), allMetrics, making{})
	if err == nil || !strings.HasPrefix(err.Error(), "no room on the disk: 9 tables may need 1") ||
		!strings.HasSuffix(err.Error(), asked+" has 1.00 kB free") {
		t.Errorf("%v", err)
	}
	if want := filepath.Dir(filepath.Dir(filepath.Dir(dir))); asked != want {
		t.Errorf("asked for room in %s, want %s", asked, want)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made")
	}
}

// The estimate is above what tables take and not absurdly so.
func TestEstimateOfRoomHolds(t *testing.T) {
	db := t.TempDir()
	v := draughts.English
	p, err := newPlan(noTables{}, v, tables.All(3), allMetrics)
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, "generate", "--db", db, "--variant", v.Name, "--pieces", "3")
	taken := uint64(0)
	err = filepath.Walk(db, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			taken += uint64(info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if need := p.bytes(); taken > need {
		t.Errorf("tables take %d bytes, the estimate is %d", taken, need)
	}
}

func TestFreeSpaceOfThisMachine(t *testing.T) {
	free, err := freeSpace(t.TempDir())
	if err != nil || free == 0 || free == math.MaxUint64 {
		t.Errorf("%d, %v", free, err)
	}
}

func TestPlanLeavesOutWhatIsStored(t *testing.T) {
	v := draughts.English
	p, err := newPlan(noTables{}, v, []tables.Material{material(t, "KMvK")}, allMetrics)
	if err != nil {
		t.Fatal(err)
	}
	// In solving order: a table stands behind those it depends on.
	if got := nameTables(p.materials()); got != "KvK KvM KKvK KMvK" {
		t.Errorf("%s", got)
	}
	// 992 + 2*868 + 2*14880 + 2*26040
	if p.positions != 84568 {
		t.Errorf("%d positions", p.positions)
	}
}

func material(t testing.TB, text string) tables.Material {
	t.Helper()
	m, err := tables.ParseMaterial(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
