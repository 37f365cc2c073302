// Package probe answers positions from finished tables: who wins, in how many
// plies, and what every legal move is worth.
//
// Values are always true ones. What is stored for a position whose side to move
// must capture is never read: such a position is resolved by looking ahead until
// the captures are over. So are quiet positions that a table leaves out.
package probe

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"threekings/draughts"
	"threekings/tables"
)

// DefaultCacheBytes is the budget of the block cache if [Options] names none.
const DefaultCacheBytes = 64 << 20

// Options are what can be chosen when a prober is opened. The zero value is the
// default.
type Options struct {
	// CacheBytes is the most memory that decoded blocks may take together, in
	// bytes. 0 means [DefaultCacheBytes]; below 0 nothing is kept. Where they are
	// found takes some eight bytes for each block near those that were read.
	CacheBytes int64
}

// Prober answers positions of any variant from one source of tables. It is safe
// for concurrent use.
type Prober struct {
	tables  openTables
	cache   *cache
	scratch sync.Pool // of *scratch
}

// scratch is the working memory of one answer: the captures of all positions on
// the way down, one list behind the other; or that of reading a block.
type scratch struct {
	moves []draughts.Move
	block []byte // of outcomes
}

// scratchMoves is more than the captures on the way down take in practice; a
// longer list grows and is kept.
const scratchMoves = 256

// Open returns a prober that reads src. Nothing is read yet. A table that is
// missing is asked for again with the next position, so tables may be added
// while the prober is in use; a table that was read once must not change.
func Open(src tables.Source, opts Options) *Prober {
	budget := cmp.Or(opts.CacheBytes, DefaultCacheBytes)
	parts, _ := src.(tables.PartSource)
	return &Prober{
		tables:  openTables{src: src, parts: parts},
		cache:   newCache(max(budget, 0)),
		scratch: sync.Pool{New: func() any { return &scratch{moves: make([]draughts.Move, 0, scratchMoves)} }},
	}
}

// Result is the value of a position for its side to move.
type Result struct {
	Outcome tables.Outcome
	// DTW is the distance to win in plies to the end of the game, odd for a win and
	// even for a loss. It is [tables.NoPlies] for a draw, and where the tables keep
	// only outcomes.
	DTW tables.Plies
	// Moves are all legal moves, best first: wins with the shortest first, draws,
	// losses with the longest first, then moves of unknown value. Moves of one worth
	// keep the order of [draughts.Variant.Moves]. A game that is over has none.
	Moves []MoveValue
	// Ruling is what the position is worth under draw rules, if
	// [Prober.ProbeUnder] was asked; then the moves are in the order of their
	// verdicts first, and one without a verdict stands between the two that its
	// outcome leaves open.
	Ruling *Ruling
	// Rules are those that it is under.
	Rules Rules
}

// MoveValue is what a legal move is worth.
type MoveValue struct {
	Move draughts.Move
	// Position is the position after the move.
	Position draughts.Position
	// Outcome is for the side that moves, not for its opponent. It means nothing if
	// Err is set.
	Outcome tables.Outcome
	// DTW counts the move itself, so that the best move's equals the position's. It
	// is [tables.NoPlies] where [Result].DTW would be.
	DTW tables.Plies
	// Err says why the value is unknown: a missing or damaged table.
	Err error
	// Ruling is what the move is worth under draw rules. It means nothing if
	// [Result].Ruling is nil.
	Ruling Ruling
}

