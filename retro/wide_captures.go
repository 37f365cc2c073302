// Code generated from captures.go by internal/widen; DO NOT EDIT.

package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// A capture is searched once for all lane squares: the search carries the set
// of lane squares for which the path so far is valid. Squares that the capturer
// crosses or lands on leave the set as long as the lane king stands on the
// board, be it as a captured piece that waits for its removal. Where the lane
// king is the victim, all lane squares passed on the ray are captured together;
// where it is the capturer, all lane squares on the ray before the first victim
// go on together.

// captureResult is one way to capture, with the lane squares for which it can
// be played.
type wideCaptureResult struct {
	rank     uint64 // precedence: for each lane, only the highest counts
	lanes    wideWord
	captured wideWord // without the lane king
	from, to draughts.Square
	// byKing: the capturer is a king, or becomes one. wasKing: it was one.
	byKing, wasKing bool
	laneTaken       bool // the lane king is captured
	laneMoves       bool // the lane king is the capturer; from means nothing
}

// captureWalk is the search. Its fields below the line describe the capture
// under way and are restored on the way back.
type wideCaptureWalk struct {
	b       *wideLaneBoard
	results []wideCaptureResult

	side      draughts.Color
	hasLane   bool
	laneEnemy bool // the lane king is a possible victim
	enemyKing wideWord
	spared    wideWord // enemy pieces that the capturer may not take
	// byCount has the lanes for which a capture of so many pieces was found.
	byCount [tables.MaxPieces]wideWord

	// ----
	blockers  wideWord // all pieces but the lane king on the board, without the capturer
	prey      wideWord // enemy pieces but the lane king, not captured yet
	captured  wideWord
	laneTaken bool
	laneMoves bool
	from      draughts.Square
	wasKing   bool
	crowned   bool
	count     int
	kings     int
	pattern   uint64 // one bit for each capture, the first one highest: a king
}

// noDirection stands where no jump has been made yet.
const wideNoDirection = draughts.Direction(8)

// run collects the captures of side c from a frame: its pieces and the lane
// squares that are free. It returns the lanes that must capture.
func (w *wideCaptureWalk) wideRun(p *widePieces, c draughts.Color, hasLane bool, lane draughts.Color, free wideWord) wideWord {
	w.results = w.results[:0]
	clear(w.byCount[:])
	o := c.Opponent()
	w.side, w.hasLane = c, hasLane
	w.laneEnemy = hasLane && lane == o
	w.enemyKing = p.kings[o]
	w.prey = p.of(o)
	w.spared = wideNoSquares
	occupied := p.occupied()
	var found wideWord

	w.wasKing = true
	for kings := p.kings[c]; !kings.isZero(); kings = kings.dropFirst() {
		w.from = kings.first()
		w.blockers = occupied.andNot(wideBit(w.from))
		found = found.or(w.king(w.from, wideNoDirection, free, wideNoSquares))
	}
	if hasLane && lane == c {
		w.blockers = occupied
		found = found.or(w.laneKing(free))
	}
	w.wasKing = false
	if w.b.v.MenSpareKings {
		w.spared = w.enemyKing
	}
	for men := p.men[c]; !men.isZero(); men = men.dropFirst() {
		w.from = men.first()
		w.blockers = occupied.andNot(wideBit(w.from))
		found = found.or(w.man(w.from, free))
	}
	w.settle()
	return found
}

// settle leaves each lane with its captures of the highest rank only.
func (w *wideCaptureWalk) settle() {
	switch w.b.v.Precedence {
	case draughts.AnyCapture:
		return
	case draughts.MostPieces:
		// Lanes with more pieces to take than a result takes.
		var more [tables.MaxPieces]wideWord
		for n := len(more) - 2; n > 0; n-- {
			more[n] = more[n+1].or(w.byCount[n+1])
		}
		if more[1].isZero() {
			return
		}
		for i := range w.results {
			r := &w.results[i]
			r.lanes = r.lanes.andNot(more[r.rank])
		}
		return
	default:
		w.settleRanks()
	}
}

// settleRanks serves one rank after the other, highest first: there are few.
func (w *wideCaptureWalk) settleRanks() {
	var served wideWord
	for rank := ^uint64(0); ; {
		next, any := uint64(0), false
		for i := range w.results {
			if r := w.results[i].rank; r < rank {
				next, any = max(next, r), true
			}
		}
		if !any {
			return
		}
		rank = next
		var serving wideWord
		for i := range w.results {
			if r := &w.results[i]; r.rank == rank {
				r.lanes = r.lanes.andNot(served)
				serving = serving.or(r.lanes)
			}
		}
		served = served.or(serving)
	}
}

// laneBlocks reports whether the lane king stands in the way.
func (w *wideCaptureWalk) laneBlocks() bool {
	return w.hasLane && !w.laneMoves && !(w.laneTaken && w.b.immediate)
}

