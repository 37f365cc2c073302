package retro

import (
	"encoding/binary"
	"sync/atomic"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// laneTable is a table in the form in which the lanes solver reads and writes
// it. One king of one side, the lane king, is left open: a frame is a placement
// of everything else, and a lane word holds the positions of a frame, one bit
// for each square of the lane king. If the lane side has several kings, each of
// them is the lane king of some frame, and the position occurs once for each.
//
// Both colours to move are kept, also if the material is symmetric.
//
// A table without kings has no lanes: then a frame is one position, bit 0.
type laneTable struct {
	board *laneBoard
	ix    *index.Index

	hasLane bool
	lane    draughts.Color // whose king is the lane king
	others  [2]int         // kings of each colour in a frame
	// Frames of a slice are numbered by the kings of White and of Black in them:
	// rank of White's times perBlack plus rank of Black's, both among all subsets of
	// the board's squares.
	perBlack, frames uint64
	stride           int // distances of a frame

	withPlies bool
	rules     *laneRules // of tables of distances to reset, else nil

	// Pages hold the values of some slices each, a power of two. A page of a finished
	// table may be missing: then fetch reads it.
	pages []atomic.Pointer[lanePage]
	shift uint // slices of a page, as a power of two
	fetch func(page uint64) *lanePage
	// frameList is what frameKings gives, once a page was fetched that needs it.
	frameList [][2]word
}

// lanePage holds the values of consecutive slices.
type lanePage struct {
	// By colour to move, then row: frames*slice within the page + frame.
	win, loss [2][]word
	// capture says who must capture; nil in tables that are only solved from.
	capture [2][]word
	// plies are by colour, then row*stride+square, as [tables.Metric.Value] gives
	// them; nil if only outcomes count and no levels are kept.
	plies [2][]tables.Plies
	// freshWin and freshLoss are what of win and loss is within the limit of the draw
	// rules; nil if there are none.
	freshWin, freshLoss [2][]word
}

// pageRows is about how many rows a page has; a page has at least one slice.
const pageRows = 1 << 10

func newLaneTable(b *laneBoard, ix *index.Index, withPlies bool) *laneTable {
	m := ix.Material()
	t := &laneTable{board: b, ix: ix, stride: 1, withPlies: withPlies}
	t.others = [2]int{m.Count(tables.First, draughts.King), m.Count(tables.Second, draughts.King)}
	// The side with fewer kings makes fewer copies of each position.
	switch {
	case t.others[draughts.Black] > 0:
		t.lane, t.hasLane = draughts.Black, true
	case t.others[draughts.White] > 0:
		t.lane, t.hasLane = draughts.White, true
	}
	if t.hasLane {
		t.others[t.lane]--
		t.stride = b.squares
	}
	t.perBlack = tables.Binomial(b.squares, t.others[draughts.Black])
	t.frames = tables.Binomial(b.squares, t.others[draughts.White]) * t.perBlack
	for t.frames<<(t.shift+1) <= pageRows {
		t.shift++
	}
	t.pages = make([]atomic.Pointer[lanePage], (ix.Slices()-1)>>t.shift+1)
	return t
}

// newPage returns page n without values. Captures are kept in a table in work.
func (t *laneTable) newPage(n uint64, withCaptures bool) *lanePage {
	first := n << t.shift
	rows := (min(first+1<<t.shift, t.ix.Slices()) - first) * t.frames
	p := &lanePage{}
	for c := range p.win {
		p.win[c], p.loss[c] = make([]word, rows), make([]word, rows)
		if withCaptures {
			p.capture[c] = make([]word, rows)
		}
		if t.withPlies {
			p.plies[c] = make([]tables.Plies, rows*uint64(t.stride))
		}
		t.rules.addFresh(p, c)
	}
	return p
}

// bytes returns the memory that a page takes.
func (p *lanePage) bytes() uint64 {
	var n uint64
	for c := range p.win {
		words := len(p.win[c]) + len(p.loss[c]) + len(p.capture[c])
		if len(p.freshWin[c]) > 0 && &p.freshWin[c][0] != &p.win[c][0] {
			words += len(p.freshWin[c]) + len(p.freshLoss[c])
		}
		n += uint64(words)*wordBytes + 2*uint64(len(p.plies[c]))
	}
	return n
}

// slice returns the page that holds a slice, and the row of the slice's first
// frame in it.
func (t *laneTable) slice(n uint64) (*lanePage, uint64) {
	p := t.pages[n>>t.shift].Load()
	if p == nil {
		p = t.fetch(n >> t.shift)
	}
	return p, (n & (1<<t.shift - 1)) * t.frames
}

// pieces is a placement of pieces, the lane king perhaps left out.
type pieces struct {
	men, kings [2]word
}

func (p *pieces) of(c draughts.Color) word { return p.men[c].or(p.kings[c]) }
func (p *pieces) occupied() word           { return p.of(draughts.White).or(p.of(draughts.Black)) }

// turned returns the pieces seen from the other side.
func (p *pieces) turned(n int) pieces {
	return pieces{
		men:   [2]word{p.men[1].turned(n), p.men[0].turned(n)},
		kings: [2]word{p.kings[1].turned(n), p.kings[0].turned(n)},
	}
}

// kindCounts numbers the material of a placement: four bits for each kind.
type kindCounts uint16

func (p *pieces) counts() kindCounts {
	return kindCounts(p.men[0].count() | p.kings[0].count()<<4 | p.men[1].count()<<8 | p.kings[1].count()<<12)
}

// countsOf numbers a material, as White's and Black's.
func countsOf(m tables.Material) kindCounts {
	return kindCounts(m.Count(tables.First, draughts.Man) | m.Count(tables.First, draughts.King)<<4 |
		m.Count(tables.Second, draughts.Man)<<8 | m.Count(tables.Second, draughts.King)<<12)
}

func countKings(c draughts.Color) kindCounts { return 1 << (8*c + 4) }

// frameOf returns the frame of the kings of a placement without the lane king.
func (t *laneTable) frameOf(kings *[2]word) uint64 {
	return rankWord(kings[0])*t.perBlack + rankWord(kings[1])
}

// rankWord returns the rank of a set among the sets of its size.
func rankWord(w word) uint64 {
	var rank uint64
	for k := 1; !w.isZero(); w = w.dropFirst() {
		rank += binomials[w.first()][k]
		k++
	}
	return rank
}

// frameAt returns the frame and the lane square of the kings of a position.
func (t *laneTable) frameAt(kings [2]word) (frame uint64, lane draughts.Square) {
	if t.hasLane {
		lane = kings[t.lane].first()
		kings[t.lane] = kings[t.lane].dropFirst()
	}
	return t.frameOf(&kings), lane
}

// sliceOf returns the number of the slice of a position.
func (t *laneTable) sliceOf(men *[2]word) uint64 {
	return t.ix.Slice(men[0].set(), men[1].set())
}

// outcome reads one position.
func (p *lanePage) outcome(c draughts.Color, row uint64, lane draughts.Square) tables.Outcome {
	switch {
	case p.win[c][row].has(lane):
		return tables.Win
	case p.loss[c][row].has(lane):
		return tables.Loss
	default:
		return tables.Draw
	}
}

// freshOutcome reads one position within the limit of the draw rules.
func (p *lanePage) freshOutcome(c draughts.Color, row uint64, lane draughts.Square) tables.Outcome {
	switch {
	case p.freshWin[c][row].has(lane):
		return tables.Win
	case p.freshLoss[c][row].has(lane):
		return tables.Loss
	default:
		return tables.Draw
	}
}

// value implements lookup.
func (t *laneTable) value(p *draughts.Position) tables.Plies {
	q, c := t.upright(p)
	page, row := t.slice(t.sliceOf(&q.men))
	return t.valueIn(page, row, &q, c)
}

// upright returns the pieces of a position of the table with the first side as
// White, and whose move it is then.
func (t *laneTable) upright(p *draughts.Position) (pieces, draughts.Color) {
	q, c := piecesOf(p), p.Side()
	m := t.ix.Material()
	// Both colours to move are kept: if the material is symmetric, either way up
	// will do.
	if q.men[0].count() != m.Count(tables.First, draughts.Man) || q.kings[0].count() != m.Count(tables.First, draughts.King) {
		return q.turned(t.board.squares), c.Opponent()
	}
	return q, c
}

// valueIn reads one position of a slice that begins at a row of a page.
func (t *laneTable) valueIn(page *lanePage, row uint64, q *pieces, c draughts.Color) tables.Plies {
	frame, lane := t.frameAt(q.kings)
	row += frame
	o := page.outcome(c, row, lane)
	if o == tables.Draw || page.plies[c] == nil {
		return knownLevel(o)
	}
	return page.plies[c][row*uint64(t.stride)+uint64(lane)]
}

func piecesOf(p *draughts.Position) pieces {
	_, whiteMen, whiteKings, blackMen, blackKings := p.Split()
	return pieces{
		men:   [2]word{wordOf(whiteMen), wordOf(blackMen)},
		kings: [2]word{wordOf(whiteKings), wordOf(blackKings)},
	}
}

// Outcomes implements [tables.Values].
func (t *laneTable) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.run)
		w, l, lanes := page.win[s][row], page.loss[s][row], r.run.lanes
		part := dst[i:min(i+lanes.count(), len(dst))]
		for k := range part {
			lane := lanes.first()
			part[k] = tables.Outcome(w.digit(lane) | l.digit(lane)<<1)
			lanes = lanes.dropFirst()
		}
		i += len(part)
	}
}

