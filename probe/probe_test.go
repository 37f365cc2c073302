package probe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

func position(t testing.TB, v *draughts.Variant, fen string) draughts.Position {
	t.Helper()
	s, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return s.Position
}

// Whatever is stored where a capture is pending, every answer is the solver's.
func TestEveryPositionWithGarbageWhereCapturesArePending(t *testing.T) {
	for _, src := range sets() {
		t.Run(src.variant.Name, func(t *testing.T) {
			t.Parallel()
			src.filler = rand.New(rand.NewPCG(1, 2))
			p := probe.Open(src, probe.Options{})
			everyPosition(t, src, func(table *solved, side tables.Side, n uint64, pos draughts.Position) {
				want := table.dtw[side][n]
				d, err := p.Distance(src.variant, pos)
				if err != nil || d != want {
					t.Fatalf("Distance(%s) = %d, %v, want %d", src.variant.FEN(pos), d, err, want)
				}
				o, err := p.Outcome(src.variant, pos)
				if err != nil || o != want.Outcome() {
					t.Fatalf("Outcome(%s) = %v, %v, want %v", src.variant.FEN(pos), o, err, want.Outcome())
				}
			})
		})
	}
}

// A position is worth what its best move is worth, moves come best first, and
// each is what its own position says.
func TestPositionIsWorthItsFirstMove(t *testing.T) {
	for _, src := range sets() {
		t.Run(src.variant.Name, func(t *testing.T) {
			t.Parallel()
			p := probe.Open(src, probe.Options{})
			step, i := 1, 0
			if testing.Short() || raceEnabled {
				step = 17
			}
			everyPosition(t, src, func(_ *solved, _ tables.Side, _ uint64, pos draughts.Position) {
				if i++; i%step != 0 {
					return
				}
				r, err := p.Probe(src.variant, pos)
				if err != nil {
					t.Fatal(err)
				}
				checkResult(t, src.variant, pos, r)
			})
		})
	}
}

func checkResult(t testing.TB, v *draughts.Variant, pos draughts.Position, r probe.Result) {
	t.Helper()
	fen := v.FEN(pos)
	if r.DTW.Outcome() != r.Outcome {
		t.Fatalf("%s: %v in %d plies", fen, r.Outcome, r.DTW)
	}
	if v.Ended(pos) {
		if len(r.Moves) != 0 || r.Outcome != tables.Draw {
			t.Fatalf("%s: an ended game has %v and %d moves", fen, r.Outcome, len(r.Moves))
		}
		return
	}
	var listed []draughts.Move
	for i, m := range r.Moves {
		listed = append(listed, m.Move)
		if m.Err != nil || m.Position != pos.Play(m.Move) || m.DTW.Outcome() != m.Outcome {
			t.Fatalf("%s: move %+v", fen, m)
		}
		if i > 0 && worth(r.Moves[i-1]) < worth(m) {
			t.Fatalf("%s: move %d is better than the one before", fen, i)
		}
	}
	moves := v.Moves(pos, nil)
	if len(moves) != len(listed) {
		t.Fatalf("%s: %d moves of %d", fen, len(listed), len(moves))
	}
	for _, m := range moves {
		if !slices.Contains(listed, m) {
			t.Fatalf("%s: %v is not listed", fen, m)
		}
	}
	switch {
	case len(moves) == 0:
		if r.DTW != 0 {
			t.Fatalf("%s: no move, but %d plies", fen, r.DTW)
		}
	case r.Moves[0].Outcome != r.Outcome || r.Moves[0].DTW != r.DTW:
		t.Fatalf("%s: %v in %d, but the best move gives %v in %d",
			fen, r.Outcome, r.DTW, r.Moves[0].Outcome, r.Moves[0].DTW)
	}
}

// worth is larger for better moves: a second telling of the order.
func worth(m probe.MoveValue) int {
	switch m.Outcome {
	case tables.Win:
		return 1_000_000 - int(m.DTW)
	case tables.Loss:
		return -1_000_000 + int(m.DTW)
	default:
		return 0
	}
}