// king continues a capture by a king from square at, reached in direction last,
// for the given lanes; straight are those of them for which going straight on
// is not another landing square's business. It returns the lanes for which it
// could.
func (w *wideCaptureWalk) king(at draughts.Square, last draughts.Direction, lanes, straight wideWord) wideWord {
	targets := w.prey
	if w.laneEnemy && !w.laneTaken {
		targets = targets.or(lanes)
	}
	var found wideWord
	if targets.and(w.b.preyFrom[at]).isZero() {
		return found
	}
	for _, d := range w.b.kingCaptures {
		if targets.and(w.b.jumpRays[at][d]).isZero() {
			continue
		}
		m := lanes
		if last != wideNoDirection {
			if d == last {
				m = straight
			} else if w.b.immediate && d == last.Opposite() {
				continue
			}
		}
		if !m.isZero() {
			found = found.or(w.jumps(at, d, m))
		}
	}
	return found
}

// jumps makes the jumps from square at in direction d: over the first piece in
// the way, or over the lane king before it.
func (w *wideCaptureWalk) jumps(at draughts.Square, d draughts.Direction, lanes wideWord) wideWord {
	b := w.b
	var found wideWord
	passed := b.jumpRays[at][d] // the free squares before the first piece
	if blockers := passed.and(w.blockers); !blockers.isZero() {
		y := wideNearest(blockers, d)
		passed = passed.andNot(b.jumpRays[y][d]).andNot(wideBit(y))
		if w.prey.has(y) {
			if z := b.wideStep[y][d]; z != draughts.NoSquare && !w.blockers.has(z) {
				m := lanes
				if w.laneBlocks() {
					m = m.andNot(passed).andNot(wideBit(z))
				}
				if !m.isZero() {
					found = m
					w.jump(y, d, m)
				}
			}
		}
	}
	if w.laneEnemy && !w.laneTaken {
		if m := lanes.and(passed); !m.isZero() {
			found = found.or(w.jumpLane(at, d, m))
		}
	}
	return found
}

// landing is a square behind a victim, with the lanes for which it can be
// landed on.
type wideLanding struct {
	to    draughts.Square
	lanes wideWord
}

// maxLandings is more than there are squares behind a piece on any line.
const wideMaxLandings = 12

// jump captures the piece on a square in direction d, for lanes for which the
// square behind is free.
func (w *wideCaptureWalk) jump(victim draughts.Square, d draughts.Direction, lanes wideWord) {
	b := w.b
	undo := w.take(victim)
	blocks := w.laneBlocks()
	var landings [wideMaxLandings]wideLanding
	n := 0
	var goesOn wideWord
	straight := lanes
	for to := b.wideStep[victim][d]; to != draughts.NoSquare && !w.blockers.has(to); to = b.wideStep[to][d] {
		if blocks {
			lanes = lanes.andNot(wideBit(to))
			if lanes.isZero() {
				break
			}
		}
		goesOn = goesOn.or(w.king(to, d, lanes, straight))
		landings[n] = wideLanding{to, lanes}
		n++
		straight = wideNoSquares
		if !b.v.LongKing {
			break
		}
	}
	w.stop(landings[:n], goesOn)
	w.untake(victim, undo)
}

// jumpLane captures the lane king, which stands on one of lanes, all of them on
// the free squares from at in direction d. It returns the lanes for which there
// is a square to land on.
func (w *wideCaptureWalk) jumpLane(at draughts.Square, d draughts.Direction, lanes wideWord) wideWord {
	b := w.b
	w.takeLane()
	var landings [wideMaxLandings]wideLanding
	n := 0
	var goesOn, passed, before wideWord
	for y := b.wideStep[at][d]; y != draughts.NoSquare && !w.blockers.has(y); y = b.wideStep[y][d] {
		if m := lanes.and(passed); !m.isZero() {
			goesOn = goesOn.or(w.king(y, d, m, m.and(before)))
			landings[n] = wideLanding{y, m}
			n++
			if !b.v.LongKing {
				break
			}
		}
		before = wideBit(y)
		passed = passed.or(before)
	}
	w.stop(landings[:n], goesOn)
	w.untakeLane()
	if n == 0 {
		return wideNoSquares
	}
	return landings[n-1].lanes
}

// stop records the captures that end on one of the landing squares of a jump:
// those of lanes for which no landing square lets it go on.
func (w *wideCaptureWalk) stop(landings []wideLanding, goesOn wideWord) {
	for _, l := range landings {
		if m := l.lanes.andNot(goesOn); !m.isZero() {
			w.record(l.to, m)
		}
	}
}

