package retro

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"threekings/draughts"
	"threekings/tables"
)

// laneSolver solves one table word by word.
//
// The unit of work is a slice, or some small ones, or, where men step sideways,
// all slices whose men stand on the same rows: units follow each other in the
// order in which men walk. For each frame of a unit, what leaves the unit is
// looked up first: every capture, promotion and step of a man leads to finished
// values. What remains are moves of kings (and sideways steps), which can be
// taken back. Wins spread along them from losses, and a position is lost when all its moves lead to
// wins; only words whose successors have changed are looked at again. This goes
// level by level: wins in odd numbers of plies, losses in even ones, so that
// distances come out of the same run.
type laneSolver struct {
	t         *laneTable
	b         *laneBoard
	children  *children
	distances bool
	frames    [][2]word // the kings of each frame, without the lane king
}

// laneRun says how a table is solved.
type laneRun struct {
	distances bool
	threads   int
	progress  func(positions uint64)
	failure   func() error // whether what the table is solved from could be read
	journal   *journal     // may be nil
}

// solveLanes solves the table t, which is empty.
func solveLanes(ctx context.Context, t *laneTable, kids *children, run laneRun) (err error) {
	s := &laneSolver{t: t, b: t.board, children: kids, distances: run.distances, frames: frameKings(t)}
	for n := range t.pages {
		t.pages[n].Store(t.newPage(uint64(n), true))
	}
	restored := make(bitset, (t.ix.Slices()+63)/64)
	if run.journal != nil {
		defer func() { err = errors.Join(err, run.journal.close()) }()
		err := run.journal.resume(func(slice uint64, payload []byte) bool {
			ok := t.restoreSlice(slice, payload)
			if ok {
				restored.add(slice)
			}
			return ok
		})
		if err != nil {
			return err
		}
	}
	workers := make([]*unitSolver, run.threads)
	perSlice := t.ix.SliceSize() * uint64(t.ix.Material().Sides())
	for _, level := range t.ix.Levels() {
		units := s.units(level, run.threads)
		// Where there are fewer units than threads, frames are shared out.
		hands := max(1, run.threads/len(units))
		var next atomic.Int64
		g, ctx := errgroup.WithContext(ctx)
		for i := range min(run.threads, len(units)) {
			g.Go(func() error {
				if workers[i] == nil {
					workers[i] = newUnitSolver(s)
				}
				for {
					n := int(next.Add(1)) - 1
					if n >= len(units) {
						return nil
					}
					if err := ctx.Err(); err != nil {
						return err
					}
					if err := s.unit(ctx, workers[i], units[n], hands, restored, &run); err != nil {
						return err
					}
					run.progress(perSlice * uint64(len(units[n])))
				}
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// unit solves one unit, unless it was restored.
func (s *laneSolver) unit(ctx context.Context, worker *unitSolver, unit []uint64, hands int, restored bitset, run *laneRun) error {
	if !slices.ContainsFunc(unit, func(slice uint64) bool { return !restored.has(slice) }) {
		return nil
	}
	if err := worker.solve(ctx, unit, hands); err != nil {
		return err
	}
	if err := run.failure(); err != nil {
		return err
	}
	if run.journal != nil && s.t.sliceBytes() <= maxJournalSlice {
		return run.journal.add(unit, s.t.appendSlice)
	}
	return nil
}

// frameKings lists the kings of every frame.
func frameKings(t *laneTable) [][2]word {
	first := subsets(t.board.squares, t.others[draughts.White])
	second := subsets(t.board.squares, t.others[draughts.Black])
	list := make([][2]word, 0, len(first)*len(second))
	for _, w := range first {
		for _, b := range second {
			list = append(list, [2]word{w, b})
		}
	}
	return list
}

// subsets lists the sets of k of the first n squares in the order of their
// ranks.
func subsets(n, k int) []word {
	if k == 0 {
		return []word{noSquares}
	}
	var list []word
	for top := k - 1; top < n; top++ {
		for _, w := range subsets(top, k-1) {
			list = append(list, w.or(bit(draughts.Square(top))))
		}
	}
	return list
}

// fewRows is how many rows a unit of several slices may have that could be solved
// apart.
const fewRows = 1 << 8

// units groups the slices of a level that have to be solved together, or had
// better be.
func (s *laneSolver) units(level []uint64, threads int) [][]uint64 {
	if !s.b.v.MenStepSideways() {
		// Small slices that do not depend on each other cost less together, as long as
		// every thread has some.
		together := min(max(1, fewRows/s.t.frames), uint64(len(level)/(4*threads)+1))
		return slices.Collect(slices.Chunk(level, int(together)))
	}
	type rows [2][draughts.MaxSquares]uint8
	byRows := map[rows][]uint64{}
	var order []rows
	for _, slice := range level {
		var r rows
		p := s.t.ix.Men(slice)
		for c := draughts.White; c <= draughts.Black; c++ {
			for sq := range p.Pieces(c, draughts.Man).All() {
				row, _ := s.b.v.RowOf(sq)
				r[c][row]++
			}
		}
		if byRows[r] == nil {
			order = append(order, r)
		}
		byRows[r] = append(byRows[r], slice)
	}
	units := make([][]uint64, len(order))
	for i, r := range order {
		units[i] = byRows[r]
	}
	return units
}

// event is lanes of one word that something happens to.
type event struct {
	row   uint64 // within the unit
	lanes word
}

// levelEvents are the events of one colour by level.
type levelEvents [][]event

func (l *levelEvents) add(level tables.Plies, e event) {
	for len(*l) <= int(level) {
		*l = append(*l, nil)
	}
	(*l)[level] = append((*l)[level], e)
}

// move adds the events of another list and clears that.
func (l *levelEvents) move(from levelEvents) {
	for level, events := range from {
		for len(*l) <= level {
			*l = append(*l, nil)
		}
		(*l)[level] = append((*l)[level], events...)
	}
	from.clear()
}

func (l levelEvents) at(level int) []event {
	if level < len(l) {
		return l[level]
	}
	return nil
}

func (l levelEvents) clear() {
	for i := range l {
		l[i] = l[i][:0]
	}
}

// step is a man's quiet step to another slice.
type step struct {
	to    draughts.Square
	slice uint64 // of the table for steps that leave the unit, of the unit for sideways ones
}

// sliceMoves are the quiet moves of the men of one slice, by colour.
type sliceMoves struct {
	men        [2]word
	steps      [2][]step // to slices solved before
	sideways   [2][]step // within the unit
	promotions [2][]promotion
	turns      [2][]step // sideways ones that restart the count of the draw rules
}

type promotion struct{ from, to draughts.Square }

// unitSolver solves units one after the other; it keeps its memory.
type unitSolver struct {
	s      *laneSolver
	t      *laneTable
	b      *laneBoard
	walk   captureWalk
	exits  exits
	levels []word // by level: scratch of group
	used   []tables.Plies

	slices []uint64 // of the unit
	moves  []sliceMoves
	crew   []*unitSolver // helps with the rows of a large unit

	// By colour, then row of the unit: slice*frames+frame.
	quiet    [2][]word // lanes that need not capture
	open     [2][]word // of those, not decided and not drawn by a move out of the unit
	waiting  [2][]word // of those, not lost before a later level
	affected [2][]word // to be looked at again
	captures [2][]word // lanes that must capture
	won      [2][]word
	loss     [2][]word
	plies    [2][]tables.Plies // row*stride+square; nil if neither distances nor levels are kept
	fresh    [2][]word         // wins of this level
	// What moves out of the unit decide, by colour and level.
	wins, losses, releases [2]levelEvents
	touched                [2][]uint64 // rows with affected lanes
	freshRows              [2][]uint64 // rows with fresh wins
	lost                   [2][]event  // losses of the last even level
	spare                  [2][]event
	deepest                int // no level of the unit is higher
	// What is won and lost fresh, by colour and row of the unit, as it was when the
	// unit was last solved: where sideways steps restart the count.
	before [2]freshWords
	list   []neighbour
}

func newUnitSolver(s *laneSolver) *unitSolver {
	u := &unitSolver{s: s, t: s.t, b: s.b}
	u.walk.b = s.b
	u.exits = exits{
		b: s.b, children: slices.Clone(s.children.list),
		hasLane: s.t.hasLane, lane: s.t.lane, distances: s.distances,
	}
	for counts, i := range s.children.at {
		u.exits.which[counts] = uint8(i)
	}
	return u
}

// clear makes room for a unit of the given number of rows, nothing of which is
// known.
func (u *unitSolver) clear(rows int) {
	for c := range u.quiet {
		for _, w := range []*[]word{
			&u.quiet[c], &u.open[c], &u.waiting[c], &u.affected[c], &u.fresh[c],
			&u.captures[c], &u.won[c], &u.loss[c],
		} {
			if len(*w) < rows {
				*w = make([]word, rows)
			}
			clear((*w)[:rows])
		}
		if n := rows * u.t.stride; u.t.withPlies && len(u.plies[c]) < n {
			u.plies[c] = make([]tables.Plies, n)
		}
	}
}

// publish copies the values of the unit into the table.
func (u *unitSolver) publish() {
	frames, stride := u.t.frames, uint64(u.t.stride)
	for i, slice := range u.slices {
		page, row := u.t.slice(slice)
		from, to := uint64(i)*frames, uint64(i+1)*frames
		for c := range u.won {
			copy(page.win[c][row:], u.won[c][from:to])
			copy(page.loss[c][row:], u.loss[c][from:to])
			u.publishFresh(page, c, row, from, to)
			copy(page.capture[c][row:], u.captures[c][from:to])
			if u.t.withPlies {
				copy(page.plies[c][row*stride:], u.plies[c][from*stride:to*stride])
			}
		}
	}
}

// solve solves a unit with the given number of goroutines. The error is the
// context's.
func (u *unitSolver) solve(ctx context.Context, unit []uint64, hands int) error {
	u.slices = unit
	u.clear(len(unit) * int(u.t.frames))
	for len(u.moves) < len(unit) {
		u.moves = append(u.moves, sliceMoves{})
	}
	for i := range unit {
		u.sliceMoves(&u.moves[i], unit[i])
	}
	defer u.clearEvents()
	if u.leadsBack() {
		u.clearFresh(len(unit) * int(u.t.frames))
	}
	for {
		if err := u.enterAll(ctx, hands); err != nil {
			return err
		}
		// Where one piece against one is drawn, nothing but captures was wanted.
		if !u.b.v.OneOnOneDraws || u.t.ix.Material().Pieces() > 2 {
			if err := u.spread(ctx); err != nil {
				return err
			}
		}
		if !u.leadsBack() || !u.again() {
			break
		}
		u.clearEvents()
		u.clear(len(unit) * int(u.t.frames))
	}
	u.publish()
	return nil
}

func (u *unitSolver) clearEvents() {
	for c := range u.wins {
		u.wins[c].clear()
		u.losses[c].clear()
		u.releases[c].clear()
	}
}

// stretch is how many rows are entered between two looks at the context.
const stretch = 1 << 10

// enterAll enters all rows of the unit.
func (u *unitSolver) enterAll(ctx context.Context, hands int) error {
	rows := uint64(len(u.slices)) * u.t.frames
	if hands == 1 || rows < 2*stretch {
		for row := range rows {
			if row%stretch == stretch-1 && ctx.Err() != nil {
				return ctx.Err()
			}
			u.enter(row)
		}
		return nil
	}
	var next atomic.Uint64
	g, ctx := errgroup.WithContext(ctx)
	for len(u.crew) < hands {
		u.crew = append(u.crew, newUnitSolver(u.s))
	}
	for _, hand := range u.crew[:hands] {
		hand.share(u)
		g.Go(func() error {
			for {
				start := next.Add(stretch) - stretch
				if start >= rows {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for row := start; row < min(start+stretch, rows); row++ {
					hand.enter(row)
				}
			}
		})
	}
	err := g.Wait()
	for _, hand := range u.crew[:hands] {
		for c := range u.wins {
			u.wins[c].move(hand.wins[c])
			u.losses[c].move(hand.losses[c])
			u.releases[c].move(hand.releases[c])
		}
	}
	return err
}

// share makes u work on the unit of another solver, each on rows of its own.
func (u *unitSolver) share(o *unitSolver) {
	u.slices, u.moves = o.slices, o.moves
	u.quiet, u.open, u.waiting, u.captures, u.plies = o.quiet, o.open, o.waiting, o.captures, o.plies
	u.before = o.before
}

// sliceMoves works out into m where the men of a slice can step. Outside of a unit
// sideways steps are like others.
func (u *unitSolver) sliceMoves(m *sliceMoves, slice uint64) {
	men := u.t.ix.Men(slice)
	all := piecesOf(&men)
	m.men = all.men
	occupied := all.occupied()
	for c := draughts.White; c <= draughts.Black; c++ {
		m.steps[c], m.sideways[c], m.promotions[c] = m.steps[c][:0], m.sideways[c][:0], m.promotions[c][:0]
		m.turns[c] = m.turns[c][:0]
		for men := all.men[c]; !men.isZero(); men = men.dropFirst() {
			from := men.first()
			for _, d := range u.b.manMoves[c] {
				to := u.b.step[from][d]
				if to == draughts.NoSquare || occupied.has(to) {
					continue
				}
				if u.b.promotion[c].has(to) {
					m.promotions[c] = append(m.promotions[c], promotion{from, to})
					continue
				}
				after := all.men
				after[c] = after[c].andNot(bit(from)).or(bit(to))
				target := u.t.ix.Slice(after[0].set(), after[1].set())
				if (d == draughts.Left || d == draughts.Right) && len(u.slices) > 0 {
					within := step{to, uint64(slices.Index(u.slices, target))}
					if u.manMovesRestart() {
						m.turns[c] = append(m.turns[c], within)
					} else {
						m.sideways[c] = append(m.sideways[c], within)
					}
				} else {
					m.steps[c] = append(m.steps[c], step{to, target})
				}
			}
		}
	}
}

// blocked returns the lanes that a piece on a square stands on: none if there is
// no lane king.
func (u *unitSolver) blocked(sq draughts.Square) word {
	if !u.t.hasLane {
		return noSquares
	}
	return bit(sq)
}

// free returns the lanes of a frame; ok is false if its pieces stand on each
// other.
func (u *unitSolver) free(p *pieces) (lanes word, ok bool) {
	kings := p.kings[0].or(p.kings[1])
	men := p.men[0].or(p.men[1])
	if !kings.and(men).isZero() || !p.kings[0].and(p.kings[1]).isZero() {
		return noSquares, false
	}
	if !u.t.hasLane {
		return bit(0), true
	}
	return u.b.all.andNot(kings).andNot(men), true
}

// enter works out what moves out of the unit decide in one row.
func (u *unitSolver) enter(row uint64) {
	frame := row % u.t.frames
	m := &u.moves[row/u.t.frames]
	p := pieces{men: m.men, kings: u.s.frames[frame]}
	kings := p.kings[0].or(p.kings[1])
	free, ok := u.free(&p)
	if !ok {
		return
	}
	for c := draughts.White; c <= draughts.Black; c++ {
		e := &u.exits
		e.reset()
		captures := u.walk.run(&p, c, u.t.hasLane, u.t.lane, free)
		if !captures.isZero() {
			e.captures(&u.walk, &p)
			lost := e.allLost()
			u.schedule(&u.wins[c], row, c, captures.and(lost), e.freshLost, &e.quickest)
			u.schedule(&u.losses[c], row, c, captures.andNot(lost).andNot(e.drawn), captures.andNot(e.won), &e.slowest)
		}
		u.captures[c][row] = captures
		quiet := free.andNot(captures)
		u.quiet[c][row] = quiet
		if quiet.isZero() {
			continue
		}

		e.reset()
		mobile := u.mobile(m, &p, c, quiet)
		for _, step := range m.steps[c] {
			if kings.has(step.to) {
				continue
			}
			o := c.Opponent()
			page, to := u.t.slice(step.slice)
			to += frame
			lanes := quiet.andNot(u.blocked(step.to))
			mobile = mobile.or(lanes)
			if u.manMovesRestart() {
				e.fresh(lanes, page.freshWin[o][to], page.freshLoss[o][to])
				continue
			}
			var plies []tables.Plies
			if u.s.distances {
				plies = page.plies[o][to*uint64(u.t.stride):]
			}
			e.word(lanes, page.win[o][to], page.loss[o][to], plies, false)
		}
		for _, turn := range m.turns[c] {
			if kings.has(turn.to) {
				continue
			}
			lanes := quiet.andNot(u.blocked(turn.to))
			mobile = mobile.or(lanes)
			before, to := &u.before[c.Opponent()], turn.slice*u.t.frames+frame
			e.fresh(lanes, before.win[to], before.loss[to])
		}
		for _, promotion := range m.promotions[c] {
			if kings.has(promotion.to) {
				continue
			}
			lanes := quiet.andNot(u.blocked(promotion.to))
			mobile = mobile.or(lanes)
			if !lanes.isZero() {
				e.promotion(lanes, &p, c, promotion.from, promotion.to)
			}
		}
		if stuck := quiet.andNot(mobile); !stuck.isZero() {
			u.losses[c].add(0, event{row, stuck})
			u.setPlies(c, row, stuck, 0)
		}
		lost := e.allLost()
		u.schedule(&u.wins[c], row, c, lost, e.freshLost, &e.quickest)
		waiting := e.allWon().andNot(lost).andNot(e.drawn)
		u.schedule(&u.releases[c], row, c, waiting, waiting.andNot(e.won), &e.slowest)
		u.waiting[c][row] = waiting
		u.open[c][row] = mobile.andNot(lost).andNot(e.drawn)
	}
}

// mobile returns the lanes of quiet in which a king of c can move or a man step
// sideways.
func (u *unitSolver) mobile(m *sliceMoves, p *pieces, c draughts.Color, quiet word) word {
	occupied := p.occupied()
	var mobile word
	for _, step := range m.sideways[c] {
		if !occupied.has(step.to) {
			mobile = mobile.or(quiet.andNot(u.blocked(step.to)))
		}
	}
	for kings := p.kings[c]; !kings.isZero(); kings = kings.dropFirst() {
		for to := u.b.adjacent[kings.first()].andNot(occupied); !to.isZero(); to = to.dropFirst() {
			mobile = mobile.or(quiet.andNot(u.blocked(to.first())))
			if mobile == quiet {
				return mobile
			}
		}
	}
	if u.t.hasLane && u.t.lane == c {
		for lanes := quiet.andNot(mobile); !lanes.isZero(); lanes = lanes.dropFirst() {
			l := lanes.first()
			if !u.b.adjacent[l].andNot(occupied).isZero() {
				mobile = mobile.or(bit(l))
			}
		}
	}
	return mobile
}

// schedule notes that lanes of a row happen at one level more than the given
// distances, or at the first one where only outcomes count. Those of next happen
// at level 1, whatever their distances.
func (u *unitSolver) schedule(events *levelEvents, row uint64, c draughts.Color, lanes, next word, plies *[draughts.MaxSquares]tables.Plies) {
	if lanes.isZero() {
		return
	}
	if !u.s.distances {
		level := tables.Plies(1)
		if events != &u.wins[c] {
			level = 2
		}
		events.add(level, event{row, lanes})
		if events != &u.releases[c] {
			u.setPlies(c, row, lanes, level)
		}
		return
	}
	var target []tables.Plies
	if events != &u.releases[c] {
		target = u.plies[c][row*uint64(u.t.stride):]
	}
	if u.t.rules != nil {
		u.scheduleResets(events, row, events == &u.wins[c], lanes, next, plies, target)
		return
	}
	for m := lanes; !m.isZero(); m = m.dropFirst() {
		l := m.first()
		level := plies[l] + 1
		if target != nil {
			target[l] = level
		}
		for len(u.levels) <= int(level) {
			u.levels = append(u.levels, noSquares)
		}
		if u.levels[level].isZero() {
			u.used = append(u.used, level)
		}
		u.levels[level] = u.levels[level].or(bit(l))
	}
	for _, level := range u.used {
		events.add(level, event{row, u.levels[level]})
		u.levels[level] = noSquares
	}
	u.used = u.used[:0]
}

func (u *unitSolver) setPlies(c draughts.Color, row uint64, lanes word, plies tables.Plies) {
	if !u.t.withPlies {
		return
	}
	target := u.plies[c][row*uint64(u.t.stride):]
	for ; !lanes.isZero(); lanes = lanes.dropFirst() {
		target[lanes.first()] = plies
	}
}
