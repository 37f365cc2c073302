package store

import (
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

// train finds the models of a metric's sides and the length of its blocks.
func (p *put) train(ctx context.Context, m *tables.Manifest, values *inOrder) error {
	m.Models, m.HalfModels = nil, nil
	bits, rows := uint64(0), pack.Rows{Squares: m.RowSquares, Pieces: m.RowPieces}
	for side := range tables.Side(m.Material.Sides()) {
		samples, halves, err := readSamples(ctx, m, values, side)
		if err != nil {
			return err
		}
		// Outcomes and distances to win have the same outcomes, and so the same model.
		l := p.learned[side]
		if m.Metric != tables.DTW || l.model == nil {
			l.samples = samples
			l.model, l.bits = pack.Train(rows, m.Positions, samples)
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
	m.BlockLen = blockLen(bits, m.Positions*uint64(m.Material.Sides()))
	return nil
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

// readSamples reads samples of a side.
func readSamples(ctx context.Context, m *tables.Manifest, values *inOrder, side tables.Side) (samples []pack.Sample, halves []pack.HalfSample, err error) {
	p := newPiece(sampleLen)
	for _, from := range samplePlaces(m.Positions, values.numbers.SliceSize()) {
		n := int(min(sampleLen, m.Positions-from))
		if err := values.load(ctx, side, from, from+uint64(n), 0); err != nil {
			return nil, nil, err
		}
		values.read(side, from, n, p)
		s := pack.Sample{Start: from, Values: make([]tables.Outcome, n), Free: make([]bool, n)}
		copy(s.Free, p.captures)
		if m.Metric == tables.Outcomes {
			copy(s.Values, p.outcomes)
		} else {
			for i, d := range p.distances[:n] {
				s.Values[i] = d.Outcome()
			}
			halves = append(halves, pack.HalfSample{Start: from, Values: slices.Clone(p.distances[:n]), Free: s.Free})
		}
		samples = append(samples, s)
	}
	return samples, halves, nil
}
