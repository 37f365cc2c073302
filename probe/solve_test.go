package probe_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// The tests judge the prober by a solver of their own: forward moves, level by
// level, nothing shared with the program but rules and index.

// solved is a solved table.
type solved struct {
	ix       *index.Index
	dtw      [2][]tables.Plies
	captures [2][]bool
	rules    string
	dtr      [2][]tables.Plies // as values; nil unless played out
}

type solvedTables map[tables.Material]*solved

// child is a position that a move leads to: a place in a table, or a value that
// needs none.
type child struct {
	table *solved
	side  tables.Side
	n     uint64
	value tables.Plies
}

func (c child) distance() tables.Plies {
	if c.table == nil {
		return c.value
	}
	return c.table.dtw[c.side][c.n]
}

// solveAll solves all tables of a variant up to a number of pieces.
func solveAll(v *draughts.Variant, pieces int) solvedTables {
	all := solvedTables{}
	for _, m := range tables.All(pieces) {
		all.solve(v, m)
	}
	return all
}

func (all solvedTables) solve(v *draughts.Variant, m tables.Material) {
	ix, err := index.New(v, m)
	if err != nil {
		panic(err)
	}
	t := &solved{ix: ix}
	all[m] = t
	var children [2][][]child
	for s := range tables.Side(m.Sides()) {
		t.dtw[s] = make([]tables.Plies, ix.Size())
		t.captures[s] = make([]bool, ix.Size())
		children[s] = make([][]child, ix.Size())
		for n := range ix.Size() {
			p := ix.Position(s, n)
			t.dtw[s][n] = tables.NoPlies
			t.captures[s][n] = v.HasCapture(p)
			if v.Ended(p) {
				continue
			}
			moves := v.Moves(p, nil)
			if len(moves) == 0 {
				t.dtw[s][n] = 0
			}
			for _, move := range moves {
				children[s][n] = append(children[s][n], all.find(p.Play(move)))
			}
		}
	}
	for level, idle := tables.Plies(1), 0; idle < 100; level++ {
		idle++
		for s := range tables.Side(m.Sides()) {
			for n, list := range children[s] {
				if t.dtw[s][n] == tables.NoPlies && decides(list, level) {
					t.dtw[s][n] = level
					idle = 0
				}
			}
		}
	}
}

// decides reports whether a position with these children has the given distance.
func decides(list []child, level tables.Plies) bool {
	if level%2 == 1 {
		for _, c := range list {
			if c.distance() == level-1 {
				return true
			}
		}
		return false
	}
	longest := tables.Plies(0)
	for _, c := range list {
		d := c.distance()
		if d == tables.NoPlies || d%2 == 0 || d >= level {
			return false
		}
		longest = max(longest, d)
	}
	return longest == level-1
}

func (all solvedTables) find(p draughts.Position) child {
	m, ok := tables.MaterialOf(p)
	if !ok {
		return child{value: 0} // the side to move has nothing left
	}
	table, _ := m.Table()
	t := all[table]
	side, n := t.ix.Rank(p)
	return child{table: t, side: side, n: n}
}

// memory is a source of tables in memory with faults on demand.
type memory struct {
	variant  *draughts.Variant
	blockLen int
	tables   solvedTables
	resets   tables.Metric // distances to reset that there are; none if empty

	mu      sync.Mutex
	filler  *rand.Rand // fills positions with captures; nil stores their true value
	missing map[tables.Key]bool
	damaged map[tables.Key]bool

	reads atomic.Int64
}

func newMemory(v *draughts.Variant, t solvedTables) *memory {
	return &memory{
		variant: v, blockLen: 100, tables: t,
		missing: map[tables.Key]bool{}, damaged: map[tables.Key]bool{},
	}
}

// without makes tables missing, all metrics unless some are named.
func (m *memory) without(material string, metrics ...tables.Metric) *memory {
	if metrics == nil {
		metrics = []tables.Metric{tables.Outcomes, tables.DTW}
	}
	for _, metric := range metrics {
		m.missing[m.key(material, metric)] = true
	}
	return m
}

func (m *memory) key(material string, metric tables.Metric) tables.Key {
	table, _ := mustMaterial(material).Table()
	return tables.Key{Variant: m.variant.Name, Material: table, Metric: metric}
}

func mustMaterial(text string) tables.Material {
	m, err := tables.ParseMaterial(text)
	if err != nil {
		panic(err)
	}
	return m
}

var errChecksum = errors.New("checksum")

