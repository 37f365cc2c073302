package httpapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"threekings/draughts"
)

// query are the parameters of a request. Each is known to its route and comes
// once.
type query url.Values

// parseQuery reads a query that may have the given parameters, and v: the version
// of the tables, which only caches look at.
func parseQuery(raw string, allowed []string) (query, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, refuse(codeBadRequest, "the query cannot be read")
	}
	for name, list := range values {
		if name != "v" && !slices.Contains(allowed, name) {
			return nil, refuse(codeBadRequest, "there is no parameter %s; there are: %s", strconv.QuoteToASCII(shorten(name)), strings.Join(allowed, ", "))
		}
		if len(list) != 1 {
			return nil, refuse(codeBadRequest, "the parameter %s is given %d times", name, len(list))
		}
	}
	return query(values), nil
}

// get returns a parameter that must be there.
func (q query) get(name string) (string, error) {
	if list, ok := q[name]; ok {
		return list[0], nil
	}
	return "", refuse(codeBadRequest, "the parameter %s is missing", name)
}

// flag returns a parameter that is 1 or 0, or nothing for 0.
func (q query) flag(name string) (bool, error) {
	switch list := q[name]; {
	case list == nil || list[0] == "0":
		return false, nil
	case list[0] == "1":
		return true, nil
	default:
		return false, refuse(codeBadRequest, "%s is 1 or 0", name)
	}
}

// number returns a parameter that is a number in a range, or the default.
func (q query) number(name string, low, high, standard int) (int, error) {
	list := q[name]
	if list == nil {
		return standard, nil
	}
	n, err := strconv.Atoi(list[0])
	if err != nil || n < low || n > high {
		return 0, refuse(codeBadRequest, "%s is a number from %d to %d", name, low, high)
	}
	return n, nil
}

// setup returns the position in the parameter fen.
func (q query) setup(v *draughts.Variant) (draughts.Setup, error) {
	fen, err := q.get("fen")
	if err != nil {
		return draughts.Setup{}, err
	}
	return parseFEN(v, fen)
}

// parseFEN reads a FEN in which underscores stand for blanks.
func parseFEN(v *draughts.Variant, fen string) (draughts.Setup, error) {
	return v.ParseFEN(strings.ReplaceAll(fen, "_", " "))
}

func shorten(text string) string {
	const limit = 40
	if len(text) > limit {
		return text[:limit] + "..."
	}
	return text
}
