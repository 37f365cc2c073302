package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/tables"
)

// game is a PDN game with the true value of every position that the tables
// reach.
type game struct {
	Variant string         `json:"variant"`
	Number  int            `json:"number"`
	Games   int            `json:"games"`
	Tags    []gameTag      `json:"tags"`
	Start   gamePosition   `json:"start"`
	Moves   []gamePosition `json:"moves"`
	Result  string         `json:"result"`
	// Cut: the game has more moves than Limits.GamePlies.
	Cut bool `json:"cut"`
}

type gameTag struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// gamePosition is a position of a game, for its side to move, with the move that
// led there.
type gamePosition struct {
	Move    string        `json:"move,omitempty"`
	FEN     string        `json:"fen"`
	Outcome *string       `json:"outcome"`
	DTW     *tables.Plies `json:"dtw"`
	Comment *string       `json:"comment,omitempty"`
}

// maxGames is how many games of a text are counted, and readTime how long a text
// is read: setting up games by the hundred is work.
const (
	maxGames = 1000
	readTime = time.Second
)

// game reads one game of a PDN text.
func (s *Server) game(ctx context.Context, r *request) (reply, error) {
	number, err := r.query.number("number", 1, maxGames, 1)
	if err != nil {
		return reply{}, err
	}
	chosen, games, err := readGame(ctx, r.variant, r.body, number)
	if err != nil {
		return reply{}, err
	}
	v := chosen.Variant
	g := game{
		Variant: v.Name, Number: number, Games: games, Tags: []gameTag{}, Moves: []gamePosition{},
		Result: v.ResultText(chosen.Score()),
	}
	for _, t := range chosen.Tags {
		g.Tags = append(g.Tags, gameTag(t))
	}
	p := chosen.Start.Position
	var left error // the first value that is left out
	look := func(p draughts.Position) gamePosition {
		one, err := s.gamePosition(v, p)
		left = cmp.Or(left, err)
		return one
	}
	g.Start = look(p)
	for i, m := range chosen.Main.Moves {
		if i == s.limits.GamePlies {
			g.Cut = true
			break
		}
		if err := ctx.Err(); err != nil {
			return reply{}, err
		}
		text := v.MoveText(p, m.Move)
		p = m.Position
		one := look(p)
		one.Move, one.Comment = text, new(m.Comment)
		g.Moves = append(g.Moves, one)
	}
	s.whole(v, g.Start.FEN, left)
	return reply{body: g}, nil
}

// readGame returns one game of a text and how many there are.
func readGame(ctx context.Context, v *draughts.Variant, text []byte, number int) (*draughts.Game, int, error) {
	reader := draughts.NewPDNReader(bytes.NewReader(text), draughts.PDNOptions{Variant: v, MainLine: true})
	var chosen *draughts.Game
	games := 0
	late := time.Now().Add(readTime)
	for games < maxGames {
		g, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		games++
		if games == number {
			if err != nil {
				return nil, 0, refuse(codeBadGame, "%v", err)
			}
			chosen = g
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if time.Now().After(late) {
			if chosen == nil {
				return nil, 0, refuse(codeTooLarge, "the text takes too long to read: game %d was not reached", number)
			}
			break // there may be more games than are counted
		}
	}
	switch {
	case games == 0:
		return nil, 0, refuse(codeBadGame, "there is no game in the text")
	case chosen == nil:
		return nil, 0, refuse(codeBadGame, "there is no game %d in the text, only %d", number, games)
	}
	return chosen, games, nil
}

// gamePosition looks a position up as far as the tables reach. The error is why
// it has no value although they do.
func (s *Server) gamePosition(v *draughts.Variant, p draughts.Position) (gamePosition, error) {
	one := gamePosition{FEN: v.FEN(p)}
	if p.Len() > tables.MaxPieces {
		return one, nil
	}
	s.metrics.positions.Inc()
	o, d, err := answer.Value(s.prober, v, p)
	switch {
	case err == nil:
		one.Outcome, one.DTW = new(o.String()), answer.Plies(d)
	case errors.Is(err, tables.ErrMissing):
		err = nil
	}
	return one, err
}
