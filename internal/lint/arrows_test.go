// Package lint holds tests of the source itself.
package lint

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.." // of the module
	module = "threekings"
)

// arrows are the packages of the module that each of them may import. They
// point one way only: a package that is not listed here does not belong.
var arrows = map[string][]string{
	"cmd/threekings": {"internal/cli"},
	"internal/cli": {
		"probe", "retro", "store", "tables", "index", "draughts",
		"internal/answer", "internal/httpapi", "internal/progress", "internal/svg",
	},
	"probe":      {"tables", "index", "draughts"},
	"retro":      {"tables", "index", "draughts"},
	"store":      {"store/pack", "tables", "index", "draughts"},
	"store/pack": {"tables"},
	"index":      {"tables", "draughts"},
	"tables":     {"draughts"},
	"draughts":   {},

	"internal/answer":   {"probe", "tables", "index", "draughts"},
	"internal/httpapi":  {"internal/answer", "internal/svg", "probe", "store", "tables", "index", "draughts"},
	"internal/progress": {},
	"internal/svg":      {"tables", "draughts"},
	"internal/truth":    {"tables"}, // only tests import it
	"internal/widen":    {},
	"internal/lint":     {},
}

// onlyIn are imports that one file alone may have.
var onlyIn = map[string]string{
	"github.com/cockroachdb/pebble/v2":     "store/pebble.go",
	"github.com/klauspost/compress":        "store/pack/codec.go",
	"github.com/klauspost/compress/gzhttp": "internal/httpapi/guard.go",
}

// libraries are the packages that import nothing but the module's own and the
// standard library: what an engine that imports the prober pulls in.
var libraries = []string{"probe", "index", "tables", "draughts"}

// sourceFile is a file that is no test, with its imports.
type sourceFile struct {
	name    string // slash-separated, from the root
	imports []string
}

func (f sourceFile) pkg() string { return path.Dir(f.name) }

func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	var files []sourceFile
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if base := d.Name(); base == "testdata" || strings.HasPrefix(base, ".") && base != ".." {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f := sourceFile{name: filepath.ToSlash(rel)}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, imported)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestImportsFollowTheArrows(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sourceFiles(t) {
		allowed, ok := arrows[f.pkg()]
		if !ok {
			t.Errorf("%s: package %s is not among those that arrows lists", f.name, f.pkg())
			continue
		}
		seen[f.pkg()] = true
		for _, imported := range f.imports {
			own, ok := strings.CutPrefix(imported, module+"/")
			if ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which %s must not", f.name, imported, f.pkg())
			}
		}
	}
	for _, pkg := range []string{"cmd/threekings", "internal/cli", "probe", "retro", "store", "store/pack", "index", "tables", "draughts"} {
		if !seen[pkg] {
			t.Errorf("no file of %s was looked at", pkg)
		}
	}
}

func TestArrowsMakeNoCircle(t *testing.T) {
	var visit func(pkg string, on []string)
	visit = func(pkg string, on []string) {
		if slices.Contains(on, pkg) {
			t.Errorf("a circle: %v, %s", on, pkg)
			return
		}
		for _, next := range arrows[pkg] {
			visit(next, append(slices.Clone(on), pkg))
		}
	}
	for pkg := range arrows {
		visit(pkg, nil)
	}
}

func TestPebbleAndZstdAreImportedOnce(t *testing.T) {
	for _, f := range sourceFiles(t) {
		for _, imported := range f.imports {
			// The longest prefix counts.
			prefix := ""
			for p := range onlyIn {
				if (imported == p || strings.HasPrefix(imported, p+"/")) && len(p) > len(prefix) {
					prefix = p
				}
			}
			if only := onlyIn[prefix]; prefix != "" && f.name != only {
				t.Errorf("%s imports %s, which only %s may", f.name, imported, only)
			}
		}
	}
}

func TestLibrariesNeedNoOtherModule(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if !slices.Contains(libraries, f.pkg()) {
			continue
		}
		for _, imported := range f.imports {
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") {
				t.Errorf("%s imports %s", f.name, imported)
			}
		}
	}
}

func TestMainIsShort(t *testing.T) {
	text, err := os.ReadFile(root + "/cmd/threekings/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\n")); lines >= 20 {
		t.Errorf("main.go has %d lines; what is worth more belongs into internal/cli", lines)
	}
}
