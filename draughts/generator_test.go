package draughts

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Turning the board and exchanging the colours must change nothing.
func TestMovesOfTheTwinAreTheTwinsOfTheMoves(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			last := Square(v.Squares() - 1)
			rapid.Check(t, func(t *rapid.T) {
				p := positions(v, v.Squares()/3).Draw(t, "position")
				twin := v.Twin(p)
				if v.Twin(twin) != p {
					t.Fatalf("%s has twin %s", v.FEN(p), v.FEN(twin))
				}
				want := map[Move]Position{}
				for _, m := range v.Moves(p, nil) {
					next := v.Twin(p.Play(m))
					m.From, m.To, m.Captured = last-m.From, last-m.To, v.Turn(m.Captured)
					want[m] = next
				}
				moves := v.Moves(twin, nil)
				if len(moves) != len(want) {
					t.Fatalf("%s: %d moves, its twin has %d", v.FEN(p), len(want), len(moves))
				}
				for _, m := range moves {
					if next, ok := want[m]; !ok || next != twin.Play(m) {
						t.Fatalf("%s: the twin alone has %s", v.FEN(p), inFull(v, m))
					}
				}
			})
		})
	}
}

func TestPlayedMovesLeaveLegalPositions(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := positions(v, v.Squares()/3).Draw(t, "position")
				moves := v.Moves(p, nil)
				if captures := v.Captures(p, nil); v.HasCapture(p) != (len(captures) > 0) || len(captures) > 0 && !slices.Equal(captures, moves) {
					t.Fatalf("%s: %d captures, %d moves", v.FEN(p), len(captures), len(moves))
				}
				if quiet := v.quiet(p, nil); v.countQuiet(p) != len(quiet) {
					t.Fatalf("%s: %d quiet moves are counted as %d", v.FEN(p), len(quiet), v.countQuiet(p))
				}
				for _, m := range moves {
					next := p.Play(m)
					if err := v.Check(next); err != nil {
						t.Fatalf("%s: %s leads to %v", v.FEN(p), inFull(v, m), err)
					}
					if next.Side() == p.Side() || next.Len() != p.Len()-m.Captured.Len() {
						t.Fatalf("%s: %s leads to %s", v.FEN(p), inFull(v, m), v.FEN(next))
					}
				}
			})
		})
	}
}

// What one more king changes about the captures of the others is said by their
// scope, and where it can capture itself by another set: neither may be too small.
func TestOneMoreKingBesideTheScopeChangesNoCapture(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			beside, within := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				p := positions(v, v.Squares()/6).Draw(t, "position")
				captures, scope := v.CapturesAndScope(p, nil)
				if want := v.Captures(p, nil); !slices.Equal(captures, want) {
					t.Fatalf("%s: with scope %v, without %v", v.FEN(p), captures, want)
				}
				from, on := v.KingsCaptureFrom(p), v.KingsTakenOn(p)
				for sq := range v.Board().AndNot(p.Occupied()).All() {
					for c := White; c <= Black; c++ {
						more := p
						more.Put(c, King, sq)
						if c == p.Side() {
							if jumps := len(newMailbox(v, more).jumps(cellOf(v, c, sq), true, cell{})) > 0; jumps != from.Has(sq) {
								t.Fatalf("%s: one more king on %s captures: %t, said to: %t", v.FEN(p), v.SquareName(sq), jumps, from.Has(sq))
							}
						}
						got := v.Captures(more, nil)
						if taken := slices.ContainsFunc(got, func(m Move) bool { return m.Captured.Has(sq) }); c != p.Side() && len(captures) == 0 && (len(got) > 0 != taken || taken != on.Has(sq)) {
							t.Fatalf("%s: one more king on %s is taken: %t, said to be: %t", v.FEN(p), v.SquareName(sq), taken, on.Has(sq))
						}
						if c == p.Side() && len(captures) == 0 && len(got) > 0 != from.Has(sq) {
							t.Fatalf("%s: one more king on %s makes %d captures", v.FEN(p), v.SquareName(sq), len(got))
						}
						if scope.Has(sq) || c == p.Side() && from.Has(sq) {
							within++
							continue
						}
						beside++
						if !slices.Equal(got, captures) {
							t.Fatalf("%s: %v, with one more %s king on %s, outside the scope, %v", v.FEN(p), captures, c, v.SquareName(sq), got)
						}
					}
				}
			})
			if beside == 0 || within == 0 {
				t.Errorf("%d squares outside the scope, %d inside", beside, within)
			}
		})
	}
}

