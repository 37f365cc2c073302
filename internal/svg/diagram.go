// Package svg draws positions: as SVG for pages and articles, as PNG where no SVG
// is taken. Both come from one list of shapes, so that they look the same.
package svg

import (
	"fmt"
	"strings"

	"threekings/draughts"
	"threekings/tables"
)

// Diagram is a position to be drawn. The zero values of what is optional are the
// plain picture. Nothing in it is changed by drawing it: several goroutines may
// draw one diagram.
type Diagram struct {
	Variant  *draughts.Variant
	Position draughts.Position
	// Flipped shows the board as Black sees it.
	Flipped bool
	// NoNumbers leaves out the names of squares.
	NoNumbers bool
	// Marks are squares to be coloured.
	Marks []Mark
	// Arrows are drawn above the pieces, in their order.
	Arrows []Arrow
}

// Mark colours a square.
type Mark struct {
	Square draughts.Square
	Value  Value
}

// Arrow leads from its first square over the others to its last. It needs two.
type Arrow struct {
	Squares []draughts.Square
	Value   Value
}

// Value is what a mark or an arrow says; it decides its colour. The zero value
// says nothing.
type Value uint8

// The values.
const (
	Plain Value = iota
	Wins
	Draws
	Loses
	Unknown
)

// ValueOf returns the value that stands for an outcome.
func ValueOf(o tables.Outcome) Value {
	switch o {
	case tables.Win:
		return Wins
	case tables.Loss:
		return Loses
	default:
		return Draws
	}
}

// sign is what a mark shows beside its colour, for those who see colours badly.
func (v Value) sign() string {
	return [...]string{"", "+", "=", "–", "?"}[v]
}

// check reports what cannot be drawn.
func (d *Diagram) check() error {
	on := func(s draughts.Square) bool { return d.Variant.Board().Has(s) }
	for _, m := range d.Marks {
		if !on(m.Square) {
			return fmt.Errorf("mark on square %d: the board has %d", m.Square, d.Variant.Squares())
		}
	}
	for i, a := range d.Arrows {
		if len(a.Squares) < 2 {
			return fmt.Errorf("arrow %d has %d squares: an arrow needs two", i+1, len(a.Squares))
		}
		for _, s := range a.Squares {
			if !on(s) {
				return fmt.Errorf("arrow %d: square %d: the board has %d", i+1, s, d.Variant.Squares())
			}
		}
	}
	return nil
}

// title says what is to be seen, for those who cannot see it.
func (d *Diagram) title() string {
	v, p := d.Variant, d.Position
	var parts []string
	for c := draughts.White; c <= draughts.Black; c++ {
		var list []string
		for k := draughts.Man; k <= draughts.King; k++ {
			for s := range p.Pieces(c, k).All() {
				name := v.SquareName(s)
				if k == draughts.King {
					name = "king " + name
				}
				list = append(list, name)
			}
		}
		if list == nil {
			list = []string{"no pieces"}
		}
		parts = append(parts, fmt.Sprintf("%s: %s", c, strings.Join(list, ", ")))
	}
	return fmt.Sprintf("%s draughts. %s. %s to move.", v.Title, strings.Join(parts, ". "), p.Side())
}
