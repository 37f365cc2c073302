package retro

import (
	"threekings/draughts"
	"threekings/tables"
)

// WorkBytes estimates the memory in bytes that one table takes while it is made:
// its values in the solver's form, those that the proof reads, and what the
// goroutines work with.
func WorkBytes(v *draughts.Variant, m tables.Material, opts Options) uint64 {
	table, _ := m.Table()
	positions := tables.Positions(v, table)
	withPlies := !opts.OutcomesOnly || opts.Verify != VerifyNone
	limits := opts.Profile != nil && opts.Profile.HasLimits()
	if opts.Solver == Reference {
		if opts.Profile != nil {
			positions += positions / 2 // what is fresh
		}
		return 3 * positions
	}
	bytes := laneBytes(v, table, withPlies, limits)
	word := uint64(wordBytes)
	if v.Squares() > 64 {
		word = wideWordBytes
	}
	// The largest unit is worked on apart from the table by each goroutine.
	// Something happens to a row at some eight levels.
	rows, perRow := unitRows(v, table), 16*word+8*(8+word)
	if withPlies {
		perRow += 4 * uint64(v.Squares())
	}
	bytes += rows * perRow * uint64(threads(opts.Threads))
	// What stands where in every frame, and the slices in the order of solving.
	frames, lanes := laneFrames(v, table)
	bytes += frames*2*word + menPlacements(v, table)*16
	if perSlice := sliceBytes(frames, lanes, word, withPlies); opts.Journal != "" && perSlice <= maxJournalSlice {
		bytes += perSlice
	}
	if opts.Verify == VerifyFull {
		bytes += 2 * positions
		if opts.Profile != nil && v.MenStepSideways() {
			bytes += 3 * positions // values found again
		}
	}
	return bytes
}

// sliceBytes is the size of a slice in the lanes solver's form with what a journal
// keeps of it.
func sliceBytes(frames, lanes, word uint64, withPlies bool) uint64 {
	perFrame := 3 * word
	if withPlies {
		perFrame += 2 * lanes
	}
	return 2 * frames * perFrame
}

// KeptBytes estimates the memory in bytes that a finished table takes as long
// as later ones are solved from it.
func KeptBytes(v *draughts.Variant, m tables.Material, opts Options) uint64 {
	table, _ := m.Table()
	if opts.Solver == Reference {
		return 2 * tables.Positions(v, table)
	}
	return laneBytes(v, table, !opts.OutcomesOnly, opts.Profile != nil && opts.Profile.HasLimits())
}

// laneBytes is the size of a table in the lanes solver's form, with what is fresh
// under draw rules that have limits.
func laneBytes(v *draughts.Variant, m tables.Material, withPlies, limits bool) uint64 {
	frames, lanes := laneFrames(v, m)
	word := uint64(wordBytes)
	if v.Squares() > 64 {
		word = wideWordBytes
	}
	perFrame := 6 * word
	if limits {
		perFrame += 4 * word
	}
	if withPlies {
		perFrame += 4 * lanes
	}
	return menPlacements(v, m) * frames * perFrame
}

// laneFrames returns the number of frames of a slice, and of squares of a lane.
func laneFrames(v *draughts.Variant, m tables.Material) (frames, lanes uint64) {
	k1, k2 := m.Count(tables.First, draughts.King), m.Count(tables.Second, draughts.King)
	switch {
	case k2 > 0:
		k2--
	case k1 > 0:
		k1--
	default:
		return 1, 1
	}
	return tables.Binomial(v.Squares(), k1) * tables.Binomial(v.Squares(), k2), uint64(v.Squares())
}

// menPlacements returns the number of placements of the men of a material.
func menPlacements(v *draughts.Variant, m tables.Material) uint64 {
	m1, m2 := m.Count(tables.First, draughts.Man), m.Count(tables.Second, draughts.Man)
	if m1+m2 == 0 {
		return 1
	}
	free := v.Squares() - m.Men()
	k1, k2 := m.Count(tables.First, draughts.King), m.Count(tables.Second, draughts.King)
	return tables.Count(v, m) / (tables.Binomial(free, k1) * tables.Binomial(free-k1, k2))
}

// unitRows returns a bound for the rows that are solved together.
func unitRows(v *draughts.Variant, m tables.Material) uint64 {
	frames, _ := laneFrames(v, m)
	if !v.MenStepSideways() {
		return max(frames, fewRows)
	}
	// Men on the same rows: at most each of them anywhere on its row.
	for range m.Men() {
		frames *= uint64(v.RowLength())
	}
	return frames
}