// cellOf returns the cell of a square on the mailbox of c to move.
func cellOf(v *Variant, c Color, sq Square) cell {
	row, col := v.RowOf(sq)
	if c == Black {
		return cell{v.Height - 1 - row, v.Width - 1 - col}
	}
	return cell{row, col}
}

// The two-word generator on one-word boards must do what the one-word one does.
func TestWideGeneratorAgreesWithTheNarrow(t *testing.T) {
	for _, v := range Variants() {
		if v.narrow == nil {
			continue
		}
		wide := newWideGeometry(&v.Rules, v.board)
		t.Run(v.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				for range 10 {
					p := positions(v, v.Squares()/3).Draw(t, "position")
					if got, want := wide.moves(&p, nil), v.narrow.moves(&p, nil); !slices.Equal(got, want) {
						t.Fatalf("%s: wide %v, narrow %v", v.FEN(p), got, want)
					}
					for _, midLine := range []bool{false, true} {
						if got, want := wide.capturesEach(&p, midLine, nil), v.narrow.capturesEach(&p, midLine, nil); !slices.Equal(got, want) {
							t.Fatalf("%s: wide %v, narrow %v", v.FEN(p), got, want)
						}
					}
					wideCaptures, wideScope := wide.capturesAndScope(&p, nil)
					captures, scope := v.narrow.capturesAndScope(&p, nil)
					if !slices.Equal(wideCaptures, captures) || wideScope.set() != scope.set() ||
						wide.kingsCaptureFrom(&p).set() != v.narrow.kingsCaptureFrom(&p).set() || wide.kingsTakenOn(&p).set() != v.narrow.kingsTakenOn(&p).set() {
						t.Fatalf("%s: wide and narrow captures depend on different squares", v.FEN(p))
					}
					if wide.hasCapture(&p) != v.narrow.hasCapture(&p) || wide.countQuiet(&p) != v.narrow.countQuiet(&p) {
						t.Fatalf("%s: wide and narrow differ", v.FEN(p))
					}
				}
			})
		})
	}
}

// Shifting crosses the border between the words of a wide set.
func TestWideWordShiftIsThatOfItsSquares(t *testing.T) {
	for n := -63; n <= 63; n++ {
		for s := range Square(MaxSquares) {
			to := int(s) + n
			if to < 0 || to >= MaxSquares {
				continue
			}
			if got, want := wideBit(s).shift(n), wideBit(Square(to)); got != want {
				t.Fatalf("%d shifted by %d is %v, want %v", s, n, got, want)
			}
		}
	}
}

func TestMoveGenerationDoesNotAllocate(t *testing.T) {
	var all []Position
	dst := make([]Move, 0, 256)
	for _, r := range perftTruth(t, 0, perftShort) {
		if r.depth > 1 {
			continue
		}
		v, p := r.variant, mustParse(t, r.variant, r.fen)
		all = append(all, p)
		if n := testing.AllocsPerRun(10, func() {
			for _, m := range v.Moves(p, dst[:0]) {
				v.HasCapture(p.Play(m))
				v.Captures(p.Play(m), dst[:0])
				v.CapturesAndScope(p.Play(m), dst[:0])
			}
		}); n != 0 {
			t.Errorf("%s %s: %v allocations", v.Name, r.fen, n)
		}
	}
	if len(all) < len(Variants()) {
		t.Errorf("%d positions tried", len(all))
	}
}

