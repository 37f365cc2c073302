package probe_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"threekings/draughts"
	"threekings/probe"
	"threekings/retro"
	"threekings/store"
	"threekings/tables"
)

// Tables are made once, stored in a directory, and probed from then on.
func Example() {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	st, err := store.Open(dir, store.Options{Write: true})
	if err != nil {
		log.Fatal(err)
	}
	defer st.Close()
	v := draughts.English
	err = retro.Generate(context.Background(), v, tables.All(2), retro.Options{
		Publish: func(ctx context.Context, s *retro.Solution) error {
			_, err := st.Put(ctx, s.Table(), s.Metrics(), s, store.RunRecord{})
			return err
		},
	})
	if err != nil {
		log.Fatal(err)
	}

	prober := probe.Open(st, probe.Options{})
	setup, err := v.ParseFEN("W:WK32:B2")
	if err != nil {
		log.Fatal(err)
	}
	result, err := prober.Probe(v, setup.Position)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Outcome, "in", result.DTW, "plies")
	for _, m := range result.Moves {
		fmt.Println(v.MoveText(setup.Position, m.Move), m.Outcome, m.DTW)
	}
	// Output:
	// win in 9 plies
	// 32-27 win 9
	// 32-28 win 13
}

// Under draw rules a win counts only if it comes in time: here it takes two plies
// until the man must move, which restarts the count of 80.
func ExampleProber_ProbeUnder() {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	st, err := store.Open(dir, store.Options{Write: true})
	if err != nil {
		log.Fatal(err)
	}
	defer st.Close()
	v := draughts.English
	rules := v.DefaultProfile()
	for _, profile := range []*draughts.Profile{nil, rules} {
		err := retro.Generate(context.Background(), v, tables.All(2), retro.Options{
			Profile: profile, // nil: outcomes and distances to win
			Publish: func(ctx context.Context, s *retro.Solution) error {
				_, err := st.Put(ctx, s.Table(), s.Metrics(), s, store.RunRecord{})
				return err
			},
		})
		if err != nil {
			log.Fatal(err)
		}
	}

	prober := probe.Open(st, probe.Options{})
	setup, err := v.ParseFEN("W:WK32:B2")
	if err != nil {
		log.Fatal(err)
	}
	for _, count := range []int{0, 78, 79} {
		result, err := prober.ProbeUnder(v, setup.Position, probe.Rules{Profile: rules, Count: count})
		if err != nil {
			log.Fatal(err)
		}
		r := result.Ruling
		fmt.Printf("%s at %d of %d: %s, %d plies to reset\n", rules.Name, r.Count, r.Limit, r.Verdict, r.DTR)
	}
	// Output:
	// wcdf at 0 of 80: win, 2 plies to reset
	// wcdf at 78 of 80: win, 2 plies to reset
	// wcdf at 79 of 80: rule_draw, 2 plies to reset
}
