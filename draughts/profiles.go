package draughts

// unlimited is the class of everything else where nothing is limited. Captures
// and man moves restart the count, so that distances under it are distances to
// conversion.
func unlimited() Class {
	return Class{Name: "any pieces", Weak: anyPieces, Strong: anyPieces, Board: anyNumber, Restart: CaptureMove | ManMove}
}

// general is the class of everything else with a limit in moves of both sides
// without a capture and a man move.
func general(moves int, source string) Class {
	c := unlimited()
	c.Name, c.Limit, c.Source = "all other pieces", Limit{MovesEach, moves}, source
	return c
}

// against is a class of some pieces against a lone king.
func against(name string, strong Pieces, limit Limit, restart Progress, source string) Class {
	return Class{Name: name, Weak: loneKing, Strong: strong, Board: anyNumber, Limit: limit, Restart: restart, Source: source}
}

// withKing are total pieces with a king among them.
func withKing(total Range) Pieces { return Pieces{anyNumber, atLeast(1), total} }

// none is the profile without counters: the game as its moves alone define it.
func none() *Profile {
	return &Profile{
		Name: "none", Title: "No draw rules", Source: "the rules of movement alone",
		Classes: []Class{unlimited()},
		Notes:   []string{"Neither counters nor repetition; ends that belong to the game itself remain."},
	}
}

// fmjd are the rules of FMJD Annex 1 (version of November 2015), article 6.
func fmjd() *Profile {
	return &Profile{
		Name: "fmjd", Title: "World federation FMJD", Source: "FMJD Annex 1, November 2015, 6.1 to 6.4",
		Repetition: 3, RepetitionSource: "6.1",
		Classes: []Class{
			against(twoAgainstKing, withKing(between(1, 2)), Limit{MovesEach, 5}, 0, "6.4"),
			against("a lone king against three pieces with a king among them",
				withKing(exactly(3)), Limit{MovesEach, 16}, 0, "6.3"),
			general(25, "6.2"),
		},
		Notes: []string{
			"Three men against a king are not in the class of 16 moves (6.3 names three kings, two kings and a man, a king and two men).",
			"A later wording, by which a capture does not prolong the 16 moves and a lone king on the main road has 5, is not in the text of 2015 and not followed.",
		},
	}
}

// twoAgainstKing names a class.
const twoAgainstKing = "a lone king against two pieces with a king among them, or one king"

// fmjd64 are the rules of FMJD-64, article 7.2, in the reading of the widest
// used server: the general limit of 15 moves holds only where no other does.
func fmjd64() *Profile {
	source := "FMJD-64, 7.2.3 to 7.2.8"
	bothKings := withKing(anyNumber)
	balance := func(name string, board Range, moves int) Class {
		return Class{
			Name: name, Weak: bothKings, Strong: bothKings, Board: board,
			Limit: Limit{MovesEach, moves}, Restart: CaptureMove | PromotionMove, Source: "7.2.6",
		}
	}
	return &Profile{
		Name: "fmjd64", Title: "FMJD section 64", Source: source,
		Repetition: 3, RepetitionSource: "7.2.3",
		Classes: []Class{
			against(twoAgainstKing, withKing(between(1, 2)), Limit{MovesEach, 5}, 0, "7.2.8"),
			against("a lone king against three or more kings", Pieces{exactly(0), atLeast(3), anyNumber},
				Limit{MovesEach, 15}, CaptureMove|PromotionMove, "7.2.4"),
			balance("four or five pieces with kings on both sides", between(4, 5), 30),
			balance("six or seven pieces with kings on both sides", between(6, 7), 60),
			general(15, "7.2.5"),
		},
		Extra: []ExtraRule{mainRoadOf64()},
		Notes: []string{
			"Read literally, the 15 moves of 7.2.5 run beside the 30 and 60 of 7.2.6: see the profile literal.",
			"A lone king that leaves the main road and comes back begins its 5 moves anew (7.2.7); one server goes on counting.",
			"An obvious win may be played out (7.2.9): not modelled.",
		},
	}
}

