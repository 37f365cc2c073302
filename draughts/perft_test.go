package draughts

import (
	"context"
	"errors"
	"strconv"
	"testing"
)

// What perft.csv holds, so that no row gets lost: rows of the variants here, of
// others, and how many of the former have at most so many lines.
const (
	perftRows      = 482
	perftOtherRows = 298
	perftShort     = 2_000_000
	perftShortRows = 335
	perftLong      = 300_000_000
	perftLongRows  = 417
)

type perftRow struct {
	variant  *Variant
	fen      string
	depth    int
	lines    uint64
	counting Counting
	source   string
}

// perftTruth returns the rows whose number of lines is in (above, limit].
func perftTruth(t testing.TB, above, limit uint64) []perftRow {
	t.Helper()
	var rows []perftRow
	all, others := 0, 0
	for _, row := range readCSV(t, "perft.csv", "variant", "position FEN", "depth", "nodes", "source", "convention", "status") {
		v, err := Lookup(row[0])
		if err != nil {
			others++
			continue
		}
		all++
		depth, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		lines, err := strconv.ParseUint(row[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		counting, err := ParseCounting(row[5])
		if err != nil {
			t.Fatal(err)
		}
		if lines > above && lines <= limit {
			rows = append(rows, perftRow{v, row[1], depth, lines, counting, row[4]})
		}
	}
	if all != perftRows || others != perftOtherRows {
		t.Errorf("perft.csv has %d rows of the variants here and %d of others, want %d and %d", all, others, perftRows, perftOtherRows)
	}
	return rows
}

func (r perftRow) check(t *testing.T) {
	t.Helper()
	setup, err := r.variant.ParseFEN(r.fen)
	if err != nil {
		t.Errorf("%s %s: %v", r.variant.Name, r.fen, err)
		return
	}
	got, err := r.variant.Perft(context.Background(), setup.Position, r.depth, r.counting)
	if err != nil || got != r.lines {
		t.Errorf("%s %s depth %d %v: %d (%v), want %d by %s", r.variant.Name, r.fen, r.depth, r.counting, got, err, r.lines, r.source)
	}
}

func TestPerftIsThePublished(t *testing.T) {
	rows := perftTruth(t, 0, perftShort)
	if len(rows) != perftShortRows {
		t.Errorf("%d rows, want %d", len(rows), perftShortRows)
	}
	for _, r := range rows {
		r.check(t)
	}
}

func TestDivideAddsUpToPerft(t *testing.T) {
	ctx := context.Background()
	for _, v := range Variants() {
		for _, counting := range []Counting{Unique, Keep, Path} {
			moves, counts, err := v.Divide(ctx, v.Initial(), 4, counting)
			if err != nil {
				t.Fatal(err)
			}
			var sum uint64
			for _, n := range counts {
				sum += n
			}
			want, err := v.Perft(ctx, v.Initial(), 4, counting)
			if err != nil || sum != want || len(moves) != len(counts) {
				t.Errorf("%s %v: %d moves add up to %d, want %d (%v)", v.Name, counting, len(moves), sum, want, err)
			}
		}
	}
}

func TestPerftOfNoPliesIsOne(t *testing.T) {
	for _, depth := range []int{0, -1} {
		if n, err := English.Perft(context.Background(), English.Initial(), depth, Unique); n != 1 || err != nil {
			t.Errorf("depth %d: %d, %v", depth, n, err)
		}
	}
}

func TestPerftStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := International.Perft(ctx, International.Initial(), 30, Unique); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, _, err := International.Divide(ctx, International.Initial(), 30, Unique); !errors.Is(err, context.Canceled) {
		t.Errorf("divide: error %v", err)
	}
}

func TestUnknownCountingNamesTheKnown(t *testing.T) {
	if _, err := ParseCounting("all"); err == nil || err.Error() != `counting "all": use unique, keep or path` {
		t.Errorf("error %v", err)
	}
}

func BenchmarkPerft(b *testing.B) {
	for _, bench := range []struct {
		v     *Variant
		depth int
	}{{International, 7}, {English, 9}, {Russian, 8}, {Italian, 9}, {Canadian, 6}, {Turkish, 6}} {
		b.Run(bench.v.Name, func(b *testing.B) {
			var lines uint64
			for b.Loop() {
				n, err := bench.v.Perft(context.Background(), bench.v.Initial(), bench.depth, Unique)
				if err != nil {
					b.Fatal(err)
				}
				lines += n
			}
			b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
