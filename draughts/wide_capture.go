// Code generated from capture.go by internal/widen; DO NOT EDIT.

package draughts

// search walks all ways to capture from one position. Its fields below the
// line describe the capture under way and are restored on the way back.
type wideSearch struct {
	g         *wideGeometry
	enemyKing wideWord
	spared    wideWord // enemy pieces that the capturer may not take
	dst       []Move
	base      int // dst[base:] are the captures of this search
	best      uint64

	// every: each way counts, not only each distinct move. midLine: landing
	// squares on one straight line make different ways.
	every, midLine bool

	// scope collects, if wanted, the squares that the search depends on.
	wantScope bool
	scope     wideWord

	// ----
	side     Color
	from     Square
	byKing   bool     // the capturer began as a king
	crowned  bool     // it was a man and is a king now
	blockers wideWord // all pieces still on the board, without the capturer
	prey     wideWord // enemy pieces not captured yet
	captured wideWord
	count    int
	kings    int
	pattern  uint64 // one bit for each capture, the first one highest: a king
}

func (g *wideGeometry) captures(p *Position, dst []Move) []Move {
	return g.find(p, false, false, dst)
}

// capturesEach is captures with one entry for each way to play, as the perft
// conventions count them.
func (g *wideGeometry) capturesEach(p *Position, midLine bool, dst []Move) []Move {
	return g.find(p, true, midLine, dst)
}

// capturesAndScope is captures, and the squares on which they depend.
func (g *wideGeometry) capturesAndScope(p *Position, dst []Move) ([]Move, wideWord) {
	men, kings, enemyMen, enemyKings := g.sides(p)
	s := wideSearch{g: g, enemyKing: enemyKings, dst: dst, base: len(dst), wantScope: true, side: p.side, prey: enemyMen.or(enemyKings)}
	s.run(men, kings, men.or(kings).or(s.prey))
	return s.dst, s.scope
}

func (g *wideGeometry) find(p *Position, every, midLine bool, dst []Move) []Move {
	men, kings, enemyMen, enemyKings := g.sides(p)
	enemy := enemyMen.or(enemyKings)
	occupied := men.or(kings).or(enemy)
	if !men.isZero() {
		prey := enemy
		if g.rules.MenSpareKings {
			prey = enemyMen
		}
		men = g.jumpers(p.side, men, prey, g.all.andNot(occupied))
	}
	if men.isZero() && !g.kingJumps(kings, enemy, occupied) {
		return dst
	}

	s := wideSearch{
		g: g, enemyKing: enemyKings, dst: dst, base: len(dst),
		every: every, midLine: midLine, side: p.side, prey: enemy,
	}
	s.run(men, kings, occupied)
	return s.dst
}

// run makes the captures of some men and all kings.
func (s *wideSearch) run(men, kings, occupied wideWord) {
	s.byKing = true
	for ; !kings.isZero(); kings = kings.dropFirst() {
		s.from = kings.first()
		s.blockers = occupied.andNot(wideBit(s.from))
		s.king(s.from, directionCount, false)
	}
	s.byKing = false
	if s.g.rules.MenSpareKings {
		s.spared = s.enemyKing
	}
	for ; !men.isZero(); men = men.dropFirst() {
		s.from = men.first()
		s.blockers = occupied.andNot(wideBit(s.from))
		s.man(s.from)
	}
}

// look adds what a king's next jump from a square depends on to the scope: the
// free squares that it sees in each direction, and the one behind the first
// piece.
func (s *wideSearch) look(at Square) {
	b := s.g.board
	for ds := s.g.rules.KingCaptures; ds != 0; ds = ds.dropFirst() {
		d := ds.first()
		to := b.step[at][d]
		for ; to != NoSquare && !s.blockers.has(to); to = b.step[to][d] {
			s.scope = s.scope.or(wideBit(to))
			if !s.g.rules.LongKing {
				break
			}
		}
		if to != NoSquare && s.blockers.has(to) {
			s.behind(to, d)
		}
	}
}

// behind adds the square behind a piece to the scope.
func (s *wideSearch) behind(piece Square, d Direction) {
	if to := s.g.board.step[piece][d]; to != NoSquare {
		s.scope = s.scope.or(wideBit(to))
	}
}

