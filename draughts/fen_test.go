package draughts

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEveryFormOfFENIsRead(t *testing.T) {
	for _, test := range []struct {
		v         *Variant
		fen, want string
	}{
		{International, "W:W31-50:B1-20", "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"},
		{International, "B:W18,24,K10:B12,K22", "B:W18,24,K10:B12,K22"},
		{International, "W:B12,K22:W18", "W:W18:B12,K22"},
		{International, "W:W28", "W:W28:B"},
		{International, "W:W:B1", "W:W:B1"},
		{International, "W:W28:B", "W:W28:B"},
		{International, " W : W 28 , K 7 : B K 1 - 3 , 0012 . ", "W:W28,K7:B12,K1,K2,K3"},
		{International, "W:W28:B3.", "W:W28:B3"},
		{International, "W:WK1-3,K5,6:B4", "W:W6,K1,K2,K3,K5:B4"},
		{International, "W:W10-10:B4", "W:W10:B4"},
		{International, "W:Wa1,Kj10,c5:B6", "W:W27,46,K5:B6"},
		{International, "W:W28:B3:H12:F7", "W:W28:B3:H12"},
		{International, "W:W28:B3:F7:H0", "W:W28:B3:H0"},
		{International, "W:W28:H1:B3:+0+2:Xyz", "W:W28:B3:H1"},
		{Canadian, "W:Wk1,Kk11:BKl12", "W:W72,K12:BK6"},
		{Russian, "W:Wd4,f2:Be5,g7,Ke3,c5", "W:Wf2,d4:Bc5,e5,g7,Ke3"},
		{Russian, "W:W31:B1", "W:We1:Bb8"},
		{Pool, "W:Wd4,f2:Be5", "W:W18,27:B15"},
		{Turkish, "B:Wa1,Kh1:Bh8", "B:Wa1,Kh1:Bh8"},
	} {
		got, err := test.v.ParseFEN(test.fen)
		if err != nil || test.v.SetupFEN(got) != test.want {
			t.Errorf("%s %q: %q, %v, want %q", test.v.Name, test.fen, test.v.SetupFEN(got), err, test.want)
		}
	}
}

