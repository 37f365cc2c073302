package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/internal/progress"
	"threekings/store"
	"threekings/tables"
)

func (a *app) exportCommand() *cobra.Command {
	var variant variantFlag
	var named metricsFlag
	file := ""
	cmd := &cobra.Command{
		Use:   "export -o FILE [TABLE...]",
		Short: "Write tables to one file",
		Long: `Writes stored tables to one file, a pack: those named, or all of the variant, with
all that is stored of them. Other programs read a pack in place; import adds it to
a directory of tables. The same tables give the same bytes.

A file that is there already is replaced once the new one is complete.`,
		Example: `  threekings export --variant english -o english.pack
  threekings export KKKvK KKvK KvK -o three-kings.pack`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			wanted, v, err := namedTables(variant.Variant, args)
			if err != nil {
				return err
			}
			metrics, err := named.under(v, "")
			if err != nil {
				return err
			}
			st, err := a.openRead()
			if err != nil {
				return err
			}
			if st == nil {
				dir, err := a.tableDir()
				if err != nil {
					return err
				}
				return fmt.Errorf("no tables are stored in %s", dir)
			}
			defer func() { err = errors.Join(err, st.Close()) }()
			keys, err := exported(st, v, wanted, metrics)
			if err != nil {
				return err
			}
			size, err := a.export(cmd.Context(), st, keys, file)
			if err != nil {
				return err
			}
			switch out, promotions, err := neededBeside(st, keys); {
			case err != nil:
				return err
			case promotions:
				a.say("not in the pack, but needed to read it where captures are pending or positions are left out: %s", nameTables(out))
			case out != nil:
				a.say("not in the pack, but needed to read it where captures are pending: %s", nameTables(out))
			}
			fmt.Fprintf(a.out, "%s: %s, %s\n", file, count(len(keyMaterials(keys)), "table", "tables"), progress.Bytes(uint64(size)))
			return nil
		},
	}
	addVariant(cmd, &variant)
	cmd.Flags().StringVarP(&file, "output", "o", "", "the file to be written")
	addMetrics(cmd, &named, "what of the tables, as far as it is stored")
	must(cmd.MarkFlagRequired("output"))
	return cmd
}

// exported returns what is stored of the wanted tables, or of all if wanted is
// nil. A damaged one is an error.
func exported(st *store.Store, v *draughts.Variant, wanted []tables.Material, named metricsFlag) ([]tables.Key, error) {
	if wanted == nil {
		list, err := st.List(v.Name)
		if err != nil {
			return nil, err
		}
		for _, t := range answer.StoredTables(list) {
			wanted = append(wanted, t.Material)
		}
	}
	var keys []tables.Key
	seen := map[tables.Material]bool{}
	for _, m := range wanted {
		if seen[m] {
			continue
		}
		seen[m] = true
		before := len(keys)
		for _, metric := range named.orAll(v) {
			k := tables.Key{Variant: v.Name, Material: m, Metric: metric}
			switch _, err := st.Manifest(k); {
			case err == nil:
				keys = append(keys, k)
			case !errors.Is(err, tables.ErrMissing):
				return nil, err
			}
		}
		if len(keys) == before {
			if len(named) == 0 {
				return nil, fmt.Errorf("%s %s is not stored", v.Name, m)
			}
			return nil, fmt.Errorf("%s %s (%s) is not stored", v.Name, m, &named)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("no tables of %s are stored", v.Name)
	}
	return keys, nil
}

// keyMaterials returns the materials of keys, each once.
func keyMaterials(keys []tables.Key) []tables.Material {
	var list []tables.Material
	seen := map[tables.Material]bool{}
	for _, k := range keys {
		if !seen[k.Material] {
			seen[k.Material] = true
			list = append(list, k.Material)
		}
	}
	return list
}

// export writes a pack.
func (a *app) export(ctx context.Context, st *store.Store, keys []tables.Key, file string) (size int64, err error) {
	err = replaceFile(file, func(w io.Writer) (err error) {
		size, err = st.Export(ctx, w, keys)
		return err
	})
	return size, err
}

// replaceFile writes a file beside its place and puts it there when it is
// complete and on the disk. After an error nothing is left of it, and what was
// there before is there still.
func replaceFile(name string, write func(w io.Writer) error) (err error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: not a regular file", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
			_ = f.Close() // closed already, or it does not matter
			_ = os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<18)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	// The name is on the disk when the directory is. Not every system can do that.
	if dir, err := os.Open(filepath.Dir(name)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// neededBeside returns the tables that captures lead into from those of keys, and
// promotions from those that leave something out, and that are not among them;
// promotions is true if there are such.
func neededBeside(st *store.Store, keys []tables.Key) (list []tables.Material, promotions bool, err error) {
	leaves := map[tables.Material]bool{}
	for _, k := range keys {
		m, err := st.Manifest(k)
		if err != nil {
			return nil, false, err
		}
		leaves[k.Material] = leaves[k.Material] || len(m.LeftOut) > 0
	}
	seen := map[tables.Material]bool{}
	todo := keyMaterials(keys)
	for _, m := range todo {
		seen[m] = true
	}
	for len(todo) > 0 {
		m := todo[0]
		todo = todo[1:]
		for _, d := range tables.Deps(m) {
			promotion := d.Pieces() == m.Pieces()
			if seen[d] || promotion && !leaves[m] {
				continue
			}
			seen[d] = true
			promotions = promotions || promotion
			list, todo = append(list, d), append(todo, d)
		}
	}
	slices.SortFunc(list, tables.Material.Compare)
	return list, promotions, nil
}
