package httpapi

import (
	"context"
	_ "embed"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/tables"
)

// about is what a client needs to know before it asks for anything.
type about struct {
	Version string `json:"version"`
	// TablesVersion is the signature of all tables, V what v takes in addresses
	// that may be kept for good.
	TablesVersion string         `json:"tables_version"`
	V             string         `json:"v"`
	MaxPieces     int            `json:"max_pieces"`
	Limits        aboutLimits    `json:"limits"`
	Variants      []aboutVariant `json:"variants"`
}

// aboutLimits are those that a client may run into. Times are in seconds.
type aboutLimits struct {
	// UnitsPerSecond is null where clients are not limited.
	UnitsPerSecond *float64       `json:"units_per_second"`
	UnitsAtOnce    int            `json:"units_at_once"`
	Costs          map[string]int `json:"costs"`
	PositionsUnit  int            `json:"positions_a_unit"`
	Positions      int            `json:"batch_positions"`
	LinePlies      int            `json:"line_plies"`
	GamePlies      int            `json:"game_plies"`
	BodyBytes      int64          `json:"body_bytes"`
	Seconds        float64        `json:"seconds"`
}

type aboutVariant struct {
	Name        string        `json:"name"`
	Title       string        `json:"title"`
	Width       int           `json:"width"`
	Height      int           `json:"height"`
	EverySquare bool          `json:"every_square"`
	Algebraic   bool          `json:"algebraic"`
	Initial     string        `json:"initial"`
	Squares     []aboutSquare `json:"squares"`
	// WhitePromotes and BlackPromotes are where men become kings.
	WhitePromotes []string `json:"white_promotes"`
	BlackPromotes []string `json:"black_promotes"`
	// Rules are pairs of a heading and what it says.
	Rules [][2]string `json:"rules"`
	// Profiles are the draw rules there are, the default first.
	Profiles []aboutProfile `json:"profiles"`
	Tables   int            `json:"tables"`
	Pieces   int            `json:"pieces"`
}

type aboutProfile struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
}

// aboutSquare is a square that plays. Rows and columns count from 0, from the top
// left as White sees the board; the squares come in that order.
type aboutSquare struct {
	Name string `json:"name"`
	Row  int    `json:"row"`
	Col  int    `json:"col"`
}

func (s *Server) variants(context.Context, *request) (reply, error) {
	signature, tag := s.version.get()
	l := s.limits
	a := about{
		Version: s.version.program, TablesVersion: signature, V: tag, MaxPieces: tables.MaxPieces,
		Limits: aboutLimits{
			UnitsAtOnce: l.Burst, Costs: map[string]int{}, PositionsUnit: unit, Positions: l.Positions,
			LinePlies: l.LinePlies, GamePlies: l.GamePlies, BodyBytes: l.BodyBytes, Seconds: l.Work.Seconds(),
		},
	}
	if l.Rate > 0 {
		a.Limits.UnitsPerSecond = &l.Rate
	}
	for _, r := range apiRoutes() {
		cost := max(r.cost, 1)
		if r.free {
			cost = 0
		}
		a.Limits.Costs[r.method+" "+r.pattern] = cost
	}
	for _, v := range draughts.Variants() {
		a.Variants = append(a.Variants, s.aboutVariant(v))
	}
	return reply{body: a, lasting: true}, nil
}

func (s *Server) aboutVariant(v *draughts.Variant) aboutVariant {
	a := aboutVariant{
		Name: v.Name, Title: v.Title, Width: v.Width, Height: v.Height, EverySquare: v.EverySquare,
		Algebraic: v.Algebraic, Initial: v.FEN(v.Initial()), Rules: answer.Rules(v),
		WhitePromotes: squareNames(v, v.PromotionRow(draughts.White)),
		BlackPromotes: squareNames(v, v.PromotionRow(draughts.Black)),
	}
	for _, p := range v.Profiles() {
		a.Profiles = append(a.Profiles, aboutProfile{p.Name, p.Title, p.Source})
	}
	for sq := range v.Board().All() {
		row, col := v.RowOf(sq)
		a.Squares = append(a.Squares, aboutSquare{v.SquareName(sq), row, col})
	}
	for _, row := range s.rows(v) {
		if row.Side == tables.First {
			a.Tables++
			a.Pieces = max(a.Pieces, row.Material.Pieces())
		}
	}
	return a
}

func squareNames(v *draughts.Variant, set draughts.Set) []string {
	var names []string
	for sq := range set.All() {
		names = append(names, v.SquareName(sq))
	}
	return names
}

//go:embed openapi.json
var openAPI []byte

func (s *Server) openAPI(context.Context, *request) (reply, error) {
	return reply{body: openAPI, kind: "application/json", lasting: true}, nil
}

// health answers as long as the server is able to.
func (s *Server) health(context.Context, *request) (reply, error) {
	return reply{body: map[string]string{"status": "ok"}}, nil
}
