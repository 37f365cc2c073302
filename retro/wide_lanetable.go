// Code generated from lanetable.go by internal/widen; DO NOT EDIT.

package retro

import (
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

	// By colour to move, then slice*frames+frame.
	win, loss, capture [2][]wideWord
	// By colour to move, then (slice*frames+frame)*stride+square; nil if only
	// outcomes count and no levels are kept.
	plies [2][]tables.Plies
}

func newWideLaneTable(b *wideLaneBoard, ix *index.Index, withPlies bool) *wideLaneTable {
	m := ix.Material()
	t := &wideLaneTable{board: b, ix: ix, stride: 1}
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
	n := ix.Slices() * t.frames
	for c := range t.win {
		t.win[c], t.loss[c], t.capture[c] = make([]wideWord, n), make([]wideWord, n), make([]wideWord, n)
		if withPlies {
			t.plies[c] = make([]tables.Plies, n*uint64(t.stride))
		}
	}
	return t
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

// at returns the number of the frame, counted over all slices, and the lane
// square of a position.
func (t *wideLaneTable) at(p *widePieces) (row uint64, lane draughts.Square) {
	kings := p.kings
	if t.hasLane {
		lane = kings[t.lane].first()
		kings[t.lane] = kings[t.lane].dropFirst()
	}
	return t.ix.Slice(p.men[0].set(), p.men[1].set())*t.frames + t.frameOf(&kings), lane
}

// outcome reads one position.
func (t *wideLaneTable) outcome(c draughts.Color, row uint64, lane draughts.Square) tables.Outcome {
	switch {
	case t.win[c][row].has(lane):
		return tables.Win
	case t.loss[c][row].has(lane):
		return tables.Loss
	default:
		return tables.Draw
	}
}

// distance reads one decided position's distance.
func (t *wideLaneTable) distance(c draughts.Color, row uint64, lane draughts.Square) tables.Plies {
	return t.plies[c][row*uint64(t.stride)+uint64(lane)]
}

// value implements lookup.
func (t *wideLaneTable) value(p draughts.Position) tables.Plies {
	q, c := widePiecesOf(p), p.Side()
	m := t.ix.Material()
	// Both colours to move are kept: if the material is symmetric, either way up
	// will do.
	if q.men[0].count() != m.Count(tables.First, draughts.Man) || q.kings[0].count() != m.Count(tables.First, draughts.King) {
		q, c = q.turned(t.board.squares), c.Opponent()
	}
	row, lane := t.at(&q)
	o := t.outcome(c, row, lane)
	if o == tables.Draw || t.plies[c] == nil {
		return knownLevel(o)
	}
	return t.distance(c, row, lane)
}

func widePiecesOf(p draughts.Position) widePieces {
	return widePieces{
		men: [2]wideWord{
			wideWordOf(p.Pieces(draughts.White, draughts.Man)),
			wideWordOf(p.Pieces(draughts.Black, draughts.Man)),
		},
		kings: [2]wideWord{
			wideWordOf(p.Pieces(draughts.White, draughts.King)),
			wideWordOf(p.Pieces(draughts.Black, draughts.King)),
		},
	}
}

// run is consecutive positions of one side to move that lie in one frame: the
// lane king goes up the squares of lanes.
type wideRun struct {
	row   uint64
	lanes wideWord
}

// runAt returns the run that begins with position n, and that position's pieces.
// Its lane king is the lowest king of the lane side, so that it ends below the
// next higher one.
func (t *wideLaneTable) runAt(n uint64) (wideRun, widePieces) {
	p := widePiecesOf(t.ix.Position(tables.First, n))
	row, lane := t.at(&p)
	r := wideRun{row: row, lanes: wideBit(lane)}
	if !t.hasLane {
		return r, p
	}
	occupied := p.occupied()
	end := draughts.Square(t.board.squares)
	if rest := p.kings[t.lane].dropFirst(); !rest.isZero() {
		end = rest.first()
	}
	for s := lane + 1; s < end; s++ {
		if !occupied.has(s) {
			r.lanes = r.lanes.or(wideBit(s))
		}
	}
	return r, p
}

// Outcomes implements [tables.Values].
func (t *wideLaneTable) Outcomes(s tables.Side, start uint64, dst []tables.Outcome) {
	win, loss := t.win[s], t.loss[s]
	for i := 0; i < len(dst); {
		r, _ := t.runAt(start + uint64(i))
		w, l := win[r.row], loss[r.row]
		for lanes := r.lanes; !lanes.isZero() && i < len(dst); lanes = lanes.dropFirst() {
			lane := lanes.first()
			switch {
			case w.has(lane):
				dst[i] = tables.Win
			case l.has(lane):
				dst[i] = tables.Loss
			default:
				dst[i] = tables.Draw
			}
			i++
		}
	}
}

// Distances implements [tables.Values].
func (t *wideLaneTable) Distances(s tables.Side, start uint64, dst []tables.Plies) {
	for i := 0; i < len(dst); {
		r, _ := t.runAt(start + uint64(i))
		decided := t.win[s][r.row].or(t.loss[s][r.row])
		plies := t.plies[s][r.row*uint64(t.stride):]
		for lanes := r.lanes; !lanes.isZero() && i < len(dst); lanes = lanes.dropFirst() {
			dst[i] = tables.NoPlies
			if lane := lanes.first(); decided.has(lane) {
				dst[i] = plies[lane]
			}
			i++
		}
	}
}

// Captures implements [tables.Values].
func (t *wideLaneTable) Captures(s tables.Side, start uint64, dst []bool) {
	for i := 0; i < len(dst); {
		r, _ := t.runAt(start + uint64(i))
		for lanes := r.lanes; !lanes.isZero() && i < len(dst); lanes = lanes.dropFirst() {
			dst[i] = t.capture[s][r.row].has(lanes.first())
			i++
		}
	}
}

// fill sets the values of consecutive positions with colour c to move, from
// number start on, in every frame in which a position occurs. Distances count
// only if the table keeps them.
func (t *wideLaneTable) fill(c draughts.Color, start uint64, outcomes []tables.Outcome, plies []tables.Plies) {
	for i := 0; i < len(outcomes); {
		r, p := t.runAt(start + uint64(i))
		for lanes := r.lanes; !lanes.isZero() && i < len(outcomes); lanes = lanes.dropFirst() {
			if o := outcomes[i]; o != tables.Draw {
				lane := lanes.first()
				t.set(c, r.row, lane, o, plies[i])
				t.fillCopies(c, p, lane, o, plies[i])
			}
			i++
		}
	}
}

func (t *wideLaneTable) set(c draughts.Color, row uint64, lane draughts.Square, o tables.Outcome, plies tables.Plies) {
	if o == tables.Win {
		t.win[c][row] = t.win[c][row].or(wideBit(lane))
	} else {
		t.loss[c][row] = t.loss[c][row].or(wideBit(lane))
	}
	if t.plies[c] != nil {
		t.plies[c][row*uint64(t.stride)+uint64(lane)] = plies
	}
}

// fillCopies sets the further copies of a decided position, which is p with its
// lowest king on lane instead: those with another lane king, and, if the
// material is symmetric, the same position with the other colour to move.
func (t *wideLaneTable) fillCopies(c draughts.Color, p widePieces, lane draughts.Square, o tables.Outcome, plies tables.Plies) {
	symmetric := t.ix.Material().Symmetric()
	if t.hasLane {
		p.kings[t.lane] = p.kings[t.lane].dropFirst().or(wideBit(lane))
		if t.others[t.lane] > 0 {
			t.fillLanes(c, p, o, plies)
		}
	}
	if symmetric {
		t.fillLanes(c.Opponent(), p.turned(t.board.squares), o, plies)
	}
}

func (t *wideLaneTable) fillLanes(c draughts.Color, p widePieces, o tables.Outcome, plies tables.Plies) {
	slice := t.ix.Slice(p.men[0].set(), p.men[1].set()) * t.frames
	if !t.hasLane {
		t.set(c, slice, 0, o, plies)
		return
	}
	for all := p.kings[t.lane]; !all.isZero(); all = all.dropFirst() {
		lane := all.first()
		kings := p.kings
		kings[t.lane] = kings[t.lane].andNot(wideBit(lane))
		t.set(c, slice+t.frameOf(&kings), lane, o, plies)
	}
}
