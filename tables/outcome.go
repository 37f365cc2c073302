package tables

import "fmt"

// Outcome is the value of a position for the side to move, with best play by
// both. The zero value is [Draw]. The numbers are those of the digest and of
// stored blocks.
type Outcome uint8

// The outcomes.
const (
	Draw Outcome = iota
	Win
	Loss
)

// String returns "draw", "win" or "loss".
func (o Outcome) String() string {
	switch o {
	case Draw:
		return "draw"
	case Win:
		return "win"
	case Loss:
		return "loss"
	default:
		return fmt.Sprintf("outcome(%d)", uint8(o))
	}
}

// Reverse returns the same outcome for the other side.
func (o Outcome) Reverse() Outcome {
	switch o {
	case Win:
		return Loss
	case Loss:
		return Win
	default:
		return Draw
	}
}

// Plies is a distance: a number of single moves. A loss without a move has 0.
// Distances to win are odd for wins and even for losses.
type Plies uint16

// NoPlies stands for the distance that a drawn position does not have, in
// memory and in the digest.
const NoPlies Plies = 0xFFFF

// Outcome returns the outcome that a distance to win implies: odd wins, even
// loses, none draws.
func (p Plies) Outcome() Outcome {
	switch {
	case p == NoPlies:
		return Draw
	case p%2 == 1:
		return Win
	default:
		return Loss
	}
}

// Metric names what a table says of its positions.
type Metric string

// The metrics.
const (
	// Outcomes is win, draw or loss.
	Outcomes Metric = "outcome"
	// DTW is the distance to win, in plies, to the end of the game.
	DTW Metric = "dtw"
)

// ParseMetric returns the metric with the given name.
func ParseMetric(name string) (Metric, error) {
	switch m := Metric(name); m {
	case Outcomes, DTW:
		return m, nil
	}
	return "", fmt.Errorf("metric %q: use outcome or dtw", name)
}
