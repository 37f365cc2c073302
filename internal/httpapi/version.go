package httpapi

import (
	"cmp"
	"log/slog"
	"slices"
	"sync"
	"time"

	"threekings/store"
	"threekings/tables"
)

// version names what answers depend on: the program and the values of all
// tables. It is part of every entity tag, and of addresses that may be kept for
// good, so that no answer outlives the tables it came from.
type version struct {
	library Library
	program string

	log *slog.Logger

	mu      sync.Mutex
	checked time.Time
	tables  string
	tag     string
	list    []*tables.Manifest
	damaged string
}

// fresh is how long what was found in the library is taken for true: tables may
// be added while the server runs.
const fresh = 5 * time.Second

func newVersion(library Library, program string, log *slog.Logger) *version {
	return &version{library: library, program: cmp.Or(program, "dev"), log: log}
}

// get returns the signature of all tables and the version as one word.
func (v *version) get() (signature, tag string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.check()
	return v.tables, v.tag
}

// of returns the manifests of a variant's tables, which nobody may change.
func (v *version) of(variant string) []*tables.Manifest {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.check()
	first := slices.IndexFunc(v.list, func(m *tables.Manifest) bool { return m.Variant == variant })
	if first < 0 {
		return nil
	}
	end := first
	for end < len(v.list) && v.list[end].Variant == variant {
		end++
	}
	return v.list[first:end]
}

// check asks the library again from time to time. The caller holds mu.
func (v *version) check() {
	t := time.Now()
	if v.tag != "" && t.Sub(v.checked) <= fresh {
		return
	}
	v.checked = t
	// Damaged tables are left out: mending one is a change.
	list, err := v.library.List("")
	damaged := ""
	if err != nil {
		damaged = err.Error()
	}
	if damaged != "" && damaged != v.damaged {
		v.log.Error("tables left out", "error", damaged)
	}
	v.list, v.damaged = list, damaged
	v.tables = store.Signature(list)
	v.tag = v.program + "-" + v.tables[:16]
}
