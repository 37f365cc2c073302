package tables

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"threekings/draughts"
)

// Manifest says what a finished table's metric is and what it holds.
type Manifest struct {
	// Format is the version of the coding (store/FORMAT.md), Generator the version
	// of the program that solved the table.
	Format    int    `json:"format"`
	Generator string `json:"generator"`

	Variant  string   `json:"variant"`
	Material Material `json:"material"`
	Metric   Metric   `json:"metric"`
	// Rules are the draw rules under which distances to reset were solved
	// ([draughts.Profile.Definition]); empty for other metrics.
	Rules string `json:"rules,omitempty"`

	// Positions is the number of positions of each side to move.
	Positions uint64 `json:"positions"`
	// BlockLen is the number of positions of each block but a side's last.
	BlockLen int `json:"block_len"`
	// Bits is the width of a decoded value, as in [Block].
	Bits uint8 `json:"bits"`
	// Bytes is the size of all coded blocks.
	Bytes uint64 `json:"bytes"`
	// Order is the order in which positions are stored. RowSquares and RowPieces
	// are what [Order.Rows] says of it, and Models what coding has learned of each
	// side to move: all that the coder knows.
	Order      Order    `json:"order,omitempty"`
	RowSquares int      `json:"row_squares,omitempty"`
	RowPieces  int      `json:"row_pieces,omitempty"`
	Models     [][]byte `json:"models,omitempty"`
	// HalfModels are what it has learned of the halves of distances.
	HalfModels [][]byte `json:"half_models,omitempty"`

	// Sides has the figures of each side to move: one entry if the material is
	// symmetric, else two.
	Sides []Summary `json:"sides"`
	// Digest is the SHA-256, in hexadecimal, over the true values of all
	// positions in index order, the first side to move and then the second: one
	// byte for an outcome, two little-endian bytes for a distance, both for a
	// distance to reset, whose outcome does not follow from it.
	Digest string `json:"digest"`
}

// Summary counts the positions of one side to move.
type Summary struct {
	Wins   uint64 `json:"wins"`
	Draws  uint64 `json:"draws"`
	Losses uint64 `json:"losses"`
	// Captures counts the positions whose side to move must capture.
	Captures uint64 `json:"captures"`
	// LongestWin and LongestLoss are the largest distances in plies, 0 where there
	// is none, and the index of the first position that has them. Outcome tables
	// have none.
	LongestWin    Plies  `json:"longest_win"`
	LongestWinAt  uint64 `json:"longest_win_at"`
	LongestLoss   Plies  `json:"longest_loss"`
	LongestLossAt uint64 `json:"longest_loss_at"`
}

// LongestValue returns the largest value of the metric that the table holds, the
// draws left out.
func (m *Manifest) LongestValue() Plies {
	longest := Plies(0)
	for i := range m.Sides {
		s := &m.Sides[i]
		if s.Wins > 0 {
			longest = max(longest, m.Metric.Value(Win, s.LongestWin))
		}
		longest = max(longest, m.Metric.Value(Loss, s.LongestLoss))
	}
	return longest
}

// Size returns how many bytes the values take: blocks, and the models without
// which they mean nothing.
func (m *Manifest) Size() uint64 {
	size := m.Bytes
	for _, model := range slices.Concat(m.Models, m.HalfModels) {
		size += uint64(len(model))
	}
	return size
}

// Blocks returns the number of blocks of one side to move.
func (m *Manifest) Blocks() uint64 {
	return (m.Positions + uint64(m.BlockLen) - 1) / uint64(m.BlockLen)
}

// BlockPositions returns how many positions block n has.
func (m *Manifest) BlockPositions(n uint64) int {
	return int(min(uint64(m.BlockLen), m.Positions-n*uint64(m.BlockLen)))
}

// summaryRun is how many values are read at a time.
const summaryRun = 1 << 14

// Summarize counts the values of a table and works out its digest: the fields
// Sides and Digest of its manifest.
func Summarize(v *draughts.Variant, m Material, metric Metric, values Values) ([]Summary, string) {
	positions := Count(v, m)
	digest := sha256.New()
	sides := make([]Summary, m.Sides())
	outcomes := make([]Outcome, summaryRun)
	distances := make([]Plies, summaryRun)
	captures := make([]bool, summaryRun)
	_, resets := metric.Profile()
	coded := make([]byte, 0, 3*summaryRun)
	for s := range sides {
		side, sum := Side(s), &sides[s]
		anyLoss := false
		for start := uint64(0); start < positions; start += summaryRun {
			n := int(min(summaryRun, positions-start))
			coded = coded[:0]
			values.Captures(side, start, captures[:n])
			pending := 0
			for _, c := range captures[:n] {
				if c {
					pending++
				}
			}
			sum.Captures += uint64(pending)
			if metric == Outcomes {
				values.Outcomes(side, start, outcomes[:n])
				for _, o := range outcomes[:n] {
					coded = append(coded, byte(o))
				}
			} else {
				values.Distances(side, start, distances[:n])
				for i, d := range distances[:n] {
					outcomes[i] = d.Outcome()
					if resets {
						coded = append(coded, byte(outcomes[i]))
						d = metric.Distance(d)
					}
					coded = binary.LittleEndian.AppendUint16(coded, uint16(d))
					at := start + uint64(i)
					switch o := outcomes[i]; {
					case o == Win && d > sum.LongestWin:
						sum.LongestWin, sum.LongestWinAt = d, at
					case o == Loss && (d > sum.LongestLoss || !anyLoss):
						sum.LongestLoss, sum.LongestLossAt = d, at
						anyLoss = true
					}
				}
			}
			// Without branches: outcomes are 0, 1 and 2.
			wins, losses := 0, 0
			for _, o := range outcomes[:n] {
				wins += int(o & Win)
				losses += int(o >> 1)
			}
			sum.Draws += uint64(n - wins - losses)
			sum.Wins += uint64(wins)
			sum.Losses += uint64(losses)
			digest.Write(coded)
		}
	}
	return sides, hex.EncodeToString(digest.Sum(nil))
}
