// Code generated from lanetable.go by internal/widen; DO NOT EDIT.

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
type wideLaneTable struct {
	board *wideLaneBoard
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
	rules     *wideLaneRules // of tables of distances to reset, else nil

	// Pages hold the values of some slices each, a power of two. A page of a finished
	// table may be missing: then fetch reads it.
	pages []atomic.Pointer[wideLanePage]
	shift uint // slices of a page, as a power of two
	fetch func(page uint64) *wideLanePage
	// frameList is what frameKings gives, once a page was fetched that needs it.
	frameList [][2]wideWord
}

// lanePage holds the values of consecutive slices.
type wideLanePage struct {
	// By colour to move, then row: frames*slice within the page + frame.
	win, loss [2][]wideWord
	// capture says who must capture; nil in tables that are only solved from.
	capture [2][]wideWord
	// plies are by colour, then row*stride+square, as [tables.Metric.Value] gives
	// them; nil if only outcomes count and no levels are kept.
	plies [2][]tables.Plies
	// freshWin and freshLoss are what of win and loss is within the limit of the draw
	// rules; nil if there are none.
	freshWin, freshLoss [2][]wideWord
}

// pageRows is about how many rows a page has; a page has at least one slice.
const widePageRows = 1 << 10

func newWideLaneTable(b *wideLaneBoard, ix *index.Index, withPlies bool) *wideLaneTable {
	m := ix.Material()
	t := &wideLaneTable{board: b, ix: ix, stride: 1, withPlies: withPlies}
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
	for t.frames<<(t.shift+1) <= widePageRows {
		t.shift++
	}
	t.pages = make([]atomic.Pointer[wideLanePage], (ix.Slices()-1)>>t.shift+1)
	return t
}

// newPage returns page n without values. Captures are kept in a table in work.
func (t *wideLaneTable) newPage(n uint64, withCaptures bool) *wideLanePage {
	first := n << t.shift
	rows := (min(first+1<<t.shift, t.ix.Slices()) - first) * t.frames
	p := &wideLanePage{}
	for c := range p.win {
		p.win[c], p.loss[c] = make([]wideWord, rows), make([]wideWord, rows)
		if withCaptures {
			p.capture[c] = make([]wideWord, rows)
		}
		if t.withPlies {
			p.plies[c] = make([]tables.Plies, rows*uint64(t.stride))
		}
		t.rules.addFresh(p, c)
	}
	return p
}

// bytes returns the memory that a page takes.
func (p *wideLanePage) bytes() uint64 {
	var n uint64
	for c := range p.win {
		words := len(p.win[c]) + len(p.loss[c]) + len(p.capture[c])
		if len(p.freshWin[c]) > 0 && &p.freshWin[c][0] != &p.win[c][0] {
			words += len(p.freshWin[c]) + len(p.freshLoss[c])
		}
		n += uint64(words)*wideWordBytes + 2*uint64(len(p.plies[c]))
	}
	return n
}

// slice returns the page that holds a slice, and the row of the slice's first
// frame in it.
func (t *wideLaneTable) slice(n uint64) (*wideLanePage, uint64) {
	p := t.pages[n>>t.shift].Load()
	if p == nil {
		p = t.fetch(n >> t.shift)
	}
	return p, (n & (1<<t.shift - 1)) * t.frames
}

// pieces is a placement of pieces, the lane king perhaps left out.
type widePieces struct {
	men, kings [2]wideWord
}

func (p *widePieces) of(c draughts.Color) wideWord { return p.men[c].or(p.kings[c]) }
func (p *widePieces) occupied() wideWord           { return p.of(draughts.White).or(p.of(draughts.Black)) }

// turned returns the pieces seen from the other side.
func (p *widePieces) turned(n int) widePieces {
	return widePieces{
		men:   [2]wideWord{p.men[1].turned(n), p.men[0].turned(n)},
		kings: [2]wideWord{p.kings[1].turned(n), p.kings[0].turned(n)},
	}
}

// kindCounts numbers the material of a placement: four bits for each kind.
type wideKindCounts uint16

func (p *widePieces) counts() wideKindCounts {
	return wideKindCounts(p.men[0].count() | p.kings[0].count()<<4 | p.men[1].count()<<8 | p.kings[1].count()<<12)
}

// countsOf numbers a material, as White's and Black's.
func wideCountsOf(m tables.Material) wideKindCounts {
	return wideKindCounts(m.Count(tables.First, draughts.Man) | m.Count(tables.First, draughts.King)<<4 |
		m.Count(tables.Second, draughts.Man)<<8 | m.Count(tables.Second, draughts.King)<<12)
}

func wideCountKings(c draughts.Color) wideKindCounts { return 1 << (8*c + 4) }

// frameOf returns the frame of the kings of a placement without the lane king.
func (t *wideLaneTable) frameOf(kings *[2]wideWord) uint64 {
	return wideRankWord(kings[0])*t.perBlack + wideRankWord(kings[1])
}

// rankWord returns the rank of a set among the sets of its size.
func wideRankWord(w wideWord) uint64 {
	var rank uint64
	for k := 1; !w.isZero(); w = w.dropFirst() {
		rank += binomials[w.first()][k]
		k++
	}
	return rank
}

// frameAt returns the frame and the lane square of the kings of a position.
func (t *wideLaneTable) frameAt(kings [2]wideWord) (frame uint64, lane draughts.Square) {
	if t.hasLane {
		lane = kings[t.lane].first()
		kings[t.lane] = kings[t.lane].dropFirst()
	}
	return t.frameOf(&kings), lane
}

