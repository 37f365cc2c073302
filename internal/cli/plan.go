package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"threekings/draughts"
	"threekings/tables"
)

// plan is what must be made so that some tables are stored with all that they
// depend on.
type plan struct {
	variant *draughts.Variant
	metrics []tables.Metric
	make    []plannedTable // in solving order
	kept    []tables.Material
	// positions is how many positions must be solved, one side to move each.
	positions uint64
}

// plannedTable is a table that must be made, and what of it is missing.
type plannedTable struct {
	material tables.Material
	missing  []tables.Metric
}

// newPlan plans to make the given tables, and what they depend on, as far as src
// does not have them. A damaged table is an error: it must be dropped first.
func newPlan(src tables.Source, v *draughts.Variant, materials []tables.Material, metrics []tables.Metric) (*plan, error) {
	p := &plan{variant: v, metrics: metrics}
	for _, m := range tables.Closure(materials...) {
		var missing []tables.Metric
		for _, metric := range metrics {
			_, err := src.Manifest(tables.Key{Variant: v.Name, Material: m, Metric: metric})
			switch {
			case errors.Is(err, tables.ErrMissing):
				missing = append(missing, metric)
			case errors.Is(err, tables.ErrDamaged):
				return nil, fmt.Errorf("%w; drop it with: threekings drop --variant %s %s", err, v.Name, m)
			case err != nil:
				return nil, err
			}
		}
		if missing == nil {
			p.kept = append(p.kept, m)
			continue
		}
		p.make = append(p.make, plannedTable{m, missing})
		p.positions += tables.Positions(v, m)
	}
	return p, nil
}

// materials returns the tables to be made.
func (p *plan) materials() []tables.Material {
	list := make([]tables.Material, len(p.make))
	for i, t := range p.make {
		list[i] = t.material
	}
	return list
}

// missing returns what must be stored of a table.
func (p *plan) missing(m tables.Material) []tables.Metric {
	i := slices.IndexFunc(p.make, func(t plannedTable) bool { return t.material == m })
	if i < 0 {
		return nil
	}
	return p.make[i].missing
}

// What tables take on the disk at most in practice; many are several times
// smaller.
const (
	outcomeBits  = 1
	distanceBits = 4
	tableBytes   = 64 << 10
	spareBytes   = 16 << 20
)

// bytes estimates from the number of positions how much room the tables need on
// the disk.
func (p *plan) bytes() uint64 {
	if len(p.make) == 0 {
		return 0
	}
	need := uint64(spareBytes)
	for _, t := range p.make {
		bits := uint64(0)
		for _, metric := range t.missing {
			if metric == tables.Outcomes {
				bits += outcomeBits
			} else {
				bits += distanceBits
			}
		}
		need += tables.Positions(p.variant, t.material)/8*bits + tableBytes
	}
	return need
}

// nameTables lists materials for people: all of them if they are few.
func nameTables(list []tables.Material) string {
	const limit = 8
	var names []string
	for i, m := range list {
		if i == limit {
			names = append(names, "...")
			break
		}
		names = append(names, m.String())
	}
	return strings.Join(names, " ")
}
