package cli

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readAll(t *testing.T, a *app, args ...string) ([]string, error) {
	t.Helper()
	var got []string
	for text, err := range a.inputs(t.Context(), args) {
		if err != nil {
			return got, err
		}
		got = append(got, text)
	}
	return got, nil
}

func TestInputsAreArgumentsOrLines(t *testing.T) {
	stdin := func() io.Reader { return strings.NewReader("one\r\n\n  two  \nthree") }
	if got, err := readAll(t, &app{stdin: stdin()}, "a", "b"); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := readAll(t, &app{stdin: stdin()}); err != nil || !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestLongLineIsCutAndTheNextIsRead(t *testing.T) {
	got, err := readAll(t, &app{stdin: strings.NewReader(strings.Repeat("x", 10*maxLine) + "\nnext\n")})
	if err != nil || len(got) != 2 || len(got[0]) != maxLine || got[1] != "next" {
		t.Errorf("%d inputs, %v", len(got), err)
	}
}

func TestErrorOfReadingIsReported(t *testing.T) {
	broken := errors.New("broken")
	got, err := readAll(t, &app{stdin: io.MultiReader(strings.NewReader("one\n"), iotest.ErrReader(broken))})
	if !errors.Is(err, broken) || !slices.Equal(got, []string{"one"}) {
		t.Errorf("%q, %v", got, err)
	}
}
