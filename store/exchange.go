package store

import (
	"context"
	"io"

	"threekings/store/pack"
	"threekings/tables"
)

// Pack is an open pack: one file with any number of tables.
type Pack = pack.File

// OpenPack opens a pack on the disk, as [pack.OpenFile] does.
func OpenPack(name string) (*Pack, error) { return pack.OpenFile(name) }

// Export writes a pack of stored tables to w in one go and returns how many
// bytes it has. The same tables give the same bytes, in whatever order they are
// named. Every block is checked on the way: a damaged one is an error.
func (s *Store) Export(ctx context.Context, w io.Writer, keys []tables.Key) (int64, error) {
	return pack.Write(ctx, w, s, keys)
}
