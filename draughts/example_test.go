package draughts_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"threekings/draughts"
)

func Example() {
	v, err := draughts.Lookup("international")
	if err != nil {
		fmt.Println(err)
		return
	}
	setup, err := v.ParseFEN("W:W28,32:B23")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := setup.Position
	m, err := v.ParseMove(p, "28x19")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.FEN(p.Play(m)))
	// Output: B:W19,32:B
}

func ExampleVariant_Moves() {
	v := draughts.Russian
	setup, _ := v.ParseFEN("W:Wb6:Bc7,f6")
	texts := v.MoveTexts(setup.Position, v.Moves(setup.Position, nil))
	slices.Sort(texts)
	fmt.Println(texts)
	// Output: [b6xg5 b6xh4]
}

func ExampleVariant_ParseFEN() {
	_, err := draughts.International.ParseFEN("W:W28:B3,99")
	var bad *draughts.FENError
	fmt.Println(errors.As(err, &bad), bad.Field, bad.Found)
	fmt.Println(err)
	// Output:
	// true black pieces 99
	// bad FEN: black pieces: found "99" at offset 9: not on the board, which has squares 1 to 50
}

func ExampleVariant_ParseMove() {
	v := draughts.International
	setup, _ := v.ParseFEN("W:WK47:B14,19,29,31,42")
	_, err := v.ParseMove(setup.Position, "47x36")
	fmt.Println(err)
	m, _ := v.ParseMove(setup.Position, "47x13x36")
	fmt.Println(v.MoveText(setup.Position, m))
	// Output:
	// ambiguous move "47x36": it may mean any of several captures: 47x38x20x9x36, 47x38x24x13x36
	// 47x38x24x13x36
}

func ExampleVariant_Paths() {
	v := draughts.International
	setup, _ := v.ParseFEN("W:W28:B12,13,22,23,33")
	for _, m := range v.Moves(setup.Position, nil) {
		for path := range v.Paths(setup.Position, m) {
			var names []string
			for _, s := range path {
				names = append(names, v.SquareName(s))
			}
			fmt.Println(names)
		}
	}
	// Output:
	// [19 8 17 28 39]
	// [17 8 19 28 39]
}

func ExampleVariant_Perft() {
	v := draughts.International
	n, err := v.Perft(context.Background(), v.Initial(), 6, draughts.Unique)
	fmt.Println(n, err)
	// Output: 167140 <nil>
}

func ExampleVariant_HubPosition() {
	v := draughts.English
	fmt.Println(v.HubPosition(v.Initial()))
	// Output: Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww
}

// A counter follows a game by the draw rules of its variant.
func ExampleCounter() {
	v := draughts.International
	rules := v.DefaultProfile()
	setup, err := v.ParseFEN("W:WK46,K47,16:BK45:H30")
	if err != nil {
		fmt.Println(err)
		return
	}
	counter := draughts.NewCounter(v, rules, setup.Position, setup.Count)
	for _, text := range []string{"16-11", "45-50"} {
		move, err := v.ParseMove(counter.Position(), text)
		if err != nil {
			fmt.Println(err)
			return
		}
		effects := counter.Play(move)
		limit, _ := counter.Limit()
		fmt.Println(text, "count", counter.Count(), "of", limit)
		for _, e := range effects {
			fmt.Printf("drawn by %s %s: %s\n", rules.Name, e.Source, e.Rule)
		}
	}
	// Output:
	// 16-11 count 31 of 32
	// 45-50 count 32 of 32
	// drawn by fmjd 6.3: a lone king against three pieces with a king among them
}
