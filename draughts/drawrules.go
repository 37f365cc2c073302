package draughts

import (
	"fmt"
	"slices"
	"strings"
)

// Profile is one set of draw rules of a variant, as plain data: what counts as
// no progress, how long that may last, and when a position has occurred too
// often. Where sources contradict each other there is a profile for each. A
// Profile must not be changed; it may be used from several goroutines.
//
// Every material belongs to one class. A game keeps one counter of plies: a move
// that the class lists, or that leads to another class, makes it start again
// from 0. When it reaches the limit of the class and the game is not over, the
// game is drawn, so a win by the last ply allowed counts.
type Profile struct {
	// Name is the short lower-case name, such as "fmjd".
	Name string
	// Title says whose rules they are.
	Title string
	// Source is where they are written down.
	Source string
	// Unverified: no source at hand has the numbers in its own words.
	Unverified bool
	// Repetition is how often a position with the same side to move may occur until
	// the game is drawn; 0 is without bound.
	Repetition int
	// RepetitionOnClaim: the draw must be claimed.
	RepetitionOnClaim bool
	// RepetitionSource is the article.
	RepetitionSource string
	// Classes are the classes of materials. The first that fits a position is its
	// class; the last fits every position.
	Classes []Class
	// Extra are rules that need more than one counter, or squares with memory.
	// Tables leave them out; [Counter] applies them.
	Extra []ExtraRule
	// Notes say, in words, what the sources leave open and how it was read.
	Notes []string
}

// Class is a class of materials that share a limit.
type Class struct {
	// Name says in words which materials these are.
	Name string
	// Weak and Strong are what the two sides have, whichever colour they are; Board
	// is how many pieces there are in all.
	Weak, Strong Pieces
	Board        Range
	// Limit is how long the count may become.
	Limit Limit
	// Restart lists the moves that make the count start again although they stay in
	// the class.
	Restart Progress
	// OnClaim: the draw must be claimed.
	OnClaim bool
	// Source is the article.
	Source string
}

// Range is a range of numbers, both ends included. The zero value holds only 0.
type Range struct{ Min, Max int }

const unbounded = 1 << 10

// Has reports whether n is in the range.
func (r Range) Has(n int) bool { return r.Min <= n && n <= r.Max }

func exactly(n int) Range         { return Range{n, n} }
func atLeast(n int) Range         { return Range{n, unbounded} }
func between(low, high int) Range { return Range{low, high} }

var anyNumber = Range{0, unbounded}

// Pieces is what one side may have: men, kings, and both together.
type Pieces struct{ Men, Kings, Total Range }

func (p Pieces) fits(f Force) bool {
	return p.Men.Has(f.Men) && p.Kings.Has(f.Kings) && p.Total.Has(f.Men+f.Kings)
}

var (
	anyPieces = Pieces{anyNumber, anyNumber, anyNumber}
	loneKing  = Pieces{exactly(0), exactly(1), exactly(1)}
)

// Force is what one side has.
type Force struct{ Men, Kings int }

// ForceOf returns what c has.
func ForceOf(p Position, c Color) Force { return Force{p.Count(c, Man), p.Count(c, King)} }

// Limit is a limit of a count. The zero value is none.
type Limit struct {
	Unit LimitUnit
	// N is the number of units. 0 is a draw at once.
	N int
}

// LimitUnit is what a limit counts.
type LimitUnit uint8

// The units.
const (
	// NoLimit: the count may grow without end.
	NoLimit LimitUnit = iota
	// MovesEach are moves of both sides: N of them are 2N plies.
	MovesEach
	// Plies are moves of either side.
	Plies
	// WeakMoves are moves of the side that the class calls weak, StrongMoves those
	// of the other. N of them are 2N plies, one less if that side is the first to
	// move.
	WeakMoves
	StrongMoves
)

// Progress is a set of kinds of moves.
type Progress uint8

// The kinds of moves.
const (
	// CaptureMove is a capture.
	CaptureMove Progress = 1 << iota
	// ManMove is a move of a man that captures nothing.
	ManMove
	// PromotionMove is a move by which a man becomes a king.
	PromotionMove
)

// ProgressOf returns what kinds of move m is, played in p.
func ProgressOf(p Position, m Move) Progress {
	var kinds Progress
	if m.IsCapture() {
		kinds |= CaptureMove
	} else if p.Pieces(p.Side(), Man).Has(m.From) {
		kinds |= ManMove
	}
	if m.Promotes {
		kinds |= PromotionMove
	}
	return kinds
}

// ClassOf returns the class of a material. It is the same whichever side comes
// first.
func (p *Profile) ClassOf(one, other Force) *Class {
	for i := range p.Classes {
		if c := &p.Classes[i]; c.weakIsFirst(one, other) || c.weakIsFirst(other, one) {
			return c
		}
	}
	return &p.Classes[len(p.Classes)-1]
}

// Class returns the class of a position.
func (p *Profile) Class(pos Position) *Class {
	return p.ClassOf(ForceOf(pos, White), ForceOf(pos, Black))
}

// weakIsFirst reports whether the first side is the one that c calls weak.
func (c *Class) weakIsFirst(first, second Force) bool {
	return c.Board.Has(first.Men+first.Kings+second.Men+second.Kings) && c.Weak.fits(first) && c.Strong.fits(second)
}

// Restarts reports whether a move of the given kinds from one class to another,
// or inside one, makes the count start again.
func (p *Profile) Restarts(before *Class, kinds Progress, after *Class) bool {
	return before != after || before.Restart&kinds != 0
}

// MoveRestarts reports whether a legal move of a position makes the count start
// again.
func (p *Profile) MoveRestarts(pos Position, m Move) bool {
	return p.Restarts(p.Class(pos), ProgressOf(pos, m), p.Class(pos.Play(m)))
}

