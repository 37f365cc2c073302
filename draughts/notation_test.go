package draughts

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustParse(t testing.TB, v *Variant, fen string) Position {
	t.Helper()
	s, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return s.Position
}

func TestEveryFormOfMoveIsRead(t *testing.T) {
	const ambiguous = "W:WK47:B14,19,29,31,42" // the diagram of the PDN 3.0 grammar
	for _, test := range []struct {
		v               *Variant
		fen, text, want string
	}{
		{International, "W:W31-50:B1-20", "32-28", "32-28"},
		{International, "W:W31-50:B1-20", " 032 - 28 ", "32-28"},
		{International, "W:W31-50:B1-20", "d4-e5", "32-28"},
		{International, "W:W31-50:B1-20", "d4e5", "32-28"},
		{International, "W:W28,32:B23", "28x19", "28x19"},
		{International, "W:W28,32:B23", "28:19", "28x19"},
		{International, "W:W28,32:B23", "28 X 19", ""},
		{International, "W:W28,32:B23", "28 x 19", "28x19"},
		{International, ambiguous, "47x38x24x13x36", "47x38x24x13x36"},
		{International, ambiguous, "47x38x20x9x36", "47x38x20x9x36"},
		{International, ambiguous, "47x13x36", "47x38x24x13x36"},
		{International, ambiguous, "47x9x36", "47x38x20x9x36"},
		{International, ambiguous, "47:38:9:36", "47x38x20x9x36"},
		{International, "W:W28:B12,13,22,23,33", "28x39", "28x39"},
		{International, "W:W28:B12,13,22,23,33", "28x19x8x17x28x39", "28x39"},
		{International, "W:W28:B12,13,22,23,33", "28x17x8x19x28x39", "28x39"},
		{International, "W:WK46:B37,28", "46x14", "46x14"},
		{Russian, "W:Wb6:Bc7,f6", "b6xd8xg5", "b6xg5"},
		{Russian, "W:Wb6:Bc7,f6", "b6d8h4", "b6xh4"},
		{Russian, "W:Wb6:Bc7,f6", "b6:g5", "b6xg5"},
		{Russian, "W:WKa1:Bc3,e5,g7", "a1xd4xf6xh8", "a1xh8"},
		{Brazilian, "W:W18:B15,14,7,6", "18x18", "18x18"},
		{English, "W:WK19:B15,14,22,23,16,24", "19x12", "19x12"},
		{English, "W:WK19:B15,14,22,23,16,24", "19x10x17x26x19x12", "19x26x17x10x19x12"},
		{English, "W:WK19:B15,14,22,23,16,24", "19x17x12", "19x26x17x10x19x12"},
		{Turkish, "W:WKa1:Ba3,c5,e3,Kc1,h8", "a1xa1", "a1xa1"},
	} {
		p := mustParse(t, test.v, test.fen)
		m, err := test.v.ParseMove(p, test.text)
		switch {
		case test.want == "":
			if err == nil {
				t.Errorf("%s %s: %q is %s", test.v.Name, test.fen, test.text, test.v.MoveText(p, m))
			}
		case err != nil:
			t.Errorf("%s %s: %v", test.v.Name, test.fen, err)
		case test.v.MoveText(p, m) != test.want:
			t.Errorf("%s %s: %q is %s, want %s", test.v.Name, test.fen, test.text, test.v.MoveText(p, m), test.want)
		}
	}
}

