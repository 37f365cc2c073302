package cli

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"threekings/store"
)

// content is every key and value of a directory of tables in order, the run
// records excepted: two directories with the same content have the same bytes.
func content(t testing.TB, dir string) []string {
	t.Helper()
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var all []string
	err = st.All(t.Context(), func(key, value []byte, run bool) error {
		if !run {
			all = append(all, string(key)+" "+string(value))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// generate is killed at twenty random moments of its run, run again each time,
// and must end with the same bytes as if nothing had happened.
func TestKilledAtRandomMomentsAndRunAgain(t *testing.T) {
	kills := 20
	if testing.Short() {
		kills = 4
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	args := func(dir string) []string {
		return []string{"generate", "--db", dir, "--variant", "czech", "--pieces", "3"}
	}
	undisturbed := t.TempDir()
	started := time.Now()
	if out, err := command(t.Context(), args(undisturbed)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := time.Since(started)
	want := content(t, undisturbed)

	early := 0 // kills before the end of the run
	dir := t.TempDir()
	for kill := range kills {
		if kill%2 == 0 {
			dir = t.TempDir() // every second run goes on from a killed one
		}
		moment := time.Duration(random.Int64N(int64(whole)))
		if took, stopped := killed(t, moment, args(dir)); stopped {
			early++
		} else if kill%2 == 0 {
			whole = took // a whole run: the machine is faster now than it was
		}
		if kill%2 == 0 {
			continue
		}
		if out, err := command(t.Context(), args(dir)...).CombinedOutput(); err != nil {
			t.Fatalf("seed %d, kill %d: the run after it: %v\n%s", seed, kill, err, out)
		}
		if diff := cmp.Diff(want, content(t, dir)); diff != "" {
			t.Fatalf("seed %d, kill %d after %v: content differs:\n%s", seed, kill, moment, diff)
		}
	}
	t.Logf("%d of %d runs of %v were killed before their end", early, kills, whole)
	if early < kills/4 {
		t.Errorf("only %d of %d kills came before the end of the run", early, kills)
	}
}

// killed runs a command, kills it after a while, and reports how long it ran and
// whether it was still running.
func killed(t *testing.T, after time.Duration, args []string) (took time.Duration, early bool) {
	t.Helper()
	started := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	err := command(ctx, args...).Run()
	return time.Since(started), err != nil
}

// Interrupted and run again with other numbers of threads: the same bytes.
func TestInterruptedRunGoesOn(t *testing.T) {
	want := t.TempDir()
	mustRun(t, "generate", "--db", want, "--variant", "english", "--pieces", "3", "--threads", "1")
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := runWith(ctx, t, "generate", "--db", dir, "--variant", "english", "--pieces", "3")
	if r.code != exitTrouble || r.stderr != "threekings: interrupted: 0 of 9 tables are stored and kept; the same command goes on from there\n" {
		t.Errorf("exit code %d, %q", r.code, r.stderr)
	}
	mustRun(t, "generate", "--db", dir, "--variant", "english", "--pieces", "2", "--threads", "3")
	mustRun(t, "generate", "--db", dir, "--variant", "english", "--material", "MMvM")
	mustRun(t, "generate", "--db", dir, "--variant", "english", "--pieces", "3", "--threads", "2")
	if diff := cmp.Diff(content(t, want), content(t, dir)); diff != "" {
		t.Errorf("content differs:\n%s", diff)
	}
}
