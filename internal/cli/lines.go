package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
)

// maxLine is the longest line that is read whole, in bytes. The rest of a longer
// one is dropped; what is kept is still too long to mean anything.
const maxLine = 1 << 16

// inputs yields the arguments of a command, or if there are none the lines of
// standard input without the empty ones. It ends with the error of reading, or
// of ctx, if there was one.
func (a *app) inputs(ctx context.Context, args []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if !yield(arg, nil) {
				return
			}
		}
		if len(args) > 0 {
			return
		}
		lines := readLines(ctx, a.stdin)
		for {
			select {
			case <-ctx.Done():
				yield("", ctx.Err())
				return
			case line := <-lines:
				if line.text = strings.TrimSpace(line.text); line.text != "" && !yield(line.text, nil) {
					return
				}
				if errors.Is(line.err, io.EOF) {
					return
				}
				if line.err != nil {
					yield("", line.err)
					return
				}
			}
		}
	}
}

// interruptible returns a reader of what another one reads that ends with the
// error of ctx once that is done. What waits for the other one lives on, as in
// readLines. done must be called when no more is read.
func interruptible(ctx context.Context, from io.Reader) (r io.Reader, done func()) {
	in, out := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = out.CloseWithError(ctx.Err()) }) // never fails
	go func() {
		_, err := io.Copy(out, from)
		_ = out.CloseWithError(err) // nil is the end
	}()
	return in, func() {
		stop()
		_ = in.Close()
	}
}

type inputLine struct {
	text string
	err  error // also beside the last text
}

// readLines reads in a goroutine of its own, since nothing can wake one that
// waits for a person to type: it lives on until a line comes or the process
// ends.
func readLines(ctx context.Context, from io.Reader) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		r := bufio.NewReaderSize(from, 1<<12)
		for {
			text, err := readLine(r)
			select {
			case lines <- inputLine{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, more, err := r.ReadLine()
		if room := maxLine - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		if err != nil || !more {
			return string(line), err
		}
	}
}