// Fields implements [tables.FieldValues].
func (t *laneTable) Fields(s tables.Side, start uint64, dst []byte) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.run)
		part := dst[i:min(i+r.run.lanes.count(), len(dst))]
		r.run.lanes.fields(part, page.win[s][row], page.loss[s][row], page.capture[s][row], page.capture[s^1][row])
		i += len(part)
	}
}

// Distances implements [tables.Values].
func (t *laneTable) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.run)
		decided, lanes := page.win[s][row].or(page.loss[s][row]), r.run.lanes
		plies := page.plies[s][row*uint64(t.stride) : (row+1)*uint64(t.stride)]
		part := dst[i:min(i+lanes.count(), len(dst))]
		for k := range part {
			lane := lanes.first()
			// Without a branch: NoPlies where it is 0.
			part[k] = plies[lane] | (tables.Plies(decided.digit(lane)) - 1)
			lanes = lanes.dropFirst()
		}
		i += len(part)
	}
}

// Captures implements [tables.Values].
func (t *laneTable) Captures(s tables.Side, start uint64, dst []bool) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.run)
		captures, lanes := page.capture[s][row], r.run.lanes
		part := dst[i:min(i+lanes.count(), len(dst))]
		for k := range part {
			part[k] = captures.has(lanes.first())
			lanes = lanes.dropFirst()
		}
		i += len(part)
	}
}

