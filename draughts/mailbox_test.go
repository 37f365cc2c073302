package draughts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// mailbox is a second move generator, written from the table of rules (rules.md
// section 1b) and not from the first: naive, on a board of letters turned so
// that the side to move plays up. It lists every way to capture in full and then
// applies the precedence to the list.
type mailbox struct {
	game          string
	width, height int
	cell          [12][12]byte // ' ' does not play, '.' empty, m k own, M K enemy
}

type cell struct{ row, col int }

// mailboxMove is one way to capture, or with no victims a quiet move.
type mailboxMove struct {
	from, to cell
	victims  []cell
	kinds    string // the victims' letters
	byKing   bool
	crowned  bool
}

func newMailbox(v *Variant, p Position) *mailbox {
	b := &mailbox{game: v.Name, width: v.Width, height: v.Height}
	for row := range v.Height {
		for col := range v.Width {
			letter := byte(' ')
			if s := v.SquareAt(row, col); s != NoSquare {
				letter = '.'
				if c, k, ok := p.At(s); ok {
					letter = "mk"[k]
					if c != p.Side() {
						letter = "MK"[k]
					}
				}
			}
			if p.Side() == Black {
				b.cell[v.Height-1-row][v.Width-1-col] = letter
			} else {
				b.cell[row][col] = letter
			}
		}
	}
	return b
}

func (b *mailbox) at(c cell) byte {
	if c.row < 0 || c.row >= b.height || c.col < 0 || c.col >= b.width {
		return ' '
	}
	return b.cell[c.row][c.col]
}

func (c cell) plus(d cell) cell { return cell{c.row + d.row, c.col + d.col} }