func TestEqualMovesKeepTheOrderOfMoves(t *testing.T) {
	p := probe.Open(newMemory(draughts.International, international2()), probe.Options{})
	pos := position(t, draughts.International, "W:WK46:BK1")
	r, err := p.Probe(draughts.International, pos)
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	moves := draughts.International.Moves(pos, nil)
	for _, m := range r.Moves {
		at := slices.Index(moves, m.Move)
		if m.Outcome == tables.Draw {
			if at < last {
				t.Fatalf("drawing moves out of order: %v", r.Moves)
			}
			last = at
		}
	}
	if last < 0 {
		t.Fatal("no drawing move: the test tests nothing")
	}
}

func TestBulkReadingGivesTrueValues(t *testing.T) {
	ctx := context.Background()
	for _, src := range sets() {
		t.Run(src.variant.Name, func(t *testing.T) {
			t.Parallel()
			src.filler = rand.New(rand.NewPCG(3, 4))
			p := probe.Open(src, probe.Options{})
			for m, table := range src.tables {
				for s := range tables.Side(m.Sides()) {
					want := table.dtw[s]
					distances := make([]tables.Plies, len(want))
					if err := p.Distances(ctx, src.key(m.String(), tables.DTW), s, 0, distances); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(distances, want) {
						t.Fatalf("%v: distances differ", m)
					}
					// A range that begins and ends inside blocks.
					const skip = 33
					for _, metric := range []tables.Metric{tables.Outcomes, tables.DTW} {
						outcomes := make([]tables.Outcome, len(want)-2*skip)
						if err := p.Outcomes(ctx, src.key(m.String(), metric), s, skip, outcomes); err != nil {
							t.Fatal(err)
						}
						for i, o := range outcomes {
							if o != want[i+skip].Outcome() {
								t.Fatalf("%v: outcome %d from %s is %v", m, i+skip, metric, o)
							}
						}
					}
				}
			}
		})
	}
}

func TestBulkReadingRefusesWhatIsNotThere(t *testing.T) {
	ctx := context.Background()
	src := newMemory(draughts.International, international2())
	p := probe.Open(src, probe.Options{})
	one := make([]tables.Plies, 1)
	if err := p.Distances(ctx, src.key("KvK", tables.DTW), tables.First, 50*49, one); err == nil {
		t.Error("no error behind the end")
	}
	if err := p.Distances(ctx, src.key("KvK", tables.DTW), tables.Second, 0, one); err == nil {
		t.Error("no error for a side that is not stored")
	}
	if err := p.Distances(ctx, src.key("KvK", tables.Outcomes), tables.First, 0, one); err == nil {
		t.Error("no error for distances of outcomes")
	}
	if err := p.Distances(ctx, src.key("KKvK", tables.DTW), tables.First, 0, one); !errors.Is(err, tables.ErrMissing) {
		t.Errorf("missing table: %v", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if err := p.Distances(ctx, src.key("KvK", tables.DTW), tables.First, 0, one); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFourKindsOfError(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3()).without("KKvK")
	src.damaged[src.key("KMvK", tables.Outcomes)] = true
	src.damaged[src.key("KMvK", tables.DTW)] = true
	p := probe.Open(src, probe.Options{})
	quiet := func(fen string) draughts.Position { return position(t, v, fen) }
	illegal := draughts.Position{}
	illegal.Put(draughts.White, draughts.Man, 0)
	illegal.Put(draughts.Black, draughts.Man, 5)
	for _, test := range []struct {
		name string
		pos  draughts.Position
		want error
		text string
	}{
		{"missing", quiet("W:WK32,K31:BK1"), tables.ErrMissing, "generate --variant english --material KKvK"},
		{"missing, other order", quiet("B:WK32,K31:BK1"), tables.ErrMissing, "--material KKvK"},
		{"damaged", quiet("W:WK32,31:BK1"), tables.ErrDamaged, "KMvK"},
		{"too many", v.Initial(), probe.ErrTooManyPieces, "24 on the board; tables have at most 8"},
		{"illegal", illegal, draughts.ErrIllegalPosition, "man stands on"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, errProbe := p.Probe(v, test.pos)
			_, errOutcome := p.Outcome(v, test.pos)
			_, errDistance := p.Distance(v, test.pos)
			for _, err := range []error{errProbe, errOutcome, errDistance} {
				if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
					t.Errorf("error %v, want %v", err, test.want)
				}
				for _, other := range []error{tables.ErrMissing, tables.ErrDamaged, probe.ErrTooManyPieces, draughts.ErrIllegalPosition} {
					if !errors.Is(other, test.want) && errors.Is(err, other) {
						t.Errorf("%v is also %v", err, other)
					}
				}
			}
		})
	}
}

