package retro

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// proof is the proof of one table.
type proof struct {
	v         *draughts.Variant
	ix        *index.Index
	own       lookup
	flat      *flat // own, where all of it is proved
	deps      *dependencies
	distances bool
	ratings   ratings
	checked   atomic.Uint64
}

// all checks every value of a table against those of its children.
func (j *proof) all(ctx context.Context, own *flat, opts VerifyOptions) error {
	if opts.Progress == nil {
		opts.Progress = func(uint64) {}
	}
	j.own, j.flat = own, own
	m := j.ix.Material()
	var err error
	if ended := j.v.OneOnOneDraws && m.Pieces() == 2; m.Kings() == 0 || ended {
		err = j.scattered(ctx, opts, tables.Positions(j.v, m), func(i uint64) uint64 { return i })
	} else {
		err = j.bySlice(ctx, own, threads(opts.Threads), opts.Progress)
	}
	if err != nil {
		return err
	}
	if j.leadsBack() {
		if err := j.grounded(ctx); err != nil {
			return err
		}
	}
	if n := j.checked.Load(); n != tables.Positions(j.v, m) {
		return fmt.Errorf("verify %s %s: %d positions checked, the table has %d", j.v.Name, m, n, tables.Positions(j.v, m))
	}
	return nil
}

// sample checks [SampleSize] positions.
func (j *proof) sample(ctx context.Context, own lookup, opts VerifyOptions) error {
	if opts.Progress == nil {
		opts.Progress = func(uint64) {}
	}
	j.own = own
	positions := tables.Positions(j.v, j.ix.Material())
	if positions <= SampleSize {
		return j.scattered(ctx, opts, positions, func(i uint64) uint64 { return i })
	}
	// One position of every stretch of the table, at a place that looks random.
	stretch, rest := positions/SampleSize, positions%SampleSize
	return j.scattered(ctx, opts, SampleSize, func(i uint64) uint64 {
		hash := (i + 1) * 0x9E3779B97F4A7C15
		hash ^= hash >> 29
		return i*stretch + min(i, rest) + hash%stretch
	})
}

// scattered checks count positions, the i-th of which is the at(i)-th of the
// table, its sides to move taken one after the other.
func (j *proof) scattered(ctx context.Context, opts VerifyOptions, count uint64, at func(i uint64) uint64) error {
	const run = 1 << 13
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(threads(opts.Threads))
	for start := uint64(0); start < count; start += run {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			p := prover{proof: j}
			end := min(start+run, count)
			for i := start; i < end; i++ {
				n := at(i)
				position := j.ix.Position(tables.Side(n/j.ix.Size()), n%j.ix.Size())
				if err := p.compare(position, p.best(position), j.ratings.own.score(j.own.value(&position))); err != nil {
					return err
				}
			}
			j.checked.Add(end - start)
			opts.Progress(end - start)
			return nil
		})
	}
	return g.Wait()
}

