package pack

// Rows says how the positions of a table follow each other: its last pieces,
// Pieces of them, stand on some of Squares squares, and the number of their
// placement is what the number of the position leaves divided by how many
// placements there are. It is all that the coder knows of an index. Positions
// that differ by the square of the first of those pieces alone are a row; rows
// resemble the rows before them. The zero value has rows of no meaning.
type Rows struct{ Squares, Pieces int }

// Limits of [Rows].
const (
	maxRowSquares = 72
	maxRowPieces  = 8
	// looseRow is the length of rows without meaning.
	looseRow = 64
)

func (r Rows) valid() bool {
	return r == Rows{} || r.Pieces >= 1 && r.Pieces <= maxRowPieces && r.Squares > r.Pieces && r.Squares <= maxRowSquares
}

// choose[k][n] is how many ways there are to choose k of n.
var choose = func() (c [maxRowPieces + 1][maxRowSquares + 1]uint64) {
	for n := range c[0] {
		c[0][n] = 1
		for k := 1; k < len(c) && n > 0; k++ {
			c[k][n] = c[k][n-1] + c[k-1][n-1]
		}
	}
	return c
}()

// rowWalker goes through the rows of a block.
type rowWalker struct {
	rows   Rows
	at     [maxRowPieces + 1]int // squares of the second and following pieces
	x      int                   // where in its row the first position is
	length int                   // of the row
	// above and above2 are how far back the position on the same square one and
	// two rows before is; 0 if there is no such row.
	above, above2 int
}

// start begins at a position of the table.
func (w *rowWalker) start(rows Rows, position uint64) {
	*w = rowWalker{rows: rows}
	switch k := rows.Pieces; k {
	case 0:
		w.length = looseRow
	case 1:
		w.length = rows.Squares
		w.x = int(position % uint64(rows.Squares))
		w.above, w.above2 = rows.Squares, 2*rows.Squares
	default:
		r := position % choose[k][rows.Squares]
		for j := k; j >= 2; j-- {
			c := j - 1
			for choose[j][c+1] <= r {
				c++
			}
			w.at[j-1] = c
			r -= choose[j][c]
		}
		w.x = int(r)
		w.set()
	}
}

// set derives what depends on the squares.
func (w *rowWalker) set() {
	w.length = w.at[1]
	w.above, w.above2 = 0, 0
	if c := w.at[1]; c >= minAbove+1 {
		w.above = c - 1
		if c >= 3 {
			w.above2 = c - 1 + c - 2
		}
	}
}

// minAbove is the least distance to the row before of which use is made: the
// positions around the one above have been coded, and chunks do not get too
// short.
const minAbove = 4

// next goes to the row that follows.
func (w *rowWalker) next() {
	w.x = 0
	k := w.rows.Pieces
	if k < 2 {
		return
	}
	for j := 1; j < k; j++ {
		limit := w.rows.Squares
		if j+1 < k {
			limit = w.at[j+1]
		}
		if w.at[j]+1 < limit {
			w.at[j]++
			w.set()
			return
		}
		w.at[j] = j
	}
	w.set() // the pieces of another group have moved
}
