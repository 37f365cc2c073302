// Command prober answers positions from a pack. The tests build it for
// WebAssembly.
package main

import (
	"errors"
	"fmt"
	"os"

	"threekings/draughts"
	"threekings/probe"
	"threekings/store/pack"
	"threekings/tables"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, variant string, fens []string) (err error) {
	p, err := pack.OpenFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	v, err := draughts.Lookup(variant)
	if err != nil {
		return err
	}
	prober := probe.Open(p, probe.Options{})
	for _, fen := range fens {
		setup, err := v.ParseFEN(fen)
		if err != nil {
			return err
		}
		result, err := prober.Probe(v, setup.Position)
		if errors.Is(err, tables.ErrMissing) {
			fmt.Println("missing")
			continue
		}
		if err != nil {
			return err
		}
		fmt.Println(result.Outcome, result.DTW)
		for _, m := range result.Moves {
			fmt.Println(v.MoveText(setup.Position, m.Move), m.Outcome, m.DTW)
		}
	}
	return nil
}
