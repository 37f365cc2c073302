package retro

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// The three ways to a value share no code: what one of them declares, the
// others do not mention.
func TestSolversAndProofAreIndependent(t *testing.T) {
	groups := map[string][]string{
		"reference": {"reference.go", "resets.go"},
		"lanes":     {"lanes.go", "lanetable.go", "lanerows.go", "lanestored.go", "runs.go", "lanerules.go", "laneresets.go", "laneboard.go", "lanemachine.go", "captures.go", "exits.go", "spread.go", "word.go", "wideword.go"},
		"proof":     {"prover.go", "sheet.go", "moverows.go", "rowcaptures.go", "rating.go", "ground.go"},
	}
	wide, err := filepath.Glob("wide_*.go")
	if err != nil {
		t.Fatal(err)
	}
	groups["lanes"] = append(groups["lanes"], wide...)

	fset := token.NewFileSet()
	declared := map[string]string{} // name to group
	files := map[string][]*ast.File{}
	for group, names := range groups {
		for _, name := range names {
			f, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files[group] = append(files[group], f)
			for _, d := range f.Decls {
				for _, n := range topLevel(d) {
					declared[n] = group
				}
			}
		}
	}
	if len(files["lanes"]) < 16 {
		t.Errorf("%d files of the lanes solver found, expected its wide twins too", len(files["lanes"]))
	}
	for group, list := range files {
		for _, f := range list {
			// Names of fields and methods are nobody's.
			selected := map[*ast.Ident]bool{}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					selected[n.Sel] = true
				case *ast.KeyValueExpr:
					if id, ok := n.Key.(*ast.Ident); ok {
						selected[id] = true
					}
				case *ast.Field:
					for _, id := range n.Names {
						selected[id] = true
					}
				case *ast.FuncDecl:
					if n.Recv != nil {
						selected[n.Name] = true
					}
				case *ast.Ident:
					if owner := declared[n.Name]; owner != "" && owner != group && !selected[n] && n.Obj == nil { // not a local name
						t.Errorf("%s: %s, of the %s, is used by the %s", fset.Position(n.Pos()), n.Name, owner, group)
					}
				}
				return true
			})
		}
	}
}

func topLevel(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
		return names
	}
	return nil
}
