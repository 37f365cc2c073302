package store

import (
	"cmp"
	"context"
	"slices"

	"threekings/store/pack"
	"threekings/tables"
)

// Samples from which coding learns are spread out evenly, for slices differ.
const (
	sampleLen   = 1 << 12
	mostSamples = 128
	// sampleShare is the part of a side that is enough, one in so many.
	sampleShare = 4
	// largeSlice is how many positions a slice has that are not read for one sample
	// alone; fewestSlices are read of such a table, or a quarter of all.
	largeSlice   = 1 << 16
	fewestSlices = 4
)

// learned is what training has made of the outcomes of a side: samples whose free
// positions have outcomes, the model, and what it expects the side to take.
type learned struct {
	samples []pack.Sample
	model   []byte
	bits    uint64
}

func learn(m *tables.Manifest, samples []pack.Sample) learned {
	model, bits := pack.Train(rowsOf(m), m.Positions, samples)
	return learned{samples, model, bits}
}

func rowsOf(m *tables.Manifest) pack.Rows {
	return pack.Rows{Squares: m.RowSquares, Pieces: m.RowPieces}
}

// train finds the models of a metric's sides, what they leave out and the length
// of blocks.
func (p *put) train(ctx context.Context, m *tables.Manifest, values *inOrder) error {
	bits, rows := uint64(0), rowsOf(m)
	leave := p.mayLeaveOut(m)
	var left [2][][]bool
	for side := range tables.Side(m.Material.Sides()) {
		values.leftOut[side] = leave
		samples, halves, err := readSamples(ctx, m, values, side, &left[side])
		if err != nil {
			return err
		}
		// Outcomes and distances to win have the same outcomes, and so the same model.
		l := p.learned[side]
		if m.Metric != tables.DTW || l.model == nil {
			l = learn(m, samples)
		}
		if m.Metric == tables.Outcomes {
			p.learned[side] = l
		}
		m.Models = append(m.Models, l.model)
		bits += l.bits
		if m.Metric != tables.Outcomes {
			// Free positions have been given outcomes.
			for i, s := range l.samples {
				pack.FollowOutcomes(halves[i].Values, s.Values, s.Free)
			}
			model, size := pack.TrainHalves(rows, m.Positions, halves)
			m.HalfModels = append(m.HalfModels, model)
			bits += size
		}
	}
	values.leftOut = [2]tables.LeftOut{}
	if leave != tables.NoneLeftOut && bits/8 >= p.leaveOutFrom() {
		bits -= p.leaveOut(m, leave, left)
		copy(values.leftOut[:], m.LeftOut)
	}
	m.BlockLen = blockLen(bits, m.Positions*uint64(m.Material.Sides()))
	return nil
}

const (
	// leaveOutFrom is the default of [Options.LeaveOutFrom].
	leaveOutFrom = 256 << 10
	// leaveOutSaves is the part of a table that leaving out must save, one in so many.
	leaveOutSaves = 16
)

func (p *put) leaveOutFrom() uint64 { return uint64(cmp.Or(p.s.opts.LeaveOutFrom, leaveOutFrom)) }

// mayLeaveOut returns what a side to move may leave out of a metric that may be
// large enough.
func (p *put) mayLeaveOut(m *tables.Manifest) tables.LeftOut {
	if p.s.opts.LeaveOutFrom < 0 || m.Metric != tables.Outcomes || m.Positions*uint64(m.Material.Sides())/4 < p.leaveOutFrom() {
		return tables.NoneLeftOut
	}
	return tables.MayLeaveOut(p.table.Variant, m.Material)
}

// leaveOut lets the side to move leave out positions that saves most by it, if that
// is enough, and returns how many bits it saves. What may be left out of the samples
// of each side is known.
func (p *put) leaveOut(m *tables.Manifest, leave tables.LeftOut, left [2][][]bool) (saved uint64) {
	all, best := uint64(0), tables.First
	var without learned
	for side := range tables.Side(m.Material.Sides()) {
		samples := slices.Clone(p.learned[side].samples)
		for i, s := range samples {
			free := left[side][i]
			for j, f := range s.Free {
				free[j] = free[j] || f
			}
			samples[i] = pack.Sample{Start: s.Start, Values: slices.Clone(s.Values), Free: free}
		}
		l := learn(m, samples)
		all += p.learned[side].bits
		if before := p.learned[side].bits; before > l.bits && before-l.bits > saved {
			saved, best, without = before-l.bits, side, l
		}
	}
	if saved <= all/leaveOutSaves {
		return 0
	}
	m.LeftOut = make([]tables.LeftOut, m.Material.Sides())
	m.LeftOut[best] = leave
	m.Models[best] = without.model
	return saved
}

// Lengths of blocks, in positions. A block takes as long to decode as
// it is large when coded, so that the blocks of tables that are small for their
// positions are longer.
const (
	shortest  = 1 << 12
	longest   = 1 << 15
	codedBits = 700 // that a block should have, about
)

func blockLen(bits, positions uint64) int {
	n := shortest
	for n < longest && bits*uint64(2*n) <= codedBits*positions*3/2 {
		n *= 2
	}
	return n
}

// samplePlaces returns where samples of a side begin, in ascending order.
func samplePlaces(positions, slice uint64) []uint64 {
	all := (positions + sampleLen - 1) / sampleLen
	n := min(all, mostSamples, max(all/sampleShare, 16))
	var places []uint64
	if slices := positions / slice; slice > largeSlice && slices > fewestSlices {
		slices, some := slices, min(max(slices/4, fewestSlices), n)
		for i := range some {
			first := i * slices / some * slice
			for j := range n / some {
				places = append(places, first+j*(slice-sampleLen)/(n/some))
			}
		}
		return places
	}
	for i := range n {
		places = append(places, i*all/n*sampleLen)
	}
	return places
}

// readSamples reads samples of a side, and what of them may be left out.
func readSamples(ctx context.Context, m *tables.Manifest, values *inOrder, side tables.Side, left *[][]bool) (samples []pack.Sample, halves []pack.HalfSample, err error) {
	p := newPiece(sampleLen)
	for _, from := range samplePlaces(m.Positions, values.numbers.SliceSize()) {
		n := int(min(sampleLen, m.Positions-from))
		if err := values.load(ctx, side, from, from+uint64(n), 0); err != nil {
			return nil, nil, err
		}
		values.read(side, from, n, p)
		s := pack.Sample{Start: from, Values: make([]tables.Outcome, n), Free: make([]bool, n)}
		if m.Metric == tables.Outcomes {
			leaves := make([]bool, n)
			for i, f := range p.fields[:n] {
				s.Values[i] = tables.Outcome(f & tables.FieldOutcome)
				s.Free[i] = f&tables.FieldCapture != 0
				leaves[i] = f&fieldLeft != 0
			}
			*left = append(*left, leaves)
		} else {
			copy(s.Free, p.captures)
			for i, d := range p.distances[:n] {
				s.Values[i] = d.Outcome()
			}
			halves = append(halves, pack.HalfSample{Start: from, Values: slices.Clone(p.distances[:n]), Free: s.Free})
		}
		samples = append(samples, s)
	}
	return samples, halves, nil
}
