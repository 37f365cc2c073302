package retro

import (
	"context"
	"fmt"
	"math/bits"
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
				if err := p.single(at(i)); err != nil {
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
			sh := newSheet(j.ix, j.ratings.own)
			provers := make([]prover, shares)
			for i := range provers {
				provers[i] = prover{proof: j, sheet: sh}
			}
			for {
				slice := next.Add(1) - 1
				if slice >= slices {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				sh.read(own, slice)
				if shares == 1 {
					if err := provers[0].share(ctx, 0, 1, progress); err != nil {
						return err
					}
					continue
				}
				rows, ctx := errgroup.WithContext(ctx)
				for share := range shares {
					rows.Go(func() error { return provers[share].share(ctx, share, shares, progress) })
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
	checked uint64
	bests   [draughts.MaxSquares]score
	rows    moveRows

	// A position that is checked, and the child that is looked up: here, as they are
	// handed to interfaces.
	position, child draughts.Position
}

// single checks the n-th position of the table, its sides to move taken one after
// the other.
func (p *prover) single(n uint64) error {
	side, n := tables.Side(n/p.ix.Size()), n%p.ix.Size()
	p.position = p.ix.Position(side, n)
	var value tables.Plies
	if p.flat != nil {
		value = p.flat.plies[side][n]
	} else {
		value = p.own.value(&p.position)
	}
	return p.compare(&p.position, p.bestOf(&p.position), p.ratings.own.score(value))
}

// agrees reports whether the stored value of a position, given as a score, is the
// one that its best child proves.
func (p *prover) agrees(best, stored score) bool {
	return stored != noScore && p.ratings.own.score(best.parent()) == stored
}

// compare reports a difference between the stored value of a position, given as
// a score, and the one that its best child proves.
func (p *prover) compare(position *draughts.Position, best, stored score) error {
	if p.agrees(best, stored) {
		return nil
	}
	side, n := p.ix.Rank(*position)
	metric := tables.DTW
	switch {
	case p.ratings.profile != nil:
		metric = tables.DTR(p.ratings.profile.Name)
	case !p.distances:
		metric = tables.Outcomes
	}
	return difference(p.ix, metric, side, n, describeValue(metric, p.own.value(position)), describeValue(metric, best.parent()))
}

// bestOf returns the score of the best child of a position.
func (p *prover) bestOf(position *draughts.Position) score {
	if p.v.Ended(*position) {
		return drawScore
	}
	best := noScore
	p.moves = p.v.Moves(*position, p.moves[:0])
	for i := range p.moves {
		best = max(best, p.after(position, &p.moves[i]))
	}
	return best
}

// after reads the score of a child.
func (p *prover) after(position *draughts.Position, m *draughts.Move) score {
	if m.IsCapture() || m.Promotes {
		return p.known(position, m)
	}
	p.child = *position
	p.child.Make(*m)
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
func (p *prover) share(ctx context.Context, share, shares int, progress func(uint64)) (err error) {
	p.checked = 0
	defer func() {
		p.proof.checked.Add(p.checked)
		progress(p.checked)
	}()
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

// row checks the positions of a row.
func (p *prover) row(row int, base draughts.Position) error {
	s := p.sheet
	squares := s.lowest(&base)
	for c := range draughts.Color(s.ix.Material().Sides()) {
		base = base.WithSide(c)
		p.best(&base, row, squares)
		scores := s.scores[c][row*s.squares:][:s.squares]
		for sq := range squares.All() {
			if stored := scores[sq]; !p.agrees(p.bests[sq], stored) {
				p.position = with(&base, s.open, sq)
				return p.compare(&p.position, p.bests[sq], stored)
			}
		}
		p.checked += uint64(squares.Len())
	}
	return nil
}

// best works out the best children of the positions of a row with the open king
// on squares.
func (p *prover) best(base *draughts.Position, row int, squares draughts.Set) {
	p.rows.reset()
	for sq := range squares.All() {
		p.bests[sq] = noScore
	}
	if quiet := p.captures(base, squares); !quiet.IsEmpty() {
		p.quiet(base, row, quiet)
	}
}

// freeSquare returns a square without a piece.
func (p *prover) freeSquare(position *draughts.Position) draughts.Square {
	return p.v.Board().AndNot(position.Occupied()).First()
}

// quiet works out the best children of the positions of a row with the open king
// on lanes, all of which have quiet moves only.
func (p *prover) quiet(base *draughts.Position, row int, lanes draughts.Set) {
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
func (p *prover) manStep(base *draughts.Position, m draughts.Move, lanes draughts.Set) {
	s := p.sheet
	if m.Promotes {
		p.leads(base, &m, lanes)
		return
	}
	known := !p.distances && walks(p.v, base, &m)
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
