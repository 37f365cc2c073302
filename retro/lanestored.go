package retro

import (
	"cmp"
	"context"
	"slices"

	"threekings/draughts"
	"threekings/tables"
)

// A finished table is stored without true values where the side to move must
// capture, and perhaps where it is threatened. The lanes work them out word by word,
// as they do for a table in work: ten times as fast as one position after the other.

// pageReader reads one page of a finished table.
type pageReader struct {
	m    *laneMachine
	e    *keptTable // whose reading lock is held
	t    *laneTable
	key  tables.Key
	n    uint64    // of the page
	page *lanePage // nil until it is read by half
	// leftOut is what each colour to move leaves out.
	leftOut [2]tables.LeftOut
}

// halfPage is a page of which what is left out is not known, but who must capture is.
type halfPage struct {
	n    uint64
	page *lanePage
}

// halfPages is how many are kept for each man, whose steps lead from one page to several.
const halfPages = 8

// read reads the page.
func (r *pageReader) read(ctx context.Context) (page *lanePage, err error) {
	if stored := r.m.stored(); stored != nil {
		if r.leftOut, err = stored.LeftOut(r.key); err != nil {
			return nil, err
		}
		if r.key.Material.Symmetric() {
			r.leftOut[tables.Second] = r.leftOut[tables.First] // both colours to move are kept
		}
	}
	if page, err = r.half(ctx, r.n); err != nil {
		return nil, err
	}
	// It will be in use, and is not to be written to when it is read again.
	r.page = page
	r.forget(r.n)
	if r.leaves() {
		if err := r.resolveLeftOut(ctx); err != nil {
			return nil, err
		}
		page.capture = [2][]word{}
	}
	r.t.rules.freshen(r.t, page, 0, uint64(len(page.win[0])))
	return page, nil
}

// leaves reports whether anything is left out.
func (r *pageReader) leaves() bool { return r.leftOut != [2]tables.LeftOut{} }

// half reads a page, but for what is left out.
func (r *pageReader) half(ctx context.Context, n uint64) (*lanePage, error) {
	for _, h := range r.e.half {
		if h.n == n {
			return h.page, nil
		}
	}
	t := r.t
	page := t.newPage(n, r.leaves())
	first := n << t.shift
	slices := min(1<<t.shift, t.ix.Slices()-first)
	const length = 1 << 14
	outcomes := make([]tables.Outcome, length)
	plies := make([]tables.Plies, length)
	stored := r.m.stored()
	fill := func(s tables.Side, c draughts.Color, first, slices uint64, twin bool) error {
		end := (first + slices) * t.ix.SliceSize()
		for start := first * t.ix.SliceSize(); start < end; start += length {
			count := int(min(length, end-start))
			if err := r.m.read(ctx, stored, r.key, s, start, outcomes[:count], plies[:count]); err != nil {
				return err
			}
			t.fill(page, n<<t.shift, c, start, outcomes[:count], plies[:count], twin)
		}
		return nil
	}
	for s := range tables.Side(t.ix.Material().Sides()) {
		if err := fill(s, draughts.Color(s), first, slices, false); err != nil {
			return nil, err
		}
	}
	if t.ix.Material().Symmetric() {
		// Black to move: White to move in the slices of the men seen from the other
		// side.
		for slice := first; slice < first+slices; slice++ {
			position := t.ix.Men(slice)
			men := piecesOf(&position)
			men = men.turned(t.board.squares)
			if err := fill(tables.First, draughts.Black, t.sliceOf(&men.men), 1, true); err != nil {
				return nil, err
			}
		}
	}
	if stored != nil {
		if err := r.m.resolve(t, page, first, slices); err != nil {
			return nil, err
		}
	}
	return page, nil
}

// slice returns the page that holds a slice, perhaps half, and the row of the
// slice's first frame in it.
func (r *pageReader) slice(ctx context.Context, slice uint64) (*lanePage, uint64, error) {
	n := slice >> r.t.shift
	row := slice & (1<<r.t.shift - 1) * r.t.frames
	if n == r.n {
		return r.page, row, nil
	}
	if page := r.t.pages[n].Load(); page != nil {
		return page, row, nil
	}
	page, err := r.half(ctx, n)
	if err != nil {
		return nil, 0, err
	}
	r.keep(n, page)
	return page, row, nil
}

// keep keeps a half page, the first of the last few.
func (r *pageReader) keep(n uint64, page *lanePage) {
	r.forget(n)
	r.e.half = slices.Insert(r.e.half, 0, halfPage{n, page})
	if most := halfPages * r.t.ix.Material().Men(); len(r.e.half) > most {
		r.e.half = slices.Delete(r.e.half, most, len(r.e.half))
	}
}

