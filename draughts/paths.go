package draughts

import (
	"iter"
	"slices"
)

// Paths yields the ways to play a legal capture m of p, each as the squares on
// which the capturer lands, the last of which is m.To. A landing square is where
// the capture turns, or the square directly behind the captured piece where it
// goes straight on; it is what the long form of a move's notation lists. The
// paths come in the order of their directions, clockwise from [Up] as White sees
// the board; where the directions leave a choice of landings, the nearest first.
// A quiet move, or one that is not legal, has no path.
//
// The slices are the caller's to keep. There can be very many paths when many
// pieces are captured; taking only the first is cheap.
func (v *Variant) Paths(p Position, m Move) iter.Seq[[]Square] { return v.paths(p, m, false) }

// paths is Paths; with midLine, every square on which the capturer may land
// before it goes straight on makes a path of its own.
func (v *Variant) paths(p Position, m Move, midLine bool) iter.Seq[[]Square] {
	return func(yield func([]Square) bool) {
		if !m.IsCapture() || !p.SideSet(p.side).Has(m.From) {
			return
		}
		s := pathSearch{
			v: v, move: m, midLine: midLine, yield: yield,
			side: p.side, king: p.Pieces(p.side, King).Has(m.From),
			blockers: p.Occupied().Without(m.From),
			prey:     p.SideSet(p.side.Opponent()),
			wanted:   m.Captured,
		}
		s.began = s.king
		if v.MenSpareKings && !s.king {
			s.prey = p.Pieces(p.side.Opponent(), Man)
		}
		s.from([]Square{m.From}, directionCount)
	}
}

// pathSearch walks the ways to capture the pieces of one move. It is apart from
// the generator's search because it is led by the move: no piece that is not
// part of it is ever jumped.
type pathSearch struct {
	v        *Variant
	move     Move
	midLine  bool
	yield    func([]Square) bool
	side     Color
	king     bool // what the capturer is now
	began    bool // it was a king at the start
	blockers Set  // the pieces on the board, without the capturer
	prey     Set  // enemy pieces that can still be captured
	wanted   Set  // those of the move among them
	landings []Square
}

// from goes on from one of the squares on which the last jump, in direction
// last, may land. It reports whether the search goes on.
func (s *pathSearch) from(squares []Square, last Direction) bool {
	dirs := s.v.ManCaptures
	if s.king {
		dirs = s.v.KingCaptures
	}
	dirs = dirs.Of(s.side)
	ends := true
	for d := range directionCount {
		if !dirs.Has(d) || s.v.Removal == AtOnce && last < directionCount && d == last.Opposite() {
			continue
		}
		for i, at := range squares {
			if d == last && i > 0 && !s.midLine {
				break
			}
			victim := s.victim(at, d)
			if victim == NoSquare {
				continue
			}
			ends = false
			if s.wanted.Has(victim) && !s.jump(at, victim, d, last) {
				return false
			}
		}
	}
	if !ends || !s.wanted.IsEmpty() || !slices.Contains(squares, s.move.To) {
		return true
	}
	crowned := !s.began && (s.king || s.v.board.promotion[s.side].Has(s.move.To))
	if crowned != s.move.Promotes {
		return true
	}
	return s.yield(append(slices.Clone(s.landings), s.move.To))
}

// jump captures victim from at and goes on behind it.
func (s *pathSearch) jump(at, victim Square, d, last Direction) bool {
	before := *s
	if last < directionCount {
		s.landings = append(s.landings, at)
	}
	s.prey, s.wanted = s.prey.Without(victim), s.wanted.Without(victim)
	if s.v.Removal == AtOnce {
		s.blockers = s.blockers.Without(victim)
	}
	var squares [MaxSquares]Square
	n := 0
	for to := s.v.Step(victim, d); to != NoSquare && !s.blockers.Has(to); to = s.v.Step(to, d) {
		squares[n] = to
		n++
		if !s.king || !s.v.LongKing {
			break
		}
	}
	goOn := false
	switch {
	case s.king || !s.v.board.promotion[s.side].Has(squares[0]) || s.v.Promotion == PassThrough:
		goOn = s.from(squares[:n], d)
	case s.v.Promotion == GoOnAsKing:
		s.king = true
		goOn = s.from(squares[:n], d)
	default: // the move ends here, whatever could still be jumped
		s.prey = Set{}
		goOn = s.from(squares[:n], d)
	}
	*s = before
	return goOn
}

// victim returns the piece that the capturer could jump from at in direction d,
// or NoSquare.
func (s *pathSearch) victim(at Square, d Direction) Square {
	v := s.v.Step(at, d)
	if s.king && s.v.LongKing {
		for v != NoSquare && !s.blockers.Has(v) {
			v = s.v.Step(v, d)
		}
	}
	if v == NoSquare || !s.prey.Has(v) {
		return NoSquare
	}
	if behind := s.v.Step(v, d); behind == NoSquare || s.blockers.Has(behind) {
		return NoSquare
	}
	return v
}