func TestMovesAppendToWhatIsThere(t *testing.T) {
	for _, fen := range []string{"W:W28:B1", "W:W28,32:B23", "W:W35:B30,K40"} {
		p := mustParse(t, International, fen)
		first := Move{From: 49, To: 48}
		moves := International.Moves(p, []Move{first})
		if moves[0] != first || !slices.Equal(moves[1:], International.Moves(p, nil)) {
			t.Errorf("%s: %v", fen, moves)
		}
	}
}

func TestTurkishOneAgainstOneHasEnded(t *testing.T) {
	for fen, want := range map[string]bool{
		"W:WKa1:BKa3": true, "W:Wa2:BKh8": true, "W:WKa1,Kb1:BKa3": false, "W:WKa1:B": false,
	} {
		if got := Turkish.Ended(mustParse(t, Turkish, fen)); got != want {
			t.Errorf("%s: %v", fen, got)
		}
		if Armenian.Ended(mustParse(t, Armenian, fen)) {
			t.Errorf("Armenian %s has ended", fen)
		}
	}
}

// Published totals of how many men there are and who begins.
func TestVariantsBeginAsTheRulesSay(t *testing.T) {
	for _, test := range []struct {
		v       *Variant
		squares int
		men     int
		first   Color
	}{
		{International, 50, 20, White}, {Czech, 32, 12, White}, {English, 32, 12, Black}, {Russian, 32, 12, White},
		{Brazilian, 32, 12, White}, {Italian, 32, 12, White}, {Spanish, 32, 12, White}, {Portuguese, 32, 12, White},
		{Canadian, 72, 30, White}, {Pool, 32, 12, Black}, {Turkish, 64, 16, White}, {Armenian, 64, 16, White},
	} {
		p := test.v.Initial()
		if test.v.Squares() != test.squares || p.Count(White, Man) != test.men || p.Count(Black, Man) != test.men || p.Side() != test.first {
			t.Errorf("%s begins with %s", test.v.Name, test.v.FEN(p))
		}
		if got, err := Lookup(strings.ToUpper(test.v.Name)); err != nil || got != test.v {
			t.Errorf("%s is not found: %v", test.v.Name, err)
		}
	}
	if _, err := Lookup("frisian"); !errors.Is(err, ErrUnknownVariant) || !strings.Contains(err.Error(), "international, czech") {
		t.Errorf("error %v", err)
	}
}

// The wide twin of the generator must be what go generate makes of the narrow.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	source, err := os.ReadFile("word.go")
	if err != nil {
		t.Fatal(err)
	}
	_, line, ok := bytes.Cut(source, []byte("//go:generate "))
	if !ok {
		t.Fatal("word.go has no go:generate line")
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	args := strings.Fields(string(line))
	dir := t.TempDir()
	var files []string
	for i, arg := range args {
		if filepath.Ext(arg) != ".go" {
			continue
		}
		narrow, err := os.ReadFile(arg)
		if err != nil {
			t.Fatal(err)
		}
		args[i] = filepath.Join(dir, arg)
		if err := os.WriteFile(args[i], narrow, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, "wide_"+arg)
	}
	if len(files) != 3 {
		t.Fatalf("%d files are generated", len(files))
	}
	if out, err := exec.CommandContext(context.Background(), args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	for _, name := range files {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v): run go generate", name, err)
		}
	}
}

func BenchmarkMoves(b *testing.B) {
	for _, bench := range []struct {
		name string
		v    *Variant
		fen  string
	}{
		{"kings", International, "W:WK46,K47,K48:BK5"},
		{"initial", International, "W:W31-50:B1-20"},
		{"captures", International, "W:WK47:B14,19,29,31,42"},
		{"wide", Canadian, "W:WK67,K68:BK6"},
		{"turkish", Turkish, "W:WKd1,a3,c3,e3:Bb6,d6,f6,Ke8"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p := mustParse(b, bench.v, bench.fen)
			dst := make([]Move, 0, 256)
			n := 0
			for b.Loop() {
				n += len(bench.v.Moves(p, dst[:0]))
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
