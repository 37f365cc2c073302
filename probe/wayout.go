package probe

import (
	"context"
	"fmt"
	"math"

	"threekings/draughts"
	"threekings/tables"
)

// maxWayOut is how many positions a search for the way out looks at, at most. They
// take some 100 MB.
const maxWayOut = 1 << 18

// wayOutError says that a search for the way out has given up.
type wayOutError struct {
	material  tables.Material
	positions int
}

func (e *wayOutError) Error() string {
	return fmt.Sprintf("the way out of %s under the draw rules is not among the first %d positions that can arise", e.material, e.positions)
}

// wayOut is how far it is, from positions at counts at which one side wins under
// draw rules, until the material changes, by a capture or a promotion, or the game
// ends: if that side takes the shortest way that keeps its win, and the loser the
// longest.
//
// Where men step sideways, neither the distance to win nor that to reset leads on
// for certain: the shortest way may end where a limit bars it, and one reset may
// lead back to another. This distance falls with every ply, and every win has it:
// no game is won but by leaving the material or ending in it.
//
// Whoever wins at a count wins at every lower one, by the same moves. So a
// position needs no place for each count: it is known by the highest count from
// which the winner is out in time, which grows with the plies that he may take.
type wayOut struct {
	prober *Prober
	v      *draughts.Variant
	rules  Rules // at count 0

	nodes   []node // in the order of their depth
	at      map[draughts.Position]int32
	unknown error // why a move has no value
	moves   []draughts.Move
}

// node is a position that can arise.
type node struct {
	pos     draughts.Position
	wins    bool      // the side to move is the winner
	last    int32     // the highest count at which there is a move
	options []option  // the winner's moves that keep a win at count 0, all of the loser
	parents []int32   // nodes with an option that leads here
	known   []outFrom // ever higher counts in ever more plies
	asked   int32     // in how many plies the node has been evaluated last
}

// option is a move.
type option struct {
	to       int32 // the node that it leads to, outside if it leaves the material
	upTo     int32 // the highest count at which it keeps the win if it leaves
	restarts bool
}

// outFrom says that the winner is out of the material in some plies from any
// count up to one.
type outFrom struct{ plies, count int32 }

const (
	outside  = -1
	noCount  = -1            // below all counts
	anyCount = math.MaxInt32 // beyond all counts
	noWay    = math.MaxInt32 // beyond all distances
)

// findWayOut searches from a position at a count that is decided, breadth first,
// until the shortest way is known; when it has seen most positions, any way will
// do. The error is that of ctx, that of a missing or damaged table, or a
// [*wayOutError].
func (p *Prober) findWayOut(ctx context.Context, v *draughts.Variant, pos draughts.Position, rules Rules, wins bool, most int) (*wayOut, error) {
	w := &wayOut{prober: p, v: v, rules: Rules{Profile: rules.Profile}, at: map[draughts.Position]int32{}}
	w.node(pos, wins)
	solved := 0 // how many nodes there were
	for depth, done := int32(1), 0; ; depth++ {
		for end := len(w.nodes); done < end && len(w.nodes) <= most; done++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w.expand(int32(done))
		}
		last := done == len(w.nodes) || len(w.nodes) > most
		if !last && len(w.nodes) < solved+solved/4 {
			continue
		}
		solved = len(w.nodes)
		switch plies := w.solve(done, rules.Count); {
		case plies <= depth, last && plies != noWay:
			return w, nil
		case !last:
		case w.unknown != nil:
			return nil, w.unknown
		case done < len(w.nodes):
			material, _ := tables.MaterialOf(pos)
			return nil, &wayOutError{material, most}
		default:
			return nil, errNoProgress
		}
	}
}

// node returns the node of a position.
func (w *wayOut) node(pos draughts.Position, wins bool) int32 {
	n, ok := w.at[pos]
	if !ok {
		n = int32(len(w.nodes))
		w.at[pos] = n
		last := w.highest(pos, func(count int) bool {
			limit, _ := w.rules.Profile.Limit(pos, count)
			return count < limit
		})
		w.nodes = append(w.nodes, node{pos: pos, wins: wins, last: last})
	}
	return n
}

// highest returns the highest count for which something holds in a position that
// never holds beyond the limit, but holds below each count for which it does.
func (w *wayOut) highest(pos draughts.Position, holds func(count int) bool) int32 {
	limit, ok := w.rules.Profile.Limit(pos, 0)
	if !ok {
		return anyCount
	}
	count := limit + 1 // with the other side first there may be one ply more
	for count > noCount && !holds(count) {
		count--
	}
	return int32(count)
}

