package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/internal/svg"
	"threekings/probe"
	"threekings/tables"
)

// position answers one position.
func (s *Server) position(_ context.Context, r *request) (reply, error) {
	fen, err := r.query.get("fen")
	if err != nil {
		return reply{}, err
	}
	rules, err := r.query.rules(r.variant)
	if err != nil {
		return reply{}, err
	}
	a, whole, err := s.answer(r.variant, fen, rules)
	if err != nil {
		told := public(err)
		told.body = a
		if errors.Is(err, tables.ErrDamaged) || told.says.Code == answer.Internal {
			return reply{}, &loggedError{err, told}
		}
		return reply{}, told
	}
	return reply{body: a, lasting: whole}, nil
}

// loggedError is told in one way and logged in another.
type loggedError struct {
	error
	told *apiError
}

// As lets errors.As find what is told.
func (e *loggedError) As(target any) bool {
	if t, ok := target.(**apiError); ok {
		*t = e.told
		return true
	}
	return false
}

func (e *loggedError) Unwrap() error { return e.error }

// answer looks a position up. Where there is an error the answer has it too. It
// is whole unless a damaged table keeps a value from it: once that is mended the
// answer is another, though the tables' version is not.
func (s *Server) answer(v *draughts.Variant, fen string, rules rules) (a answer.Answer, whole bool, err error) {
	s.metrics.positions.Inc()
	setup, err := parseFEN(v, fen)
	if err != nil {
		return answer.Unanswered(v, nil, new(public(err).says)), false, err
	}
	result, err := s.probe(v, setup, rules)
	if err != nil {
		return answer.Unanswered(v, &setup, new(public(err).says)), false, err
	}
	whole = s.whole(v, fen, trouble(result))
	return answer.Of(v, setup, result), whole, nil
}

// whole reports whether an answer has all that the tables know, if err is what
// keeps a value from it. What is wrong with a table is for the log.
func (s *Server) whole(v *draughts.Variant, fen string, err error) bool {
	if err == nil || errors.Is(err, tables.ErrMissing) {
		return true
	}
	s.metrics.damaged.Inc()
	s.log.Error("a value is left out", "variant", v.Name, "fen", fen, "error", err.Error())
	return false
}

// trouble returns what keeps a value from a result, other than a missing table.
func trouble(r probe.Result) error {
	list := []error{}
	if r.Ruling != nil {
		list = append(list, r.Ruling.Err)
	}
	for _, m := range r.Moves {
		list = append(list, m.Err, m.Ruling.Err)
	}
	for _, err := range list {
		if err != nil && !errors.Is(err, tables.ErrMissing) {
			return err
		}
	}
	return nil
}

// probe looks a position up, under draw rules if it comes with a count or they
// are asked for. Where no distances to reset are stored there is no verdict, but
// an answer all the same.
func (s *Server) probe(v *draughts.Variant, setup draughts.Setup, rules rules) (probe.Result, error) {
	under, err := rules.of(setup)
	switch {
	case err != nil:
		return probe.Result{}, err
	case under.Profile == nil:
		return s.prober.Probe(v, setup.Position)
	}
	return s.prober.ProbeUnder(v, setup.Position, under)
}

// rules are the draw rules that a request asks for.
type rules struct {
	profile         *draughts.Profile // the variant's own unless another is named
	count           int
	asked, hasCount bool
}

// of returns the draw rules for a position, without a profile if there are none.
func (r rules) of(setup draughts.Setup) (probe.Rules, error) {
	if !r.asked && !setup.HasCount {
		return probe.Rules{}, nil
	}
	under := probe.Rules{Profile: r.profile, Count: r.count}
	if setup.HasCount {
		if r.hasCount && r.count != setup.Count {
			return under, fmt.Errorf("%w: the position says %d plies, the parameter %d", probe.ErrCount, setup.Count, r.count)
		}
		under.Count = setup.Count
	}
	return under, nil
}

// rules returns what the parameters profile and count ask for.
func (q query) rules(v *draughts.Variant) (rules, error) {
	r := rules{profile: v.DefaultProfile()}
	if list := q["profile"]; list != nil {
		r.asked = true
		var err error
		if r.profile, err = v.Profile(list[0]); err != nil {
			return r, refuse(codeBadRequest, "profile: %v", err)
		}
	}
	if q["count"] != nil {
		r.asked, r.hasCount = true, true
		var err error
		if r.count, err = q.number("count", 0, draughts.MaxCount, 0); err != nil {
			return r, err
		}
	}
	return r, nil
}

// batch asks for many positions, each with an error of its own. Profile judges
// all of them under these draw rules; without it those with a count are judged
// under the variant's own.
type batch struct {
	FENs    []string `json:"fens"`
	Profile *string  `json:"profile"`
}

func readBatch(body []byte) (batch, error) {
	var b batch
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return b, refuse(codeBadRequest, `the body is not JSON such as {"fens": ["W:W23:B5,6"]}`)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return b, refuse(codeBadRequest, "something follows the JSON in the body")
	}
	if len(b.FENs) == 0 {
		return b, refuse(codeBadRequest, "fens is empty")
	}
	return b, nil
}

// batchCost is what a batch costs beyond one unit.
func batchCost(r *request) (int, error) {
	b, err := readBatch(r.body)
	return units(len(b.FENs)) - 1, err
}