// fill sets the values of consecutive positions with side s to move, from number
// start on, in every frame of the page in which a position occurs; first is the
// page's first slice. If the material is symmetric, twin is set as well: the
// values are those of the same positions turned, with the other colour to move.
// Distances count only if the table keeps them.
func (t *laneTable) fill(page *lanePage, first uint64, c draughts.Color, start uint64, outcomes []tables.Outcome, plies []tables.Plies, twin bool) {
	for r, i := t.runsFrom(start), 0; i < len(outcomes); r.advanceUnless(i == len(outcomes)) {
		p := r.run.pieces
		if !t.hasLane {
			position := t.ix.Position(tables.First, r.run.slice)
			p = piecesOf(&position)
		}
		for lanes := r.run.lanes; !lanes.isZero() && i < len(outcomes); lanes = lanes.dropFirst() {
			if o := outcomes[i]; o != tables.Draw {
				q := p
				if t.hasLane {
					q.kings[t.lane] = p.kings[t.lane].dropFirst().or(bit(lanes.first()))
				}
				if twin {
					q = q.turned(t.board.squares)
				}
				t.set(page, first, c, &q, o, plies[i])
			}
			i++
		}
	}
}

// set sets the value of a decided position in every frame in which it occurs.
func (t *laneTable) set(page *lanePage, first uint64, c draughts.Color, p *pieces, o tables.Outcome, plies tables.Plies) {
	base := (t.sliceOf(&p.men) - first) * t.frames
	put := func(row uint64, lane draughts.Square) {
		if o == tables.Win {
			page.win[c][row] = page.win[c][row].or(bit(lane))
		} else {
			page.loss[c][row] = page.loss[c][row].or(bit(lane))
		}
		if t.withPlies {
			page.plies[c][row*uint64(t.stride)+uint64(lane)] = plies
		}
	}
	if !t.hasLane {
		put(base, 0)
		return
	}
	for all := p.kings[t.lane]; !all.isZero(); all = all.dropFirst() {
		kings := p.kings
		kings[t.lane] = kings[t.lane].andNot(bit(all.first()))
		put(base+t.frameOf(&kings), all.first())
	}
}

// appendSlice appends the values of a slice of a table in work: for each colour
// to move its wins, losses and captures, and its distances.
func (t *laneTable) appendSlice(slice uint64, dst []byte) []byte {
	page, row := t.slice(slice)
	for c := range page.win {
		for _, words := range [][]word{page.win[c], page.loss[c], page.capture[c]} {
			for _, w := range words[row : row+t.frames] {
				dst = w.appendTo(dst)
			}
		}
		if t.withPlies {
			stride := uint64(t.stride)
			for _, d := range page.plies[c][row*stride : (row+t.frames)*stride] {
				dst = binary.LittleEndian.AppendUint16(dst, uint16(d))
			}
		}
	}
	return dst
}

// sliceBytes is how many bytes appendSlice appends.
func (t *laneTable) sliceBytes() uint64 {
	return sliceBytes(t.frames, uint64(t.stride), wordBytes, t.withPlies)
}

// restoreSlice sets the values of a slice from what appendSlice has written. It
// reports whether they are those of a slice of this table.
func (t *laneTable) restoreSlice(slice uint64, b []byte) bool {
	if slice >= t.ix.Slices() || uint64(len(b)) != t.sliceBytes() {
		return false
	}
	page, row := t.slice(slice)
	for c := range page.win {
		for _, words := range [][]word{page.win[c], page.loss[c], page.capture[c]} {
			for i := range t.frames {
				words[row+i] = wordFrom(b)
				b = b[wordBytes:]
			}
		}
		if t.withPlies {
			for i := range t.frames * uint64(t.stride) {
				page.plies[c][row*uint64(t.stride)+i] = tables.Plies(binary.LittleEndian.Uint16(b))
				b = b[2:]
			}
		}
	}
	t.rules.freshen(t, page, row, row+t.frames)
	return true
}