// sliceOf returns the number of the slice of a position.
func (t *wideLaneTable) sliceOf(men *[2]wideWord) uint64 {
	return t.ix.Slice(men[0].set(), men[1].set())
}

// outcome reads one position.
func (p *wideLanePage) outcome(c draughts.Color, row uint64, lane draughts.Square) tables.Outcome {
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
func (p *wideLanePage) freshOutcome(c draughts.Color, row uint64, lane draughts.Square) tables.Outcome {
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
func (t *wideLaneTable) value(p *draughts.Position) tables.Plies {
	q, c := t.upright(p)
	page, row := t.slice(t.sliceOf(&q.men))
	return t.valueIn(page, row, &q, c)
}

// upright returns the pieces of a position of the table with the first side as
// White, and whose move it is then.
func (t *wideLaneTable) upright(p *draughts.Position) (widePieces, draughts.Color) {
	q, c := widePiecesOf(p), p.Side()
	m := t.ix.Material()
	// Both colours to move are kept: if the material is symmetric, either way up
	// will do.
	if q.men[0].count() != m.Count(tables.First, draughts.Man) || q.kings[0].count() != m.Count(tables.First, draughts.King) {
		return q.turned(t.board.squares), c.Opponent()
	}
	return q, c
}

// valueIn reads one position of a slice that begins at a row of a page.
func (t *wideLaneTable) valueIn(page *wideLanePage, row uint64, q *widePieces, c draughts.Color) tables.Plies {
	frame, lane := t.frameAt(q.kings)
	row += frame
	o := page.outcome(c, row, lane)
	if o == tables.Draw || page.plies[c] == nil {
		return knownLevel(o)
	}
	return page.plies[c][row*uint64(t.stride)+uint64(lane)]
}

func widePiecesOf(p *draughts.Position) widePieces {
	_, whiteMen, whiteKings, blackMen, blackKings := p.Split()
	return widePieces{
		men:   [2]wideWord{wideWordOf(whiteMen), wideWordOf(blackMen)},
		kings: [2]wideWord{wideWordOf(whiteKings), wideWordOf(blackKings)},
	}
}

// Outcomes implements [tables.Values].
func (t *wideLaneTable) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.wideRun)
		w, l, lanes := page.win[s][row], page.loss[s][row], r.wideRun.lanes
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
func (t *wideLaneTable) Fields(s tables.Side, start uint64, dst []byte) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.wideRun)
		part := dst[i:min(i+r.wideRun.lanes.count(), len(dst))]
		r.wideRun.lanes.fields(part, page.win[s][row], page.loss[s][row], page.capture[s][row], page.capture[s^1][row])
		i += len(part)
	}
}

// Distances implements [tables.Values].
func (t *wideLaneTable) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.wideRun)
		decided, lanes := page.win[s][row].or(page.loss[s][row]), r.wideRun.lanes
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
func (t *wideLaneTable) Captures(s tables.Side, start uint64, dst []bool) {
	for r, i := t.runsFrom(start), 0; i < len(dst); r.advanceUnless(i == len(dst)) {
		page, row := t.row(&r.wideRun)
		captures, lanes := page.capture[s][row], r.wideRun.lanes
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
func (t *wideLaneTable) fill(page *wideLanePage, first uint64, c draughts.Color, start uint64, outcomes []tables.Outcome, plies []tables.Plies, twin bool) {
	for r, i := t.runsFrom(start), 0; i < len(outcomes); r.advanceUnless(i == len(outcomes)) {
		p := r.wideRun.widePieces
		if !t.hasLane {
			position := t.ix.Position(tables.First, r.wideRun.slice)
			p = widePiecesOf(&position)
		}
		for lanes := r.wideRun.lanes; !lanes.isZero() && i < len(outcomes); lanes = lanes.dropFirst() {
			if o := outcomes[i]; o != tables.Draw {
				q := p
				if t.hasLane {
					q.kings[t.lane] = p.kings[t.lane].dropFirst().or(wideBit(lanes.first()))
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
func (t *wideLaneTable) set(page *wideLanePage, first uint64, c draughts.Color, p *widePieces, o tables.Outcome, plies tables.Plies) {
	base := (t.sliceOf(&p.men) - first) * t.frames
	put := func(row uint64, lane draughts.Square) {
		if o == tables.Win {
			page.win[c][row] = page.win[c][row].or(wideBit(lane))
		} else {
			page.loss[c][row] = page.loss[c][row].or(wideBit(lane))
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
		kings[t.lane] = kings[t.lane].andNot(wideBit(all.first()))
		put(base+t.frameOf(&kings), all.first())
	}
}

// appendSlice appends the values of a slice of a table in work: for each colour
// to move its wins, losses and captures, and its distances.
func (t *wideLaneTable) appendSlice(slice uint64, dst []byte) []byte {
	page, row := t.slice(slice)
	for c := range page.win {
		for _, words := range [][]wideWord{page.win[c], page.loss[c], page.capture[c]} {
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
func (t *wideLaneTable) sliceBytes() uint64 {
	return sliceBytes(t.frames, uint64(t.stride), wideWordBytes, t.withPlies)
}

// restoreSlice sets the values of a slice from what appendSlice has written. It
// reports whether they are those of a slice of this table.
func (t *wideLaneTable) restoreSlice(slice uint64, b []byte) bool {
	if slice >= t.ix.Slices() || uint64(len(b)) != t.sliceBytes() {
		return false
	}
	page, row := t.slice(slice)
	for c := range page.win {
		for _, words := range [][]wideWord{page.win[c], page.loss[c], page.capture[c]} {
			for i := range t.frames {
				words[row+i] = wideWordFrom(b)
				b = b[wideWordBytes:]
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