func (m *memory) Manifest(k tables.Key) (*tables.Manifest, error) {
	t := m.tables[k.Material]
	_, resets := k.Metric.Profile()
	if t == nil || m.missing[k] || resets && (k.Metric != m.resets || t.dtr[0] == nil) || k.Variant != m.variant.Name {
		return nil, &tables.MissingError{Key: k}
	}
	bits := uint8(2)
	if k.Metric.IsDistance() {
		bits = 8 << (k.Material.Pieces() % 2) // both widths
	}
	rules := ""
	if resets {
		rules = t.rules
	}
	// Symmetric tables leave something out where they may, of others the one side or
	// the other does.
	var leftOut []tables.LeftOut
	if sides := k.Material.Sides(); k.Metric == tables.Outcomes {
		leftOut = make([]tables.LeftOut, sides)
		leftOut[k.Material.Count(tables.First, draughts.Man)%sides] = tables.MayLeaveOut(m.variant, k.Material)
	}
	return &tables.Manifest{
		LeftOut: leftOut, Rules: rules, Variant: k.Variant, Material: k.Material, Metric: k.Metric,
		Positions: t.ix.Size(), BlockLen: m.blockLen, Bits: bits,
		Sides:  slices.Repeat([]tables.Summary{{Draws: t.ix.Size()}}, k.Material.Sides()),
		Digest: strings.Repeat("0", 64),
	}, nil
}

func (m *memory) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	m.reads.Add(1)
	manifest, err := m.Manifest(k)
	if err != nil {
		return tables.Block{}, err
	}
	if m.damaged[k] {
		return tables.Block{}, &tables.DamagedError{Key: k, Side: s, Block: n, Err: errChecksum}
	}
	t := m.tables[k.Material]
	count := manifest.BlockPositions(n)
	b := tables.Block{Bits: manifest.Bits}
	b.Data = slices.Concat(dst[:0], make([]byte, b.Size(count)))
	for i := range count {
		at := n*uint64(m.blockLen) + uint64(i)
		d := t.dtw[s][at]
		if _, ok := k.Metric.Profile(); ok {
			d = t.dtr[s][at]
		}
		o := d.Outcome()
		if m.filler != nil && (t.captures[s][at] || m.leavesOut(manifest, t.ix.Position(s, at))) {
			m.mu.Lock()
			d, o = tables.Plies(m.filler.Uint32()), tables.Outcome(m.filler.IntN(4))
			m.mu.Unlock()
		}
		switch b.Bits {
		case 2:
			b.Data[i/4] |= byte(o) << (i % 4 * 2)
		case 8:
			b.Data[i] = byte(d)
		case 16:
			binary.LittleEndian.PutUint16(b.Data[2*i:], uint16(d))
		}
	}
	return b, nil
}

// leavesOut reports whether a position without captures is left out, as
// store/FORMAT.md has it.
func (m *memory) leavesOut(manifest *tables.Manifest, p draughts.Position) bool {
	rows := 0
	for s := range p.Occupied().All() {
		rows += int(s) / m.variant.RowLength()
	}
	even := rows%2 == 0
	if p.Side() == draughts.Black {
		p = m.variant.Twin(p)
	}
	white, _ := tables.MaterialOf(p)
	side := tables.First
	if white != manifest.Material {
		side = tables.Second
	}
	threatened := m.variant.HasCapture(p.WithSide(draughts.Black))
	switch manifest.LeftOutOf(side) {
	case tables.Threatened:
		return threatened
	case tables.EvenThreatened:
		return threatened && even
	}
	return false
}

// BlockPart implements [tables.PartSource]: no more than what is asked for.
func (m *memory) BlockPart(k tables.Key, s tables.Side, n uint64, upTo int, dst []byte) (tables.Block, error) {
	b, err := m.Block(k, s, n, dst)
	if err == nil {
		b.Data = slices.Clip(b.Data[:min(len(b.Data), b.Size(upTo))])
	}
	return b, err
}

// Small sets of tables, solved once.
var (
	english3       = sync.OnceValue(func() solvedTables { return solveAll(draughts.English, 3) })
	international2 = sync.OnceValue(func() solvedTables { return solveAll(draughts.International, 2) })
	turkish2       = sync.OnceValue(func() solvedTables { return solveAll(draughts.Turkish, 2) })
	canadian2      = sync.OnceValue(func() solvedTables { return solveAll(draughts.Canadian, 2) })
)

// sets are the tables that tests over all positions use.
func sets() []*memory {
	return []*memory{
		newMemory(draughts.English, english3()),
		newMemory(draughts.International, international2()),
		newMemory(draughts.Turkish, turkish2()),
		newMemory(draughts.Canadian, canadian2()),
	}
}

// everyPosition calls f for all positions of a source's tables.
func everyPosition(t *testing.T, src *memory, f func(table *solved, side tables.Side, n uint64, p draughts.Position)) {
	t.Helper()
	for _, table := range src.tables {
		for s := range tables.Side(table.ix.Material().Sides()) {
			for n := range table.ix.Size() {
				f(table, s, n, table.ix.Position(s, n))
			}
		}
	}
}
