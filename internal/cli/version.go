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
	revision, modified := commit()
	details := fmt.Sprintf("%s, %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if modified {
		details = "modified, " + details
	}
	if revision != "" {
		details = revision + ", " + details
	}
	return details
}

// commit returns the commit that was built, as far as the build knows it, and
// whether files were changed since.
func commit() (revision string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return revision, modified
}
