package store

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"threekings/store/pack"
	"threekings/tables"
)

// The catalog is a small text file beside the database that lists what is
// stored. It is written after a table is stored and before one is dropped, so
// that it never lists more than there is: a table that it lists and the database
// does not have is damage, not a table that was never made.
const catalogName = "CATALOG"

const catalogHead = "threekings tables, format "

// formatCatalog returns the catalog of the given tables.
func formatCatalog(listed map[tables.Key]bool) []byte {
	lines := make([]string, 0, len(listed))
	for k := range listed {
		lines = append(lines, k.String()+"\n")
	}
	slices.Sort(lines)
	text := fmt.Sprintf("%s%d\n%s", catalogHead, pack.Format, strings.Join(lines, ""))
	return fmt.Appendf(nil, "%scrc32 %08x\n", text, crc32.ChecksumIEEE([]byte(text)))
}

// catalogFormats are those that are read. They differ in what is in the tables.
var catalogFormats = func() (formats []string) {
	for f := pack.OldestFormat; f <= pack.Format; f++ {
		formats = append(formats, strconv.Itoa(f))
	}
	return formats
}()

// parseCatalog reads a catalog. The error wraps [ErrDamaged] or [ErrFormat].
func parseCatalog(b []byte) (map[tables.Key]bool, error) {
	damaged := fmt.Errorf("%w: %s", ErrDamaged, catalogName)
	end := bytes.LastIndex(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) + 1
	if fmt.Sprintf("crc32 %08x\n", crc32.ChecksumIEEE(b[:end])) != string(b[end:]) {
		return nil, damaged
	}
	lines := strings.Split(strings.TrimSuffix(string(b[:end]), "\n"), "\n")
	format, ok := strings.CutPrefix(lines[0], catalogHead)
	switch {
	case !ok:
		return nil, damaged
	case !slices.Contains(catalogFormats, format):
		return nil, fmt.Errorf("%w %s: this program reads formats %s", ErrFormat, format, strings.Join(catalogFormats, ", "))
	}
	listed := map[tables.Key]bool{}
	for _, line := range lines[1:] {
		fields := strings.Split(line, " ")
		if len(fields) != 3 {
			return nil, damaged
		}
		m, err := tables.ParseMaterial(fields[1])
		if err != nil {
			return nil, damaged
		}
		listed[tables.Key{Variant: fields[0], Material: m, Metric: tables.Metric(fields[2])}] = true
	}
	return listed, nil
}