// A long king that goes straight on may land on any square between; the listed
// one is the nearest, others are read too.
func TestLandingSquaresInMidLineAreRead(t *testing.T) {
	p := mustParse(t, International, "W:WK46:B37,19")
	want, err := International.ParseMove(p, "46x5")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"46x32x5", "46x28x5", "46x23x5"} {
		if m, err := International.ParseMove(p, text); err != nil || m != want {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
}

func TestBadMoveSaysWhy(t *testing.T) {
	const start = "W:W31-50:B1-20"
	for _, test := range []struct {
		v               *Variant
		fen, text, want string
		kind            error
	}{
		{International, start, "", `bad move text "": it is empty`, ErrMoveText},
		{International, start, "32", `bad move text "32": one square is not a move`, ErrMoveText},
		{International, start, "32-", `bad move text "32-": a square is missing at the end`, ErrMoveText},
		{International, start, "-28", `bad move text "-28": a square was expected before "-28"`, ErrMoveText},
		{International, start, "32 28", `bad move text "32 28": a separator (-, x or :) was expected before "28"`, ErrMoveText},
		{International, start, "32-28-23", `bad move text "32-28-23": a move with - has two squares only`, ErrMoveText},
		{International, start, "32-28x23", `bad move text "32-28x23": a move with - has two squares only`, ErrMoveText},
		{International, start, "32-51", `bad move text "32-51": "51" is not on the board, which has squares 1 to 50`, ErrMoveText},
		{International, start, "32-a", `bad move text "32-a": "a" is not a square`, ErrMoveText},
		{International, start, "1-0", `bad move text "1-0": "0" is not on the board, which has squares 1 to 50`, ErrMoveText},
		{International, start, "0-2", `bad move text "0-2": "0" is not on the board, which has squares 1 to 50`, ErrMoveText},
		{International, start, "2-0", `bad move text "2-0": "0" is not on the board, which has squares 1 to 50`, ErrMoveText},
		{International, start, "1/2-1/2", `bad move text "1/2-1/2": a separator (-, x or :) was expected before "/2-1/2"`, ErrMoveText},
		{International, start, "*", `bad move text "*": a square was expected before "*"`, ErrMoveText},
		{International, start, "1-1", `illegal move "1-1": the piece on 1 is black, and white is to move`, ErrIllegalMove},
		{International, start, "28-22", `illegal move "28-22": there is no piece on 28`, ErrIllegalMove},
		{International, start, "37-32", `illegal move "37-32": the piece on 37 cannot move`, ErrIllegalMove},
		{International, start, "32-29", `illegal move "32-29": the moves from 32 are: 32-27, 32-28`, ErrIllegalMove},
		{International, start, "32x28", `illegal move "32x28": it captures nothing, and is written: 32-28`, ErrIllegalMove},
		{International, "W:W28,32:B23", "28-19", `illegal move "28-19": it is a capture, written: 28x19`, ErrIllegalMove},
		{International, "W:W28,32:B23", "32-27", `illegal move "32-27": the legal captures are: 28x19`, ErrIllegalMove},
		{International, "W:WK47:B14,19,29,31,42", "47x36", `ambiguous move "47x36": it may mean any of several captures: 47x38x20x9x36, 47x38x24x13x36`, ErrAmbiguousMove},
		{International, "W:WK47:B14,19,29,31,42", "47x38x36", `ambiguous move "47x38x36": it may mean any of several captures: 47x38x20x9x36, 47x38x24x13x36`, ErrAmbiguousMove},
		{International, "W:WK47:B14,19,29,31,42", "47x15x36", `illegal move "47x15x36": no capture goes over these squares; there is: 47x38x20x9x36, 47x38x24x13x36`, ErrIllegalMove},
		{International, start, strings.Repeat("1", 600), `bad move text "11111111111111111111111111111111"...: it is longer than 512 bytes`, ErrMoveText},
	} {
		_, err := test.v.ParseMove(mustParse(t, test.v, test.fen), test.text)
		if !errors.Is(err, test.kind) || err.Error() != test.want {
			t.Errorf("%s %q:\n%v, want\n%s", test.v.Name, test.text, err, test.want)
		}
	}
}

func TestMoveRoundTrip(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := positions(v, v.Squares()/3).Draw(t, "position")
				moves := v.Moves(p, nil)
				texts := v.MoveTexts(p, moves)
				seen := map[string]bool{}
				for i, m := range moves {
					if seen[texts[i]] {
						t.Fatalf("%s: two moves %s", v.FEN(p), texts[i])
					}
					seen[texts[i]] = true
					if got, err := v.ParseMove(p, texts[i]); err != nil || got != m {
						t.Fatalf("%s: %s is read as %+v, %v", v.FEN(p), texts[i], got, err)
					}
					if got, err := v.ParseHubMove(p, v.HubMove(m)); err != nil || got != m {
						t.Fatalf("%s: %s is read as %+v, %v", v.FEN(p), v.HubMove(m), got, err)
					}
					for path := range v.Paths(p, m) {
						full := v.SquareName(m.From)
						for _, s := range path {
							full += "x" + v.SquareName(s)
						}
						if got, err := v.ParseMove(p, full); err != nil || got != m {
							t.Fatalf("%s: %s, played as %s, is read as %+v, %v", v.FEN(p), texts[i], full, got, err)
						}
					}
				}
			})
		})
	}
}

