package tables_test

import (
	"strings"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

func TestOutcomes(t *testing.T) {
	for o, want := range []struct {
		name    string
		reverse tables.Outcome
	}{{"draw", tables.Draw}, {"win", tables.Loss}, {"loss", tables.Win}} {
		o := tables.Outcome(o)
		if o.String() != want.name || o.Reverse() != want.reverse {
			t.Errorf("outcome %d: %s, reverse %s, want %s, %s", o, o, o.Reverse(), want.name, want.reverse)
		}
	}
	if got := tables.Outcome(3).String(); got != "outcome(3)" {
		t.Errorf("outcome 3 is called %s", got)
	}
}

// Odd distances win, even ones lose, none is a draw.
func TestDistancesImplyOutcomes(t *testing.T) {
	for d := range 1 << 16 {
		want := []tables.Outcome{tables.Loss, tables.Win}[d%2]
		if d == 0xFFFF {
			want = tables.Draw
		}
		if got := tables.Plies(d).Outcome(); got != want {
			t.Fatalf("%d plies: %s, want %s", d, got, want)
		}
	}
}

func TestParseMetric(t *testing.T) {
	for _, m := range []tables.Metric{tables.Outcomes, tables.DTW, tables.DTR("none"), tables.DTR("fmjd64")} {
		if got, err := tables.ParseMetric(string(m)); got != m || err != nil {
			t.Errorf("%s: %s, %v", m, got, err)
		}
	}
	for _, name := range []string{"", "DTW", "dtr", "outcomes", "dtw ", "dtr/", "dtr/FMJD", "dtr/a b", "dtr/a/b", "dtr/" + strings.Repeat("x", 33)} {
		if got, err := tables.ParseMetric(name); got != "" || err == nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

func TestFirstSidePlaysWhite(t *testing.T) {
	if tables.First.Color() != draughts.White || tables.Second.Color() != draughts.Black || tables.First.Other() != tables.Second {
		t.Error("the first side does not play White")
	}
}

// A DTR may be even for a win, so its values tell the outcome by themselves.
func TestValuesOfDistancesToReset(t *testing.T) {
	m := tables.DTR("none")
	if p, ok := m.Profile(); p != "none" || !ok {
		t.Errorf("profile %q, %v", p, ok)
	}
	if p, ok := tables.DTW.Profile(); p != "" || ok {
		t.Error("a distance to win has no profile")
	}
	for d := range tables.Plies(1 << 15) {
		for _, o := range []tables.Outcome{tables.Win, tables.Loss} {
			if o == tables.Win && d == 0 {
				continue // a win takes a ply
			}
			v := m.Value(o, d)
			if v == tables.NoPlies || v.Outcome() != o || m.Distance(v) != d {
				t.Fatalf("%s in %d: value %d, which is %s in %d", o, d, v, v.Outcome(), m.Distance(v))
			}
		}
	}
	for _, m := range []tables.Metric{m, tables.DTW} {
		if m.Value(tables.Draw, 0) != tables.NoPlies || m.Distance(tables.NoPlies) != tables.NoPlies {
			t.Errorf("%s: a draw has a distance", m)
		}
	}
	if tables.DTW.Value(tables.Win, 7) != 7 || tables.DTW.Distance(7) != 7 {
		t.Error("the value of a distance to win is not itself")
	}
}
