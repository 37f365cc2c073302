package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// run is consecutive positions of one side to move that lie in one frame: the
// lane king, the lowest of the lane side's kings, goes up the squares of lanes,
// which end below the next higher one.
type run struct {
	slice, frame uint64
	lanes        word
	pieces       pieces // of the first position; not set where there is no lane
}

// row returns the page and the row of a run.
func (t *laneTable) row(r *run) (*lanePage, uint64) {
	page, row := t.slice(r.slice)
	return page, row + r.frame
}

// runAt returns the run that begins with position n.
func (t *laneTable) runAt(n uint64) run {
	if !t.hasLane {
		return run{slice: n, lanes: bit(0)} // a slice is one position
	}
	position := t.ix.Position(tables.First, n)
	r := run{slice: n / t.ix.SliceSize(), pieces: piecesOf(&position)}
	t.stretch(&r)
	return r
}

// stretch sets the frame and the lanes of a run from its first position.
func (t *laneTable) stretch(r *run) {
	frame, lane := t.frameAt(r.pieces.kings)
	r.frame = frame
	free := t.board.all.andNot(r.pieces.occupied()).above(lane)
	if rest := r.pieces.kings[t.lane].dropFirst(); !rest.isZero() {
		free = free.andNot(free.above(rest.first()))
	}
	r.lanes = free.or(bit(lane))
}

// next makes r the run that follows in its slice and reports whether there is
// one. The lane side's kings change fastest, as in the index. The table has lanes.
func (t *laneTable) next(r *run) bool {
	p := &r.pieces
	men := p.men[0].or(p.men[1])
	open := t.board.all.andNot(men)
	if t.lane == draughts.Black {
		free := open.andNot(p.kings[draughts.White])
		// The run has taken the lowest king as far as it goes.
		kings, ok := successor(p.kings[draughts.Black].dropFirst(), free, 1)
		if !ok {
			count := p.kings[draughts.Black].count()
			if p.kings[draughts.White], ok = successor(p.kings[draughts.White], open, 0); !ok {
				return false
			}
			kings = lowest(open.andNot(p.kings[draughts.White]), count)
		}
		p.kings[draughts.Black] = kings
	} else {
		kings, ok := successor(p.kings[draughts.White].dropFirst(), open, 1)
		if !ok {
			return false
		}
		p.kings[draughts.White] = kings
	}
	t.stretch(r)
	return true
}

// successor returns the next set of squares of free in the order of the index:
// the lowest member that can move up does, and those below it start again from
// the lowest squares, along with more further ones.
func successor(set, free word, more int) (word, bool) {
	for n := more; !set.isZero(); n++ {
		member := set.first()
		set = set.dropFirst()
		up := free.above(member)
		if up.isZero() {
			return noSquares, false
		}
		if to := up.first(); !set.has(to) {
			return set.or(bit(to)).or(lowest(free, n)), true
		}
	}
	return noSquares, false
}

// lowest returns the n lowest squares of a set.
func lowest(w word, n int) word {
	var low word
	for range n {
		low = low.or(bit(w.first()))
		w = w.dropFirst()
	}
	return low
}

// runs goes through the runs of a table from some position on.
type runs struct {
	t   *laneTable
	run run
	n   uint64 // the position after the run
}

func (t *laneTable) runsFrom(n uint64) runs {
	r := t.runAt(n)
	return runs{t: t, run: r, n: n + uint64(r.lanes.count())}
}

// advanceUnless goes to the next run, of which there must be one, unless the end
// is reached.
func (r *runs) advanceUnless(end bool) {
	if end {
		return
	}
	if !r.t.hasLane {
		r.run.slice++
		r.n++
		return
	}
	if !r.t.next(&r.run) {
		r.run = r.t.runAt(r.n)
	}
	r.n += uint64(r.run.lanes.count())
}