// king continues a capture from square at, reached in direction last
// (directionCount at the start), and reports whether it could. With turn set,
// going straight on is another landing's business.
func (s *wideSearch) king(at Square, last Direction, turn bool) bool {
	g := s.g
	if s.wantScope {
		s.look(at)
	}
	immediate := g.rules.Removal == AtOnce
	found := false
	for targets := s.prey.and(g.lines[at]); !targets.isZero(); targets = targets.dropFirst() {
		victim := targets.first()
		if !s.blockers.and(g.clear[at][victim]).isZero() {
			continue
		}
		d := g.toward[at][victim]
		if turn && d == last || immediate && last < directionCount && d == last.Opposite() {
			continue
		}
		found = true
		undo := s.take(victim)

		// A landing square from which the capture goes on excludes those from which
		// it does not.
		goesOn := false
		var stops wideWord
		first := true
		step := g.board.step[victim][d]
		for to := step; to != NoSquare && !s.blockers.has(to); to = g.board.step[to][d] {
			if s.king(to, d, !first && !s.midLine) {
				goesOn = true
			} else {
				stops = stops.or(wideBit(to))
			}
			first = false
			if !g.rules.LongKing {
				break
			}
		}
		if !goesOn {
			for ; !stops.isZero(); stops = stops.dropFirst() {
				s.record(stops.first())
			}
		}
		s.untake(victim, undo)
	}
	return found
}

// man continues a capture by a man from square at and reports whether it could.
func (s *wideSearch) man(at Square) bool {
	g := s.g
	found := false
	for ds := g.jumpBy[s.side]; ds != 0; ds = ds.dropFirst() {
		d := ds.first()
		victim := g.board.step[at][d]
		if s.wantScope && victim != NoSquare {
			s.scope = s.scope.or(wideBit(victim))
			if s.blockers.has(victim) {
				s.behind(victim, d)
			}
		}
		if victim == NoSquare || !s.prey.andNot(s.spared).has(victim) {
			continue
		}
		to := g.board.step[victim][d]
		if to == NoSquare || s.blockers.has(to) {
			continue
		}
		found = true
		undo := s.take(victim)
		goesOn := false
		if !g.promotion[s.side].has(to) {
			goesOn = s.man(to)
		} else {
			switch g.rules.Promotion {
			case PassThrough:
				goesOn = s.man(to)
			case GoOnAsKing:
				s.crowned = true
				goesOn = s.king(to, d, false)
			case StopAndCrown:
			}
		}
		if !goesOn {
			s.record(to)
		}
		s.crowned = false
		s.untake(victim, undo)
	}
	return found
}

// take captures a piece; untake gives it back. Between them lies the state that
// cannot be worked out backward.
func (s *wideSearch) take(victim Square) (undo wideWord) {
	undo = s.blockers
	v := wideBit(victim)
	s.prey = s.prey.andNot(v)
	s.captured = s.captured.or(v)
	if s.g.rules.Removal == AtOnce {
		s.blockers = s.blockers.andNot(v)
	}
	s.count++
	s.pattern <<= 1
	if s.enemyKing.has(victim) {
		s.kings++
		s.pattern |= 1
	}
	return undo
}

func (s *wideSearch) untake(victim Square, undo wideWord) {
	v := wideBit(victim)
	s.prey = s.prey.or(v)
	s.captured = s.captured.andNot(v)
	s.blockers = undo
	s.count--
	s.kings -= int(s.pattern & 1)
	s.pattern >>= 1
}

// rank returns the precedence of the capture under way: only captures of the
// highest rank are legal. The fields of the Italian rank are 6 bits wide but
// for the pattern; no side has more than 30 pieces.
func (s *wideSearch) rank() uint64 {
	king := uint64(0)
	if s.byKing {
		king = 1
	}
	switch s.g.rules.Precedence {
	case MostPieces:
		return uint64(s.count)
	case MostPiecesThenKings:
		return uint64(s.count)<<6 | uint64(s.kings)
	case ItalianPrecedence:
		return (uint64(s.count)<<7|king<<6|uint64(s.kings))<<40 | s.pattern
	case KingCapturesFirst:
		return king
	default:
		return 0
	}
}

// record notes the capture under way, which ends on to.
func (s *wideSearch) record(to Square) {
	rank := s.rank()
	if rank < s.best {
		return
	}
	if rank > s.best {
		s.best = rank
		s.dst = s.dst[:s.base]
	}
	m := Move{
		From: s.from, To: to, Captured: s.captured.set(),
		Promotes: !s.byKing && (s.crowned || s.g.promotion[s.side].has(to)),
	}
	if !s.every {
		for i := s.base; i < len(s.dst); i++ {
			if s.dst[i] == m {
				return
			}
		}
	}
	s.dst = append(s.dst, m)
}
