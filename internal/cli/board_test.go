package cli

import (
	"testing"

	"threekings/draughts"
)

func TestBoardsAreDrawnAsWhiteSeesThem(t *testing.T) {
	for _, test := range []struct {
		variant *draughts.Variant
		fen     string
		want    string
	}{
		{draughts.English, "W:W32,K1:B5,K31", `
   1    W   .   .   .   4
   5  b   .   .   .     8
   9    .   .   .   .  12
  13  .   .   .   .    16
  17    .   .   .   .  20
  21  .   .   .   .    24
  25    .   .   .   .  28
  29  .   .   B   w    32
`},
		{draughts.Spanish, "W:W1:BK32", `
  32  B   .   .   .    29
  28    .   .   .   .  25
  24  .   .   .   .    21
  20    .   .   .   .  17
  16  .   .   .   .    13
  12    .   .   .   .   9
   8  .   .   .   .     5
   4    .   .   .   w   1
`},
		{draughts.Turkish, "W:Wa2:BKh8", `
   8  . . . . . . . B
   7  . . . . . . . .
   6  . . . . . . . .
   5  . . . . . . . .
   4  . . . . . . . .
   3  . . . . . . . .
   2  w . . . . . . .
   1  . . . . . . . .
      a b c d e f g h
`},
	} {
		setup, err := test.variant.ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := "\n" + boardText(test.variant, setup.Position); got != test.want {
			t.Errorf("%s %s:%s", test.variant.Name, test.fen, got)
		}
	}
}