// laneKing makes the captures that the lane king begins. What follows depends on
// the first victim and the direction alone.
func (w *wideCaptureWalk) laneKing(free wideWord) wideWord {
	b := w.b
	w.laneMoves = true
	var found wideWord
	for prey := w.prey; !prey.isZero(); prey = prey.dropFirst() {
		victim := prey.first()
		for _, d := range b.kingCaptures {
			to := b.wideStep[victim][d]
			if to == draughts.NoSquare || w.blockers.has(to) {
				continue
			}
			var from wideWord
			for y := b.wideStep[victim][d.Opposite()]; y != draughts.NoSquare && !w.blockers.has(y); y = b.wideStep[y][d.Opposite()] {
				from = from.or(wideBit(y))
				if !b.v.LongKing {
					break
				}
			}
			if from = from.and(free); !from.isZero() {
				found = found.or(from)
				w.jump(victim, d, from)
			}
		}
	}
	w.laneMoves = false
	return found
}

// man continues a capture by a man from square at. It returns the lanes for
// which it could.
func (w *wideCaptureWalk) man(at draughts.Square, lanes wideWord) wideWord {
	b := w.b
	var found wideWord
	for _, d := range b.manCaptures[w.side] {
		victim := b.wideStep[at][d]
		if victim == draughts.NoSquare {
			continue
		}
		to := b.wideStep[victim][d]
		if to == draughts.NoSquare || w.blockers.has(to) {
			continue
		}
		switch {
		case w.prey.has(victim) && !w.spared.has(victim):
			m := lanes
			if w.laneBlocks() {
				m = m.andNot(wideBit(to))
			}
			if m.isZero() {
				continue
			}
			found = found.or(m)
			undo := w.take(victim)
			w.manLands(to, d, m)
			w.untake(victim, undo)
		case w.laneEnemy && !w.laneTaken && !b.v.MenSpareKings && lanes.has(victim) && !w.blockers.has(victim):
			m := wideBit(victim)
			found = found.or(m)
			w.takeLane()
			w.manLands(to, d, m)
			w.untakeLane()
		}
	}
	return found
}

// manLands goes on from the square behind a man's victim.
func (w *wideCaptureWalk) manLands(to draughts.Square, d draughts.Direction, lanes wideWord) {
	var goesOn wideWord
	switch {
	case !w.b.widePromotion[w.side].has(to) || w.b.v.Promotion == draughts.PassThrough:
		goesOn = w.man(to, lanes)
	case w.b.v.Promotion == draughts.GoOnAsKing:
		w.crowned = true
		goesOn = w.king(to, d, lanes, lanes)
	}
	if m := lanes.andNot(goesOn); !m.isZero() {
		w.record(to, m)
	}
	w.crowned = false
}

func (w *wideCaptureWalk) take(victim draughts.Square) (undo wideWord) {
	undo = w.blockers
	v := wideBit(victim)
	w.prey = w.prey.andNot(v)
	w.captured = w.captured.or(v)
	if w.b.immediate {
		w.blockers = w.blockers.andNot(v)
	}
	w.counted(w.enemyKing.has(victim))
	return undo
}

func (w *wideCaptureWalk) untake(victim draughts.Square, undo wideWord) {
	v := wideBit(victim)
	w.prey = w.prey.or(v)
	w.captured = w.captured.andNot(v)
	w.blockers = undo
	w.uncounted()
}

func (w *wideCaptureWalk) takeLane() {
	w.laneTaken = true
	w.counted(true)
}

func (w *wideCaptureWalk) untakeLane() {
	w.laneTaken = false
	w.uncounted()
}

func (w *wideCaptureWalk) counted(king bool) {
	w.count++
	w.pattern <<= 1
	if king {
		w.kings++
		w.pattern |= 1
	}
}

func (w *wideCaptureWalk) uncounted() {
	w.count--
	w.kings -= int(w.pattern & 1)
	w.pattern >>= 1
}

// rank returns the precedence of the capture under way.
func (w *wideCaptureWalk) rank() uint64 {
	king := uint64(0)
	if w.wasKing {
		king = 1
	}
	switch w.b.v.Precedence {
	case draughts.MostPieces:
		return uint64(w.count)
	case draughts.MostPiecesThenKings:
		return uint64(w.count)<<6 | uint64(w.kings)
	case draughts.ItalianPrecedence:
		return (uint64(w.count)<<7|king<<6|uint64(w.kings))<<40 | w.pattern
	case draughts.KingCapturesFirst:
		return king
	default:
		return 0
	}
}

// record notes the capture under way, which ends on to.
func (w *wideCaptureWalk) record(to draughts.Square, lanes wideWord) {
	w.byCount[w.count] = w.byCount[w.count].or(lanes)
	w.results = append(w.results, wideCaptureResult{
		rank: w.rank(), lanes: lanes, captured: w.captured, from: w.from, to: to,
		wasKing: w.wasKing, byKing: w.wasKing || w.crowned || w.b.widePromotion[w.side].has(to),
		laneTaken: w.laneTaken, laneMoves: w.laneMoves,
	})
}
