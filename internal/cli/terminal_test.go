package cli

import "testing"

func TestColourOnlyForTerminalsThatWantIt(t *testing.T) {
	for _, test := range []struct {
		terminal      bool
		noColor, term string
		coloured      bool
	}{
		{true, "", "xterm", true},
		{true, "1", "xterm", false},
		{true, "", "dumb", false},
		{false, "", "xterm", false},
	} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		a := &app{outTerminal: test.terminal}
		if got := a.paint(green, "win") != "win"; got != test.coloured {
			t.Errorf("%+v: coloured is %v", test, got)
		}
		if got := a.paint("", "draw"); got != "draw" {
			t.Errorf("%q", got)
		}
	}
}
