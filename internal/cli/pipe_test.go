package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestClosedPipeIsNoError(t *testing.T) {
	for _, err := range []error{io.ErrClosedPipe, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}} {
		var stderr bytes.Buffer
		stdin := strings.NewReader(strings.Repeat("W:W31:B20\n", 1000))
		code := Run(t.Context(), []string{"moves"}, stdin, failingWriter{fmt.Errorf("write: %w", err)}, &stderr)
		if code != exitDone || stderr.Len() > 0 {
			t.Errorf("%v: exit code %d, %q", err, code, stderr.String())
		}
		if stdin.Len() == 0 {
			t.Errorf("%v: the command went on to the end", err)
		}
	}
}
