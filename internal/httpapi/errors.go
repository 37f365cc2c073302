package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"threekings/draughts"
	"threekings/internal/answer"
)

// The codes of errors beyond those of positions.
const (
	codeUnknownVariant = "unknown_variant"
	codeNotFound       = "not_found"
	codeMethod         = "method_not_allowed"
	codeBadRequest     = "bad_request"
	codeBadGame        = "bad_game"
	codeTooLarge       = "too_large"
	codeRate           = "rate_limited"
	codeBusy           = "busy"
	codeTimeout        = "timeout"
)

// statuses are the codes of all errors with their status.
var statuses = map[string]int{
	answer.BadFEN:          http.StatusBadRequest,
	answer.IllegalPosition: http.StatusBadRequest,
	answer.TooManyPieces:   http.StatusNotFound,
	answer.BadCount:        http.StatusBadRequest,
	answer.MissingTable:    http.StatusNotFound,
	answer.DamagedTable:    http.StatusInternalServerError,
	answer.Internal:        http.StatusInternalServerError,
	codeUnknownVariant:     http.StatusNotFound,
	codeNotFound:           http.StatusNotFound,
	codeMethod:             http.StatusMethodNotAllowed,
	codeBadRequest:         http.StatusBadRequest,
	codeBadGame:            http.StatusBadRequest,
	codeTooLarge:           http.StatusRequestEntityTooLarge,
	codeRate:               http.StatusTooManyRequests,
	codeBusy:               http.StatusServiceUnavailable,
	codeTimeout:            http.StatusServiceUnavailable,
}

// apiError is an error as the client sees it.
type apiError struct {
	says  answer.Error
	retry time.Duration // in how long to come back; 0 says nothing
	allow string        // the methods there are
	// body replaces the usual one where an answer has the error in itself.
	body any
}

func (e *apiError) Error() string { return e.says.Code + ": " + e.says.Message }

func refuse(code, format string, args ...any) *apiError {
	return &apiError{says: answer.Error{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// public returns an error with what a client may know of it. What is wrong with
// the server's files is for the log alone.
func public(err error) *apiError {
	var api *apiError
	switch {
	case errors.As(err, &api):
		return api
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &apiError{says: answer.Error{Code: codeTimeout, Message: "the answer took too long"}, retry: time.Second}
	case errors.Is(err, draughts.ErrUnknownVariant):
		return refuse(codeUnknownVariant, "%v", err)
	case errors.Is(err, draughts.ErrSquare), errors.Is(err, answer.ErrNoPiece):
		return refuse(codeBadRequest, "square: %v", err)
	}
	switch code := answer.Code(err); code {
	case answer.DamagedTable:
		return refuse(code, "a table that is needed is damaged here")
	case answer.Internal:
		return refuse(code, "something went wrong here")
	default:
		return refuse(code, "%v", err)
	}
}
