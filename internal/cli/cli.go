// Package cli is the command line: one file for each command, and in the others
// what they share.
//
// What a command was asked for goes to standard output, everything else to
// standard error. It exits with 0 if it did what it was asked, 1 if the answer is
// no, 2 if there was trouble.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitDone     = 0
	exitNegative = 1
	exitTrouble  = 2
)

// Main runs the command line of the process and returns its exit code. The first
// interrupt asks the command to stop where it can go on later; the second ends
// the process at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	// A reader that has seen enough is no error: see closedPipe.
	signal.Ignore(syscall.SIGPIPE)
	return Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// Run runs one command with the given arguments and streams and returns its
// exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{
		stdin: stdin, out: bufio.NewWriter(stdout), stderr: stderr,
		outTerminal: isTerminal(stdout), errTerminal: isTerminal(stderr),
		freeSpace: freeSpace,
	}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(a.out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if flushed := a.out.Flush(); err == nil {
		err = flushed
	}
	return a.exit(ctx, err)
}

// app is what the commands of one run share.
type app struct {
	stdin  io.Reader
	out    *bufio.Writer
	stderr io.Writer
	// outTerminal and errTerminal: a person is reading.
	outTerminal, errTerminal bool
	// freeSpace returns how many bytes there is room for in a directory.
	freeSpace func(dir string) (uint64, error)

	dir string // --db
}

// negativeError is an answer of no, which is not trouble.
type negativeError struct{ err error }

func (e *negativeError) Error() string { return e.err.Error() }
func (e *negativeError) Unwrap() error { return e.err }

// saidError is trouble that has been reported already.
type saidError struct{ error }

// exit reports an error, if there is one to report, and returns the exit code.
func (a *app) exit(ctx context.Context, err error) int {
	var negative *negativeError
	var said saidError
	switch {
	case err == nil || closedPipe(err):
		return exitDone
	case errors.As(err, &said):
		return exitTrouble
	case errors.As(err, &negative):
		a.say("%v", err)
		return exitNegative
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		a.say("interrupted")
		return exitTrouble
	}
	a.say("%v", err)
	return exitTrouble
}

// say writes one line to standard error.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.stderr, "threekings: "+format+"\n", args...)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "threekings",
		Short: "Endgame tables for draughts, all variants",
		Long: `threekings generates endgame tables for draughts (checkers) in all its variants
and answers positions from them exactly: who wins, in how many plies, and what
every legal move is worth.`,
		Example:       `  threekings probe "W:W23:B5,6"`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVar(&a.dir, "db", "",
		"directory of the tables (default $"+dirVariable+", else threekings in the user's data directory)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(
		a.generateCommand(), a.probeCommand(), a.lineCommand(), a.boardCommand(), a.movesCommand(), a.perftCommand(),
		a.findCommand(), a.reportCommand(), a.adjudicateCommand(),
		a.infoCommand(), a.verifyCommand(), a.dropCommand(),
		a.exportCommand(), a.importCommand(), a.recodeCommand(),
		a.serveCommand(), a.benchCommand(), a.variantsCommand(), a.rulesCommand(), a.versionCommand(), a.manCommand(),
	)
	return root
}
