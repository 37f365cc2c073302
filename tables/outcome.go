package tables

import (
	"fmt"
	"strings"
)

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

// The metrics. Distances to reset have a metric for each profile of draw rules:
// see [DTR].
const (
	// Outcomes is win, draw or loss.
	Outcomes Metric = "outcome"
	// DTW is the distance to win, in plies, to the end of the game.
	DTW Metric = "dtw"
)

// resets begins the name of every metric of distances to reset.
const resets = "dtr/"

// DTR returns the metric of distances to reset under a profile of draw rules: the
// plies until a move by either side restarts the count of those rules, or ends
// the game, with best play within the rules. Under the profile none that is the
// distance to conversion.
//
// Unlike a distance to win it may be even for a win, when it is the loser who is
// forced to capture. So that the outcome is not lost, a value of such a metric is
// not the distance itself, but an odd number for a win and an even one for a
// loss, like a DTW: [Metric.Value] and [Metric.Distance] convert. The outcome is
// that within the phase, however long it may last: it is the result at count c
// if and only if c and the distance together do not exceed the limit.
func DTR(profile string) Metric { return Metric(resets + profile) }

// Profile returns the name of the profile of a metric of distances to reset, empty
// for others.
func (m Metric) Profile() (name string, ok bool) {
	if name, ok = strings.CutPrefix(string(m), resets); !ok {
		return "", false
	}
	return name, true
}

// IsDistance reports whether values are distances rather than outcomes.
func (m Metric) IsDistance() bool { return m != Outcomes }

// Distance returns the distance in plies that a value of the metric stands for;
// [NoPlies] stays what it is.
func (m Metric) Distance(value Plies) Plies {
	if _, ok := m.Profile(); !ok || value == NoPlies {
		return value
	}
	return value/2 + value%2
}

// Value returns the value of the metric for an outcome in the given number of
// plies, [NoPlies] for a draw. A win takes at least one ply. For a DTW the parity
// of the distance is the outcome's.
func (m Metric) Value(o Outcome, distance Plies) Plies {
	if o == Draw {
		return NoPlies
	}
	if _, ok := m.Profile(); !ok {
		return distance
	}
	if o == Win {
		return 2*distance - 1
	}
	return 2 * distance
}

// ParseMetric returns the metric with the given name.
func ParseMetric(name string) (Metric, error) {
	m := Metric(name)
	if profile, ok := m.Profile(); ok && isProfileName(profile) {
		return m, nil
	}
	switch m {
	case Outcomes, DTW:
		return m, nil
	}
	return "", fmt.Errorf("metric %q: use outcome, dtw or dtr/PROFILE", name)
}

// isProfileName reports whether a text can be the name of a profile: short, of
// lower-case letters and digits.
func isProfileName(name string) bool {
	const longest = 32
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= longest
}
