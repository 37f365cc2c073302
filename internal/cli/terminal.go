package cli

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// paint returns text in a colour if the output is a terminal that wants it: the
// environment variable NO_COLOR says that it does not (no-color.org).
func (a *app) paint(c colour, text string) string {
	if c == "" || !a.outTerminal || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// colour is the parameter of the terminal's sequence for it.
type colour string

const (
	green colour = "32"
	red   colour = "31"
)
