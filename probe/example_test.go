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
