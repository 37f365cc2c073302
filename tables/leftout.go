package tables

import (
	"fmt"
	"slices"

	"threekings/draughts"
)

// LeftOut says which quiet positions of a side to move a table does not keep: ones
// in which the opponent threatens to capture, which cost most, since whether a move
// parries the threat changes from square to square. Their values follow from those
// of their moves, none of which leads to another position that is left out, unless a
// man is promoted, so to another table.
type LeftOut uint8

// What may be left out.
const (
	// NoneLeftOut: all are kept.
	NoneLeftOut LeftOut = iota
	// Threatened: those in which the opponent could capture if it were to move. All
	// quiet positions of the other side are kept.
	Threatened
	// EvenThreatened: those of them in which the rows of all pieces, from 0, add up
	// to an even number. It is for symmetric tables of variants in which each quiet
	// move changes that sum by one.
	EvenThreatened
)

var leftOutNames = [...]string{NoneLeftOut: "none", Threatened: "threatened", EvenThreatened: "even threatened"}

func (l LeftOut) String() string {
	if int(l) < len(leftOutNames) {
		return leftOutNames[l]
	}
	return fmt.Sprintf("LeftOut(%d)", uint8(l))
}

// MarshalText returns the name by which manifests know it.
func (l LeftOut) MarshalText() ([]byte, error) {
	if int(l) >= len(leftOutNames) {
		return nil, fmt.Errorf("%v cannot be left out", l)
	}
	return []byte(leftOutNames[l]), nil
}

// UnmarshalText reads what MarshalText has written.
func (l *LeftOut) UnmarshalText(text []byte) error {
	i := slices.Index(leftOutNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("%q cannot be left out", text)
	}
	*l = LeftOut(i)
	return nil
}

// Leaves reports whether a position without captures is left out.
func (l LeftOut) Leaves(v *draughts.Variant, p *draughts.Position) bool {
	switch l {
	case Threatened:
		return v.HasCapture(p.WithSide(p.Side().Opponent()))
	case EvenThreatened:
		return evenRows(v, p) && v.HasCapture(p.WithSide(p.Side().Opponent()))
	default:
		return false
	}
}

// LeavesThreatened is Leaves where it is known that the opponent could capture.
func (l LeftOut) LeavesThreatened(v *draughts.Variant, p *draughts.Position) bool {
	return l == Threatened || l == EvenThreatened && evenRows(v, p)
}

// evenRows reports whether the rows of all pieces add up to an even number. Turned
// by half the board an even number of pieces still does.
func evenRows(v *draughts.Variant, p *draughts.Position) bool {
	sum := 0
	for set := p.Occupied(); !set.IsEmpty(); {
		s := set.First()
		row, _ := v.RowOf(s)
		sum += row
		set = set.Without(s)
	}
	return sum&1 == 0
}

// MayLeaveOut returns what a side to move of a table may leave out; of two sides only
// one may.
func MayLeaveOut(v *draughts.Variant, m Material) LeftOut {
	switch {
	case !m.Symmetric():
		return Threatened
	case !v.LongKing && (v.ManMoves|v.KingMoves)&draughts.Sideways == 0:
		return EvenThreatened
	default:
		return NoneLeftOut
	}
}

// LeftOutOf returns what a side to move leaves out.
func (m *Manifest) LeftOutOf(s Side) LeftOut {
	if int(s) < len(m.LeftOut) {
		return m.LeftOut[s]
	}
	return NoneLeftOut
}

// checkLeftOut reports what cannot be left out: it would not follow from the rest.
func (m *Manifest) checkLeftOut(v *draughts.Variant) error {
	leaving := 0
	for _, l := range m.LeftOut {
		if l != NoneLeftOut {
			leaving++
		}
		if l != NoneLeftOut && (l != MayLeaveOut(v, m.Material) || m.Metric != Outcomes) || leaving > 1 {
			return fmt.Errorf("%v cannot be left out of %s %s", m.LeftOut, m.Material, m.Metric)
		}
	}
	if n := len(m.LeftOut); n != 0 && n != m.Material.Sides() {
		return fmt.Errorf("%d sides leave something out; %s has %d", n, m.Material, m.Material.Sides())
	}
	return nil
}