// forget lets go of a half page, if it is kept.
func (r *pageReader) forget(n uint64) {
	r.e.half = slices.DeleteFunc(r.e.half, func(h halfPage) bool { return h.n == n })
}

// stored returns the reader of values as they are stored, nil if there is none.
func (m *laneMachine) stored() tables.StoredReader {
	r, _ := m.finished.(tables.StoredReader)
	return r
}

// read reads consecutive values of one side to move: outcomes, and distances if
// they count. With stored they are those that are stored.
func (m *laneMachine) read(ctx context.Context, stored tables.StoredReader, k tables.Key, s tables.Side, start uint64, outcomes []tables.Outcome, plies []tables.Plies) error {
	switch {
	case m.distances:
		read := m.finished.Distances
		if stored != nil {
			read = stored.StoredDistances
		}
		if err := read(ctx, k, s, start, plies); err != nil {
			return err
		}
		for i, d := range plies {
			outcomes[i] = d.Outcome()
		}
		return nil
	case stored != nil:
		return stored.StoredOutcomes(ctx, k, s, start, outcomes)
	default:
		return m.finished.Outcomes(ctx, k, s, start, outcomes)
	}
}

// resolve sets the values of a page where the side to move must capture, or
// where the game has ended, from those of smaller tables.
func (m *laneMachine) resolve(t *laneTable, page *lanePage, first, slices uint64) error {
	if t.board.v.OneOnOneDraws && t.ix.Material().Pieces() == 2 {
		for c := range page.win {
			clear(page.win[c])
			clear(page.loss[c])
		}
		return nil
	}
	kids, deps := &children{at: map[kindCounts]int{}}, &dependencies{}
	for _, d := range tables.Deps(t.ix.Material()) {
		if d.Pieces() == t.ix.Material().Pieces() {
			continue // a promotion
		}
		smaller, err := m.table(d)
		if err != nil {
			return err
		}
		deps.add(d, smaller)
		for _, seen := range d.Ordered() {
			kids.add(seen, t, smaller)
		}
	}
	if t.frameList == nil {
		t.frameList = frameKings(t)
	}
	u := newUnitSolver(&laneSolver{t: t, b: t.board, children: kids, distances: m.distances, frames: t.frameList})
	for slice := range slices {
		position := t.ix.Men(first + slice)
		men := piecesOf(&position)
		for frame := range t.frames {
			u.resolve(page, slice*t.frames+frame, &men.men, frame)
		}
	}
	if m.opts.Verify == VerifyNone || m.opts.provedApart {
		return nil
	}
	return newCaptureProof(t.ix, &laneSlices{t, page, first}, deps, &m.opts).slices(first, slices)
}

// laneSlices reads the values of a page that is not in its table yet.
type laneSlices struct {
	t     *laneTable
	page  *lanePage
	first uint64 // slice of the page
}

// value implements lookup.
func (s *laneSlices) value(p *draughts.Position) tables.Plies {
	q, c := s.t.upright(p)
	return s.t.valueIn(s.page, (s.t.sliceOf(&q.men)-s.first)*s.t.frames, &q, c)
}

// resolve sets the values of one row of a page where the side to move must
// capture.
func (u *unitSolver) resolve(page *lanePage, row uint64, men *[2]word, frame uint64) {
	p := pieces{men: *men, kings: u.s.frames[frame]}
	free, ok := u.free(&p)
	if !ok {
		return
	}
	e := &u.exits
	for c := draughts.White; c <= draughts.Black; c++ {
		captures := u.walk.run(&p, c, u.t.hasLane, u.t.lane, free)
		if page.capture[c] != nil {
			page.capture[c][row] = captures
		}
		if captures.isZero() {
			continue
		}
		e.reset()
		e.captures(&u.walk, &p)
		decided := e.allLost()
		won := captures.and(decided)
		lost := captures.andNot(decided).andNot(e.drawn)
		page.win[c][row] = page.win[c][row].andNot(captures).or(won)
		page.loss[c][row] = page.loss[c][row].andNot(captures).or(lost)
		if !u.s.distances {
			continue
		}
		plies := page.plies[c][row*uint64(u.t.stride):]
		if u.t.rules != nil {
			u.resolveResets(plies, won, lost)
			continue
		}
		for ; !won.isZero(); won = won.dropFirst() {
			plies[won.first()] = e.quickest[won.first()] + 1
		}
		for ; !lost.isZero(); lost = lost.dropFirst() {
			plies[lost.first()] = e.slowest[lost.first()] + 1
		}
	}
}