func TestGameThatIsOverNeedsNoTable(t *testing.T) {
	nothing := &memory{variant: draughts.Turkish, tables: solvedTables{}}
	p := probe.Open(nothing, probe.Options{})
	for _, test := range []struct {
		name string
		v    *draughts.Variant
		fen  string
		want tables.Plies
	}{
		{"a side without pieces has lost", draughts.International, "W:W:BK1", 0},
		{"an opponent without pieces has lost after any move", draughts.International, "W:W31:B", 1},
		{"Turkish one against one is a draw", draughts.Turkish, "W:Wa2:BKh8", tables.NoPlies},
		{"also if the mover could capture", draughts.Turkish, "W:WKa1:BKa4", tables.NoPlies},
		{"a side that cannot move has lost", draughts.International, "W:W46:B41,37", 0},
		{"also if only its own pieces are in the way", draughts.English, "W:WK1,K2,K3,K4,5,6,7,8:B", 0},
		{"a capture that ends the game", draughts.International, "W:W28:B22", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			pos := position(t, test.v, test.fen)
			r, err := p.Probe(test.v, pos)
			if err != nil || r.DTW != test.want || r.Outcome != test.want.Outcome() {
				t.Fatalf("Probe = %+v, %v, want %d", r, err, test.want)
			}
			if o, err := p.Outcome(test.v, pos); err != nil || o != test.want.Outcome() {
				t.Errorf("Outcome = %v, %v", o, err)
			}
		})
	}
}

// All captures lead into stored tables, so the missing table is not needed.
func TestCapturePositionNeedsOnlyTheTablesItLeadsTo(t *testing.T) {
	v := draughts.English
	full := probe.Open(newMemory(v, english3()), probe.Options{})
	p := probe.Open(newMemory(v, english3()).without("KMvK"), probe.Options{})
	// The king can take the man or let it be: a capture is mandatory, so it takes.
	pos := position(t, v, "B:WK32,22:BK18")
	want, err := full.Probe(v, pos)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Probe(v, pos)
	if err != nil || got.Outcome != want.Outcome || got.DTW != want.DTW {
		t.Fatalf("%+v, %v, want %+v", got, err, want)
	}
}

func TestMoveIntoAMissingTableIsUnknownAndLast(t *testing.T) {
	v := draughts.English
	for _, metrics := range [][]tables.Metric{nil, {tables.Outcomes, tables.DTW}} {
		p := probe.Open(newMemory(v, english3()).without("KvK", metrics...), probe.Options{})
		pos := position(t, v, "W:W6:BK28") // both moves promote
		r, err := p.Probe(v, pos)
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != tables.Draw || len(r.Moves) != 2 {
			t.Fatalf("%+v", r)
		}
		for _, m := range r.Moves {
			if !errors.Is(m.Err, tables.ErrMissing) || m.DTW != tables.NoPlies {
				t.Errorf("move %+v", m)
			}
		}
	}
	// One move promotes, the other does not.
	p := probe.Open(newMemory(v, english3()).without("KMvK"), probe.Options{})
	r, err := p.Probe(v, position(t, v, "W:W6,30:BK13"))
	if err != nil {
		t.Fatal(err)
	}
	known := true
	for _, m := range r.Moves {
		if m.Err == nil && !known {
			t.Fatal("a known move stands behind an unknown one")
		}
		known = m.Err == nil
	}
	if r.Moves[0].Err != nil || known {
		t.Fatalf("want known and unknown moves: %+v", r.Moves)
	}
}

