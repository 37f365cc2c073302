package draughts

import "slices"

// Counter follows a game and says when its draw rules take effect. It begins
// with a position and takes the moves one by one. Not for use by several
// goroutines at once.
type Counter struct {
	v       *Variant
	profile *Profile
	pos     Position
	ply     int
	count   int
	class   *Class
	held    []bool // by place: the extra rule holds
	extra   []int  // and the plies since it began to, or was restarted
	seen    map[Position]int
	moves   []Move
}

// RuleKind is which rule has taken effect.
type RuleKind uint8

// The kinds.
const (
	// LimitRule: the count of the class has reached its limit.
	LimitRule RuleKind = iota
	// ExtraRuleKind: a rule of [Profile].Extra.
	ExtraRuleKind
	// RepetitionRule: the position has occurred too often.
	RepetitionRule
	// EndedRule: the game itself ends in a draw ([Variant.Ended]).
	EndedRule
)

var ruleKindNames = [...]string{"limit", "extra", "repetition", "end"}

// String returns "limit", "extra", "repetition" or "end".
func (k RuleKind) String() string { return ruleKindNames[k] }

// RuleEffect is a draw by a rule.
type RuleEffect struct {
	Kind RuleKind
	// Ply is how many moves had been played since the counter's first position.
	Ply int
	// Rule says in words to what the rule applies; Source is its article.
	Rule, Source string
	// OnClaim: the player may claim the draw, and the game goes on if he does not.
	OnClaim bool
}

// NewCounter returns a counter of a game that begins with p, where count plies
// have been counted before.
func NewCounter(v *Variant, profile *Profile, p Position, count int) *Counter {
	c := &Counter{
		v: v, profile: profile, pos: p, count: count, class: profile.Class(p),
		held: make([]bool, len(profile.Extra)), extra: make([]int, len(profile.Extra)), seen: map[Position]int{p: 1},
	}
	for i := range profile.Extra {
		c.held[i] = profile.Extra[i].holds(v, p)
	}
	return c
}

// Position returns the position reached.
func (c *Counter) Position() Position { return c.pos }

// Ply returns how many moves have been played.
func (c *Counter) Ply() int { return c.ply }

// Count returns how many plies have been counted.
func (c *Counter) Count() int { return c.count }

// Class returns the class of the position reached.
func (c *Counter) Class() *Class { return c.class }

// Occurrences returns how often the position reached has occurred.
func (c *Counter) Occurrences() int { return c.seen[c.pos] }

// Limit returns the limit of the count in plies; ok is false if there is none.
func (c *Counter) Limit() (plies int, ok bool) { return c.profile.Limit(c.pos, c.count) }

// Over reports whether the side to move has lost: it has no legal move.
func (c *Counter) Over() bool {
	c.moves = c.v.Moves(c.pos, c.moves[:0])
	return len(c.moves) == 0
}

// Play plays a legal move and returns the rules that are in effect after it, none
// if the game goes on, or is lost and won. A rule that must be claimed comes
// again with every move for which it holds.
func (c *Counter) Play(m Move) []RuleEffect {
	before, kinds := c.class, ProgressOf(c.pos, m)
	c.pos = c.pos.Play(m)
	c.ply++
	c.seen[c.pos]++
	c.class = c.profile.Class(c.pos)
	c.count++
	if c.profile.Restarts(before, kinds, c.class) {
		c.count = 0
	}
	for i := range c.profile.Extra {
		rule := &c.profile.Extra[i]
		heldBefore := c.held[i]
		c.held[i] = rule.holds(c.v, c.pos)
		if c.extra[i]++; !heldBefore || !c.held[i] || kinds&rule.Restart != 0 {
			c.extra[i] = 0
		}
	}
	return c.Effects()
}

// After returns the rules that would be in effect after a legal move, as Play does,
// without playing it.
func (c *Counter) After(m Move) []RuleEffect {
	before := *c
	c.held, c.extra = slices.Clone(c.held), slices.Clone(c.extra)
	effects := c.Play(m)
	if c.seen[c.pos]--; c.seen[c.pos] == 0 {
		delete(c.seen, c.pos)
	}
	*c = before
	return effects
}

// Effects returns the rules that are in effect in the position reached.
func (c *Counter) Effects() []RuleEffect {
	var list []RuleEffect
	if c.Over() {
		return nil // the win comes before the draw
	}
	add := func(kind RuleKind, rule, source string, onClaim bool) {
		list = append(list, RuleEffect{kind, c.ply, rule, source, onClaim})
	}
	if c.v.Ended(c.pos) {
		add(EndedRule, "one piece against one", "", false)
	}
	if limit, ok := c.Limit(); ok && c.count >= limit {
		add(LimitRule, c.class.Name, c.class.Source, c.class.OnClaim)
	}
	for i, n := range c.extra {
		if rule := &c.profile.Extra[i]; c.held[i] && n >= rule.Plies {
			add(ExtraRuleKind, rule.Name, rule.Source, rule.OnClaim)
		}
	}
	if p := c.profile; p.Repetition > 0 && c.seen[c.pos] >= p.Repetition {
		add(RepetitionRule, "the same position", p.RepetitionSource, p.RepetitionOnClaim)
	}
	return list
}
