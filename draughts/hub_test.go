package draughts

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHubPositionOfTheInitialPosition(t *testing.T) {
	want := "W" + strings.Repeat("b", 20) + strings.Repeat("e", 10) + strings.Repeat("w", 20)
	if got := International.HubPosition(International.Initial()); got != want || len(got) != 51 {
		t.Errorf("%s, want %s", got, want)
	}
	// Spanish numbers run from White's side.
	want = "W" + strings.Repeat("w", 12) + strings.Repeat("e", 8) + strings.Repeat("b", 12)
	if got := Spanish.HubPosition(Spanish.Initial()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Turkish squares are taken from the top left.
	want = "W" + strings.Repeat("e", 8) + strings.Repeat("b", 16) + strings.Repeat("e", 16) + strings.Repeat("w", 16) + strings.Repeat("e", 8)
	if got := Turkish.HubPosition(Turkish.Initial()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestHubMoveNamesCapturedSquares(t *testing.T) {
	p := mustParse(t, International, "W:WK47:B14,19,29,31,42")
	m, err := International.ParseMove(p, "47x38x24x13x36")
	if err != nil {
		t.Fatal(err)
	}
	want := International.HubMove(m)
	if !strings.HasPrefix(want, "47x36x") {
		t.Fatal(want)
	}
	for _, text := range []string{want, "47x36x42x31x" + strings.Join(others(want, "42", "31"), "x")} {
		if got, err := International.ParseHubMove(p, text); err != nil || got != m {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	quiet, err := International.ParseHubMove(International.Initial(), "32-28")
	if err != nil || International.HubMove(quiet) != "32-28" {
		t.Errorf("%+v, %v", quiet, err)
	}
}

// others returns the captured squares of a Hub capture that are not among those
// given.
func others(text string, given ...string) []string {
	var rest []string
next:
	for _, s := range strings.Split(text, "x")[2:] {
		for _, g := range given {
			if s == g {
				continue next
			}
		}
		rest = append(rest, s)
	}
	return rest
}

func TestBadHubTextSaysWhy(t *testing.T) {
	e50 := strings.Repeat("e", 50)
	for _, test := range []struct{ text, want string }{
		{"", `bad Hub position: "": 0 characters, want 51`},
		{"W" + e50[1:], `bad Hub position: "Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"...: 50 characters, want 51`},
		{"w" + e50, `bad Hub position: "weeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"...: the side to move must be W or B`},
		{"W" + e50[5:] + "xwwww", `bad Hub position: found "xwwww" at offset 46: a square must be one of w, b, W, B, e`},
		{"W" + e50, `illegal position: there are no pieces`},
		{"Ww" + e50[1:], `illegal position: a white man stands on 1, where it would be a king`},
	} {
		_, err := International.ParseHubPosition(test.text)
		if !errors.Is(err, ErrHub) && !errors.Is(err, ErrIllegalPosition) || err.Error() != test.want {
			t.Errorf("%q:\n%v, want\n%s", test.text, err, test.want)
		}
	}
	p := mustParse(t, International, "W:W28,32:B23")
	for _, test := range []struct {
		text, want string
		kind       error
	}{
		{"28x19x23x23", `bad move text "28x19x23x23": a captured square is named twice`, ErrMoveText},
		{"28x19", `bad move text "28x19": a capture names the captured squares`, ErrMoveText},
		{"28", `bad move text "28": one square is not a move`, ErrMoveText},
		{"28-19-23", `bad move text "28-19-23": a move with - has two squares only`, ErrMoveText},
		{"28x51x23", `bad move text "28x51x23": "51" is not a square number from 1 to 50`, ErrMoveText},
		{"28xx23", `bad move text "28xx23": "" is not a square number from 1 to 50`, ErrMoveText},
		{"32-27", `illegal move "32-27": no legal move has these ends and captures these pieces`, ErrIllegalMove},
		{strings.Repeat("1x", 300), `bad move text "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x"...: it is longer than 512 bytes`, ErrMoveText},
	} {
		_, err := International.ParseHubMove(p, test.text)
		if !errors.Is(err, test.kind) || err.Error() != test.want {
			t.Errorf("%q:\n%v, want\n%s", test.text, err, test.want)
		}
	}
}

func TestHubPositionRoundTrip(t *testing.T) {
	for _, v := range Variants() {
		rapid.Check(t, func(t *rapid.T) {
			p := positions(v, v.Squares()/2).Draw(t, "position")
			if got, err := v.ParseHubPosition(v.HubPosition(p)); err != nil || got != p {
				t.Fatalf("%s %s: %+v, %v", v.Name, v.HubPosition(p), got, err)
			}
		})
	}
}

func FuzzHub(f *testing.F) {
	addFENs(f, func(variant byte, fen string) {
		v := variantOf(variant)
		setup, err := v.ParseFEN(fen)
		if err != nil {
			return
		}
		move := ""
		if moves := v.Moves(setup.Position, nil); len(moves) > 0 {
			move = v.HubMove(moves[0])
		}
		f.Add(variant, v.HubPosition(setup.Position), move)
	})
	f.Fuzz(func(t *testing.T, variant byte, position, move string) {
		v := variantOf(variant)
		p, err := v.ParseHubPosition(position)
		if err != nil {
			if !errors.Is(err, ErrHub) && !errors.Is(err, ErrIllegalPosition) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if again := v.HubPosition(p); again != position {
			t.Fatalf("%s is written again as %s", position, again)
		}
		m, err := v.ParseHubMove(p, move)
		if err != nil {
			if !errors.Is(err, ErrMoveText) && !errors.Is(err, ErrIllegalMove) && !errors.Is(err, ErrAmbiguousMove) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if again, err := v.ParseHubMove(p, v.HubMove(m)); err != nil || again != m {
			t.Fatalf("%s is read back as %+v, %v", v.HubMove(m), again, err)
		}
	})
}
