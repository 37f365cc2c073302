package svg

import (
	"image/color"
	"math"

	"threekings/draughts"
)

// Measures, in units of the drawing.
const (
	cell  = 48.0 // a square's side
	rim   = 20.0 // around the board
	small = 9.5  // height of letters
)

// point is a place in the drawing, y downward.
type point struct{ x, y float64 }

// shape is one thing drawn: a filled polygon, a filled circle, or a text.
type shape struct {
	fill    color.NRGBA
	polygon []point
	// at is the centre of a circle of this radius, or of a text; a text on a start
	// begins there.
	at     point
	radius float64
	text   string
	size   float64
	start  bool
	bold   bool
}

// drawing is a list of shapes, each above those before it.
type drawing struct {
	*Diagram
	width, height float64
	shapes        []shape
}

// draw turns a diagram into shapes.
func (d *Diagram) draw() (*drawing, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	v := d.Variant
	g := &drawing{
		Diagram: d,
		width:   2*rim + cell*float64(v.Width),
		height:  2*rim + cell*float64(v.Height),
	}
	p := PaletteOf(v)
	g.rect(0, 0, g.width, g.height, p.Rim)
	g.squares(p)
	g.marks()
	if !d.NoNumbers {
		g.names(p)
	}
	g.side()
	for c := draughts.White; c <= draughts.Black; c++ {
		for k := draughts.Man; k <= draughts.King; k++ {
			for s := range d.Position.Pieces(c, k).All() {
				g.piece(g.centre(s), c, k)
			}
		}
	}
	for _, a := range d.Arrows {
		g.arrow(a)
	}
	return g, nil
}

func (g *drawing) add(s shape) { g.shapes = append(g.shapes, s) }

func (g *drawing) rect(x, y, w, h float64, fill color.NRGBA) {
	g.add(shape{fill: fill, polygon: []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}})
}

func (g *drawing) circle(at point, radius float64, fill color.NRGBA) {
	g.add(shape{fill: fill, at: at, radius: radius})
}

// corner returns the top left corner of a row and column as White sees them.
func (g *drawing) corner(row, col int) point {
	if g.Flipped {
		row, col = g.Variant.Height-1-row, g.Variant.Width-1-col
	}
	return point{rim + cell*float64(col), rim + cell*float64(row)}
}

func (g *drawing) centre(s draughts.Square) point {
	c := g.corner(g.Variant.RowOf(s))
	return point{c.x + cell/2, c.y + cell/2}
}

// squares draws the board: one field of light, and the squares that play.
func (g *drawing) squares(p Palette) {
	v := g.Variant
	w, h := cell*float64(v.Width), cell*float64(v.Height)
	g.rect(rim, rim, w, h, p.Light)
	if v.EverySquare {
		const line = 1.5
		for col := 1; col < v.Width; col++ {
			g.rect(rim+cell*float64(col)-line/2, rim, line, h, p.Line)
		}
		for row := 1; row < v.Height; row++ {
			g.rect(rim, rim+cell*float64(row)-line/2, w, line, p.Line)
		}
		return
	}
	for s := range v.Board().All() {
		c := g.corner(v.RowOf(s))
		g.rect(c.x, c.y, cell, cell, p.Dark)
	}
}

// marks colours squares; an empty one gets a sign too.
func (g *drawing) marks() {
	for _, m := range g.Marks {
		c := g.corner(g.Variant.RowOf(m.Square))
		fill := values[m.Value]
		g.rect(c.x+1.5, c.y+1.5, cell-3, cell-3, fill)
		if g.Position.Occupied().Has(m.Square) {
			continue
		}
		g.add(shape{
			fill: m.Value.ink(), text: m.Value.sign(), bold: true,
			at: g.centre(m.Square), size: 22,
		})
	}
}

