// Command widen makes the two-word twin of code written for one-word boards.
//
//	widen -rename NAME,NAME... FILE.go...
//
// Each named file becomes wide_FILE.go beside it: the same code, with every
// identifier that the files declare at top level, and those given by -rename,
// renamed with the prefix wide (or newWide for constructors). It exists so that
// common boards pay nothing for the 12x12 board and the reader reads one source.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	rename := flag.String("rename", "word,wordOf,bit,span", "comma-separated identifiers to rename beside those the files declare")
	flag.Parse()
	if err := run(flag.Args(), strings.Split(*rename, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "widen:", err)
		os.Exit(1)
	}
}

func run(files, extra []string) error {
	names := map[string]string{}
	for _, n := range extra {
		names[n] = widened(n)
	}
	sources := make([][]byte, len(files))
	for i, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sources[i] = src
		if err := declared(file, src, names); err != nil {
			return err
		}
	}
	for i, file := range files {
		out, err := widen(filepath.Base(file), sources[i], names)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), "wide_"+filepath.Base(file)), out, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// declared adds the top-level names of a file.
func declared(file string, src []byte, names map[string]string) error {
	f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = widened(d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = widened(s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = widened(n.Name)
					}
				}
			}
		}
	}
	return nil
}

func widened(name string) string {
	if rest, ok := strings.CutPrefix(name, "new"); ok {
		return "newWide" + rest
	}
	return "wide" + strings.ToUpper(name[:1]) + name[1:]
}

// widen returns the source with its identifiers renamed.
func widen(file string, src []byte, names map[string]string) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated from %s by internal/widen; DO NOT EDIT.\n\n", file)
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile(file, fset.Base(), len(src)), src, nil, 0)
	last := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := fset.Position(pos).Offset
		to, ok := names[lit]
		if tok != token.IDENT || !ok {
			continue
		}
		out.Write(src[last:at])
		out.WriteString(to)
		last = at + len(lit)
	}
	out.Write(src[last:])
	return format.Source(out.Bytes())
}
