package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"threekings/draughts"
	"threekings/internal/answer"
	"threekings/probe"
	"threekings/tables"
)

// judging is whether, and under which draw rules, positions are judged. The zero
// value never judges.
type judging struct {
	flags   *cobra.Command // that has --profile and --count; nil if there are none
	name    string         // --profile
	count   int            // --count
	profile *draughts.Profile
}

// addFlags defines --profile and --count.
func (j *judging) addFlags(cmd *cobra.Command) {
	j.flags = cmd
	addProfile(cmd, &j.name, "judge positions under these draw rules (default, if there is a count: the variant's own)")
	cmd.Flags().IntVar(&j.count, "count", 0, "plies that have been counted for the draw rules, as :H in a FEN says")
}

// open looks the profile up.
func (j *judging) open(v *draughts.Variant) (err error) {
	if j.count < 0 || j.count > draughts.MaxCount {
		return fmt.Errorf("--count %d: a number of plies from 0 to %d was expected", j.count, draughts.MaxCount)
	}
	j.profile, err = v.Profile(j.name)
	return err
}

// given reports whether a flag was.
func (j *judging) given(flag string) bool { return j.flags != nil && j.flags.Flags().Changed(flag) }

// asked reports whether verdicts are asked for in so many words: a position that
// merely comes with a count is answered also where there can be none.
func (j *judging) asked() bool { return j.given("count") || j.given("profile") }

// rules returns the rules for a position; ok is false if it is not judged: no
// count and no profile is given.
func (j *judging) rules(s draughts.Setup) (r probe.Rules, ok bool, err error) {
	if j.flags == nil || !s.HasCount && !j.asked() {
		return r, false, nil
	}
	r = probe.Rules{Profile: j.profile, Count: j.count}
	if s.HasCount {
		if j.given("count") && s.Count != j.count {
			return r, false, fmt.Errorf("%w: the position says %d plies, --count %d", probe.ErrCount, s.Count, j.count)
		}
		r.Count = s.Count
	}
	return r, true, nil
}

// metrics returns what answers need.
func (j *judging) metrics(judged bool) metricsFlag {
	if !judged {
		return allMetrics
	}
	return append(allMetrics[:len(allMetrics):len(allMetrics)], tables.DTR(j.profile.Name))
}

// rulingText says what a position is worth under draw rules.
func rulingText(p *draughts.Profile, r *probe.Ruling) string {
	text := fmt.Sprintf("Under the draw rules %s at count %d: ", p.Name, r.Count)
	if r.HasLimit {
		text = fmt.Sprintf("Under the draw rules %s at count %d of %d: ", p.Name, r.Count, r.Limit)
	}
	switch r.Verdict {
	case probe.VerdictWin:
		text += "a win, in time"
	case probe.VerdictRuleDraw:
		text += "a draw, the rule takes the win away"
	case probe.VerdictDraw:
		text += "a draw"
	case probe.VerdictRuleSaved:
		text += "a draw, the rule saves it"
	case probe.VerdictLoss:
		text += "a loss, in time"
	default:
		return text + "unknown: " + r.Err.Error()
	}
	if r.HasLimit && r.PliesLeft == 0 && r.Verdict.Outcome() == tables.Draw {
		return text + "; the limit is reached"
	}
	return text + "; " + rulingDistance(r)
}

// rulingDistance says how far it is to the next reset and how much is left.
func rulingDistance(r *probe.Ruling) string {
	var parts []string
	if r.DTR != tables.NoPlies {
		parts = append(parts, count(int(r.DTR), "ply", "plies")+" to reset")
	}
	if r.HasLimit {
		parts = append(parts, count(r.PliesLeft, "ply", "plies")+" left")
	} else {
		parts = append(parts, "no limit")
	}
	return strings.Join(parts, ", ")
}

// moveRuling says what a move is worth under draw rules.
func moveRuling(r *probe.Ruling) string {
	if r.Err != nil {
		return "unknown under the draw rules: " + r.Err.Error()
	}
	name := r.Verdict.String()
	switch r.Verdict {
	case probe.VerdictRuleDraw:
		name = "draw by rule"
	case probe.VerdictRuleSaved:
		name = "saved by rule"
	default:
	}
	return name + ", " + rulingDistance(r)
}

// writeLeftOut says which draw rules a verdict does not know of.
func (a *app) writeLeftOut(p *draughts.Profile) {
	if left := answer.LeftOut(p); len(left) > 0 {
		fmt.Fprintf(a.out, "Left out: %s\n", strings.Join(left, "; "))
	}
}