// expand follows the moves of a node. All that the loser has lose: they need no
// look unless they leave the material.
func (w *wayOut) expand(n int32) {
	from := &w.nodes[n]
	pos, wins := from.pos, from.wins
	var options []option
	w.moves = w.v.Moves(pos, w.moves[:0])
	for _, m := range w.moves {
		after, restarts := w.rules.after(pos, m)
		o := option{to: outside, restarts: restarts}
		to := pos.Play(m)
		if wins || leaves(m) {
			if o.upTo = w.keeps(to, after, wins); wins && o.upTo == noCount {
				continue
			}
		}
		if !leaves(m) {
			o.to = w.node(to, !wins)
			w.nodes[o.to].parents = append(w.nodes[o.to].parents, n)
		}
		options = append(options, o)
	}
	w.nodes[n].options = options
}

// leaves reports whether a move changes the material.
func leaves(m draughts.Move) bool { return m.IsCapture() || m.Promotes }

// keeps returns the highest count before a move to a position at which that is won
// for the winner after it. after are the rules after a move at count 0.
func (w *wayOut) keeps(to draughts.Position, after Rules, wins bool) int32 {
	s := w.prober.scratch.Get().(*scratch)
	defer w.prober.scratch.Put(s)
	value, err := w.prober.valueUnder(w.v, to, w.rules.Profile, s)
	if err != nil {
		w.unknown = err
		return noCount
	}
	won := tables.Win
	if wins {
		won = tables.Loss // of the opponent
	}
	decided := func(rules Rules) bool {
		r := rules.ruling(to)
		return r.judge(value.Outcome(), resetPlies(value)) == won
	}
	switch {
	case !decided(after):
		return noCount
	case after.Count == 0:
		return anyCount
	default:
		return w.highest(to, func(count int) bool { return decided(Rules{after.Profile, count + after.Count}) })
	}
}

// solve works out, from the first nodes, which are expanded, in how many plies the
// first of all leads out from a count. It stops as soon as that is known.
func (w *wayOut) solve(expanded, count int) int32 {
	var changed, ask []int32
	for n := range w.nodes {
		at := &w.nodes[n]
		at.known, at.asked = at.known[:0], 0
		if n < expanded {
			ask = append(ask, int32(n))
		}
	}
	var found []int32
	for plies := int32(0); plies <= 1 || len(changed) > 0; plies++ {
		if plies > 1 {
			ask = ask[:0]
			for _, n := range changed {
				for _, parent := range w.nodes[n].parents {
					if at := &w.nodes[parent]; at.asked != plies {
						at.asked = plies
						ask = append(ask, parent)
					}
				}
			}
		}
		// What a node has come to shows only when all have been asked.
		found, changed = found[:0], changed[:0]
		for _, n := range ask {
			if c := w.evaluate(&w.nodes[n], plies); c > w.nodes[n].upTo() {
				changed, found = append(changed, n), append(found, c)
			}
		}
		for i, n := range changed {
			w.nodes[n].known = append(w.nodes[n].known, outFrom{plies, found[i]})
		}
		if int(w.nodes[0].upTo()) >= count {
			return plies
		}
	}
	return noWay
}

// upTo returns the highest count from which the node is known to lead out.
func (n *node) upTo() int32 {
	if len(n.known) == 0 {
		return noCount
	}
	return n.known[len(n.known)-1].count
}

// evaluate returns the highest count from which a node leads out in some plies, as
// its options say.
func (w *wayOut) evaluate(n *node, plies int32) int32 {
	if len(n.options) == 0 && !n.wins {
		return anyCount // it has lost
	}
	if plies == 0 {
		return noCount
	}
	best := int32(noCount)
	if !n.wins {
		best = anyCount
	}
	for _, o := range n.options {
		upTo := o.upTo
		if o.to != outside {
			switch upTo = w.nodes[o.to].upTo(); {
			case upTo == noCount || upTo == anyCount:
			case o.restarts:
				upTo = anyCount
			default:
				upTo--
			}
		}
		if n.wins {
			best = max(best, upTo)
		} else {
			best = min(best, upTo)
		}
	}
	return min(best, n.last)
}

// plies returns the distance after a move that keeps the win or is the loser's,
// without the move.
func (w *wayOut) plies(m MoveValue) int {
	if leaves(m.Move) {
		return 0
	}
	if n, ok := w.at[m.Position]; ok {
		for _, out := range w.nodes[n].known {
			if int(out.count) >= m.Ruling.Count {
				return int(out.plies)
			}
		}
	}
	return noWay
}