var (
	diagonals     = []cell{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	straights     = []cell{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}
	upDiagonals   = diagonals[:2]
	upAndSideways = straights[:3]
)

func (b *mailbox) is(games string) bool { return slices.Contains(strings.Fields(games), b.game) }

func (b *mailbox) quietDirections(king bool) []cell {
	switch {
	case b.game == "turkish" && king:
		return straights
	case b.game == "turkish":
		return upAndSideways
	case b.game == "armenian" && king:
		return slices.Concat(straights, diagonals)
	case b.game == "armenian":
		return slices.Concat(upAndSideways, upDiagonals)
	case king:
		return diagonals
	}
	return upDiagonals
}

func (b *mailbox) captureDirections(king bool) []cell {
	switch {
	case b.is("turkish armenian") && king:
		return straights
	case b.is("turkish armenian"):
		return upAndSideways
	case king || b.is("international brazilian canadian pool russian"):
		return diagonals
	}
	return upDiagonals
}

func (b *mailbox) longKings() bool { return !b.is("english italian") }

// jump is one step of a capture: over victim to any of landings.
type jump struct {
	direction, victim cell
	landings          []cell
}

func (b *mailbox) jumps(at cell, king bool, last cell) []jump {
	var found []jump
	for _, d := range b.captureDirections(king) {
		if b.is("turkish armenian") && d == (cell{-last.row, -last.col}) {
			continue
		}
		victim := at.plus(d)
		for king && b.longKings() && b.at(victim) == '.' {
			victim = victim.plus(d)
		}
		letter := b.at(victim)
		if letter != 'M' && letter != 'K' || letter == 'K' && !king && b.game == "italian" {
			continue
		}
		j := jump{direction: d, victim: victim}
		for to := victim.plus(d); b.at(to) == '.'; to = to.plus(d) {
			j.landings = append(j.landings, to)
			if !king || !b.longKings() {
				break
			}
		}
		if len(j.landings) > 0 {
			found = append(found, j)
		}
	}
	return found
}

// captures appends all ways to go on with the capture m, which stands on m.to.
func (b *mailbox) captures(m mailboxMove, king bool, last cell, all *[]mailboxMove) {
	for _, j := range b.jumps(m.to, king, last) {
		letter := b.at(j.victim)
		b.cell[j.victim.row][j.victim.col] = 'x' // neither empty nor prey
		if b.is("turkish armenian") {
			b.cell[j.victim.row][j.victim.col] = '.'
		}
		var ends, goesOn []mailboxMove
		for _, to := range j.landings {
			n := m
			n.to, n.victims, n.kinds = to, append(slices.Clone(m.victims), j.victim), m.kinds+string(letter)
			nowKing, over := king, false
			if !king && to.row == 0 {
				switch {
				case b.is("russian armenian"):
					nowKing = true
				case b.is("english czech italian spanish portuguese"):
					over = true
				}
			}
			n.crowned = !m.byKing && (nowKing || to.row == 0)
			if over || len(b.jumps(to, nowKing, j.direction)) == 0 {
				ends = append(ends, n)
			} else {
				b.captures(n, nowKing, j.direction, &goesOn)
			}
		}
		if len(goesOn) > 0 {
			*all = append(*all, goesOn...)
		} else {
			*all = append(*all, ends...)
		}
		b.cell[j.victim.row][j.victim.col] = letter
	}
}

func (b *mailbox) moves() []mailboxMove {
	var quiet, captures []mailboxMove
	for row := range b.height {
		for col := range b.width {
			from := cell{row, col}
			letter := b.at(from)
			if letter != 'm' && letter != 'k' {
				continue
			}
			king := letter == 'k'
			for _, d := range b.quietDirections(king) {
				for to := from.plus(d); b.at(to) == '.'; to = to.plus(d) {
					quiet = append(quiet, mailboxMove{from: from, to: to, byKing: king, crowned: !king && to.row == 0})
					if !king || !b.longKings() {
						break
					}
				}
			}
			b.cell[row][col] = '.' // the start square counts as empty
			// A man's crowning is worked out jump by jump.
			b.captures(mailboxMove{from: from, to: from, byKing: king}, king, cell{}, &captures)
			b.cell[row][col] = letter
		}
	}
	if len(captures) == 0 {
		return quiet
	}
	return b.precedence(captures)
}

// precedence keeps the legal captures, level by level.
func (b *mailbox) precedence(captures []mailboxMove) []mailboxMove {
	keepMost := func(value func(m mailboxMove) int) {
		best := -1
		for _, m := range captures {
			best = max(best, value(m))
		}
		captures = slices.DeleteFunc(captures, func(m mailboxMove) bool { return value(m) < best })
	}
	count := func(m mailboxMove) int { return len(m.victims) }
	capturer := func(m mailboxMove) int {
		if m.byKing {
			return 1
		}
		return 0
	}
	kings := func(m mailboxMove) int { return strings.Count(m.kinds, "K") }
	switch b.game {
	case "international", "brazilian", "canadian", "turkish", "armenian":
		keepMost(count)
	case "spanish", "portuguese":
		keepMost(count)
		keepMost(kings)
	case "czech":
		keepMost(capturer)
	case "italian":
		keepMost(count)
		keepMost(capturer)
		keepMost(kings)
		for i := range captures[0].kinds { // equally long by now; the earliest king wins
			keepMost(func(m mailboxMove) int { return strings.Count(m.kinds[i:i+1], "K") })
		}
	}
	return captures
}

// distinct returns the moves as the variant's own, each once, sorted as text.
func (b *mailbox) distinct(v *Variant, p Position) []string {
	square := func(c cell) Square {
		if p.Side() == Black {
			return v.SquareAt(v.Height-1-c.row, v.Width-1-c.col)
		}
		return v.SquareAt(c.row, c.col)
	}
	var texts []string
	for _, m := range b.moves() {
		move := Move{From: square(m.from), To: square(m.to), Promotes: m.crowned}
		for _, c := range m.victims {
			move.Captured = move.Captured.With(square(c))
		}
		texts = append(texts, inFull(v, move))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// inFull writes all that makes a move distinct.
func inFull(v *Variant, m Move) string {
	return fmt.Sprintf("%s-%s takes %q promotes %v", v.SquareName(m.From), v.SquareName(m.To), v.nameSet(m.Captured), m.Promotes)
}

// positions draws legal positions of v with at most limit pieces. Most draws
// give one side most of the pieces, so that long captures are frequent.
func positions(v *Variant, limit int) *rapid.Generator[Position] {
	return rapid.Custom(func(t *rapid.T) Position {
		var p Position
		p = p.WithSide(Color(rapid.IntRange(0, 1).Draw(t, "side")))
		n := rapid.IntRange(1, limit).Draw(t, "pieces")
		planes := rapid.SampledFrom([][]int{{0, 1, 2, 3}, {0, 2}, {1, 3}, {0, 2, 2, 2}, {2, 0, 0, 0}, {1, 2, 2, 2}, {3, 0, 0, 0}}).Draw(t, "mix")
		for i := range n {
			s := Square(rapid.IntRange(0, v.Squares()-1).Draw(t, "square"))
			plane := planes[rapid.IntRange(0, len(planes)-1).Draw(t, "piece")]
			c, k := Color(plane>>1), Kind(plane&1)
			if p.Occupied().Has(s) || k == Man && v.PromotionRow(c).Has(s) || p.SideSet(c).Len() == v.sideLimit {
				if i > 0 {
					continue
				}
				k, s = King, 0
			}
			p.Put(c, k, s)
		}
		return p
	})
}

func TestMovesAreThoseOfTheMailbox(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				// Several positions for each check, as rapid makes only a hundred.
				for range 20 {
					p := positions(v, v.Squares()/3).Draw(t, "position")
					if err := v.Check(p); err != nil {
						t.Fatal(err)
					}
					var got []string
					for _, m := range v.Moves(p, nil) {
						got = append(got, inFull(v, m))
					}
					slices.Sort(got)
					if want := newMailbox(v, p).distinct(v, p); !slices.Equal(got, want) {
						t.Fatalf("%s: %q, want %q", v.FEN(p), got, want)
					}
				}
			})
		})
	}
}
