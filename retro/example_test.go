package retro_test

import (
	"context"
	"fmt"

	"threekings/draughts"
	"threekings/retro"
	"threekings/tables"
)

func ExampleGenerate() {
	v := draughts.International
	m, _ := tables.ParseMaterial("KvM")
	err := retro.Generate(context.Background(), v, tables.Closure(m), retro.Options{
		Threads: 1,
		Publish: func(_ context.Context, s *retro.Solution) error {
			sides, digest := tables.Summarize(v, s.Material, tables.DTW, s)
			fmt.Println(s.Material, digest[:16])
			for i, sum := range sides {
				fmt.Printf("  %s to move: %d wins, %d draws, %d losses, longest win %d plies\n",
					tables.Side(i).Color(), sum.Wins, sum.Draws, sum.Losses, sum.LongestWin)
			}
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// KvK 85839fd0bd5bbed1
	//   white to move: 424 wins, 2024 draws, 2 losses, longest win 3 plies
	// KvM 06c6926517a9fca5
	//   white to move: 1924 wins, 281 draws, 0 losses, longest win 7 plies
	//   black to move: 121 wins, 574 draws, 1510 losses, longest win 3 plies
}
