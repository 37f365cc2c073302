package cli

import (
	"fmt"

	"threekings/draughts"
	"threekings/tables"
)

// verdict says what a position is worth to its side to move.
func verdict(v *draughts.Variant, p draughts.Position, o tables.Outcome, dtw tables.Plies) string {
	side := sideTitle(p.Side())
	switch {
	case v.Ended(p):
		return "The game is over: one piece against one is a draw"
	case o == tables.Draw:
		return side + " to move draws"
	case o == tables.Win:
		return side + " to move wins" + inPlies(dtw)
	case dtw == 0 && p.SideSet(p.Side()).IsEmpty():
		return side + " has lost: it has no pieces"
	case dtw == 0:
		return side + " has lost: it cannot move"
	}
	return side + " to move loses" + inPlies(dtw)
}

func sideTitle(c draughts.Color) string {
	if c == draughts.White {
		return "White"
	}
	return "Black"
}

// worth says what a move is worth to the side that makes it.
func worth(o tables.Outcome, dtw tables.Plies) string {
	if o == tables.Draw {
		return o.String()
	}
	return o.String() + inPlies(dtw)
}

// inPlies says a distance in plies and in moves of the side that wins.
func inPlies(dtw tables.Plies) string {
	if dtw == tables.NoPlies {
		return " (the distance is not stored)"
	}
	return fmt.Sprintf(" in %s (%s)", count(int(dtw), "ply", "plies"), count((int(dtw)+1)/2, "move", "moves"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// outcomeColour is green for good, red for bad.
func outcomeColour(o tables.Outcome) colour {
	switch o {
	case tables.Win:
		return green
	case tables.Loss:
		return red
	default:
		return ""
	}
}
