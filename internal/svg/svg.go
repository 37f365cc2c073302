package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
)

// SVG returns the diagram as an SVG document. Its size is in pixels of a screen;
// as a drawing it can be shown at any size.
func (d *Diagram) SVG() ([]byte, error) {
	g, err := d.draw()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img" font-family="Helvetica, Arial, sans-serif">`+"\n",
		number(g.width), number(g.height))
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(d.title()))
	for _, s := range g.shapes {
		s.write(&b)
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func (s *shape) write(b *bytes.Buffer) {
	paint := fmt.Sprintf(`fill="%s"`, CSS(s.fill))
	if s.fill.A != 0xff {
		paint += fmt.Sprintf(` fill-opacity="%s"`, number(float64(s.fill.A)/0xff))
	}
	switch {
	case s.text != "":
		anchor, weight := "middle", ""
		if s.start {
			anchor = "start"
		}
		if s.bold {
			weight = ` font-weight="bold"`
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" text-anchor="%s"%s %s>%s</text>`,
			number(s.at.x), number(s.baseline()), number(s.size), anchor, weight, paint, escape(s.text))
	case s.polygon != nil && s.isRect():
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" %s/>`, number(s.polygon[0].x), number(s.polygon[0].y),
			number(s.polygon[2].x-s.polygon[0].x), number(s.polygon[2].y-s.polygon[0].y), paint)
	case s.polygon != nil:
		b.WriteString(`<polygon points="`)
		for i, p := range s.polygon {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(b, "%s,%s", number(p.x), number(p.y))
		}
		fmt.Fprintf(b, `" %s/>`, paint)
	default:
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" %s/>`, number(s.at.x), number(s.at.y), number(s.radius), paint)
	}
	b.WriteByte('\n')
}

// isRect reports whether a polygon is an upright rectangle from its top left.
func (s *shape) isRect() bool {
	p := s.polygon
	return len(p) == 4 && p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y && p[3].x == p[0].x &&
		p[0].x <= p[2].x && p[0].y <= p[2].y
}

// baseline returns where letters stand whose middle is at s.at. Not every
// reader of SVG knows how to centre text upward.
func (s *shape) baseline() float64 { return s.at.y + 0.36*s.size }

// number writes a length with two decimals at most.
func number(f float64) string {
	text := strconv.FormatFloat(f, 'f', 2, 64)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}

// CSS writes a colour as style sheets do, #rrggbb.
func CSS(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func escape(text string) string {
	var b bytes.Buffer
	// Writing to a buffer does not fail.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
