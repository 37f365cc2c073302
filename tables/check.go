package tables

import (
	"encoding/hex"
	"fmt"
	"strings"

	"threekings/draughts"
)

// Check reports why m cannot be the manifest of k: another key, another number
// of positions than the closed form gives, counts that do not add up. A manifest
// that passes is safe to compute with: no figure leads outside its table.
func (m *Manifest) Check(k Key) error {
	if found := (Key{m.Variant, m.Material, m.Metric}); found != k {
		return fmt.Errorf("the manifest of %s, not of %s", found, k)
	}
	v, err := draughts.Lookup(k.Variant)
	if err != nil {
		return err
	}
	if v.Name != k.Variant {
		return fmt.Errorf("variant %q: its name is %q", k.Variant, v.Name)
	}
	if _, err := ParseMetric(string(k.Metric)); err != nil {
		return err
	}
	if err := m.checkRules(v); err != nil {
		return err
	}
	if table, _ := k.Material.Table(); table != k.Material || k.Material.Pieces() < 2 {
		return fmt.Errorf("%w: %q is not the name of a table", ErrMaterial, k.Material)
	}
	if want := Count(v, k.Material); m.Positions != want {
		return fmt.Errorf("%d positions; %s has %d", m.Positions, k.Material, want)
	}
	if m.BlockLen < 1 || m.Blocks() > MaxBlocks {
		return fmt.Errorf("%d positions in a block", m.BlockLen)
	}
	if len(m.Sides) != k.Material.Sides() {
		return fmt.Errorf("%d sides to move; %s has %d", len(m.Sides), k.Material, k.Material.Sides())
	}
	if err := m.Order.check(k.Material); err != nil {
		return err
	}
	if err := m.checkLeftOut(v); err != nil {
		return err
	}
	if len(m.Models) > 0 {
		if squares, pieces := m.Order.Rows(v, k.Material); m.RowSquares != squares || m.RowPieces != pieces {
			return fmt.Errorf("rows of %d pieces on %d squares; %s has %d on %d", m.RowPieces, m.RowSquares, k.Material, pieces, squares)
		}
	}
	for s, sum := range m.Sides {
		if err := sum.check(m.Positions); err != nil {
			return fmt.Errorf("side %d: %w", s+1, err)
		}
		if _, ok := m.Metric.Profile(); ok && max(sum.LongestWin, sum.LongestLoss) > maxReset {
			return fmt.Errorf("side %d: a longest distance of %d plies", s+1, max(sum.LongestWin, sum.LongestLoss))
		}
	}
	if raw, err := hex.DecodeString(m.Digest); err != nil || len(raw) != 32 || m.Digest != strings.ToLower(m.Digest) {
		return fmt.Errorf("digest %q is not a SHA-256 in lower-case hexadecimal", m.Digest)
	}
	return nil
}

// checkRules reports that the draw rules of a table are not those of its profile.
func (m *Manifest) checkRules(v *draughts.Variant) error {
	name, ok := m.Metric.Profile()
	if !ok {
		if m.Rules != "" {
			return fmt.Errorf("draw rules %q; %s has none", m.Rules, m.Metric)
		}
		return nil
	}
	p, err := v.Profile(name)
	if err != nil {
		return err
	}
	if want := p.Definition(); m.Rules != want || p.Name != name {
		return fmt.Errorf("draw rules %q; those of %s %s are %q", m.Rules, v.Name, p.Name, want)
	}
	return nil
}

// maxReset is the longest distance to reset that has a value.
const maxReset = (NoPlies - 1) / 2

// MaxBlocks is the largest number of blocks of one side to move.
const MaxBlocks = 1<<32 - 1

// check reports which figure cannot be.
func (s *Summary) check(positions uint64) error {
	switch {
	case s.Wins > positions || s.Draws > positions || s.Losses > positions || s.Wins+s.Draws+s.Losses != positions:
		return fmt.Errorf("%d wins, %d draws and %d losses do not make %d positions", s.Wins, s.Draws, s.Losses, positions)
	case s.Captures > positions:
		return fmt.Errorf("%d captures in %d positions", s.Captures, positions)
	case s.LongestWinAt >= positions:
		return fmt.Errorf("longest win at %d of %d positions", s.LongestWinAt, positions)
	case s.LongestLossAt >= positions:
		return fmt.Errorf("longest loss at %d of %d positions", s.LongestLossAt, positions)
	case s.LongestWin == NoPlies || s.LongestLoss == NoPlies:
		return fmt.Errorf("a longest distance of %d plies", NoPlies)
	}
	return nil
}