func TestFENCountersAreKept(t *testing.T) {
	got, err := International.ParseFEN("W:W28:B3:H16:F42")
	if err != nil || !got.HasCount || got.Count != 16 || !got.HasFullMove || got.FullMove != 42 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = International.ParseFEN("W:W28:B3")
	if err != nil || got.HasCount || got.Count != 0 || got.HasFullMove || got.FullMove != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestBadFENSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		v         *Variant
		fen, want string
	}{
		{International, "", `bad FEN: turn: the side to move, W or B, is missing`},
		{International, "x", `bad FEN: turn: found "x" at offset 0: the side to move must be W or B`},
		{International, "w:W28:B3", `bad FEN: turn: found "w" at offset 0: the side to move must be W or B`},
		{International, `"W:W28:B3"`, `bad FEN: turn: found "\"W" at offset 0: the side to move must be W or B`},
		{International, "?:W28:B3", `bad FEN: turn: found "?" at offset 0: the side to move is unknown; it must be W or B`},
		{International, ":W28:B3", `bad FEN: turn: the side to move, W or B, is missing`},
		{International, "W:", `bad FEN: fields: there is nothing between or after colons`},
		{International, "W::W28", `bad FEN: fields: there is nothing between or after colons`},
		{International, "W:w28:B3", `bad FEN: fields: found "w28" at offset 2: a list of pieces begins with W or B`},
		{International, "W:28:B3", `bad FEN: fields: found "28" at offset 2: a list of pieces begins with W or B`},
		{International, "W:W28:W3", `bad FEN: white pieces: found "3" at offset 7: these pieces are listed twice`},
		{International, "W:W28:B3:B", `bad FEN: black pieces: these pieces are listed twice`},
		{International, "W:W28,:B3", `bad FEN: white pieces: a square is missing`},
		{International, "W:WK:B3", `bad FEN: white pieces: a square is missing`},
		{International, "W:W28 29:B3", `bad FEN: white pieces: found "28 29" at offset 3: not a square`},
		{International, "W:W28:B-3", `bad FEN: black pieces: a square is missing`},
		{International, "W:W28:B3-", `bad FEN: black pieces: a square is missing`},
		{International, "W:W28:BK3-K5", `bad FEN: black pieces: found "K5" at offset 10: not a square`},
		{International, "W:W9-7:B3", `bad FEN: white pieces: found "9-7" at offset 3: the range runs backward`},
		{International, "W:W20-51:B3", `bad FEN: white pieces: found "51" at offset 6: not on the board, which has squares 1 to 50`},
		{International, "W:Wa1-c1:B3", `bad FEN: white pieces: found "a1-c1" at offset 3: a range needs numbers`},
		{International, "W:W0:B3", `bad FEN: white pieces: found "0" at offset 3: not on the board, which has squares 1 to 50`},
		{International, "W:W51:B3", `bad FEN: white pieces: found "51" at offset 3: not on the board, which has squares 1 to 50`},
		{International, "W:W99999999999999999999999999999999999:B3", `bad FEN: white pieces: found "99999999999999999999999999999999"... at offset 3: not on the board, which has squares 1 to 50`},
		{International, "W:W1-99999999999999999999:B3", `bad FEN: white pieces: found "99999999999999999999" at offset 5: not on the board, which has squares 1 to 50`},
		{International, "W:Wa2:B3", `bad FEN: white pieces: found "a2" at offset 3: on the board, but pieces do not play on squares of its colour`},
		{International, "W:Wk1:B3", `bad FEN: white pieces: found "k1" at offset 3: not on the board, which has squares a1 to j10`},
		{International, "W:Wa11:B3", `bad FEN: white pieces: found "a11" at offset 3: not on the board, which has squares a1 to j10`},
		{International, "W:WQ28:B3", `bad FEN: white pieces: found "Q28" at offset 3: not a square`},
		{International, "W:W28:BG3", `bad FEN: black pieces: found "G3" at offset 7: pieces in the middle of being captured (G, P) cannot be set up`},
		{International, "W:W28,28:B3", `bad FEN: white pieces: found "28" at offset 6: there already is a piece on 28`},
		{International, "W:W28:B20-30", `bad FEN: black pieces: found "20-30" at offset 7: there already is a piece on 28`},
		{International, "W:W28:B3:H", `bad FEN: H: a number is missing`},
		{International, "W:W28:B3:H-1", `bad FEN: H: found "-1" at offset 10: a number was expected`},
		{International, "W:W28:B3:H99999999999999999999", `bad FEN: H: found "99999999999999999999" at offset 10: numbers above 1000000 are not accepted`},
		{International, "W:W28:B3:H1:H1", `bad FEN: H: found "1" at offset 13: the field is given twice`},
		{International, "W:W28:B3:F", `bad FEN: F: a number is missing`},
		{International, "W:W28:B" + strings.Repeat(" ", 5000), `bad FEN: length: 5007 bytes are more than the 4096 that are read`},
		{Turkish, "W:W12:B3", `bad FEN: white pieces: found "12" at offset 3: Turkish squares have no numbers, only names such as a1`},
		{Russian, "W:Wi1:Bb8", `bad FEN: white pieces: found "i1" at offset 3: not on the board, which has squares a1 to h8`},
	} {
		_, err := test.v.ParseFEN(test.fen)
		if !errors.Is(err, ErrFEN) || errors.Is(err, ErrIllegalPosition) || err.Error() != test.want {
			t.Errorf("%s %q:\n%v, want\n%s", test.v.Name, test.fen, err, test.want)
			continue
		}
		var e *FENError
		if errors.As(err, &e); e.FEN != test.fen || !strings.HasPrefix(test.fen[e.Offset:], e.Found) {
			t.Errorf("%s %q: offset %d does not have %q", test.v.Name, test.fen, e.Offset, e.Found)
		}
	}
}

func TestIllegalPositionSaysWhy(t *testing.T) {
	for _, test := range []struct {
		v         *Variant
		fen, want string
	}{
		{International, "W:W:B", "illegal position: there are no pieces"},
		{International, "W", "illegal position: there are no pieces"},
		{International, "W:W1,5:B20", "illegal position: a white man stands on 1, 5, where it would be a king"},
		{International, "W:W20:B46", "illegal position: a black man stands on 46, where it would be a king"},
		{International, "W:W25-45:B1", "illegal position: white has 21 pieces, but begins with 20"},
		{Spanish, "W:W32:B20", "illegal position: a white man stands on 32, where it would be a king"},
		{Turkish, "W:Wa8:Bb1", "illegal position: a white man stands on a8, where it would be a king"},
		{Turkish, "W:Wa7:Bb1", "illegal position: a black man stands on b1, where it would be a king"},
	} {
		_, err := test.v.ParseFEN(test.fen)
		if !errors.Is(err, ErrIllegalPosition) || errors.Is(err, ErrFEN) || err.Error() != test.want {
			t.Errorf("%s %q:\n%v, want\n%s", test.v.Name, test.fen, err, test.want)
		}
	}
}