func TestOneDamagedTableAmongGoodOnes(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3())
	src.damaged[src.key("KKvK", tables.DTW)] = true
	p := probe.Open(src, probe.Options{})
	if _, err := p.Probe(v, position(t, v, "W:WK32,K31:BK1")); !errors.Is(err, tables.ErrDamaged) {
		t.Errorf("damaged distances: %v", err)
	}
	if _, err := p.Outcome(v, position(t, v, "W:WK32,K31:BK1")); err != nil {
		t.Errorf("outcomes of the same table are sound: %v", err)
	}
	r, err := p.Probe(v, position(t, v, "W:WK32,6:BK20"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for _, m := range r.Moves {
		if errors.Is(m.Err, tables.ErrDamaged) {
			damaged++
		}
	}
	if damaged != 2 {
		t.Errorf("%d moves lead into the damaged table, want 2", damaged)
	}
}

func TestOutcomesWithoutDistances(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3())
	for m := range src.tables {
		src.without(m.String(), tables.DTW)
	}
	p := probe.Open(src, probe.Options{})
	pos := position(t, v, "W:WK32,K31:BK1")
	r, err := p.Probe(v, pos)
	if err != nil || r.Outcome != tables.Win || r.DTW != tables.NoPlies {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Moves[0].Outcome != tables.Win || r.Moves[0].DTW != tables.NoPlies {
		t.Errorf("first move %+v", r.Moves[0])
	}
	if _, err := p.Distance(v, pos); !errors.Is(err, tables.ErrMissing) {
		t.Errorf("distance: %v", err)
	}
}

func TestDistancesWithoutOutcomes(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3())
	for m := range src.tables {
		src.without(m.String(), tables.Outcomes)
	}
	p := probe.Open(src, probe.Options{})
	if o, err := p.Outcome(v, position(t, v, "W:WK32,K31:BK1")); err != nil || o != tables.Win {
		t.Fatalf("%v, %v", o, err)
	}
}

// A table that is not there yet may come while the prober is in use.
func TestTableAddedLater(t *testing.T) {
	v := draughts.International
	src := newMemory(v, international2()).without("KvK")
	p := probe.Open(src, probe.Options{})
	pos := position(t, v, "W:WK46:BK1")
	if _, err := p.Probe(v, pos); !errors.Is(err, tables.ErrMissing) {
		t.Fatal(err)
	}
	clear(src.missing)
	if _, err := p.Probe(v, pos); err != nil {
		t.Fatal(err)
	}
}

func TestTwinHasTheSameValue(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3())
	p := probe.Open(src, probe.Options{})
	materials := tables.All(3)
	rapid.Check(t, func(t *rapid.T) {
		table := src.tables[rapid.SampledFrom(materials).Draw(t, "material")]
		side := tables.Side(rapid.IntRange(0, table.ix.Material().Sides()-1).Draw(t, "side"))
		n := rapid.Uint64Range(0, table.ix.Size()-1).Draw(t, "n")
		pos := table.ix.Position(side, n)
		d, err := p.Distance(v, pos)
		twin, errTwin := p.Distance(v, v.Twin(pos))
		if err != nil || errTwin != nil || d != twin {
			t.Fatalf("%s: %d, %v; twin %d, %v", v.FEN(pos), d, err, twin, errTwin)
		}
	})
}

