package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/progress"
	"threekings/probe"
	"threekings/store"
	"threekings/tables"
)

func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Add the tables of packs",
		Long: `Adds the tables of packs, the files that export writes, to the directory of tables.

Each table is checked first: every checksum, and from all of its true values the
counts and the digest that it comes with. A table is added with all its metrics or
not at all. Captures lead into smaller tables, and promotions from a table that leaves
positions out into others: those must be stored or come with it. What is stored
already is kept.`,
		Example: `  threekings import english.pack`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			in := importer{app: a}
			defer func() { err = errors.Join(err, in.close()) }()
			// All packs are opened before anything is added.
			for _, name := range args {
				if err := in.openPack(name); err != nil {
					return err
				}
			}
			return in.run(cmd.Context())
		},
	}
	return cmd
}

// importer adds the tables of packs.
type importer struct {
	*app
	packs  []*store.Pack
	tables []packedTable
	store  *store.Store
}

// packedTable is a table in a pack, with what the pack has of it.
type packedTable struct {
	file string
	pack *store.Pack
	keys []tables.Key
}

func (t *packedTable) key() tables.Key { return t.keys[0] }

func (t *packedTable) name() string {
	return fmt.Sprintf("%s %s", t.key().Variant, t.key().Material)
}

func (in *importer) close() error {
	var errs []error
	for _, p := range in.packs {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

func (in *importer) openPack(name string) error {
	p, err := store.OpenPack(name)
	if err != nil {
		return err
	}
	in.packs = append(in.packs, p)
	first := len(in.tables)
	for _, k := range p.Keys() { // those of a table follow each other
		last := len(in.tables) - 1
		if last < first || in.tables[last].key().Variant != k.Variant || in.tables[last].key().Material != k.Material {
			in.tables = append(in.tables, packedTable{file: name, pack: p})
			last++
		}
		in.tables[last].keys = append(in.tables[last].keys, k)
	}
	return nil
}

func (in *importer) run(ctx context.Context) (err error) {
	// Smaller tables first, whichever pack they are in.
	slices.SortStableFunc(in.tables, func(a, b packedTable) int { return a.key().Material.Compare(b.key().Material) })
	if in.store, err = in.openWrite(ctx, 0, false); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.store.Close()) }()
	failed := 0
	for i := range in.tables {
		t := &in.tables[i]
		err := in.table(ctx, t)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case notWorthAdding(err):
			in.say("%s: %s is not added: %v", t.file, t.name(), err)
			failed++
		default:
			return err
		}
		if err := in.out.Flush(); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s not added", count(failed, "table was", "tables were"))
	}
	return nil
}

// notWorthAdding reports whether an error is about a table in a pack, so that
// others may still be added.
func notWorthAdding(err error) bool {
	var kept *keptError
	return errors.Is(err, tables.ErrDamaged) || errors.Is(err, tables.ErrMissing) ||
		errors.Is(err, store.ErrFormat) || errors.As(err, &kept)
}

// table adds what is not stored of a table.
func (in *importer) table(ctx context.Context, t *packedTable) error {
	v, err := draughts.Lookup(t.key().Variant)
	if err != nil {
		return &tables.DamagedError{Key: t.key(), Manifest: true, Err: err}
	}
	var add []tables.Key
	var added, kept metricsFlag
	for _, k := range t.keys {
		m, err := t.pack.Manifest(k)
		if err != nil {
			return err
		}
		switch stored, err := in.store.Manifest(k); {
		case err == nil:
			if stored.Digest != m.Digest {
				return &keptError{k, fmt.Sprintf("another is stored, with the digest %s; the pack's is %s", stored.Digest, m.Digest)}
			}
			kept = append(kept, k.Metric)
		case errors.Is(err, tables.ErrMissing):
			add, added = append(add, k), append(added, k.Metric)
		default:
			return fmt.Errorf("what is stored of it is damaged (drop it first): %w", err)
		}
	}
	if kept != nil {
		fmt.Fprintf(in.out, "%s (%s): kept, it is stored\n", t.name(), &kept)
	}
	if add == nil {
		return nil
	}
	if err := in.prove(ctx, v, t, add); err != nil {
		return err
	}
	host, _ := os.Hostname() // only for the record
	if err := in.store.Add(ctx, t.pack, add, store.RunRecord{Host: host, Finished: time.Now().UTC()}); err != nil {
		return err
	}
	fmt.Fprintf(in.out, "%s (%s): added\n", t.name(), &added)
	return nil
}

// prove works out the counts and the digest of each metric from its true values
// and compares them with the manifest.
func (in *importer) prove(ctx context.Context, v *draughts.Variant, t *packedTable, keys []tables.Key) error {
	positions := tables.Positions(v, t.key().Material)
	meter := progress.Start(in.stderr, in.errTerminal, positions, len(keys), "positions")
	defer meter.Close()
	meter.Doing("checking " + t.name())
	prober := probe.Open(&beside{table: t, smaller: in.store}, probe.Options{})
	for _, k := range keys {
		m, err := t.pack.Manifest(k)
		if err != nil {
			return err
		}
		values, err := prober.ValuesOf(ctx, v, k.Material, k.Metric)
		if err != nil {
			return err
		}
		err = checkManifest(v, m, values)
		if failed := values.Err(); failed != nil {
			return failed
		}
		if err != nil {
			return err
		}
		meter.Add(positions)
	}
	return nil
}

// beside is one table of a pack, and all others from the database, which are
// proved.
type beside struct {
	table   *packedTable
	smaller tables.Source
}

func (b *beside) source(k tables.Key) tables.Source {
	if own := b.table.key(); k.Variant == own.Variant && k.Material == own.Material {
		return b.table.pack
	}
	return b.smaller
}

func (b *beside) Manifest(k tables.Key) (*tables.Manifest, error) { return b.source(k).Manifest(k) }

func (b *beside) Block(k tables.Key, s tables.Side, n uint64, dst []byte) (tables.Block, error) {
	return b.source(k).Block(k, s, n, dst)
}
