package svg

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The widths that PNG takes, in pixels.
const (
	MinWidth     = 100
	MaxWidth     = 4000
	DefaultWidth = 800
)

// PNG returns the diagram as a PNG of the given width in pixels; 0 means
// [DefaultWidth].
func (d *Diagram) PNG(width int) ([]byte, error) {
	if width == 0 {
		width = DefaultWidth
	}
	if width < MinWidth || width > MaxWidth {
		return nil, fmt.Errorf("a width of %d pixels: it must be from %d to %d", width, MinWidth, MaxWidth)
	}
	g, err := d.draw()
	if err != nil {
		return nil, err
	}
	scale := float64(width) / g.width
	img := image.NewNRGBA(image.Rect(0, 0, width, int(math.Round(g.height*scale))))
	c := &canvas{img: img, scale: scale, faces: map[faceKey]font.Face{}}
	for i := range g.shapes {
		if err := c.paint(&g.shapes[i]); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// canvas is a picture being painted.
type canvas struct {
	img   *image.NRGBA
	scale float64
	faces map[faceKey]font.Face
}

type faceKey struct {
	size float64
	bold bool
}

func (c *canvas) paint(s *shape) error {
	switch {
	case s.text != "":
		return c.write(s)
	case s.polygon != nil:
		c.fill(s.polygon, s.fill)
	default:
		c.fill(round(s.at, s.radius), s.fill)
	}
	return nil
}

// round returns a circle as a polygon that no eye tells from it.
func round(at point, radius float64) []point {
	const corners = 96
	list := make([]point, corners)
	for i := range list {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		list[i] = point{at.x + radius*cos, at.y + radius*sin}
	}
	return list
}

// fill paints a polygon. The rasteriser is as large as the polygon, not as the
// picture.
func (c *canvas) fill(polygon []point, fill color.NRGBA) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range polygon {
		left, right = min(left, p.x*c.scale), max(right, p.x*c.scale)
		top, bottom = min(top, p.y*c.scale), max(bottom, p.y*c.scale)
	}
	box := image.Rect(int(math.Floor(left)), int(math.Floor(top)), int(math.Ceil(right)), int(math.Ceil(bottom)))
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range polygon {
		x, y := float32(p.x*c.scale-float64(box.Min.X)), float32(p.y*c.scale-float64(box.Min.Y))
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(c.img, box, image.NewUniform(fill), image.Point{})
}

// write paints a text.
func (c *canvas) write(s *shape) error {
	face, err := c.face(s.size*c.scale, s.bold)
	if err != nil {
		return err
	}
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(s.fill), Face: face}
	x := fixed.Int26_6(s.at.x * c.scale * 64)
	if !s.start {
		x -= d.MeasureString(s.text) / 2
	}
	d.Dot = fixed.Point26_6{X: x, Y: fixed.Int26_6(s.baseline() * c.scale * 64)}
	d.DrawString(s.text)
	return nil
}

func (c *canvas) face(size float64, bold bool) (font.Face, error) {
	key := faceKey{size, bold}
	if f, ok := c.faces[key]; ok {
		return f, nil
	}
	parsed, err := fonts[key.index()]()
	if err != nil {
		return nil, err
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return nil, err
	}
	c.faces[key] = f
	return f, nil
}

func (k faceKey) index() int {
	if k.bold {
		return 1
	}
	return 0
}

// fonts are parsed once, the plain one and the bold one; a parsed font may be
// used by several goroutines.
var fonts = [2]func() (*opentype.Font, error){
	sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(goregular.TTF) }),
	sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(gobold.TTF) }),
}
