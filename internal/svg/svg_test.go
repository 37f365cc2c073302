package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"threekings/draughts"
	"threekings/tables"
)

// elements counts the elements of an SVG by name, and fails on what is no XML.
func elements(t interface{ Fatal(...any) }, text []byte) map[string]int {
	counts := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
		}
	}
}

func parse(t testing.TB, v *draughts.Variant, fen string) draughts.Position {
	t.Helper()
	setup, err := v.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return setup.Position
}

func TestEveryVariantHasItsOwnBoard(t *testing.T) {
	seen := map[Palette]string{}
	for _, v := range draughts.Variants() {
		p, ok := boards[v.Name]
		if !ok {
			t.Errorf("%s has no colours", v.Name)
		}
		if other := seen[p]; other != "" {
			t.Errorf("%s looks like %s", v.Name, other)
		}
		seen[p] = v.Name

		d := &Diagram{Variant: v, Position: v.Initial()}
		text, err := d.SVG()
		if err != nil {
			t.Fatal(err)
		}
		counts := elements(t, text)
		// A man is seven circles, the sign of the side to move two.
		if want := 7*v.Initial().Len() + 2; counts["circle"] != want {
			t.Errorf("%s: %d circles of %d", v.Name, counts["circle"], want)
		}
		labels := v.Squares()
		if v.Algebraic {
			labels = v.Width + v.Height
		}
		if counts["text"] != labels {
			t.Errorf("%s: %d labels of %d", v.Name, counts["text"], labels)
		}
	}
}

func TestWidthOfPNG(t *testing.T) {
	for width, want := range map[int]int{0: DefaultWidth, MinWidth: MinWidth, 301: 301} {
		picture, err := (&Diagram{Variant: draughts.Canadian, Position: draughts.Canadian.Initial()}).PNG(width)
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil || config.Width != want || config.Height != want {
			t.Errorf("%d: %+v, %v", width, config, err)
		}
	}
}

// The names of squares must be legible: WCAG asks for a contrast of 3 for
// graphics and large letters.
func TestNumbersStandOut(t *testing.T) {
	for name, p := range boards {
		if c := contrast(p.Ink, p.Rim); c < 4.5 {
			t.Errorf("%s: %.1f on the rim", name, c)
		}
		if c := contrast(p.Number, p.Dark); c < 2.4 {
			t.Errorf("%s: %.1f on squares", name, c)
		}
	}
}

func contrast(a, b color.NRGBA) float64 {
	light := func(c color.NRGBA) float64 {
		part := func(n uint8) float64 {
			f := float64(n) / 255
			if f <= 0.03928 {
				return f / 12.92
			}
			return math.Pow((f+0.055)/1.055, 2.4)
		}
		return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B) + 0.05
	}
	return max(light(a)/light(b), light(b)/light(a))
}

// A square's colour in the PNG is where the rules put its piece, whichever way
// the board is turned.
func TestPiecesStandWhereTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom(draughts.Variants()).Draw(t, "variant")
		s := draughts.Square(rapid.IntRange(0, v.Squares()-1).Draw(t, "square"))
		c := rapid.SampledFrom([]draughts.Color{draughts.White, draughts.Black}).Draw(t, "side")
		flipped := rapid.Bool().Draw(t, "flipped")
		var p draughts.Position
		p.Put(c, draughts.King, s)
		text, err := (&Diagram{Variant: v, Position: p, Flipped: flipped}).PNG(200)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		row, col := v.RowOf(s)
		if flipped {
			row, col = v.Height-1-row, v.Width-1-col
		}
		// A little right of the left edge of the piece: face, not crown or ring.
		scale := 200 / (2*rim + cell*float64(v.Width))
		x, y := rim+cell*(float64(col)+0.5)-0.37*cell*0.87, rim+cell*(float64(row)+0.5)
		r, _, _, _ := img.At(int(x*scale), int(y*scale)).RGBA()
		if (r>>8 > 0x80) != (c == draughts.White) {
			t.Errorf("%s: %s on %s is drawn with red %#x", v.Name, c, v.SquareName(s), r>>8)
		}
	})
}

func TestMarksAndArrowsHaveTheColoursOfTheirValues(t *testing.T) {
	v := draughts.International
	d := &Diagram{
		Variant: v, Position: parse(t, v, "W:WK7:BK45"),
		Marks:  []Mark{{0, Wins}, {1, Draws}, {2, Loses}, {3, Unknown}, {44, Plain}},
		Arrows: []Arrow{{[]draughts.Square{6, 10}, Wins}, {[]draughts.Square{44, 33, 39}, Loses}},
	}
	text, err := d.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for value := Plain; value <= Unknown; value++ {
		if !bytes.Contains(text, []byte(value.Colour())) {
			t.Errorf("nothing has the colour of %d", value)
		}
	}
	for _, want := range []string{">+<", ">=<", ">–<", ">?<", "<title>International draughts. white: king 7. black: king 45. white to move.</title>"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
	// Heads of two arrows and two crowns are polygons; so are the three legs.
	if got := elements(t, text)["polygon"]; got != 7 {
		t.Errorf("%d polygons", got)
	}
}

func TestValuesOfOutcomes(t *testing.T) {
	if ValueOf(tables.Win) != Wins || ValueOf(tables.Draw) != Draws || ValueOf(tables.Loss) != Loses {
		t.Error("outcomes are mixed up")
	}
}

func TestWhatCannotBeDrawnIsAnError(t *testing.T) {
	v := draughts.English
	for want, d := range map[string]*Diagram{
		"mark on square 32: the board has 32":            {Variant: v, Marks: []Mark{{Square: 32}}},
		"arrow 1 has 1 squares: an arrow needs two":      {Variant: v, Arrows: []Arrow{{Squares: []draughts.Square{1}}}},
		"arrow 1: square 255: the board has 32":          {Variant: v, Arrows: []Arrow{{Squares: []draughts.Square{1, draughts.NoSquare}}}},
		"a width of 99 pixels: it must be from 100 to 4": {Variant: v},
	} {
		_, err := d.PNG(99)
		if !strings.HasPrefix(want, "a width") {
			_, err = d.SVG()
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

func TestTheSameDiagramGivesTheSameBytes(t *testing.T) {
	d := &Diagram{Variant: draughts.Turkish, Position: draughts.Turkish.Initial()}
	for _, draw := range []func() ([]byte, error){d.SVG, func() ([]byte, error) { return d.PNG(300) }} {
		a, errA := draw()
		b, errB := draw()
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%v, %v, or not the same", errA, errB)
		}
	}
}