func mainRoadOf64() ExtraRule {
	return ExtraRule{
		Name: "a lone king that holds the main road against three pieces with a king among them, none of them on the road",
		Weak: loneKing, Strong: withKing(exactly(3)), Board: anyNumber,
		Road: OnRoad, Plies: 10, Source: "7.2.7",
	}
}

// literal is fmjd64 with the general limit everywhere: in the classes of 7.2.6
// that limit is the shorter one, unless men move.
func literal() *Profile {
	p := fmjd64()
	p.Name, p.Title = "literal", "FMJD section 64, read literally"
	p.Notes = []string{"The 15 moves without a capture and a man move (7.2.5) hold in every ending, the 30 and 60 of 7.2.6 beside them."}
	var classes []Class
	var extra []ExtraRule
	for _, c := range p.Classes {
		if c.Source != "7.2.6" {
			classes = append(classes, c)
			continue
		}
		extra = append(extra, ExtraRule{
			Name: c.Name, Weak: c.Weak, Strong: c.Strong, Board: c.Board,
			Plies: 2 * c.Limit.N, Restart: c.Restart, Source: c.Source,
		})
	}
	p.Classes, p.Extra = classes, append(p.Extra, extra...)
	return p
}

// iberianMoves are numbers from general knowledge, not from a text.
func iberianMoves() *Profile {
	return &Profile{
		Name: "fpd", Title: "Portuguese federation", Source: "FPD 2013, 3.2, whose numbers were not seen",
		Unverified: true, Repetition: 3, RepetitionOnClaim: true, RepetitionSource: "3.2",
		Classes: simple("", "", "", general(20, "3.2")).Classes,
		Extra: []ExtraRule{{
			Name: "three kings against a lone king that does not hold the main road",
			Weak: loneKing, Strong: Pieces{exactly(0), exactly(3), exactly(3)}, Board: anyNumber,
			Road: OffRoad, Plies: 24, Restart: CaptureMove | PromotionMove, Source: "3.2",
		}},
	}
}

// unverified marks a profile whose numbers no source of this variant confirms.
func unverified(p *Profile, title, source string, notes ...string) *Profile {
	p.Title, p.Source, p.Unverified = title, source, true
	p.Notes = append(p.Notes, notes...)
	return p
}

// simple is a profile of one class.
func simple(name, title, source string, c Class) *Profile {
	c.Name = unlimited().Name
	return &Profile{Name: name, Title: title, Source: source, Classes: []Class{c}}
}

func (p *Profile) repetition(times int, onClaim bool, source string) *Profile {
	p.Repetition, p.RepetitionOnClaim, p.RepetitionSource = times, onClaim, source
	return p
}

func (p *Profile) notes(notes ...string) *Profile {
	p.Notes = append(p.Notes, notes...)
	return p
}

// beginner are 24 and 25 of the 25 rules that beginners are given.
func beginner() *Profile {
	c := against("a lone king against up to three pieces with a king among them",
		withKing(between(1, 3)), Limit{MovesEach, 0}, 0, "24")
	return &Profile{
		Name: "beginner", Title: "Rules for beginners", Source: "the 25 rules of international draughts, 24 and 25",
		Repetition: 3, RepetitionSource: "25",
		Classes: []Class{c, unlimited()},
		Notes:   []string{"Contradicts FMJD 6.3 and 6.4, which give 16 and 5 moves. There is no other limit among the 25 rules."},
	}
}

// ffr are the rules of the Russian sport ministry for 100 squares: the stronger
// side alone is counted, which one king against one does not have.
func ffr() *Profile {
	const order = "2013"
	return &Profile{
		Name: "ffr", Title: "Russian sport ministry", Source: "order of 2013, rules for 100 squares",
		Repetition: 3, RepetitionSource: "FMJD 6.1",
		Classes: []Class{
			against("a lone king against two pieces with a king among them", withKing(exactly(2)), Limit{StrongMoves, 5}, 0, order),
			against("a lone king against a king", withKing(exactly(1)), Limit{MovesEach, 5}, 0, order),
			against("a lone king against three pieces with a king among them", withKing(exactly(3)), Limit{StrongMoves, 16}, 0, order),
			general(25, "FMJD 6.2"),
		},
		Notes: []string{
			"The stronger side must capture the lone king by its 16th, or 5th, move; FMJD counts the moves of both.",
			"The third occurrence and the 25 moves are those of the FMJD (6.1, 6.2): the text was not seen to differ.",
		},
	}
}

