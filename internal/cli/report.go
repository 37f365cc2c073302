package cli

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) reportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Reports on all that is stored: longest wins, what draw rules change",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.reportLongestCommand(), a.reportDrawRulesCommand())
	return cmd
}

// formatFlag is the flag --format of reports.
type formatFlag string

// The formats.
const (
	markdownFormat formatFlag = "markdown"
	csvFormat      formatFlag = "csv"
	jsonFormat     formatFlag = "json"
)

func (f *formatFlag) String() string { return string(*f) }

func (f *formatFlag) Set(text string) error {
	for _, known := range []formatFlag{markdownFormat, csvFormat, jsonFormat} {
		if string(known) == text {
			*f = known
			return nil
		}
	}
	return fmt.Errorf("format %q: use markdown, csv or json", text)
}

func (f *formatFlag) Type() string { return "name" }

// reportFlags are the flags of all reports.
type reportFlags struct {
	format formatFlag
	csv    bool
	json   bool
}

func (r *reportFlags) add(cmd *cobra.Command) {
	r.format = markdownFormat
	flags := cmd.Flags()
	flags.Var(&r.format, "format", "markdown, csv or json")
	flags.BoolVar(&r.csv, "csv", false, "the same as --format csv")
	flags.BoolVar(&r.json, "json", false, "the same as --format json: one object a line")
	cmd.MarkFlagsMutuallyExclusive("format", "csv", "json")
}

func (r *reportFlags) chosen() formatFlag {
	switch {
	case r.csv:
		return csvFormat
	case r.json:
		return jsonFormat
	default:
		return r.format
	}
}

// writeCSV writes a header and rows.
func (a *app) writeCSV(columns []string, rows [][]string) error {
	w := csv.NewWriter(a.out)
	if err := errors.Join(w.Write(columns), w.WriteAll(rows)); err != nil {
		return err
	}
	return w.Error()
}

// writeJSONLines writes one object a line.
func writeJSONLines[T any](a *app, rows []T) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	for _, r := range rows {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// writeMarkdown writes a table; columns whose name ends in a bar are numbers.
func (a *app) writeMarkdown(columns []string, rows [][]string) {
	line := func(cells []string) { fmt.Fprintf(a.out, "| %s |\n", strings.Join(cells, " | ")) }
	names, rules := slices.Clone(columns), make([]string, len(columns))
	for i, c := range columns {
		rules[i] = "---"
		if name, number := strings.CutSuffix(c, "|"); number {
			names[i], rules[i] = name, "---:"
		}
	}
	line(names)
	line(rules)
	for _, r := range rows {
		line(r)
	}
}
