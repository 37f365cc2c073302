package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the version of the program, which tables are marked with.
const Version = "0.1.0"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.out, "threekings %s (%s)\n", Version, buildDetails())
			return nil
		},
	}
}

// buildDetails names the commit, if the build knows it, and the compiler.
func buildDetails() string {
	details := fmt.Sprintf("%s, %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return details
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))] + ", "
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "modified, "
		}
	}
	return revision + modified + details
}
