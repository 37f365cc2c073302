package draughts

// geometry is a variant's board in the form in which the generator reads it.
type geometry struct {
	rules  *Rules
	board  *board
	manBy  [2]Directions // ManMoves and
	jumpBy [2]Directions // ManCaptures, by colour, as seen on the board

	// lines[a] has the squares v whose piece a king on a could capture if nothing
	// stood in between: in line, and with a square behind.
	lines [span]word
	// clear[a][v] has the squares that must be empty for that: those between a and
	// v, and the one behind v.
	clear [span][span]word
	// toward[a][v] is the direction from a to v where lines[a] has v.
	toward [span][span]Direction

	// strides[d] moves whole sets one step in direction d.
	strides [directionCount]stride

	all       word
	promotion [2]word
}

// stride is a step in one direction, for a set of squares: those in from[i] go
// on by[i]. Where only squares of one colour play, even and odd rows differ.
type stride struct {
	from [2]word
	by   [2]int
}

// step returns the squares beside those of w in direction d.
func (g *geometry) step(w word, d Direction) word {
	s := &g.strides[d]
	return w.and(s.from[0]).shift(s.by[0]).or(w.and(s.from[1]).shift(s.by[1]))
}

func newGeometry(r *Rules, b *board) *geometry {
	g := &geometry{rules: r, board: b}
	for c := White; c <= Black; c++ {
		g.manBy[c], g.jumpBy[c] = r.ManMoves.Of(c), r.ManCaptures.Of(c)
		g.promotion[c] = wordOf(b.promotion[c])
	}
	g.all = wordOf(b.all)
	for a := range Square(b.squares) {
		for d := range directionCount {
			if to := b.step[a][d]; to != NoSquare {
				s, odd := &g.strides[d], b.row[a]&1
				s.from[odd] = s.from[odd].or(bit(a))
				s.by[odd] = int(to) - int(a)
			}
			if !r.KingCaptures.Has(d) {
				continue
			}
			var between word
			for v := b.step[a][d]; v != NoSquare; v = b.step[v][d] {
				behind := b.step[v][d]
				if behind == NoSquare {
					break
				}
				g.lines[a] = g.lines[a].or(bit(v))
				g.clear[a][v] = between.or(bit(behind))
				g.toward[a][v] = d
				if !r.LongKing {
					break
				}
				between = between.or(bit(v))
			}
		}
	}
	return g
}

// sides returns the bitboards of the side to move and of its opponent.
func (g *geometry) sides(p *Position) (men, kings, enemyMen, enemyKings word) {
	own, enemy := plane(p.side, Man), plane(p.side.Opponent(), Man)
	return p.word(own), p.word(own + 1), p.word(enemy), p.word(enemy + 1)
}

func (g *geometry) moves(p *Position, dst []Move) []Move {
	n := len(dst)
	if dst = g.captures(p, dst); len(dst) > n {
		return dst
	}
	return g.quiet(p, dst)
}

// jumpers returns the men that can capture one of prey, given the empty squares.
func (g *geometry) jumpers(c Color, men, prey, empty word) word {
	var found word
	for ds := g.jumpBy[c]; ds != 0; ds = ds.dropFirst() {
		back := ds.first().Opposite()
		victims := prey.and(g.step(empty, back))
		found = found.or(men.and(g.step(victims, back)))
	}
	return found
}

// kingJumps reports whether any of the kings can capture one of prey.
func (g *geometry) kingJumps(kings, prey, occupied word) bool {
	for ; !kings.isZero(); kings = kings.dropFirst() {
		at := kings.first()
		for targets := prey.and(g.lines[at]); !targets.isZero(); targets = targets.dropFirst() {
			if occupied.and(g.clear[at][targets.first()]).isZero() {
				return true
			}
		}
	}
	return false
}

// kingsCaptureFrom returns the empty squares from which one more king of the side
// to move could capture.
func (g *geometry) kingsCaptureFrom(p *Position) word {
	men, kings, enemyMen, enemyKings := g.sides(p)
	enemy := enemyMen.or(enemyKings)
	occupied := men.or(kings).or(enemy)
	var found word
	for ; !enemy.isZero(); enemy = enemy.dropFirst() {
		victim := enemy.first()
		for ds := g.rules.KingCaptures; ds != 0; ds = ds.dropFirst() {
			d := ds.first()
			if to := g.board.step[victim][d]; to == NoSquare || occupied.has(to) {
				continue
			}
			back := d.Opposite()
			for at := g.board.step[victim][back]; at != NoSquare && !occupied.has(at); at = g.board.step[at][back] {
				found = found.or(bit(at))
				if !g.rules.LongKing {
					break
				}
			}
		}
	}
	return found
}

// kingsTakenOn returns the empty squares on which one more king of the opponent
// could be captured.
func (g *geometry) kingsTakenOn(p *Position) word {
	men, kings, enemyMen, enemyKings := g.sides(p)
	occupied := men.or(kings).or(enemyMen).or(enemyKings)
	empty := g.all.andNot(occupied)
	var found word
	if !men.isZero() && !g.rules.MenSpareKings {
		for ds := g.jumpBy[p.side]; ds != 0; ds = ds.dropFirst() {
			d := ds.first()
			found = found.or(g.step(men, d).and(empty).and(g.step(empty, d.Opposite())))
		}
	}
	for ; !kings.isZero(); kings = kings.dropFirst() {
		from := kings.first()
		for ds := g.rules.KingCaptures; ds != 0; ds = ds.dropFirst() {
			d := ds.first()
			at := g.board.step[from][d]
			for at != NoSquare && !occupied.has(at) {
				to := g.board.step[at][d]
				if to == NoSquare || occupied.has(to) {
					break
				}
				found = found.or(bit(at))
				if !g.rules.LongKing {
					break
				}
				at = to
			}
		}
	}
	return found
}

// hasCapture reports whether there is any capture: a first jump is enough.
func (g *geometry) hasCapture(p *Position) bool {
	men, kings, enemyMen, enemyKings := g.sides(p)
	enemy := enemyMen.or(enemyKings)
	occupied := men.or(kings).or(enemy)
	if g.kingJumps(kings, enemy, occupied) {
		return true
	}
	if g.rules.MenSpareKings {
		enemy = enemyMen
	}
	return !men.isZero() && !g.jumpers(p.side, men, enemy, g.all.andNot(occupied)).isZero()
}
