package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"threekings/draughts"
	"threekings/retro"
	"threekings/tables"
)

// plan is what must be made so that some tables are stored with all that they
// depend on.
type plan struct {
	variant *draughts.Variant
	metrics []tables.Metric // asked for; none if each table gets what is usual for it
	make    []plannedTable  // in solving order
	kept    []tables.Material
	// positions is how many positions must be solved, one side to move each.
	positions uint64
}

// plannedTable is a table that must be made, and what of it is missing.
type plannedTable struct {
	material tables.Material
	missing  []tables.Metric
}

// distances reports whether distances must be solved.
func (t *plannedTable) distances() bool { return slices.Contains(t.missing, tables.DTW) }

// distancePieces is up to how many pieces tables get distances unless something
// else is asked for.
const distancePieces = 4

// usualMetrics are those that a table gets if nothing else is asked for.
func usualMetrics(m tables.Material) []tables.Metric {
	if m.Pieces() <= distancePieces {
		return allMetrics
	}
	return allMetrics[:1]
}

// newPlan plans to make the given tables, and what they depend on, as far as src
// does not have them. Without metrics each table gets what is usual for it. A
// damaged table is an error: it must be dropped first.
func newPlan(src tables.Source, v *draughts.Variant, materials []tables.Material, metrics []tables.Metric) (*plan, error) {
	p := &plan{variant: v, metrics: metrics}
	for _, m := range tables.Closure(materials...) {
		var missing []tables.Metric
		for _, metric := range p.wanted(m) {
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
		p.positions += tables.Positions(v, m) * uint64(len(runsOf(missing)))
	}
	return p, nil
}

// wanted returns what the plan wants stored of a table.
func (p *plan) wanted(m tables.Material) []tables.Metric {
	if p.metrics == nil {
		return usualMetrics(m)
	}
	return p.metrics
}

// materials returns the tables to be made.
func (p *plan) materials() []tables.Material { return plannedMaterials(p.make) }

func plannedMaterials(list []plannedTable) []tables.Material {
	materials := make([]tables.Material, len(list))
	for i, t := range list {
		materials[i] = t.material
	}
	return materials
}

// missing returns what must be stored of a table.
func (p *plan) missing(m tables.Material) []tables.Metric {
	i := slices.IndexFunc(p.make, func(t plannedTable) bool { return t.material == m })
	if i < 0 {
		return nil
	}
	return p.make[i].missing
}

// profile returns the name of a profile whose distances to reset are missing of
// some table, empty if none is.
func (p *plan) profile() string {
	for _, t := range p.make {
		for _, m := range t.missing {
			if name, ok := m.Profile(); ok {
				return name
			}
		}
	}
	return ""
}

// onlyResets returns the same if nothing else is missing.
func (p *plan) onlyResets() string {
	for _, t := range p.make {
		for _, m := range t.missing {
			if _, ok := m.Profile(); !ok {
				return ""
			}
		}
	}
	return p.profile()
}

// runsOf splits the missing metrics of a table by the runs that make them: one for
// outcomes and distances to win, and one for the distances to reset under each
// profile, whose name it goes by.
func runsOf(missing []tables.Metric) map[string][]tables.Metric {
	runs := map[string][]tables.Metric{}
	for _, metric := range missing {
		profile, _ := metric.Profile()
		runs[profile] = append(runs[profile], metric)
	}
	return runs
}

// metricNames names the metrics to be made, and of how many tables if they
// differ.
func (p *plan) metricNames() string {
	var kinds []string
	count := map[string]int{}
	for _, t := range p.make {
		f := metricsFlag(t.missing)
		name := strings.ReplaceAll(f.String(), ",", " and ")
		if count[name]++; count[name] == 1 {
			kinds = append(kinds, name)
		}
	}
	if len(kinds) == 1 {
		return kinds[0]
	}
	for i, name := range kinds {
		kinds[i] = fmt.Sprintf("%d with %s", count[name], name)
	}
	return strings.Join(kinds, ", ")
}

// batch is tables of a plan that are made together, in one way.
type batch struct {
	tables    []plannedTable // with what is missing of them that the batch makes
	distances bool
	profile   *draughts.Profile // of distances to reset, else nil
	verify    retro.VerifyMode
}

// batches splits a plan into batches that are made one after the other: each is
// solved from those before it. A table that is solved from a stored one needs
// all that this one in turn refers to: if some of that was dropped, it must be
// made in a batch before.
func (p *plan) batches(verify verifyFlag) []batch {
	list := p.run(nil, verify)
	for _, profile := range p.variant.Profiles() {
		list = append(list, p.run(profile, verify)...)
	}
	return list
}

// run returns the batches of one run: of outcomes and distances to win without a
// profile, else of distances to reset.
func (p *plan) run(profile *draughts.Profile, verify verifyFlag) []batch {
	name := ""
	if profile != nil {
		name = profile.Name
	}
	var wanted []plannedTable
	for _, t := range p.make {
		if missing := runsOf(t.missing)[name]; missing != nil {
			wanted = append(wanted, plannedTable{t.material, missing})
		}
	}
	var list []batch
	gaps := p.gaps(wanted)
	for _, t := range wanted {
		distances, mode := profile != nil || t.distances(), verify.of(t.material)
		if n := len(list); n == 0 || list[n-1].distances != distances || list[n-1].verify != mode || list[n-1].hasAny(gaps[t.material]) {
			list = append(list, batch{distances: distances, profile: profile, verify: mode})
		}
		last := &list[len(list)-1]
		last.tables = append(last.tables, t)
	}
	return list
}

// gaps returns, for each table to be made in a run that is solved from stored
// ones, the tables to be made that those refer to.
func (p *plan) gaps(run []plannedTable) map[tables.Material][]tables.Material {
	missing := map[tables.Material]bool{}
	for _, t := range run {
		missing[t.material] = true
	}
	behind := map[tables.Material][]tables.Material{} // of stored tables
	for _, m := range append(p.materials(), p.kept...) {
		if missing[m] {
			continue
		}
		for _, d := range tables.Closure(m) {
			if missing[d] {
				behind[m] = append(behind[m], d)
			}
		}
	}
	gaps := map[tables.Material][]tables.Material{}
	for _, t := range run {
		for _, d := range tables.Deps(t.material) {
			gaps[t.material] = append(gaps[t.material], behind[d]...)
		}
	}
	return gaps
}

// hasAny reports whether some of the materials are in the batch.
func (b *batch) hasAny(materials []tables.Material) bool {
	return slices.ContainsFunc(b.tables, func(t plannedTable) bool { return slices.Contains(materials, t.material) })
}

// verified returns how many positions of a table are proved.
func verified(v *draughts.Variant, m tables.Material, mode retro.VerifyMode) uint64 {
	switch mode {
	case retro.VerifyFull:
		return tables.Positions(v, m)
	case retro.VerifySample:
		return min(retro.SampleSize, tables.Positions(v, m))
	default:
		return 0
	}
}

// work returns how many positions are solved or proved, those that are both
// counted twice.
func (p *plan) work(verify verifyFlag) uint64 {
	n := p.positions
	for _, t := range p.make {
		n += verified(p.variant, t.material, verify.of(t.material)) * uint64(len(runsOf(t.missing)))
	}
	return n
}

// What tables take on the disk at most in practice; many are several times
// smaller.
const (
	outcomeBits  = 1
	distanceBits = 4
	tableBytes   = 64 << 10
	spareBytes   = 16 << 20
)

// journalPositions is the size of a table that takes long enough for a journal.
const journalPositions = 50_000_000

// bytes estimates from the number of positions how much room the tables need on
// the disk while they are made.
func (p *plan) bytes() uint64 {
	if len(p.make) == 0 {
		return 0
	}
	need, journal := uint64(spareBytes), uint64(0)
	for _, t := range p.make {
		bits := uint64(0)
		for _, metric := range t.missing {
			if metric == tables.Outcomes {
				bits += outcomeBits
			} else {
				bits += distanceBits
			}
		}
		positions := tables.Positions(p.variant, t.material)
		need += positions/8*bits + tableBytes
		if positions > journalPositions {
			// What is in the journal is in the form of a table in memory.
			journal = max(journal, retro.KeptBytes(p.variant, t.material, retro.Options{}))
		}
	}
	return need + journal
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