func TestCheckOfPositionsThatNoFENGives(t *testing.T) {
	put := func(pieces ...func(p *Position)) Position {
		var p Position
		for _, f := range pieces {
			f(&p)
		}
		return p
	}
	piece := func(c Color, k Kind, s Square) func(*Position) { return func(p *Position) { p.Put(c, k, s) } }
	for _, test := range []struct {
		p    Position
		want string
	}{
		{put(piece(White, Man, 20), piece(White, King, 20)), "illegal position: two pieces stand on 21"},
		{put(piece(White, Man, 20), piece(Black, King, 20)), "illegal position: two pieces stand on 21"},
		{put(piece(White, King, 50)), "illegal position: a white king is beyond the board's 50 squares"},
		{put(piece(Black, Man, 71)), "illegal position: a black man is beyond the board's 50 squares"},
		{put(piece(Black, Man, 7)).WithSide(7), "illegal position: the side to move is neither white nor black"},
	} {
		err := International.Check(test.p)
		if !errors.Is(err, ErrIllegalPosition) || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	for _, v := range Variants() {
		if err := v.Check(v.Initial()); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

// Passes and Check say the same of any bits: pieces on each other, beyond the
// board, on promotion rows, too many of them, none.
func TestPassesIsCheckWithoutAReason(t *testing.T) {
	for _, v := range Variants() {
		said := map[bool]int{}
		rapid.Check(t, func(t *rapid.T) {
			p := positions(v, v.Squares()/2).Draw(t, "position")
			for range rapid.IntRange(0, 2).Draw(t, "more") {
				p.Put(Color(rapid.IntRange(0, 1).Draw(t, "color")), Kind(rapid.IntRange(0, 1).Draw(t, "kind")), Square(rapid.IntRange(0, 71).Draw(t, "square")))
			}
			if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
				p = p.WithSide(Color(rapid.IntRange(0, 255).Draw(t, "side")))
			}
			want := v.Check(p) == nil
			if got := v.Passes(&p); got != want {
				t.Fatalf("%s: %+v: %t, want %t", v.Name, p, got, want)
			}
			said[want]++
		})
		if said[true] == 0 || said[false] == 0 {
			t.Errorf("%s: %v", v.Name, said)
		}
		if p := (Position{}); v.Passes(&p) {
			t.Errorf("%s: the empty board passes", v.Name)
		}
	}
}

func TestInitialFENIsTheOneInTheTruth(t *testing.T) {
	seen := map[*Variant]bool{}
	for _, r := range perftTruth(t, 0, 100) {
		if r.depth == 1 && !seen[r.variant] {
			seen[r.variant] = true
			if fen := r.variant.FEN(r.variant.Initial()); fen != r.fen {
				t.Errorf("%s begins with %s, want %s", r.variant.Name, fen, r.fen)
			}
		}
	}
	if len(seen) != len(Variants()) {
		t.Errorf("%d variants seen", len(seen))
	}
}

func TestFENRoundTrip(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				want := Setup{Position: positions(v, v.Squares()/2).Draw(t, "position")}
				if want.HasCount = rapid.Bool().Draw(t, "counted"); want.HasCount {
					want.Count = rapid.IntRange(0, MaxCount).Draw(t, "count")
				}
				fen := v.SetupFEN(want)
				got, err := v.ParseFEN(fen)
				if err != nil || got != want {
					t.Fatalf("%s: %+v, %v", fen, got, err)
				}
				if again := v.SetupFEN(got); again != fen {
					t.Fatalf("%s is written again as %s", fen, again)
				}
			})
		})
	}
}

// addFENs seeds a fuzz target with the positions of the truth files.
func addFENs(f *testing.F, add func(variant byte, fen string)) {
	index := map[string]byte{}
	for i, v := range Variants() {
		index[v.Name] = byte(i)
	}
	for _, row := range readCSV(f, "legal-moves.csv", "variant", "fen", "legal moves", "source", "what it tests") {
		if i, ok := index[row[0]]; ok {
			add(i, row[1])
		}
	}
	add(0, " W : W K 1 - 5, 12 : B 33 :H12:F3:+0+0.")
	add(0, "W:W1-99999999999999999999:B")
	add(10, "?:Wa1")
}

func variantOf(i byte) *Variant { return Variants()[int(i)%len(Variants())] }

func FuzzFEN(f *testing.F) {
	addFENs(f, func(variant byte, fen string) { f.Add(variant, fen) })
	f.Fuzz(func(t *testing.T, variant byte, fen string) {
		v := variantOf(variant)
		got, err := v.ParseFEN(fen)
		if err != nil {
			if !errors.Is(err, ErrFEN) && !errors.Is(err, ErrIllegalPosition) || err.Error() == "" {
				t.Fatalf("error %v", err)
			}
			if got != (Setup{}) {
				t.Fatalf("error %v with a setup", err)
			}
			return
		}
		if err := v.Check(got.Position); err != nil {
			t.Fatal(err)
		}
		got.FullMove, got.HasFullMove = 0, false // never written
		if again, err := v.ParseFEN(v.SetupFEN(got)); err != nil || again != got {
			t.Fatalf("%s is read back as %+v, %v", v.SetupFEN(got), again, err)
		}
	})
}
