package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/tables"
)

// rows returns what is stored of a variant, one row for each side to move.
func (s *Server) rows(v *draughts.Variant) []answer.Row {
	return answer.Rows(answer.StoredTables(s.version.of(v.Name)))
}

// tables lists what is stored of a variant.
func (s *Server) tables(_ context.Context, r *request) (reply, error) {
	rows := s.rows(r.variant)
	list := make([]answer.Table, len(rows))
	for i, row := range rows {
		var err error
		if list[i], err = answer.TableOf(row); err != nil {
			return reply{}, err
		}
	}
	return reply{body: map[string]any{"variant": r.variant.Name, "tables": list}, lasting: true}, nil
}

// tableStatistics is one table in more detail.
type tableStatistics struct {
	Variant string `json:"variant"`
	Table   string `json:"table"`
	// State is "counted", "counting" while the rest is being worked out, or
	// "outcomes only" or "too large" where there is no rest.
	State string           `json:"state"`
	Sides []sideStatistics `json:"sides"`
}

type sideStatistics struct {
	answer.Table
	// Distances is how many positions have each distance, in plies: odd ones are
	// wins, even ones losses. It is null unless the state is "counted", and so is
	// Longest: the positions with the longest wins.
	Distances []distanceCount `json:"distances"`
	Longest   []longWin       `json:"longest"`
}

type distanceCount struct {
	DTW       tables.Plies `json:"dtw"`
	Positions uint64       `json:"positions"`
}

type longWin struct {
	FEN string       `json:"fen"`
	DTW tables.Plies `json:"dtw"`
}

// maxCounted is the number of positions of the largest table whose distances are
// counted while a client waits.
const maxCounted = 40_000_000

// table answers with one table. Counting goes on in the background: until it is
// done the status is 202.
func (s *Server) table(_ context.Context, r *request) (reply, error) {
	v := r.variant
	material, err := tables.ParseMaterial(r.path("material"))
	if err != nil {
		return reply{}, refuse(codeBadRequest, "%v", err)
	}
	name, _ := material.Table()
	rows := slices.DeleteFunc(s.rows(v), func(row answer.Row) bool { return row.Stored.Material != name })
	if len(rows) == 0 {
		return reply{}, refuse(answer.MissingTable, "%v", &tables.MissingError{Key: tables.Key{Variant: v.Name, Material: name, Metric: tables.Outcomes}})
	}
	t := tableStatistics{Variant: v.Name, Table: name.String(), State: "outcomes only"}
	for _, row := range rows {
		table, err := answer.TableOf(row)
		if err != nil {
			return reply{}, err
		}
		t.Sides = append(t.Sides, sideStatistics{Table: table})
	}
	distance := rows[0].Distance
	switch {
	case distance == nil:
		return reply{body: t, lasting: true}, nil
	case tables.Positions(v, name) > maxCounted:
		t.State = "too large"
		return reply{body: t, lasting: true}, nil
	}
	counted, err := s.counts.get(v, distance)
	switch {
	case errors.Is(err, errCounting):
		t.State = "counting"
		return reply{body: t, status: http.StatusAccepted}, nil
	case errors.Is(err, errManyCounts):
		busy := refuse(codeBusy, "too many tables are being counted; come back in a few seconds")
		busy.retry = 3 * time.Second
		return reply{}, busy
	case err != nil:
		return reply{}, err
	}
	t.State = "counted"
	for i, row := range rows {
		t.Sides[i].Distances, t.Sides[i].Longest = counted.of(row.Side)
	}
	return reply{body: t, lasting: true}, nil
}
