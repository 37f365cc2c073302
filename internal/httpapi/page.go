package httpapi

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"threekings/draughts"
	"threekings/internal/svg"
)

//go:embed page
var pageFiles embed.FS

// asset is one file of the page.
type asset struct {
	text      []byte
	kind, tag string
}

// assets are the files of the page by address. The colours of boards come from
// where the pictures have them.
func assets() (map[string]asset, error) {
	all := map[string]asset{}
	add := func(address string, text []byte) {
		sum := sha256.Sum256(text)
		kind := mime.TypeByExtension(path.Ext(address))
		if address == "/" {
			kind = "text/html; charset=utf-8"
		}
		all[address] = asset{text, kind, `W/"` + hex.EncodeToString(sum[:8]) + `"`}
	}
	add("/boards.css", boardColours())
	err := fs.WalkDir(pageFiles, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := pageFiles.ReadFile(name)
		address := strings.TrimPrefix(name, "page")
		if address == "/index.html" {
			address = "/"
		}
		add(address, text)
		return err
	})
	return all, err
}

// boardColours is a style sheet with the colours of each variant's board.
func boardColours() []byte {
	var b strings.Builder
	for _, v := range draughts.Variants() {
		p := svg.PaletteOf(v)
		fmt.Fprintf(&b, "[data-board=%s]{", v.Name)
		for _, c := range []struct {
			name   string
			colour string
		}{
			{"light", svg.CSS(p.Light)}, {"dark", svg.CSS(p.Dark)}, {"line", svg.CSS(p.Line)},
			{"rim", svg.CSS(p.Rim)}, {"ink", svg.CSS(p.Ink)}, {"number", svg.CSS(p.Number)},
		} {
			fmt.Fprintf(&b, "--board-%s:%s;", c.name, c.colour)
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

// page serves the page and its files.
func (s *Server) page() http.Handler {
	files, err := assets()
	if err != nil {
		panic(err) // they are part of the program
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[r.URL.Path]
		switch {
		case !ok:
			s.fail(w, refuse(codeNotFound, "there is nothing at this address"))
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			err := refuse(codeMethod, "use GET or HEAD")
			err.allow = "GET, HEAD"
			s.fail(w, err)
			return
		}
		h := w.Header()
		h.Set("ETag", file.tag)
		h.Set("Cache-Control", "no-cache")
		if matches(r.Header.Get("If-None-Match"), file.tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", file.kind)
		_, _ = w.Write(file.text)
	})
}
