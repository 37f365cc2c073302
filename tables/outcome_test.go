package tables_test

import (
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
	for _, m := range []tables.Metric{tables.Outcomes, tables.DTW} {
		if got, err := tables.ParseMetric(string(m)); got != m || err != nil {
			t.Errorf("%s: %s, %v", m, got, err)
		}
	}
	for _, name := range []string{"", "DTW", "dtr", "outcomes", "dtw "} {
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