func brief() *Profile {
	return simple("brief", "Czech federation", "Brief Rules of Czech Draughts, on the pages of the FMJD", general(15, "last paragraph")).
		repetition(3, true, "last paragraph").
		notes("The text does not say whose 15 moves they are: here those of each side. The profile total counts 15 in all.")
}

func total() *Profile {
	p := brief()
	p.Name, p.Title, p.Unverified = "total", "Czech federation, 15 moves in all", true
	p.Classes[0].Limit = Limit{Plies, 15}
	p.Notes = []string{"The other reading of the brief rules: 15 moves of both sides together."}
	return p
}

func wcdf() *Profile {
	return simple("wcdf", "World federation WCDF", "WCDF rules, 1.32.1 and 1.32.2", general(40, "1.32.2")).
		repetition(3, true, "1.32.1").
		notes("The third occurrence is claimed before the move that makes it.")
}

func fid() *Profile {
	return simple("fid", "Italian federation", "FID technical rules 2008, 9.3 and 10.4", general(40, "10.4")).
		repetition(4, false, "9.3 (b1)").
		notes("Some regulations have the third occurrence, not the fourth.")
}

func apca() *Profile {
	return &Profile{
		Name: "apca", Title: "American Pool Checkers Association", Source: "APCA 26, and rule 10 of the pool rules of the tkabber collection",
		Repetition: 3, RepetitionSource: "26",
		Classes: []Class{
			against("a lone king against three kings", Pieces{exactly(0), exactly(3), exactly(3)}, Limit{WeakMoves, 13}, 0, "10"),
			general(15, "26"),
		},
		Notes: []string{
			"Once the lone king has made 13 moves it is a draw, even if it would be captured next.",
			"That the side with three kings loses then, as one page has it, is wrong.",
		},
	}
}

func cbd() *Profile {
	return &Profile{
		Name: "cbd", Title: "Brazilian confederation", Source: "digest of the CBD rules, 2010",
		Repetition: 3, RepetitionSource: "FMJD 6.1",
		Classes: []Class{
			against("a lone king against two pieces with a king among them", withKing(exactly(2)), Limit{MovesEach, 5}, 0, "2010"),
			general(20, "2010"),
		},
		Notes: []string{"The third occurrence is that of the FMJD: the digest says nothing of repetition."},
	}
}

func tudaf() *Profile {
	return simple("tudaf", "Turkish federation", "TUDAF rule book, T4g", unlimited()).
		repetition(3, false, "T4g").
		notes("No number of moves without progress is laid down: the arbiter decides.")
}

func kish() *Profile {
	c := general(25, "kish")
	c.Restart = CaptureMove
	return unverified(simple("kish", "", "", c).repetition(3, false, "T4g"), "50 plies without a capture", "practice of the program kish")
}

func hundred() *Profile {
	return unverified(simple("hundred", "", "", general(50, "practice of programs")).repetition(3, false, "T4g"),
		"100 plies without a capture and a man move", "programs' practice")
}

// profiles are the profiles by the variant's name, the default first.
var profiles = map[string][]*Profile{
	"international": {fmjd(), beginner(), ffr(), none()},
	"czech":         {brief(), total(), none()},
	"english":       {wcdf(), none()},
	"russian":       {fmjd64(), literal(), none()},
	"brazilian":     {cbd(), fmjd64(), literal(), none()},
	"italian":       {fid(), none()},
	"spanish": {none(), unverified(iberianMoves(), "Portuguese federation", "FPD 2013, for another variant",
		"No official numbers were found for Spanish draughts.")},
	"portuguese": {none(), iberianMoves()},
	"canadian": {none(), unverified(fmjd(), "World federation FMJD", "FMJD Annex 1, 6.1 to 6.4",
		"The federation says that the rules are those of International draughts; it gives no numbers of its own.")},
	"pool":     {apca(), none()},
	"turkish":  {tudaf(), kish(), hundred(), none()},
	"armenian": {none()},
}
