package draughts

import (
	"context"
	"fmt"
)

// Counting is the convention by which captures are counted in perft. Published
// numbers differ only by these.
type Counting uint8

// The counting conventions.
const (
	// Unique counts captures with equal start, end, captured pieces and promotion
	// once: the moves that [Variant.Moves] lists.
	Unique Counting = iota
	// Keep counts a capture once for each order in which pieces can be captured.
	Keep
	// Path counts a capture once for each list of landing squares.
	Path
)

var countingNames = [...]string{Unique: "unique", Keep: "keep", Path: "path"}

// String returns the convention's name.
func (c Counting) String() string { return countingNames[c] }

// ParseCounting returns the convention with the given name.
func ParseCounting(name string) (Counting, error) {
	for c, n := range countingNames {
		if n == name {
			return Counting(c), nil
		}
	}
	return 0, fmt.Errorf("counting %q: use unique, keep or path", name)
}

// Perft counts the lines of exactly depth plies that begin at p. Lines that end
// earlier count nothing, and draw rules are not applied. It stops early, with
// the context's error, when ctx is done.
func (v *Variant) Perft(ctx context.Context, p Position, depth int, counting Counting) (uint64, error) {
	if depth <= 0 {
		return 1, nil
	}
	w := perftWalk{v: v, counting: counting, ctx: ctx, buffers: make([][]Move, depth+1)}
	return w.count(p, depth)
}

// Divide returns the legal moves of p and how many lines of depth plies begin
// with each. With [Keep] and [Path] a move may occur several times.
func (v *Variant) Divide(ctx context.Context, p Position, depth int, counting Counting) ([]Move, []uint64, error) {
	moves := v.movesCounted(p, counting, nil)
	counts := make([]uint64, len(moves))
	for i, m := range moves {
		n, err := v.Perft(ctx, p.Play(m), depth-1, counting)
		if err != nil {
			return nil, nil, err
		}
		counts[i] = n
	}
	return moves, counts, nil
}

func (v *Variant) movesCounted(p Position, counting Counting, dst []Move) []Move {
	n := len(dst)
	if dst = v.capturesCounted(p, counting, dst); len(dst) > n {
		return dst
	}
	return v.quiet(p, dst)
}

func (v *Variant) capturesCounted(p Position, counting Counting, dst []Move) []Move {
	switch {
	case counting == Unique:
		return v.Captures(p, dst)
	case v.wide != nil:
		return v.wide.capturesEach(&p, counting == Path, dst)
	}
	return v.narrow.capturesEach(&p, counting == Path, dst)
}

type perftWalk struct {
	v        *Variant
	counting Counting
	ctx      context.Context
	buffers  [][]Move // one for each remaining depth
}

func (w *perftWalk) count(p Position, depth int) (uint64, error) {
	if depth == 1 {
		captures := w.v.capturesCounted(p, w.counting, w.buffers[1][:0])
		w.buffers[1] = captures
		if len(captures) > 0 {
			return uint64(len(captures)), nil
		}
		return uint64(w.v.countQuiet(p)), nil
	}
	moves := w.v.movesCounted(p, w.counting, w.buffers[depth][:0])
	w.buffers[depth] = moves
	if depth == 4 && w.ctx.Err() != nil {
		return 0, w.ctx.Err()
	}
	var total uint64
	for _, m := range moves {
		n, err := w.count(p.Play(m), depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
