// Command threekings generates endgame tables for draughts and answers
// positions from them.
package main

import (
	"os"

	"threekings/internal/cli"
)

func main() { os.Exit(cli.Main()) }