// Limit returns the limit in plies for a position in which count plies have been
// counted; ok is false if there is none. The count matters only where the moves
// of one side are counted: it tells who was the first to move.
func (p *Profile) Limit(pos Position, count int) (plies int, ok bool) {
	own := pos.Side()
	return p.LimitOf(ForceOf(pos, own), ForceOf(pos, own.Opponent()), count)
}

// LimitOf returns what [Profile.Limit] returns, for what the side to move and
// its opponent have.
func (p *Profile) LimitOf(own, other Force, count int) (plies int, ok bool) {
	c := p.ClassOf(own, other)
	weakFirst := c.weakIsFirst(own, other)
	if count%2 != 0 {
		weakFirst = !weakFirst
	}
	switch c.Limit.Unit {
	case MovesEach:
		return 2 * c.Limit.N, true
	case Plies:
		return c.Limit.N, true
	case WeakMoves:
		return namedMoves(c.Limit.N, weakFirst), true
	case StrongMoves:
		return namedMoves(c.Limit.N, !weakFirst), true
	default:
		return 0, false
	}
}

// namedMoves returns the plies until one side has made n moves.
func namedMoves(n int, first bool) int {
	if first && n > 0 {
		return 2*n - 1
	}
	return 2 * n
}

// HasLimits reports whether any class has a limit.
func (p *Profile) HasLimits() bool {
	return slices.ContainsFunc(p.Classes, func(c Class) bool { return c.Limit.Unit != NoLimit })
}

// Definition returns, in one line, all that a table knows of a profile: the
// classes with their limits and what restarts the count. Tables made under equal
// definitions are equal.
func (p *Profile) Definition() string {
	list := make([]string, len(p.Classes))
	for i, c := range p.Classes {
		list[i] = fmt.Sprintf("%s-%s/%s:%s%s", c.Weak.definition(), c.Strong.definition(), c.Board.definition(),
			c.Limit.definition(), c.Restart.definition())
	}
	return strings.Join(list, ";")
}

func (r Range) definition() string {
	switch {
	case r == anyNumber:
		return "*"
	case r.Min == r.Max:
		return fmt.Sprint(r.Min)
	case r.Max == unbounded:
		return fmt.Sprintf("%d+", r.Min)
	default:
		return fmt.Sprintf("%d..%d", r.Min, r.Max)
	}
}

func (p Pieces) definition() string {
	return "M" + p.Men.definition() + "K" + p.Kings.definition() + "P" + p.Total.definition()
}

func (l Limit) definition() string {
	if l.Unit == NoLimit {
		return "none"
	}
	return fmt.Sprintf("%d%s", l.N, [...]string{MovesEach: "each", Plies: "plies", WeakMoves: "weak", StrongMoves: "strong"}[l.Unit])
}

func (r Progress) definition() string {
	text := ""
	for i, letter := range "CMP" {
		if r&(1<<i) != 0 {
			text += string(letter)
		}
	}
	return "!" + text
}

// ExtraRule is a rule that tables leave out.
type ExtraRule struct {
	// Name says the rule in words.
	Name string
	// Weak and Strong are the materials for which it holds, Board how many pieces
	// there are in all.
	Weak, Strong Pieces
	Board        Range
	// Road is where the weak side's king must stand; [Anywhere] makes the rule a
	// second counter beside that of the class.
	Road Road
	// Plies is how many plies may pass while all this holds.
	Plies int
	// Restart lists the moves that make its count start again.
	Restart Progress
	OnClaim bool
	Source  string
}

// Road is where a lone king stands with regard to the main road.
type Road uint8

// The places.
const (
	Anywhere Road = iota
	// OnRoad: on the main road, and the other side has no piece there.
	OnRoad
	// OffRoad: not on the main road.
	OffRoad
)

// holds reports whether the rule is at work in a position.
func (r *ExtraRule) holds(v *Variant, p Position) bool {
	c := Class{Weak: r.Weak, Strong: r.Strong, Board: r.Board}
	for weak := White; weak <= Black; weak++ {
		strong := weak.Opponent()
		if !c.weakIsFirst(ForceOf(p, weak), ForceOf(p, strong)) {
			continue
		}
		road := v.MainRoad()
		onRoad := !p.SideSet(weak).And(road).IsEmpty()
		switch {
		case r.Road == Anywhere,
			r.Road == OnRoad && onRoad && p.SideSet(strong).And(road).IsEmpty(),
			r.Road == OffRoad && !onRoad:
			return true
		}
	}
	return false
}

// MainRoad returns the longest diagonal, from one playing corner to the other.
// Where all squares play it is that from the bottom left to the top right.
func (v *Variant) MainRoad() Set {
	col, d := 0, UpRight
	if v.Mirrored {
		col, d = v.Width-1, UpLeft
	}
	var road Set
	for s := v.SquareAt(v.Height-1, col); s != NoSquare; s = v.Step(s, d) {
		road = road.With(s)
	}
	return road
}

// Profiles returns the draw-rule profiles of the variant, the default first.
func (v *Variant) Profiles() []*Profile { return slices.Clone(profiles[v.Name]) }

// DefaultProfile returns the profile that is used if none is named.
func (v *Variant) DefaultProfile() *Profile { return profiles[v.Name][0] }

// Profile returns the profile with the given name, in any case; the empty name
// is the default. The error matches [ErrUnknownProfile] and lists the names there
// are.
func (v *Variant) Profile(name string) (*Profile, error) {
	if name == "" {
		return v.DefaultProfile(), nil
	}
	var names []string
	for _, p := range profiles[v.Name] {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("%w %q of %s: there are %s", ErrUnknownProfile, name, v.Name, strings.Join(names, ", "))
}