// names writes numbers into the corners of their squares, and files and ranks
// on the rim.
func (g *drawing) names(p Palette) {
	v := g.Variant
	if !v.Algebraic {
		marked := map[draughts.Square]Value{}
		for _, m := range g.Marks {
			marked[m.Square] = m.Value
		}
		for s := range v.Board().All() {
			c := g.corner(v.RowOf(s))
			ink := p.Number
			if value, ok := marked[s]; ok {
				ink = value.ink()
			}
			g.add(shape{fill: ink, text: v.SquareName(s), at: point{c.x + 2.5, c.y + 6.5}, size: small, start: true})
		}
		return
	}
	label := func(text string, at point) {
		g.add(shape{fill: p.Ink, text: text, at: at, size: 12})
	}
	for row := range v.Height {
		c := g.corner(row, 0)
		label(string(rune('0'+v.Height-row)), point{rim / 2, c.y + cell/2})
	}
	for col := range v.Width {
		c := g.corner(0, col)
		label(string(rune('a'+col)), point{c.x + cell/2, g.height - rim/2})
	}
}

// side puts a small piece of the side to move beside its home row.
func (g *drawing) side() {
	side := g.Position.Side()
	at := point{g.width - rim/2, g.height - rim - cell/2}
	if (side == draughts.Black) != g.Flipped {
		at.y = rim + cell/2
	}
	look := whitePiece
	if side == draughts.Black {
		look = blackPiece
	}
	g.circle(at, 7, color.NRGBA{R: 0xf4, G: 0xea, B: 0xd8, A: 0xff})
	g.circle(at, 5.6, look.face)
}

// piece draws a man as a disc, a king with a crown on it.
func (g *drawing) piece(at point, c draughts.Color, k draughts.Kind) {
	look := whitePiece
	if c == draughts.Black {
		look = blackPiece
	}
	r := 0.37 * cell
	g.circle(point{at.x + 1, at.y + 2}, r, shadow)
	g.circle(at, r, look.edge)
	g.circle(at, r-1.6, look.face)
	g.circle(at, 0.78*r, look.ring)
	g.circle(at, 0.78*r-1.2, look.face)
	if k == draughts.King {
		g.crown(at, 0.95*r, look.crown)
		return
	}
	g.circle(at, 0.40*r, look.ring)
	g.circle(at, 0.40*r-1.3, look.face)
}

// crownPoints is a crown of five points in a circle of radius 1.
var crownPoints = []point{
	{-0.48, 0.42}, {-0.60, -0.22}, {-0.29, 0.05}, {0, -0.46}, {0.29, 0.05}, {0.60, -0.22}, {0.48, 0.42},
}

func (g *drawing) crown(at point, r float64, fill color.NRGBA) {
	list := make([]point, len(crownPoints))
	for i, p := range crownPoints {
		list[i] = point{at.x + r*p.x, at.y + r*p.y}
	}
	g.add(shape{fill: fill, polygon: list})
	for _, tip := range []point{{-0.60, -0.26}, {0, -0.50}, {0.60, -0.26}} {
		g.circle(point{at.x + r*tip.x, at.y + r*tip.y}, 0.09*r, fill)
	}
}

// arrow draws legs between the middles of squares, the last with a head.
func (g *drawing) arrow(a Arrow) {
	const width, head, gap = 6.0, 17.0, 12.0
	fill := values[a.Value]
	points := make([]point, len(a.Squares))
	for i, s := range a.Squares {
		points[i] = g.centre(s)
	}
	last := len(points) - 1
	for i := range last {
		from, to := points[i], points[i+1]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		if length == 0 {
			continue
		}
		along := point{(to.x - from.x) / length, (to.y - from.y) / length}
		across := point{-along.y, along.x}
		begin, end := 0.0, length
		if i == 0 {
			begin = gap
		}
		if i == last-1 {
			end = length - head
		}
		place := func(forth, aside float64) point {
			return point{from.x + forth*along.x + aside*across.x, from.y + forth*along.y + aside*across.y}
		}
		g.add(shape{fill: fill, polygon: []point{
			place(begin, width/2), place(end, width/2), place(end, -width/2), place(begin, -width/2),
		}})
		if i < last-1 {
			g.circle(to, width/2, fill)
			continue
		}
		g.add(shape{fill: fill, polygon: []point{place(length, 0), place(end-1, head*0.6), place(end-1, -head*0.6)}})
	}
}
