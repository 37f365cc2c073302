package httpapi

import (
	"cmp"
	"sync"
	"time"

	"threekings/store"
)

// version names what answers depend on: the program and the values of all
// tables. It is part of every entity tag, and of addresses that may be kept for
// good, so that no answer outlives the tables it came from.
type version struct {
	library Library
	program string

	mu      sync.Mutex
	checked time.Time
	tables  string
	tag     string
}

// fresh is how long what was found in the library is taken for true: tables may
// be added while the server runs.
const fresh = 5 * time.Second

func newVersion(library Library, program string) *version {
	return &version{library: library, program: cmp.Or(program, "dev")}
}

// get returns the signature of all tables and the version as one word.
func (v *version) get() (signature, tag string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if t := time.Now(); v.tag == "" || t.Sub(v.checked) > fresh {
		v.checked = t
		// Damaged tables are left out: mending one is a change.
		list, _ := v.library.List("")
		v.tables = store.Signature(list)
		v.tag = v.program + "-" + v.tables[:16]
	}
	return v.tables, v.tag
}
