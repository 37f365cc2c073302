// Code generated from runs.go by internal/widen; DO NOT EDIT.

package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// run is consecutive positions of one side to move that lie in one frame: the
// lane king, the lowest of the lane side's kings, goes up the squares of lanes,
// which end below the next higher one.
type wideRun struct {
	slice, frame uint64
	lanes        wideWord
	widePieces   widePieces // of the first position; not set where there is no lane
}

// row returns the page and the row of a run.
func (t *wideLaneTable) row(r *wideRun) (*wideLanePage, uint64) {
	page, row := t.slice(r.slice)
	return page, row + r.frame
}

// runAt returns the run that begins with position n.
func (t *wideLaneTable) runAt(n uint64) wideRun {
	if !t.hasLane {
		return wideRun{slice: n, lanes: wideBit(0)} // a slice is one position
	}
	position := t.ix.Position(tables.First, n)
	r := wideRun{slice: n / t.ix.SliceSize(), widePieces: widePiecesOf(&position)}
	t.wideStretch(&r)
	return r
}

// stretch sets the frame and the lanes of a run from its first position.
func (t *wideLaneTable) wideStretch(r *wideRun) {
	frame, lane := t.frameAt(r.widePieces.kings)
	r.frame = frame
	free := t.board.all.andNot(r.widePieces.occupied()).above(lane)
	if rest := r.widePieces.kings[t.lane].dropFirst(); !rest.isZero() {
		free = free.andNot(free.above(rest.first()))
	}
	r.lanes = free.or(wideBit(lane))
}

// next makes r the run that follows in its slice and reports whether there is
// one. The lane side's kings change fastest, as in the index. The table has lanes.
func (t *wideLaneTable) next(r *wideRun) bool {
	p := &r.widePieces
	men := p.men[0].or(p.men[1])
	open := t.board.all.andNot(men)
	if t.lane == draughts.Black {
		free := open.andNot(p.kings[draughts.White])
		// The run has taken the lowest king as far as it goes.
		kings, ok := wideSuccessor(p.kings[draughts.Black].dropFirst(), free, 1)
		if !ok {
			count := p.kings[draughts.Black].count()
			if p.kings[draughts.White], ok = wideSuccessor(p.kings[draughts.White], open, 0); !ok {
				return false
			}
			kings = wideLowest(open.andNot(p.kings[draughts.White]), count)
		}
		p.kings[draughts.Black] = kings
	} else {
		kings, ok := wideSuccessor(p.kings[draughts.White].dropFirst(), open, 1)
		if !ok {
			return false
		}
		p.kings[draughts.White] = kings
	}
	t.wideStretch(r)
	return true
}

// successor returns the next set of squares of free in the order of the index:
// the lowest member that can move up does, and those below it start again from
// the lowest squares, along with more further ones.
func wideSuccessor(set, free wideWord, more int) (wideWord, bool) {
	for n := more; !set.isZero(); n++ {
		member := set.first()
		set = set.dropFirst()
		up := free.above(member)
		if up.isZero() {
			return wideNoSquares, false
		}
		if to := up.first(); !set.has(to) {
			return set.or(wideBit(to)).or(wideLowest(free, n)), true
		}
	}
	return wideNoSquares, false
}

// lowest returns the n lowest squares of a set.
func wideLowest(w wideWord, n int) wideWord {
	var low wideWord
	for range n {
		low = low.or(wideBit(w.first()))
		w = w.dropFirst()
	}
	return low
}

// runs goes through the runs of a table from some position on.
type wideRuns struct {
	t       *wideLaneTable
	wideRun wideRun
	n       uint64 // the position after the run
}

func (t *wideLaneTable) runsFrom(n uint64) wideRuns {
	r := t.runAt(n)
	return wideRuns{t: t, wideRun: r, n: n + uint64(r.lanes.count())}
}

// advanceUnless goes to the next run, of which there must be one, unless the end
// is reached.
func (r *wideRuns) advanceUnless(end bool) {
	if end {
		return
	}
	if !r.t.hasLane {
		r.wideRun.slice++
		r.n++
		return
	}
	if !r.t.next(&r.wideRun) {
		r.wideRun = r.t.runAt(r.n)
	}
	r.n += uint64(r.wideRun.lanes.count())
}
