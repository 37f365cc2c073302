package draughts

import (
	"fmt"
	"strings"
)

// International draughts on 100 squares (FMJD Annex 1): 4.2 men capture
// forward and backward, 4.8 and 4.11 captured pieces stay until the capture is
// over, 4.13 most pieces, kings counting as one, 4.15 a man that only passes
// the last row stays a man. Claims that king captures come first, or that the
// majority need not be taken, are common errors and not followed.
var international = Rules{
	Name: "international", Title: "International", GameType: 20,
	Width: 10, Height: 10, MenRows: 4, FirstMover: White,
	ManMoves: ForwardDiagonal, ManCaptures: Diagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal, LongKing: true,
	Precedence: MostPieces,
}

// International is 10x10 draughts as played under FMJD Annex 1: men capture
// backward too, kings are long, and most pieces must be taken.
var International = define(international)

// Czech draughts (the federation's brief rules): men capture forward only, a
// king that can capture must do so before any man, no majority rule. German
// draughts, which lacks the king's priority, is another game.
var Czech = define(Rules{
	Name: "czech", Title: "Czech", GameType: 29,
	Width: 8, Height: 8, MenRows: 3, FirstMover: White, Algebraic: true,
	ManMoves: ForwardDiagonal, ManCaptures: ForwardDiagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal, LongKing: true,
	Promotion: StopAndCrown, Precedence: KingCapturesFirst,
})

// English draughts, also American checkers (WCDF rules): short kings, men
// capture forward only, free choice, a capture into the last row ends there.
// When captured pieces leave makes no difference to short pieces; removal after
// the capture is the reading taken.
var English = define(Rules{
	Name: "english", Title: "English", GameType: 21,
	Width: 8, Height: 8, MenRows: 3, FirstMover: Black,
	ManMoves: ForwardDiagonal, ManCaptures: ForwardDiagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal,
	Promotion: StopAndCrown,
})

// Russian draughts (FMJD-64, article 7.2): long kings, men capture backward, a
// man that reaches the last row in mid-capture is a king at once and goes on as
// one, free choice, and a king must land where it can go on capturing.
var Russian = define(Rules{
	Name: "russian", Title: "Russian", GameType: 25,
	Width: 8, Height: 8, MenRows: 3, FirstMover: White, Algebraic: true,
	ManMoves: ForwardDiagonal, ManCaptures: Diagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal, LongKing: true,
	Promotion: GoOnAsKing,
})

// Brazilian draughts: the International rules on 64 squares. One old source
// lets Black begin; PDN 3.0 and all current practice say White. PDN 3.0 writes
// algebraic squares, engines numbers from b8: numbers are written here.
var Brazilian = define(Rules{
	Name: "brazilian", Title: "Brazilian", GameType: 26,
	Width: 8, Height: 8, MenRows: 3, FirstMover: White,
	ManMoves: ForwardDiagonal, ManCaptures: Diagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal, LongKing: true,
	Precedence: MostPieces,
})

// Italian draughts (FID technical rules): the mirrored board, short kings, men
// capture forward only and never a king (5.3), and the four levels of
// precedence (6.6 to 6.9).
var Italian = define(Rules{
	Name: "italian", Title: "Italian", GameType: 22,
	Width: 8, Height: 8, Mirrored: true, MenRows: 3, FirstMover: White,
	ManMoves: ForwardDiagonal, ManCaptures: ForwardDiagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal, MenSpareKings: true,
	Promotion: StopAndCrown, Precedence: ItalianPrecedence,
})

func iberian(name, title string, gameType int) *Variant {
	return define(Rules{
		Name: name, Title: title, GameType: gameType,
		Width: 8, Height: 8, Mirrored: true, MenRows: 3, FirstMover: White,
		Numbering: FromBottomRight,
		ManMoves:  ForwardDiagonal, ManCaptures: ForwardDiagonal,
		KingMoves: Diagonal, KingCaptures: Diagonal, LongKing: true,
		Promotion: StopAndCrown, Precedence: MostPiecesThenKings,
	})
}

// Spanish draughts: the mirrored board, long kings, men capture forward only,
// most pieces and then most kings must be taken, whoever takes them.
var Spanish = iberian("spanish", "Spanish", 24)

// Portuguese draughts (federation rules 2013): moves and captures as in
// Spanish draughts. One list puts the playing corner at the bottom left; the
// federation's lower right corner is followed.
var Portuguese = iberian("portuguese", "Portuguese", 28)

// Canadian draughts: the International rules on 144 squares.
var Canadian = define(func() Rules {
	r := international
	r.Name, r.Title, r.GameType = "canadian", "Canadian", 27
	r.Width, r.Height, r.MenRows = 12, 12, 5
	return r
}())

// Pool checkers (APCA rules): long kings, men capture backward, free choice; a
// man that passes the last row in mid-capture stays a man. One source has it
// crowned there with the move at an end; published move counts prove that
// wrong.
var Pool = define(Rules{
	Name: "pool", Title: "Pool", GameType: 23,
	Width: 8, Height: 8, MenRows: 3, FirstMover: Black,
	ManMoves: ForwardDiagonal, ManCaptures: Diagonal,
	KingMoves: Diagonal, KingCaptures: Diagonal, LongKing: true,
})

// Turkish draughts (TUDAF rule book): all 64 squares, orthogonal moves, pieces
// leave the board as they are jumped, most pieces must be taken, no reversal
// between two jumps; a man on the last row goes on sideways as a man and is
// crowned when its move ends. One piece against one is drawn at once; variants
// that let a king win against a man contradict the rule book and are not
// followed.
var Turkish = define(Rules{
	Name: "turkish", Title: "Turkish", GameType: 30,
	Width: 8, Height: 8, EverySquare: true, MenRows: 2, BackRowsEmpty: 1,
	FirstMover: White, Numbering: Unnumbered, Algebraic: true,
	ManMoves: Forward | Sideways, ManCaptures: Forward | Sideways,
	KingMoves: Orthogonal, KingCaptures: Orthogonal, LongKing: true,
	Removal: AtOnce, Precedence: MostPieces, OneOnOneDraws: true,
})

// Armenian draughts (Tama): as Turkish, but men also step diagonally forward
// and kings move like a chess queen; captures are orthogonal only. A man that
// reaches the last row goes on as a king at once (sources of one tier only).
// One program removes captured pieces at the end of the capture; the three
// other sources that say when remove them at once, and so does this one.
var Armenian = define(Rules{
	Name: "armenian", Title: "Armenian",
	Width: 8, Height: 8, EverySquare: true, MenRows: 2, BackRowsEmpty: 1,
	FirstMover: White, Numbering: Unnumbered, Algebraic: true,
	ManMoves: Forward | ForwardDiagonal | Sideways, ManCaptures: Forward | Sideways,
	KingMoves: Orthogonal | Diagonal, KingCaptures: Orthogonal, LongKing: true,
	Removal: AtOnce, Promotion: GoOnAsKing, Precedence: MostPieces,
})

// Variants returns all variants, International and Czech first.
func Variants() []*Variant {
	return []*Variant{
		International, Czech, English, Russian, Brazilian, Italian,
		Spanish, Portuguese, Canadian, Pool, Turkish, Armenian,
	}
}

// Lookup returns the variant with the given short name, in any case. The error
// lists the names there are.
func Lookup(name string) (*Variant, error) {
	var names []string
	for _, v := range Variants() {
		if strings.EqualFold(v.Name, name) {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return nil, fmt.Errorf("%w %q: there are %s", ErrUnknownVariant, name, strings.Join(names, ", "))
}
