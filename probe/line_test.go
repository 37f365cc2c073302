package probe_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/probe"
	"threekings/tables"
)

// Lines from every position, replayed with the move generator: each move is
// legal, what it captures is gone, no position comes again, and the distance
// falls by one with every ply until the game is over. In Turkish and Armenian
// draughts men step sideways, so that moves of men could come back.
func TestLinesReplay(t *testing.T) {
	sources := append(sets(), newMemory(draughts.Armenian, solveAll(draughts.Armenian, 2)))
	if !testing.Short() && !raceEnabled {
		turkish := solvedTables{}
		for _, m := range tables.Closure(mustMaterial("KKvM")) {
			turkish.solve(draughts.Turkish, m)
		}
		sources = append(sources, newMemory(draughts.Turkish, turkish))
	}
	for _, src := range sources {
		t.Run(src.variant.Name, func(t *testing.T) {
			t.Parallel()
			p := probe.Open(src, probe.Options{})
			step, i, wins := 31, 0, 0
			if testing.Short() || raceEnabled {
				step = 211
			}
			everyPosition(t, src, func(table *solved, side tables.Side, n uint64, pos draughts.Position) {
				if i++; i%step != 0 {
					return
				}
				l, err := p.Line(t.Context(), src.variant, pos, probe.LineOptions{})
				if err != nil {
					t.Fatal(err)
				}
				checkLine(t, src.variant, pos, l, table.dtw[side][n])
				if len(l.Moves) > 1 {
					wins++
				}
			})
			if wins == 0 && len(src.tables) > 3 {
				t.Error("no line has more than one ply")
			}
		})
	}
}

// checkLine replays a line that must go to the end of the game.
func checkLine(t testing.TB, v *draughts.Variant, pos draughts.Position, l probe.Line, want tables.Plies) {
	t.Helper()
	fen := v.FEN(pos)
	if l.DTW != want || l.Outcome != want.Outcome() || l.Err != nil {
		t.Fatalf("%s: %v in %d, %v, want %d", fen, l.Outcome, l.DTW, l.Err, want)
	}
	if want == tables.NoPlies {
		end := probe.LineDrawn
		if v.Ended(pos) {
			end = probe.LineOver
		}
		if len(l.Moves) != 0 || l.End != end {
			t.Fatalf("%s is drawn, but has a line of %d plies that ends with %v", fen, len(l.Moves), l.End)
		}
		return
	}
	if len(l.Moves) != int(want) || l.End != probe.LineOver {
		t.Fatalf("%s: %d plies of %d, then %v", fen, len(l.Moves), want, l.End)
	}
	seen := []draughts.Position{pos}
	for i, m := range l.Moves {
		if !slices.Contains(v.Moves(pos, nil), m.Move) {
			t.Fatalf("%s: ply %d is not legal", fen, i+1)
		}
		before := pos.Len()
		if pos = pos.Play(m.Move); pos != m.Position || pos.Len() != before-m.Move.Captured.Len() {
			t.Fatalf("%s: ply %d leads to %s, not %s", fen, i+1, v.FEN(pos), v.FEN(m.Position))
		}
		if m.DTW != want-tables.Plies(i) || m.Outcome != m.DTW.Outcome() {
			t.Fatalf("%s: ply %d has %v in %d of %d", fen, i+1, m.Outcome, m.DTW, want)
		}
		if slices.Contains(seen, pos) {
			t.Fatalf("%s: the position after ply %d comes again", fen, i+1)
		}
		seen = append(seen, pos)
	}
	if moves := v.Moves(pos, nil); len(moves) != 0 {
		t.Fatalf("%s: the line ends although there is a move", fen)
	}
}

func TestLineStopsAtItsLimit(t *testing.T) {
	v := draughts.English
	p := probe.Open(newMemory(v, english3()), probe.Options{})
	pos := position(t, v, "W:WK32:B2") // a win in 9
	whole, err := p.Line(t.Context(), v, pos, probe.LineOptions{})
	if err != nil || len(whole.Moves) != 9 {
		t.Fatalf("%d plies, %v", len(whole.Moves), err)
	}
	for n := 1; n <= 10; n++ {
		l, err := p.Line(t.Context(), v, pos, probe.LineOptions{MaxPlies: n})
		if err != nil {
			t.Fatal(err)
		}
		end := probe.LineCut
		if n >= 9 {
			end = probe.LineOver
		}
		if l.End != end || !slices.Equal(l.Moves, whole.Moves[:min(n, 9)]) || l.DTW != 9 {
			t.Errorf("at most %d plies: %d, then %v", n, len(l.Moves), l.End)
		}
	}
}

// A line goes on as far as values are known and says what is missing then.
func TestLineEndsWhereValuesAreUnknown(t *testing.T) {
	v := draughts.English
	pos := position(t, v, "W:W5,K1:BK11") // the man becomes a king
	for _, c := range []struct {
		name string
		src  *memory
		some bool // something is known
	}{
		{"the promotion leads into a missing table", newMemory(v, english3()).without("KKvK"), true},
		{"only outcomes are stored there", newMemory(v, english3()).without("KKvK", tables.DTW), true},
		{"only outcomes are stored", newMemory(v, english3()).without("KMvK", tables.DTW), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := probe.Open(c.src, probe.Options{}).Line(t.Context(), v, pos, probe.LineOptions{})
			if err != nil || l.Outcome != tables.Win {
				t.Fatalf("%v, %v", l.Outcome, err)
			}
			missing := (*tables.MissingError)(nil)
			if l.End != probe.LineUnknown || !errors.As(l.Err, &missing) {
				t.Fatalf("%d plies, then %v, %v", len(l.Moves), l.End, l.Err)
			}
			if !c.src.missing[missing.Key] {
				t.Errorf("%v is not what is missing", missing.Key)
			}
			if (len(l.Moves) > 0) != c.some {
				t.Errorf("%d plies", len(l.Moves))
			}
			for i, m := range l.Moves {
				if m.Move.Promotes || m.DTW != l.DTW-tables.Plies(i) {
					t.Errorf("ply %d is %+v", i+1, m)
				}
			}
		})
	}
}

func TestLineOfAnUnknownPosition(t *testing.T) {
	v := draughts.English
	p := probe.Open(newMemory(v, english3()).without("KvM"), probe.Options{})
	_, err := p.Line(t.Context(), v, position(t, v, "W:WK32:B2"), probe.LineOptions{})
	if !errors.Is(err, tables.ErrMissing) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = probe.Open(newMemory(v, english3()), probe.Options{})
	if _, err = p.Line(ctx, v, position(t, v, "W:WK32:B2"), probe.LineOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNamesOfLineEnds(t *testing.T) {
	for end, want := range map[probe.LineEnd]string{
		probe.LineOver: "game_over", probe.LineDrawn: "draw", probe.LineCut: "cut", probe.LineUnknown: "unknown",
	} {
		if end.String() != want {
			t.Errorf("%q, want %q", end, want)
		}
	}
}
