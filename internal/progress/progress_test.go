package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestLineTellsRateAndTimeLeft(t *testing.T) {
	now := time.Unix(0, 0)
	m := newMeter(&bytes.Buffer{}, false, 40_000_000, 80_000_000, "positions", func() time.Time { return now })
	if got, want := m.line(), "  0 %, 0 of 40.0 M positions"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	now = now.Add(10 * time.Second)
	m.Add(20_000_000)
	m.Doing("KKvK")
	if got, want := m.line(), " 25 %, 10.0 M of 40.0 M positions, 1.00 M/s, 30 s left, KKvK"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Some units go through one pass, some through two.
func TestWorkOfUnevenPasses(t *testing.T) {
	now := time.Unix(0, 0)
	m := newMeter(&bytes.Buffer{}, false, 6_000_000, 8_000_000, "positions", func() time.Time { return now })
	now = now.Add(2 * time.Second)
	m.Add(4_000_000)
	if got, want := m.line(), " 50 %, 3.00 M of 6.00 M positions, 1.50 M/s, 2.0 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTerminalLineIsReplacedAndTakenAway(t *testing.T) {
	var b bytes.Buffer
	m := newMeter(&b, true, 10, 10, "positions", time.Now)
	m.Doing(strings.Repeat("x", 200))
	m.show()
	m.show()
	m.Close()
	lines := strings.Split(b.String(), "\r\x1b[K")
	if len(lines) != 3 || lines[2] != "" {
		t.Fatalf("%q", b.String())
	}
	if len(lines[0]) != width {
		t.Errorf("line of %d columns", len(lines[0]))
	}
}

func TestLogLinesEndWithNewline(t *testing.T) {
	var b bytes.Buffer
	m := newMeter(&b, false, 10, 10, "positions", time.Now)
	m.show()
	m.Close()
	if got := b.String(); got != "  0 %, 0 of 10 positions\n" {
		t.Errorf("%q", got)
	}
}

func TestFigures(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1.00 k", 12_345: "12.3 k", 999_499: "999 k", 999_500: "1.00 M",
		999_999: "1.00 M", 42_800_000: "42.8 M", 880_000_000_000: "880 G",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		340 * time.Millisecond: "0.3 s", 12 * time.Second: "12 s", 185 * time.Second: "3:05 min",
		130 * time.Minute: "2:10 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
	if got := Bytes(12) + ", " + Bytes(1_234_567); got != "12 bytes, 1.23 MB" {
		t.Errorf("%q", got)
	}
}
