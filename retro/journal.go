package retro

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"threekings/draughts"
	"threekings/tables"
)

// A journal keeps the solved slices of a table whose solving takes long, so that
// an interrupted run loses little. It is a file of a header and records, one for
// each slice, each with a checksum:
//
//	slice number      8 bytes, little-endian like all numbers
//	payload length    4 bytes
//	payload           the slice's words and distances
//	CRC-32C           4 bytes, of all of the above
//
// A record that is cut short or damaged ends the journal: what follows it is
// solved again.
type journal struct {
	path   string
	header string
	every  time.Duration

	mu      sync.Mutex
	file    *os.File // nil until the table has taken long enough
	out     *bufio.Writer
	started time.Time
	synced  time.Time
	solved  [][]uint64 // slices not yet in the file
	buffer  []byte
}

// maxJournalSlice is how many bytes a slice may have that is kept. Tables of kings
// alone are one slice each: of the largest nothing could be kept before they are
// solved.
const maxJournalSlice = 256 << 20

// defaultJournalEvery is how much work an interrupted run may lose.
const defaultJournalEvery = 30 * time.Second

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// newJournal returns the journal of a table, or nil if none is kept. mode says
// what the payloads hold.
func newJournal(opts *Options, v *draughts.Variant, m tables.Material, mode string) *journal {
	if opts.Journal == "" {
		return nil
	}
	return &journal{
		path:  journalPath(opts.Journal, v, m, opts.metric()),
		every: cmp.Or(opts.JournalEvery, defaultJournalEvery), started: time.Now(),
		header: fmt.Sprintf("threekings journal 1 %s %s %s by %q\n", v.Name, m, mode, opts.Generator),
	}
}

// journalPath names the metric too: runs for different ones leave a table's
// journal to each other.
func journalPath(dir string, v *draughts.Variant, m tables.Material, metric tables.Metric) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%s-%s.unfinished", v.Name, m, strings.ReplaceAll(string(metric), "/", "-")))
}

// RemoveJournal removes what an interrupted run for a metric has left of a table
// that is done with from the directory of [Options.Journal]. If there is nothing,
// that is no error.
//
// The metric is [tables.DTW] for a run that makes outcomes and distances to win
// together.
func RemoveJournal(dir string, v *draughts.Variant, m tables.Material, metric tables.Metric) error {
	if dir == "" {
		return nil
	}
	if err := os.Remove(journalPath(dir, v, m, metric)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resume reads what an interrupted run has left and gives each slice to restore.
// It keeps the file open to be added to.
func (j *journal) resume(restore func(slice uint64, payload []byte) bool) error {
	file, err := os.OpenFile(j.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	good, err := j.readAll(file, restore)
	if err == nil && good == 0 { // of another run, or never begun
		return errors.Join(file.Close(), os.Remove(j.path))
	}
	if err == nil {
		err = file.Truncate(good)
	}
	if err == nil {
		_, err = file.Seek(good, io.SeekStart)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	j.file, j.out, j.synced = file, bufio.NewWriterSize(file, 1<<20), time.Now()
	return nil
}

// readAll reads records until one is not whole, and returns where that begins; 0
// if the header is another's.
func (j *journal) readAll(file *os.File, restore func(slice uint64, payload []byte) bool) (good int64, err error) {
	in := bufio.NewReaderSize(file, 1<<20)
	header := make([]byte, len(j.header))
	if _, err := io.ReadFull(in, header); err != nil || string(header) != j.header {
		return 0, nil //nolint:nilerr // not this table's journal
	}
	good = int64(len(header))
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	var head [12]byte
	for {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return good, nil //nolint:nilerr // the end
		}
		length := int64(binary.LittleEndian.Uint32(head[8:]))
		size := int64(len(head)) + length + 4
		if size > info.Size()-good {
			return good, nil
		}
		rest := make([]byte, length+4)
		if _, err := io.ReadFull(in, rest); err != nil {
			return good, nil //nolint:nilerr // cut short while it was read
		}
		payload := rest[:length]
		sum := crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, payload)
		if sum != binary.LittleEndian.Uint32(rest[length:]) || !restore(binary.LittleEndian.Uint64(head[:]), payload) {
			return good, nil
		}
		good += size
	}
}

// add notes that slices are solved, a list that it keeps. payload appends the
// payload of one of them.
// Nothing is written before the table has taken as long as may be lost.
func (j *journal) add(slices []uint64, payload func(slice uint64, dst []byte) []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.solved = append(j.solved, slices)
	now := time.Now()
	if j.file == nil {
		if now.Sub(j.started) < j.every {
			return nil
		}
		if err := j.create(); err != nil {
			return err
		}
	} else if now.Sub(j.synced) < j.every/4 {
		return nil
	}
	for _, unit := range j.solved {
		for _, slice := range unit {
			b := binary.LittleEndian.AppendUint64(j.buffer[:0], slice)
			b = payload(slice, append(b, 0, 0, 0, 0))
			binary.LittleEndian.PutUint32(b[8:], uint32(len(b)-12))
			b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
			j.buffer = b
			if _, err := j.out.Write(b); err != nil {
				return err
			}
		}
	}
	j.solved = nil
	j.synced = now
	return errors.Join(j.out.Flush(), j.file.Sync())
}

func (j *journal) create() error {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(j.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	j.file, j.out = file, bufio.NewWriterSize(file, 1<<20)
	_, err = j.out.WriteString(j.header)
	return err
}

func (j *journal) close() error {
	if j == nil || j.file == nil {
		return nil
	}
	return j.file.Close()
}