// Probe returns the value of a position and of every legal move. The error
// matches [draughts.ErrIllegalPosition], [ErrTooManyPieces], [tables.ErrMissing]
// or [tables.ErrDamaged], or comes from the source. If only what a move leads to
// is missing or damaged, that move alone has no value.
func (p *Prober) Probe(v *draughts.Variant, pos draughts.Position) (Result, error) {
	if err := check(v, &pos); err != nil {
		return Result{}, err
	}
	s := p.scratch.Get().(*scratch)
	defer p.scratch.Put(s)
	var r Result
	var err error
	if r.Outcome, r.DTW, err = p.value(v, pos, s); err != nil {
		return Result{}, err
	}
	if v.Ended(pos) {
		return r, nil
	}
	moves := v.Moves(pos, nil)
	r.Moves = make([]MoveValue, len(moves))
	for i, m := range moves {
		mv := &r.Moves[i]
		mv.Move, mv.Position = m, pos.Play(m)
		if mv.Outcome, mv.DTW, mv.Err = p.value(v, mv.Position, s); mv.Err != nil {
			mv.Outcome, mv.DTW = tables.Draw, tables.NoPlies
			continue
		}
		mv.Outcome = mv.Outcome.Reverse()
		if mv.DTW != tables.NoPlies {
			mv.DTW++
		}
	}
	slices.SortStableFunc(r.Moves, compareMoves)
	return r, nil
}

// Outcome returns the outcome of a position for its side to move, with the
// errors of [Prober.Probe]. It does not allocate if the blocks it needs are in
// the cache.
func (p *Prober) Outcome(v *draughts.Variant, pos draughts.Position) (tables.Outcome, error) {
	if err := check(v, &pos); err != nil {
		return tables.Draw, err
	}
	if o, done, err := p.outcomeAtOnce(v, &pos); done {
		return o, err
	}
	s := p.scratch.Get().(*scratch)
	o, err := p.movesOutcome(v, pos, s)
	p.scratch.Put(s)
	return o, err
}

// Distance returns the distance to win of a position in plies,
// [tables.NoPlies] for a draw, with the errors of [Prober.Probe]. Where only
// outcomes are stored, the distance is a missing table. It does not allocate if
// the blocks it needs are in the cache.
func (p *Prober) Distance(v *draughts.Variant, pos draughts.Position) (tables.Plies, error) {
	if err := check(v, &pos); err != nil {
		return tables.NoPlies, err
	}
	if d, done, err := p.distanceAtOnce(v, &pos); done {
		return d, err
	}
	s := p.scratch.Get().(*scratch)
	d, err := p.captureDistance(v, pos, s)
	p.scratch.Put(s)
	return d, err
}

// value returns the outcome of a position and its distance if that is stored.
func (p *Prober) value(v *draughts.Variant, pos draughts.Position, s *scratch) (tables.Outcome, tables.Plies, error) {
	d, err := p.distance(v, pos, s)
	if err == nil {
		return d.Outcome(), d, nil
	}
	if !errors.Is(err, tables.ErrMissing) {
		return tables.Draw, tables.NoPlies, err
	}
	o, err := p.outcome(v, pos, s)
	return o, tables.NoPlies, err
}

// check reports what no table can answer.
func check(v *draughts.Variant, pos *draughts.Position) error {
	if !v.Passes(pos) {
		return v.Check(*pos)
	}
	_, whiteMen, whiteKings, blackMen, blackKings := pos.Split()
	if n := whiteMen.Or(whiteKings).Or(blackMen).Or(blackKings).Len(); n > tables.MaxPieces {
		return &TooManyPiecesError{Pieces: n}
	}
	return nil
}

// compareMoves orders moves from best to worst.
func compareMoves(a, b MoveValue) int {
	return cmp.Or(cmp.Compare(group(a), group(b)), cmp.Compare(within(a), within(b)))
}

// group is a move's place by what is known of it and by its outcome.
func group(m MoveValue) int {
	switch {
	case m.Err != nil:
		return 3
	case m.Outcome == tables.Win:
		return 0
	case m.Outcome == tables.Draw:
		return 1
	default:
		return 2
	}
}

// within is a move's place in its group: the shortest win and the longest loss
// come first, unknown distances last.
func within(m MoveValue) int {
	if m.Outcome == tables.Loss && m.DTW != tables.NoPlies {
		return -int(m.DTW)
	}
	return int(m.DTW)
}