// bySlice checks slice by slice, spread out by square.
func (j *proof) bySlice(ctx context.Context, own *flat, threads int, progress func(uint64)) error {
	sheets := sync.Pool{New: func() any { return newSheet(j.ix, j.ratings.own) }}
	slices := j.ix.Slices()
	// Where there are few slices, their rows are shared out.
	shares := 1
	if slices < uint64(4*threads) {
		shares = threads
	}
	var next atomic.Uint64
	g, ctx := errgroup.WithContext(ctx)
	for range threads / shares {
		g.Go(func() error {
			sh := sheets.Get().(*sheet)
			defer sheets.Put(sh)
			for {
				slice := next.Add(1) - 1
				if slice >= slices {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				sh.read(own, slice)
				rows, ctx := errgroup.WithContext(ctx)
				for share := range shares {
					rows.Go(func() error {
						p := prover{proof: j, sheet: sh}
						defer func() {
							j.checked.Add(p.checked)
							progress(p.checked)
						}()
						return p.share(ctx, share, shares)
					})
				}
				if err := rows.Wait(); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// prover checks positions; each goroutine has its own.
type prover struct {
	*proof
	sheet   *sheet
	moves   []draughts.Move
	kings   members
	child   draughts.Position // the one that is looked up
	checked uint64
	bests   [draughts.MaxSquares]score
	rows    moveRows
}

// compare reports a difference between the stored value of a position, given as
// a score, and the one that its best child proves.
func (p *prover) compare(position draughts.Position, best, stored score) error {
	proved := best.parent()
	if stored != noScore && p.ratings.own.score(proved) == stored {
		return nil
	}
	side, n := p.ix.Rank(position)
	metric := tables.DTW
	switch {
	case p.ratings.profile != nil:
		metric = tables.DTR(p.ratings.profile.Name)
	case !p.distances:
		metric = tables.Outcomes
	}
	return difference(p.ix, metric, side, n, describeValue(metric, p.own.value(&position)), describeValue(metric, proved))
}

// best returns the score of the best child of a position.
func (p *prover) best(position draughts.Position) score {
	if p.v.Ended(position) {
		return drawScore
	}
	best := noScore
	p.moves = p.v.Moves(position, p.moves[:0])
	for _, m := range p.moves {
		best = max(best, p.after(position, m))
	}
	return best
}

// after reads the score of a child.
func (p *prover) after(position draughts.Position, m draughts.Move) score {
	p.child = position
	p.child.Make(m)
	if m.IsCapture() || m.Promotes {
		rating := p.ratings.after(&m, &p.child)
		return rating.score(p.deps.known(&p.child, p.distances))
	}
	value := p.own.value(&p.child)
	if !p.distances && walks(p.v, position, m) {
		value = knownLevel(value.Outcome())
	}
	if p.ratings.profile != nil && position.Pieces(position.Side(), draughts.Man).Has(m.From) {
		return p.ratings.steps[p.child.Side()].score(value)
	}
	return p.ratings.own.score(value)
}

// share checks one share of the rows of the sheet.
func (p *prover) share(ctx context.Context, share, shares int) (err error) {
	number := 0
	p.sheet.eachRow(func(row int, base draughts.Position) bool {
		number++
		if number%shares != share {
			return true
		}
		if number&0xFFF == share && ctx.Err() != nil {
			err = ctx.Err()
			return false
		}
		err = p.row(row, base)
		return err == nil
	})
	return err
}

// row checks the positions of a row in which the open king is the lowest of its
// colour, so that each position is checked once.
func (p *prover) row(row int, base draughts.Position) error {
	s := p.sheet
	occupied := base.Occupied()
	end := draughts.Square(s.squares)
	if kings := base.Pieces(s.open, draughts.King); !kings.IsEmpty() {
		end = kings.First()
	}
	for c := range draughts.Color(s.ix.Material().Sides()) {
		base = base.WithSide(c)
		p.rows.reset()
		var lanes draughts.Set
		for sq := range end {
			if occupied.Has(sq) {
				continue
			}
			position := base
			position.Put(s.open, draughts.King, sq)
			best := p.bestCapture(&base, &position, sq)
			if best == noScore {
				lanes = lanes.With(sq)
				continue
			}
			if stored := s.scores[c][row*s.squares+int(sq)]; stored == noScore || p.ratings.own.score(best.parent()) != stored {
				return p.compare(position, best, stored)
			}
			p.checked++
		}
		if lanes.IsEmpty() {
			continue
		}
		p.quiet(base, row, lanes)
		for sq := range lanes.All() {
			stored := s.scores[c][row*s.squares+int(sq)]
			if stored == noScore || p.ratings.own.score(p.bests[sq].parent()) != stored {
				position := base
				position.Put(s.open, draughts.King, sq)
				return p.compare(position, p.bests[sq], stored)
			}
			p.checked++
		}
	}
	return nil
}

// bestCapture returns the score of the best child by capture, noScore if there is
// no capture. The position is base and the open king on a square.
func (p *prover) bestCapture(base, position *draughts.Position, open draughts.Square) score {
	best := noScore
	p.moves = p.v.Captures(*position, p.moves[:0])
	for i := range p.moves {
		m := &p.moves[i]
		if m.From != open && !m.Captured.Has(open) {
			if row := p.rowAfter(base, m); row != nil {
				best = max(best, row.rating.score(row.values.at(open)))
				continue
			}
		}
		p.child = *position
		p.child.Make(*m)
		rating := p.ratings.after(m, &p.child)
		best = max(best, rating.score(p.deps.known(&p.child, p.distances)))
	}
	return best
}

// rowAfter returns the values of the children by a move, a capture or a
// promotion, that leaves the open king where it is, wherever that is; nil if it
// has to be looked up for each square.
func (p *prover) rowAfter(base *draughts.Position, m *draughts.Move) *moveRow {
	e, found := p.rows.entry(m)
	if !found {
		e.stamp, e.move = p.rows.stamp, *m
		p.child = *base
		p.child.Make(*m)
		e.values, e.ok = p.deps.openRow(&p.child, p.sheet.open)
		if e.ok && p.ratings.profile != nil {
			// All positions of the row have the same pieces.
			p.child.Put(p.sheet.open, draughts.King, p.freeSquare(&p.child))
			e.rating = p.ratings.after(m, &p.child)
		}
		if !p.distances {
			e.values.plies = nil
		}
	}
	if !e.ok {
		return nil
	}
	return e
}

// freeSquare returns a square without a piece.
func (p *prover) freeSquare(position *draughts.Position) draughts.Square {
	return p.v.Board().AndNot(position.Occupied()).First()
}

// quiet works out the best children of the positions of a row with the open king
// on lanes, all of which have quiet moves only.
func (p *prover) quiet(base draughts.Position, row int, lanes draughts.Set) {
	s := p.sheet
	c := base.Side()
	children := s.scores[c.Opponent()]
	occupied := base.Occupied()
	for sq := range lanes.All() {
		p.bests[sq] = noScore
	}

	// The other kings: each move leads to another row.
	kings := p.kings[:0]
	for sq := range base.Pieces(c, draughts.King).All() {
		kings = append(kings, s.place[sq])
	}
	p.kings = kings
	rest := row
	if c == draughts.White {
		rest -= kings.rank() * s.second
	} else {
		rest -= kings.rank()
	}
	for i := range kings {
		from := s.free[kings[i]]
		for d := range draughts.Direction(8) {
			if !p.v.KingMoves.Has(d) {
				continue
			}
			free := lanes
			for to := p.v.Step(from, d); to != draughts.NoSquare && !occupied.Has(to); to = p.v.Step(to, d) {
				free = free.Without(to)
				target := kings.replaced(i, s.place[to])
				if c == draughts.White {
					target *= s.second
				}
				scores := children[(rest+target)*s.squares:][:s.squares]
				p.raise(free, scores)
				if !p.v.LongKing {
					break
				}
			}
		}
	}

	// The open king: its moves stay in the row.
	if c == s.open {
		scores := children[row*s.squares:][:s.squares]
		for sq := range lanes.All() {
			best := p.bests[sq]
			for d := range draughts.Direction(8) {
				if !p.v.KingMoves.Has(d) {
					continue
				}
				for to := p.v.Step(sq, d); to != draughts.NoSquare && !occupied.Has(to); to = p.v.Step(to, d) {
					best = max(best, scores[to])
					if !p.v.LongKing {
						break
					}
				}
			}
			p.bests[sq] = best
		}
	}

	// Men lead to other slices and tables.
	for from := range base.Pieces(c, draughts.Man).All() {
		for d := range draughts.Direction(8) {
			if !p.v.ManMoves.Of(c).Has(d) {
				continue
			}
			to := p.v.Step(from, d)
			if to == draughts.NoSquare || occupied.Has(to) {
				continue
			}
			p.manStep(base, draughts.Move{From: from, To: to, Promotes: p.v.PromotionRow(c).Has(to)}, lanes.Without(to))
		}
	}
}

// manStep takes a man's move into account.
func (p *prover) manStep(base draughts.Position, m draughts.Move, lanes draughts.Set) {
	s := p.sheet
	if m.Promotes {
		if row := p.rowAfter(&base, &m); row != nil {
			for sq := range lanes.All() {
				p.bests[sq] = max(p.bests[sq], row.rating.score(row.values.at(sq)))
			}
			return
		}
	}
	if m.Promotes {
		for sq := range lanes.All() {
			position := base
			position.Put(s.open, draughts.King, sq)
			p.bests[sq] = max(p.bests[sq], p.after(position, m))
		}
		return
	}
	known := !p.distances && walks(p.v, base, m)
	after := base.Play(m)
	rating := p.ratings.steps[after.Side()]
	if after.Side() == draughts.Black && s.ix.Material().Symmetric() {
		turned := s.twin(p.flat, &after)
		turned.place(&after)
		for sq := range lanes.All() {
			value := turned.at(sq)
			if known {
				value = knownLevel(value.Outcome())
			}
			p.bests[sq] = max(p.bests[sq], rating.score(value))
		}
		return
	}
	slice := s.ix.Slice(after.Pieces(draughts.White, draughts.Man), after.Pieces(draughts.Black, draughts.Man))
	values := p.flat.plies[after.Side()][slice*s.ix.SliceSize():]
	number := s.numbering(after)
	for sq := range lanes.All() {
		value := values[number.at(sq)]
		if known {
			value = knownLevel(value.Outcome())
		}
		p.bests[sq] = max(p.bests[sq], rating.score(value))
	}
}

// raise takes the scores of children on squares into account.
func (p *prover) raise(squares draughts.Set, scores []score) {
	lo, hi := squares.Words()
	for ; lo != 0; lo &= lo - 1 {
		sq := bits.TrailingZeros64(lo)
		p.bests[sq] = max(p.bests[sq], scores[sq])
	}
	for ; hi != 0; hi &= hi - 1 {
		sq := 64 + bits.TrailingZeros64(hi)
		p.bests[sq] = max(p.bests[sq], scores[sq])
	}
}

// replaced returns the rank of the set with member i replaced by another
// number.
func (c members) replaced(i, by int) int {
	r, k := uint64(0), 1
	pending := true
	for j, m := range c {
		if j == i {
			continue
		}
		if pending && by < m {
			r += binomials[by][k]
			k++
			pending = false
		}
		r += binomials[m][k]
		k++
	}
	if pending {
		r += binomials[by][k]
	}
	return int(r)
}
