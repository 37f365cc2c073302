// Package progress tells people how far a long run has come: on a terminal one
// line that is kept up to date, elsewhere a line now and then.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	redraw  = 200 * time.Millisecond // on a terminal
	logging = 30 * time.Second       // elsewhere
	// width is where a line on a terminal is cut.
	width = 79
)

// Meter counts work done and shows it. It is safe for concurrent use.
type Meter struct {
	w        io.Writer
	terminal bool
	total    uint64
	work     uint64 // what must be added for all units to be through
	unit     string
	now      func() time.Time
	started  time.Time

	mu    sync.Mutex
	done  uint64 // of work
	doing string
	drawn bool // a line is on the terminal

	stop chan struct{}
	over sync.WaitGroup
}

// Start begins to show work of total units, until Close. Each unit goes through
// a number of passes and counts when it is through the last.
func Start(w io.Writer, terminal bool, total uint64, passes int, unit string) *Meter {
	return StartWork(w, terminal, total, total*uint64(passes), unit)
}

// StartWork begins to show work where not every unit goes through every pass:
// work is how many units go through some pass, all passes taken together. What
// is shown to be done is the same share of the units as of the work.
func StartWork(w io.Writer, terminal bool, total, work uint64, unit string) *Meter {
	m := newMeter(w, terminal, total, work, unit, time.Now)
	interval := logging
	if terminal {
		interval = redraw
	}
	m.over.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.show()
			case <-m.stop:
				return
			}
		}
	})
	return m
}

func newMeter(w io.Writer, terminal bool, total, work uint64, unit string, now func() time.Time) *Meter {
	return &Meter{
		w: w, terminal: terminal, total: total, work: work, unit: unit,
		now: now, started: now(), stop: make(chan struct{}),
	}
}

// Add counts units that are through one pass.
func (m *Meter) Add(n uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
}

// Doing sets what is being worked on.
func (m *Meter) Doing(what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.doing = what
}

// Close stops showing and takes the line off the terminal. It returns how long
// the work took.
func (m *Meter) Close() time.Duration {
	close(m.stop)
	m.over.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.erase()
	return m.now().Sub(m.started)
}

// show writes the state of the work.
func (m *Meter) show() {
	m.mu.Lock()
	defer m.mu.Unlock()
	line := m.line()
	if !m.terminal {
		fmt.Fprintln(m.w, line)
		return
	}
	m.erase()
	if len(line) > width {
		line = line[:width]
	}
	fmt.Fprint(m.w, line)
	m.drawn = true
}

func (m *Meter) erase() {
	if m.drawn {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.drawn = false
	}
}

// line describes the state of the work: how much, how fast, how much longer.
func (m *Meter) line() string {
	elapsed := m.now().Sub(m.started)
	share := 1.0
	if m.work > 0 {
		share = float64(m.done) / float64(m.work)
	}
	done := uint64(share * float64(m.total))
	parts := []string{fmt.Sprintf("%3.0f %%", 100*share), fmt.Sprintf("%s of %s %s", Count(done), Count(m.total), m.unit)}
	if seconds := elapsed.Seconds(); done > 0 && seconds > 0 {
		parts = append(parts,
			Count(uint64(float64(done)/seconds))+"/s",
			Duration(time.Duration(float64(elapsed)*(1-share)/share))+" left")
	}
	if m.doing != "" {
		parts = append(parts, m.doing)
	}
	return strings.Join(parts, ", ")
}

// Count writes a number in a form that is quickly read: 950, 12.3 k, 4.56 M.
func Count(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	value, units := float64(n), []string{"k", "M", "G", "T", "P", "E"}
	for i, unit := range units {
		value /= 1000
		// Compare what will be printed, so that 999,999 is 1.00 M and not 1000 k.
		if value < 999.5 || i == len(units)-1 {
			decimals := 0
			switch {
			case value < 9.995:
				decimals = 2
			case value < 99.95:
				decimals = 1
			}
			return fmt.Sprintf("%.*f %s", decimals, value, unit)
		}
	}
	return ""
}

// Bytes writes a size: 950 bytes, 12.3 kB.
func Bytes(n uint64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return Count(n) + "B"
}

// Duration writes a time: 0.4 s, 12 s, 3:05 min, 2:10 h.
func Duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	minutes := int(d.Minutes())
	if minutes < 100 {
		return fmt.Sprintf("%d:%02d min", minutes, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d h", minutes/60, minutes%60)
}
