package svg

import (
	"image/color"
	"strconv"

	"threekings/draughts"
)

// Palette is the colours of a board.
type Palette struct {
	// Light and Dark squares; where every square plays they are the same, and Line
	// parts them.
	Light, Dark, Line color.NRGBA
	// Rim is around the board, Ink the names of squares on the rim, Number those
	// on dark squares.
	Rim, Ink, Number color.NRGBA
}

// boards are the colours of each variant's board: boards of the same size must
// not be taken for one another.
var boards = map[string]Palette{
	"international": board("#f3dfbf", "#b58153", "#5f3c22"),
	"canadian":      board("#f5e6d3", "#b8604a", "#5b2620"),
	"english":       board("#f4efcf", "#44805a", "#26452f"),
	"pool":          board("#ece5da", "#80705f", "#3d342b"),
	"russian":       board("#f2dcb8", "#96613f", "#4a2b18"),
	"czech":         board("#eef2f6", "#6583a6", "#2e4159"),
	"brazilian":     board("#f5f0d4", "#4b8f8c", "#1f4a4b"),
	"italian":       board("#f6f3e8", "#84916b", "#3f4832"),
	"spanish":       board("#f9ecd0", "#cc8a3e", "#6b4214"),
	"portuguese":    board("#f4e9e1", "#a25a66", "#57242e"),
	"turkish":       plain("#ecd3a4", "#a37c47", "#5d4220"),
	"armenian":      plain("#f3d8bf", "#b7735a", "#6a3426"),
}

// The colours that all boards share.
var (
	whitePiece = piece{face: hex("#fdf8ec"), edge: hex("#7d6748"), ring: hex("#d9c9a8"), crown: hex("#8a5a16")}
	blackPiece = piece{face: hex("#35302e"), edge: hex("#0f0d0c"), ring: hex("#6b625d"), crown: hex("#f2c14e")}
	shadow     = color.NRGBA{A: 0x40}

	values = [...]color.NRGBA{
		Plain:   hex("#2f6fb7"),
		Wins:    hex("#1f9254"),
		Draws:   hex("#e2b034"),
		Loses:   hex("#cf4035"),
		Unknown: hex("#8b8b8b"),
	}
)

// piece is the colours of a side's pieces.
type piece struct{ face, edge, ring, crown color.NRGBA }

// PaletteOf returns the colours of a variant's board.
func PaletteOf(v *draughts.Variant) Palette {
	if p, ok := boards[v.Name]; ok {
		return p
	}
	return boards[draughts.International.Name]
}

// ink returns the colour of what is written on a marked square.
func (v Value) ink() color.NRGBA {
	if v == Draws {
		return hex("#3d2f00")
	}
	return hex("#ffffff")
}

// Colour returns the colour that stands for a value, as #rrggbb.
func (v Value) Colour() string { return CSS(values[v]) }

func board(light, dark, rim string) Palette {
	p := Palette{Light: hex(light), Dark: hex(dark), Line: hex(dark), Rim: hex(rim), Ink: hex("#f4ead8")}
	p.Number = p.Light
	return p
}

func plain(square, line, rim string) Palette {
	p := board(square, square, rim)
	p.Line, p.Number = hex(line), hex(line)
	return p
}

// hex reads #rrggbb. It is for constants of this package.
func hex(text string) color.NRGBA {
	n, err := strconv.ParseUint(text[1:], 16, 24)
	if err != nil {
		panic("colour " + text)
	}
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}
}