// The search behind Paths and the generator's are apart; they must count the
// same ways, in both conventions.
func TestPathsAreTheWaysThatPerftCounts(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				for range 10 {
					p := positions(v, v.Squares()/3).Draw(t, "position")
					for _, midLine := range []bool{false, true} {
						counting := Keep
						if midLine {
							counting = Path
						}
						want := map[Move]int{}
						for _, m := range v.capturesCounted(p, counting, nil) {
							want[m]++
						}
						for _, m := range v.Captures(p, nil) {
							got := 0
							seen := map[string]bool{}
							for path := range v.paths(p, m, midLine) {
								got++
								key := string(squareBytes(path))
								if seen[key] || path[len(path)-1] != m.To || len(path) != m.Captured.Len() {
									t.Fatalf("%s: %s has path %v", v.FEN(p), inFull(v, m), path)
								}
								seen[key] = true
							}
							if got != want[m] {
								t.Fatalf("%s: %s can be played in %d ways, want %d", v.FEN(p), inFull(v, m), got, want[m])
							}
						}
					}
				}
			})
		})
	}
}

func squareBytes(path []Square) []byte {
	var b []byte
	for _, s := range path {
		b = append(b, byte(s))
	}
	return b
}

func TestWhatIsNoLegalCaptureHasNoPath(t *testing.T) {
	p := mustParse(t, International, "W:W28,32:B23")
	for _, m := range []Move{{From: 31, To: 26}, {From: 27, To: 17, Captured: SetOf(22)}, {From: 5, To: 18, Captured: SetOf(22)}, {From: 27, To: 18, Captured: SetOf(22, 23)}, {From: 27, To: 18, Captured: SetOf(22), Promotes: true}} {
		for path := range International.Paths(p, m) {
			t.Errorf("%+v: %v", m, path)
		}
	}
}

// Positions found by climbing towards the most work for the capture search,
// with as many pieces as a side may have: one move of text must not take long.
func TestCrowdedBoardsTakeBoundedTime(t *testing.T) {
	for _, test := range []struct {
		v     *Variant
		fen   string
		moves int
	}{
		{Turkish, "W:WKg4:BKd1,Kc2,Kf2,Ka3,Kd3,Kg3,Kb4,Ke4,Kh4,Kc5,Kg5,Ka6,Kd6,Kb7,Kf7,Ke8", 64},
		{Turkish, "W:WKa1,Kh1,Kc4,Ka8:BKc1,Kf1,Ke2,Kg2,Kc3,Kf3,Ka4,Kb4,Ke4,Kd5,Kg5,Kh5,Kf6,Kc7,Kc8,Kf8", 227},
		{Canadian, "W:WK26,K42,K61,K66:BK10,K11,K12,K13,K15,K20,K21,K23,K24,K32,K33,K36,K39,K41,K44,K46,K47,K56,K57,K58,K59,K65,K72", 6},
		{Canadian, "W:WK6,K18,K43,K67:BK8,K10,K11,K12,K15,K20,K21,K24,K27,K32,K34,K36,K37,K41,K46,K47,K49,K50,K58,K59,K61,K62,K63,K65,K72", 49},
	} {
		p := mustParse(t, test.v, test.fen)
		moves := test.v.Moves(p, nil)
		if len(moves) != test.moves {
			t.Errorf("%s: %d moves, want %d", test.fen, len(moves), test.moves)
		}
		texts := test.v.MoveTexts(p, moves)
		for i, m := range moves[:min(len(moves), 4)] {
			if got, err := test.v.ParseMove(p, texts[i]); err != nil || got != m {
				t.Errorf("%s: %s is read as %+v, %v", test.fen, texts[i], got, err)
			}
		}
	}
}

func FuzzMove(f *testing.F) {
	addFENs(f, func(variant byte, fen string) {
		v := variantOf(variant)
		setup, err := v.ParseFEN(fen)
		if err != nil {
			return
		}
		moves := v.Moves(setup.Position, nil)
		for _, text := range v.MoveTexts(setup.Position, moves[:min(len(moves), 3)]) {
			f.Add(variant, fen, text)
		}
	})
	f.Add(byte(0), "W:WK47:B14,19,29,31,42", "47x36")
	f.Add(byte(3), "W:Wb6:Bc7,f6", "b6d8 h4")
	f.Add(byte(0), "W:W31-50:B1-20", "1/2-1/2")
	f.Fuzz(func(t *testing.T, variant byte, fen, text string) {
		v := variantOf(variant)
		setup, err := v.ParseFEN(fen)
		if err != nil {
			return
		}
		p := setup.Position
		m, err := v.ParseMove(p, text)
		if err != nil {
			if !errors.Is(err, ErrMoveText) && !errors.Is(err, ErrIllegalMove) && !errors.Is(err, ErrAmbiguousMove) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if !slices.Contains(v.Moves(p, nil), m) {
			t.Fatalf("%q is read as %+v, which is not legal", text, m)
		}
		if again, err := v.ParseMove(p, v.MoveText(p, m)); err != nil || again != m {
			t.Fatalf("%s is read back as %+v, %v", v.MoveText(p, m), again, err)
		}
	})
}