func (s *Server) batch(ctx context.Context, r *request) (reply, error) {
	b, err := readBatch(r.body)
	if err != nil {
		return reply{}, err
	}
	if len(b.FENs) > s.limits.Positions {
		return reply{}, refuse(codeTooLarge, "%d positions; a batch has at most %d", len(b.FENs), s.limits.Positions)
	}
	rules := rules{profile: r.variant.DefaultProfile()}
	if b.Profile != nil {
		rules.asked = true
		if rules.profile, err = r.variant.Profile(*b.Profile); err != nil {
			return reply{}, refuse(codeBadRequest, "profile: %v", err)
		}
	}
	answers := make([]answer.Answer, len(b.FENs))
	for i, fen := range b.FENs {
		if err := ctx.Err(); err != nil {
			return reply{}, err
		}
		if answers[i], _, err = s.answer(r.variant, fen, rules); errors.Is(err, tables.ErrDamaged) {
			s.metrics.damaged.Inc()
			s.log.Error("failed", "variant", r.variant.Name, "fen", fen, "error", err.Error())
		}
	}
	return reply{body: map[string]any{"answers": answers}}, nil
}

// legalMoves are the moves of a position without values: what is there also
// where no table reaches.
type legalMoves struct {
	Variant string      `json:"variant"`
	FEN     string      `json:"fen"`
	Side    string      `json:"side"`
	Over    bool        `json:"over"`
	Moves   []legalMove `json:"moves"`
}

type legalMove struct {
	Move string `json:"move"`
	FEN  string `json:"fen"`
	// Squares are where the piece starts, turns and lands.
	Squares []string `json:"squares"`
}

func (s *Server) moves(_ context.Context, r *request) (reply, error) {
	v := r.variant
	setup, err := r.query.setup(v)
	if err != nil {
		return reply{}, err
	}
	p := setup.Position
	l := legalMoves{Variant: v.Name, FEN: v.SetupFEN(setup), Side: p.Side().String(), Moves: []legalMove{}}
	if v.Ended(p) {
		l.Over = true
		return reply{body: l, lasting: true}, nil
	}
	moves := v.Moves(p, nil)
	l.Over = len(moves) == 0
	for i, text := range v.MoveTexts(p, moves) {
		m := legalMove{Move: text, FEN: v.FEN(p.Play(moves[i])), Squares: []string{v.SquareName(moves[i].From)}}
		for path := range v.Paths(p, moves[i]) {
			for _, square := range path {
				m.Squares = append(m.Squares, v.SquareName(square))
			}
			break
		}
		if len(m.Squares) == 1 {
			m.Squares = append(m.Squares, v.SquareName(moves[i].To))
		}
		l.Moves = append(l.Moves, m)
	}
	return reply{body: l, lasting: true}, nil
}

// line answers with best play to the end of the game, under draw rules where a
// position is judged under them.
func (s *Server) line(ctx context.Context, r *request) (reply, error) {
	setup, err := r.query.setup(r.variant)
	if err != nil {
		return reply{}, err
	}
	plies, err := r.query.number("plies", 1, s.limits.LinePlies, s.limits.LinePlies)
	if err != nil {
		return reply{}, err
	}
	rules, err := r.query.rules(r.variant)
	if err != nil {
		return reply{}, err
	}
	under, err := rules.of(setup)
	if err != nil {
		return reply{}, err
	}
	l, err := s.prober.Line(ctx, r.variant, setup.Position, probe.LineOptions{MaxPlies: plies, Rules: under})
	if err != nil {
		return reply{}, err
	}
	s.metrics.positions.Add(float64(len(l.Moves) + 1))
	j := answer.LineOf(r.variant, setup, l)
	if l.Err != nil {
		j.Error = new(public(l.Err).says)
	}
	return reply{body: j, lasting: s.whole(r.variant, *j.FEN, l.Err)}, nil
}

// squareMap answers with the value of a position for each square on which one of
// its pieces could stand.
func (s *Server) squareMap(_ context.Context, r *request) (reply, error) {
	setup, err := r.query.setup(r.variant)
	if err != nil {
		return reply{}, err
	}
	name, err := r.query.get("square")
	if err != nil {
		return reply{}, err
	}
	square, err := r.variant.ParseSquare(name)
	if err != nil {
		return reply{}, err
	}
	look := func(p draughts.Position) (tables.Outcome, tables.Plies, error) {
		return answer.Value(s.prober, r.variant, p)
	}
	m, err := answer.MapOf(look, r.variant, setup.Position, square)
	if err != nil {
		return reply{}, err
	}
	s.metrics.positions.Add(float64(len(m.Squares)))
	return reply{body: m, lasting: true}, nil
}

// diagram reads what a picture shows.
func (s *Server) diagram(r *request) (*svg.Diagram, error) {
	setup, err := r.query.setup(r.variant)
	if err != nil {
		return nil, err
	}
	flipped, err := r.query.flag("flip")
	if err != nil {
		return nil, err
	}
	numbers := true
	if r.query["numbers"] != nil {
		if numbers, err = r.query.flag("numbers"); err != nil {
			return nil, err
		}
	}
	return &svg.Diagram{Variant: r.variant, Position: setup.Position, Flipped: flipped, NoNumbers: !numbers}, nil
}

func (s *Server) boardSVG(_ context.Context, r *request) (reply, error) {
	d, err := s.diagram(r)
	if err != nil {
		return reply{}, err
	}
	text, err := d.SVG()
	return reply{body: text, kind: "image/svg+xml", lasting: true}, err
}

// maxPicture is the width of the largest PNG, in pixels: larger ones are the
// command's to make.
const maxPicture = 1600

func (s *Server) boardPNG(_ context.Context, r *request) (reply, error) {
	d, err := s.diagram(r)
	if err != nil {
		return reply{}, err
	}
	width, err := r.query.number("width", svg.MinWidth, maxPicture, svg.DefaultWidth)
	if err != nil {
		return reply{}, err
	}
	picture, err := d.PNG(width)
	return reply{body: picture, kind: "image/png", lasting: true}, err
}
