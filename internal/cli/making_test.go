package cli

import (
	"runtime/debug"
	"testing"
)

func TestHeapIsLimitedWhileTablesAreMade(t *testing.T) {
	usual := debug.SetMemoryLimit(-1)
	restore := limitHeap(4 << 30)
	if got, want := debug.SetMemoryLimit(-1), int64(4<<30+besideTables); got != want {
		t.Errorf("the limit is %d, want %d", got, want)
	}
	// A lower one stays.
	inner := limitHeap(8 << 30)
	if got, want := debug.SetMemoryLimit(-1), int64(4<<30+besideTables); got != want {
		t.Errorf("a higher limit replaced it: %d, want %d", got, want)
	}
	inner()
	restore()
	if got := debug.SetMemoryLimit(-1); got != usual {
		t.Errorf("afterwards the limit is %d, want %d", got, usual)
	}
	limitHeap(0)()
	if got := debug.SetMemoryLimit(-1); got != usual {
		t.Errorf("without a limit it is %d, want %d", got, usual)
	}
}

func TestGarbageIsKeptSmallWhileTablesAreMade(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	for _, test := range []struct{ before, during int }{{100, smallGarbage}, {10, 10}, {-1, -1}} {
		debug.SetGCPercent(test.before)
		restore := limitHeap(4 << 30)
		if got := percent(); got != test.during {
			t.Errorf("%d percent become %d, want %d", test.before, got, test.during)
		}
		restore()
		if got := percent(); got != test.before {
			t.Errorf("afterwards %d percent are %d", test.before, got)
		}
	}
}