// Many goroutines, a cache far too small, the first touch of every table by all
// of them at once, and one damaged table among the good ones.
func TestManyGoroutinesTinyCache(t *testing.T) {
	v := draughts.English
	src := newMemory(v, english3())
	src.filler = rand.New(rand.NewPCG(5, 6))
	src.damaged[src.key("MMvM", tables.Outcomes)] = true
	src.damaged[src.key("MMvM", tables.DTW)] = true
	bad := mustMaterial("MMvM")
	materials := tables.All(3)
	for _, budget := range []int64{-1, 300, 4000, 100_000} {
		p := probe.Open(src, probe.Options{CacheBytes: budget})
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(g), uint64(budget)))
				for range 300 {
					m := materials[r.IntN(len(materials))]
					table := src.tables[m]
					side := tables.Side(r.IntN(m.Sides()))
					n := r.Uint64N(table.ix.Size())
					pos := table.ix.Position(side, n)
					d, err := p.Distance(v, pos)
					switch want := table.dtw[side][n]; {
					case m == bad && !table.captures[side][n]:
						if !errors.Is(err, tables.ErrDamaged) {
							t.Errorf("%s: %v", v.FEN(pos), err)
						}
					case err != nil || d != want:
						t.Errorf("%s: %d, %v, want %d", v.FEN(pos), d, err, want)
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestCachedAnswersDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget on purpose")
	}
	v := draughts.English
	src := newMemory(v, english3())
	p := probe.Open(src, probe.Options{})
	for _, fen := range []string{
		"W:WK32,K31:BK1",
		"B:WK32,K31:BK1",
		"W:W22,23:B1",
		"B:WK32,22:BK18", // a capture is pending
	} {
		pos := position(t, v, fen)
		if n := testing.AllocsPerRun(100, func() { mustNot(t, outcomeError(p, v, pos)) }); n != 0 {
			t.Errorf("Outcome(%s) allocates %v times", fen, n)
		}
		if n := testing.AllocsPerRun(100, func() { mustNot(t, distanceError(p, v, pos)) }); n != 0 {
			t.Errorf("Distance(%s) allocates %v times", fen, n)
		}
	}
}

func outcomeError(p *probe.Prober, v *draughts.Variant, pos draughts.Position) error {
	_, err := p.Outcome(v, pos)
	return err
}

func distanceError(p *probe.Prober, v *draughts.Variant, pos draughts.Position) error {
	_, err := p.Distance(v, pos)
	return err
}

func mustNot(t *testing.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func BenchmarkOutcome(b *testing.B) {
	v := draughts.English
	p := probe.Open(newMemory(v, english3()), probe.Options{})
	for _, test := range []struct{ name, fen string }{
		{"quiet", "W:WK32,K31:BK1"},
		{"capture", "B:WK32,22:BK18"},
	} {
		pos := position(b, v, test.fen)
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Outcome(v, pos); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a table leaves out is answered from its distances where a man's promotion leads
// to a missing table.
func TestLeftOutWithoutPromotionsIsReadFromDistances(t *testing.T) {
	src := newMemory(draughts.English, english3()).without("KMvM")
	src.filler = rand.New(rand.NewPCG(5, 6))
	for _, alone := range []bool{false, true} { // without distances too
		if alone {
			src.without("MMvM", tables.DTW)
		}
		p := probe.Open(src, probe.Options{})
		unknown := 0
		everyPosition(t, src, func(table *solved, side tables.Side, n uint64, pos draughts.Position) {
			if table.ix.Material() != mustMaterial("MMvM") || table.captures[side][n] {
				return
			}
			switch o, err := p.Outcome(src.variant, pos); {
			case errors.Is(err, tables.ErrMissing):
				unknown++
			case err != nil || o != table.dtw[side][n].Outcome():
				t.Fatalf("Outcome(%s) = %v, %v, want %v", src.variant.FEN(pos), o, err, table.dtw[side][n].Outcome())
			}
		})
		if (unknown > 0) != alone {
			t.Errorf("without distances %t: %d positions are unknown", alone, unknown)
		}
	}
}
