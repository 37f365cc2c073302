package tables

import (
	"slices"
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
	// LeftOut is what each side to move does not keep; empty if all is kept.
	LeftOut []LeftOut `json:"left_out,omitempty"`

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
