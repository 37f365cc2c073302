package retro

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"threekings/draughts"
	"threekings/index"
	"threekings/tables"
)

// anyValues reads tables whose values have nothing to do with the game, so that a
// child which is left out, read in the wrong place or invented shows.
type anyValues struct{}

func anyValue(m tables.Material, s tables.Side, n uint64) tables.Plies {
	hash := (n<<1|uint64(s))*0x9E3779B97F4A7C15 ^ uint64(slot(m))*0xD6E8FEB86659FD93
	hash ^= hash >> 29
	hash *= 0xBF58476D1CE4E5B9
	if value := hash >> 32 % 300; value > 50 {
		return tables.Plies(value)
	}
	return tables.NoPlies
}

func (anyValues) Outcomes(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Outcome) error {
	for i := range dst {
		dst[i] = anyValue(k.Material, s, start+uint64(i)).Outcome()
	}
	return nil
}

func (anyValues) Distances(_ context.Context, k tables.Key, s tables.Side, start uint64, dst []tables.Plies) error {
	for i := range dst {
		dst[i] = anyValue(k.Material, s, start+uint64(i))
	}
	return nil
}

// The proof works out rows of positions together. Their best children must be those
// that every position has alone, by all its moves.
func TestProofReadsTheChildrenOfRowsAsThoseOfSinglePositions(t *testing.T) {
	for _, v := range draughts.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			names := "KKvK KMvK KKvM MMvK KvMM"
			switch {
			case testing.Short():
			case v.Squares() == 32:
				names += " KKvKK KKvMM KMvKM KKMvK KKvKM KKKvK KMMvM"
			case v.Squares() == 50:
				names += " KKvKK"
			}
			for _, opts := range []Options{{}, {OutcomesOnly: true}, {Profile: v.DefaultProfile()}} {
				opts.Finished = anyValues{}
				opts.Verify = VerifyNone
				for _, m := range parseMaterials(t, names) {
					lanes := newLanesSolver(v, opts, newMemory(0))
					compareRows(t, v, m, &opts, lanes.lookup)
					if opts.Profile == nil {
						compareRows(t, v, m, &opts, newLibrary(v, opts.metric(), opts.Finished).lookup)
					}
				}
			}
		})
	}
}

// compareRows compares some rows of a table.
func compareRows(t *testing.T, v *draughts.Variant, m tables.Material, opts *Options, get func(context.Context, tables.Material) (lookup, error)) {
	t.Helper()
	ix, err := index.New(v, m)
	if err != nil {
		t.Fatal(err)
	}
	deps, err := dependenciesOf(t.Context(), m, get)
	if err != nil {
		t.Fatal(err)
	}
	own, err := loadFlat(t.Context(), anyValues{}, v, m, tables.DTW)
	if err != nil {
		t.Fatal(err)
	}
	job := &proof{ix: ix, v: v, own: own, flat: own, deps: deps, distances: !opts.OutcomesOnly, ratings: newRatings(opts.Profile, m)}
	rows, alone := prover{proof: job, sheet: newSheet(ix, job.ratings.own)}, prover{proof: job}
	const wanted = 150 // rows
	step := ix.Slices()/wanted + 1
	every := uint64(rows.sheet.rows)*(ix.Slices()/step+1)/wanted + 1
	number, captures, quiet := uint64(0), 0, 0
	for slice := number; slice < ix.Slices(); slice += step {
		rows.sheet.read(own, slice)
		rows.sheet.eachRow(func(row int, base draughts.Position) bool {
			if number++; number%every != 0 {
				return true
			}
			squares := rows.sheet.lowest(&base)
			for c := range draughts.Color(m.Sides()) {
				base = base.WithSide(c)
				rows.best(&base, row, squares)
				for sq := range squares.All() {
					position := with(&base, rows.sheet.open, sq)
					if got, want := rows.bests[sq], alone.bestOf(&position); got != want {
						t.Fatalf("%s %s: %s has best child %d in its row, %d alone", m, opts.metric(), v.FEN(position), got, want)
					}
					if v.HasCapture(position) {
						captures++
					} else {
						quiet++
					}
				}
			}
			return true
		})
	}
	if captures < 100 || quiet < 100 {
		t.Errorf("%s: %d positions with captures compared and %d without", m, captures, quiet)
	}
}

// A wrong value is found whatever part the open king has in the captures.
func TestProofFindsWrongValuesWhateverTheOpenKingDoes(t *testing.T) {
	v := draughts.Brazilian
	m := parseMaterials(t, "KKvKM")[0]
	job, own := solvedToProve(t, v, m)
	open := newSheet(job.ix, job.ratings.own).open
	prove := func() error {
		job.checked.Store(0)
		return job.all(t.Context(), own, VerifyOptions{Threads: 1})
	}
	if err := prove(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 8))
	found := map[string]int{}
	for range 2000 {
		s, n := tables.Side(random.IntN(2)), random.Uint64N(job.ix.Size())
		position := job.ix.Position(s, n)
		king := position.Pieces(open, draughts.King).First()
		captures := v.Captures(position, nil)
		part := "need not capture"
		switch {
		case slices.ContainsFunc(captures, func(m draughts.Move) bool { return m.From == king }):
			part = "captures"
		case slices.ContainsFunc(captures, func(m draughts.Move) bool { return m.Captured.Has(king) }):
			part = "is taken"
		case len(captures) > 0:
			part = "looks on"
		}
		if found[part]++; found[part] > 3 {
			continue
		}
		right := own.plies[s][n]
		for _, wrong := range []tables.Plies{right + 1, right + 2, right - 2, tables.NoPlies, 0, 1} {
			if wrong == right {
				continue
			}
			own.plies[s][n] = wrong
			var difference *DifferenceError
			if err := prove(); !errors.As(err, &difference) {
				t.Errorf("%s, open king: %s: %d passes in the place of %d: %v", v.FEN(position), part, wrong, right, err)
			}
		}
		own.plies[s][n] = right
	}
	if len(found) < 4 {
		t.Errorf("not all that the open king can do was tried: %v", found)
	}
}
