package tables

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math/bits"

	"threekings/draughts"
)

// Summarizer counts the values of a table and works out its digest: the fields
// Sides and Digest of its manifest. It is given all positions in index order,
// those of side 0 first, some at a time. It is for one goroutine.
type Summarizer struct {
	metric Metric
	resets bool
	sides  []Summary
	seen   [2]uint64 // positions of each side
	losses [2]bool   // whether there has been one
	digest hash.Hash
	coded  []byte
}

// NewSummarizer returns a summarizer for a metric of a table with one or two
// sides to move.
func NewSummarizer(metric Metric, sides int) *Summarizer {
	_, resets := metric.Profile()
	return &Summarizer{metric: metric, resets: resets, sides: make([]Summary, sides), digest: sha256.New()}
}

// Outcomes takes the positions that follow those of a side that were given
// before: their outcomes, and whether the side to move must capture.
func (z *Summarizer) Outcomes(side Side, outcomes []Outcome, captures []bool) {
	for len(outcomes) > 0 {
		n := min(len(outcomes), summaryRun)
		coded := z.buffer(n)
		wins, losses := 0, 0
		// Without branches: outcomes are 0, 1 and 2.
		for i, o := range outcomes[:n] {
			coded[i] = byte(o)
			wins += int(o & Win)
			losses += int(o >> 1)
		}
		z.count(side, n, wins, losses, pending(captures[:n]))
		_, _ = z.digest.Write(coded) // a hash has no errors
		outcomes, captures = outcomes[n:], captures[n:]
	}
}

// Fields is [Summarizer.Outcomes] for fields.
func (z *Summarizer) Fields(side Side, fields []byte) {
	const each = 0x0101010101010101
	for len(fields) > 0 {
		n := min(len(fields), summaryRun)
		coded := z.buffer(n)
		wins, losses, captures := 0, 0, 0
		i := 0
		for ; i+8 <= n; i += 8 {
			f := binary.LittleEndian.Uint64(fields[i:])
			o := f & (each * FieldOutcome)
			binary.LittleEndian.PutUint64(coded[i:], o)
			wins += bits.OnesCount64(o & (each * uint64(Win)))
			losses += bits.OnesCount64(o & (each * uint64(Loss)))
			captures += bits.OnesCount64(f & (each * FieldCapture))
		}
		for ; i < n; i++ {
			o := Outcome(fields[i] & FieldOutcome)
			coded[i] = byte(o)
			wins += int(o & Win)
			losses += int(o >> 1)
			captures += int(fields[i] & FieldCapture >> 2)
		}
		z.count(side, n, wins, losses, captures)
		_, _ = z.digest.Write(coded)
		fields = fields[n:]
	}
}

// Distances is [Summarizer.Outcomes] for a metric of distances, with values as
// [Metric.Value] gives them.
func (z *Summarizer) Distances(side Side, distances []Plies, captures []bool) {
	for len(distances) > 0 {
		n := min(len(distances), summaryRun)
		wins, losses := 0, 0
		coded := z.buffer(3 * n)[:0]
		sum := &z.sides[side]
		for i, d := range distances[:n] {
			o := d.Outcome()
			if z.resets {
				coded = append(coded, byte(o))
				d = z.metric.Distance(d)
			}
			coded = append(coded, byte(d), byte(d>>8))
			wins += int(o & Win)
			losses += int(o >> 1)
			switch {
			case o == Win && d > sum.LongestWin:
				sum.LongestWin, sum.LongestWinAt = d, z.seen[side]+uint64(i)
			case o == Loss && (d > sum.LongestLoss || !z.losses[side]):
				sum.LongestLoss, sum.LongestLossAt = d, z.seen[side]+uint64(i)
				z.losses[side] = true
			}
		}
		z.count(side, n, wins, losses, pending(captures[:n]))
		_, _ = z.digest.Write(coded)
		distances, captures = distances[n:], captures[n:]
	}
}

// summaryRun is how many values are digested at a time.
const summaryRun = 1 << 14

func (z *Summarizer) buffer(n int) []byte {
	if z.coded == nil {
		z.coded = make([]byte, 3*summaryRun)
	}
	return z.coded[:n]
}

// pending returns how many captures there are.
func pending(captures []bool) (n int) {
	for _, c := range captures {
		if c {
			n++
		}
	}
	return n
}

func (z *Summarizer) count(side Side, n, wins, losses, captures int) {
	sum := &z.sides[side]
	sum.Captures += uint64(captures)
	sum.Draws += uint64(n - wins - losses)
	sum.Wins += uint64(wins)
	sum.Losses += uint64(losses)
	z.seen[side] += uint64(n)
}

// Sum returns the counts of each side and the digest of what was given so far.
func (z *Summarizer) Sum() ([]Summary, string) {
	return z.sides, hex.EncodeToString(z.digest.Sum(nil))
}

// Summarize gives all values of a table to a [Summarizer] and returns its sum.
func Summarize(v *draughts.Variant, m Material, metric Metric, values Values) ([]Summary, string) {
	positions := Count(v, m)
	z := NewSummarizer(metric, m.Sides())
	outcomes := make([]Outcome, summaryRun)
	distances := make([]Plies, summaryRun)
	captures := make([]bool, summaryRun)
	for side := range Side(m.Sides()) {
		for start := uint64(0); start < positions; start += summaryRun {
			n := int(min(summaryRun, positions-start))
			values.Captures(side, start, captures[:n])
			if metric == Outcomes {
				values.Outcomes(side, start, outcomes[:n])
				z.Outcomes(side, outcomes[:n], captures[:n])
			} else {
				values.Distances(side, start, distances[:n])
				z.Distances(side, distances[:n], captures[:n])
			}
		}
	}
	return z.Sum()
}