// resolveLeftOut sets the values of the page that are left out: those of the best moves,
// none of which leads to another one of the same table.
func (r *pageReader) resolveLeftOut(ctx context.Context) error {
	t, page, first := r.t, r.page, r.n<<r.t.shift
	if t.board.v.OneOnOneDraws && t.ix.Material().Pieces() == 2 {
		return nil // all are drawn
	}
	kids, deps := &children{at: map[kindCounts]int{}}, &dependencies{}
	for _, d := range tables.Deps(t.ix.Material()) {
		other, err := r.m.table(d)
		if err != nil {
			return err
		}
		deps.add(d, other)
		for _, seen := range d.Ordered() {
			kids.add(seen, t, other)
		}
	}
	u := newUnitSolver(&laneSolver{t: t, b: t.board, children: kids, frames: t.frameList})
	rows := uint64(len(page.win[0]))
	u.moves = make([]sliceMoves, rows/t.frames)
	for slice := range u.moves {
		u.sliceMoves(&u.moves[slice], first+uint64(slice))
	}
	for row := range rows {
		for c := draughts.White; c <= draughts.Black; c++ {
			if r.leftOut[c] == tables.NoneLeftOut {
				continue
			}
			if err := u.resolveLeftOut(ctx, r, row, c); err != nil {
				return err
			}
		}
	}
	if r.m.opts.Verify == VerifyNone || r.m.opts.provedApart {
		return nil
	}
	pages := &lanePages{r: r, ctx: ctx}
	err := newCaptureProof(t.ix, pages, deps, &r.m.opts).leftOut(first, rows/t.frames, r.leftOut)
	return cmp.Or(pages.err, err)
}

// lanePages reads the values of a table while a page of it is read.
type lanePages struct {
	r   *pageReader
	ctx context.Context
	err error // the first of reading, after which values mean nothing
}

// value implements lookup.
func (l *lanePages) value(p *draughts.Position) tables.Plies {
	q, c := l.r.t.upright(p)
	page, row, err := l.r.slice(l.ctx, l.r.t.sliceOf(&q.men))
	if err != nil {
		l.err = cmp.Or(l.err, err)
		return tables.NoPlies
	}
	return l.r.t.valueIn(page, row, &q, c)
}

// resolveLeftOut sets the values of one row of a page that a colour to move leaves
// out.
func (u *unitSolver) resolveLeftOut(ctx context.Context, r *pageReader, row uint64, c draughts.Color) error {
	page, frame, o := r.page, row%u.t.frames, c.Opponent()
	m := &u.moves[row/u.t.frames]
	p := pieces{men: m.men, kings: u.s.frames[frame]}
	left := page.capture[o][row].andNot(page.capture[c][row])
	if r.leftOut[c] == tables.EvenThreatened {
		left = left.and(u.even(&p))
	}
	if left.isZero() {
		return nil
	}
	e, occupied := &u.exits, p.occupied()
	e.reset()
	for _, step := range m.steps[c] {
		if occupied.has(step.to) {
			continue
		}
		to, first, err := r.slice(ctx, step.slice)
		if err != nil {
			return err
		}
		e.word(left.andNot(u.blocked(step.to)), to.win[o][first+frame], to.loss[o][first+frame], nil, false)
	}
	for _, promotion := range m.promotions[c] {
		if lanes := left.andNot(u.blocked(promotion.to)); !occupied.has(promotion.to) && !lanes.isZero() {
			e.promotion(lanes, &p, c, promotion.from, promotion.to)
		}
	}
	win, loss := page.win[o], page.loss[o]
	for _, n := range u.neighbours(c, row) {
		e.word(left.andNot(n.path), win[n.row], loss[n.row], nil, false)
	}
	if u.t.hasLane && u.t.lane == c {
		for lanes := left; !lanes.isZero(); lanes = lanes.dropFirst() {
			reach := u.b.reach(lanes.first(), occupied)
			if !reach.and(loss[row]).isZero() {
				e.lost = e.lost.or(bit(lanes.first()))
			}
			if !reach.andNot(win[row]).andNot(loss[row]).isZero() {
				e.drawn = e.drawn.or(bit(lanes.first()))
			}
		}
	}
	page.win[c][row] = page.win[c][row].andNot(left).or(e.lost.and(left))
	page.loss[c][row] = page.loss[c][row].andNot(left).or(left.andNot(e.lost).andNot(e.drawn))
	return nil
}

// even returns the lanes in which the rows of all pieces add up to an even number.
func (u *unitSolver) even(p *pieces) word {
	even := p.occupied().and(u.b.oddRows).count()%2 == 0
	switch {
	case !u.t.hasLane && even:
		return bit(0)
	case !u.t.hasLane:
		return noSquares
	case even:
		return u.b.all.andNot(u.b.oddRows)
	default:
		return u.b.oddRows
	}
}
