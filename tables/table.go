package tables

import "threekings/draughts"

// Table is one table: a material, as it is stored, in a variant.
type Table struct {
	Variant  *draughts.Variant
	Material Material
}

// Key names one metric of the table.
func (t Table) Key(metric Metric) Key {
	return Key{Variant: t.Variant.Name, Material: t.Material, Metric: metric}
}
