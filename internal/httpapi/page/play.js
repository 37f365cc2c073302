// Playing: a click on a piece shows where it can go, a click there makes the
// move.
import { say } from "./dom.js";
import { pieceName } from "./words.js";

export function playing(x) {
  let chosen = null;

  const from = (square) => x.moves?.filter((m) => m.squares[0] === square) ?? [];
  const sources = () => new Set(x.moves?.map((m) => m.squares[0]));

  function choose(square) {
    chosen = square;
    x.board.guide({
      selected: square, sources: sources(),
      targets: new Set(square === null ? [] : from(square).map((m) => m.squares.at(-1))),
    });
  }

  // finish makes the move between two squares. Where several captures share them
  // the list of moves has to tell them apart.
  function finish(start, end) {
    const fits = from(start).filter((m) => m.squares.at(-1) === end);
    if (fits.length > 1) {
      x.choice?.(fits);
      say(`${fits.length} captures lead from ${start} to ${end}: choose one of the list`);
      return true;
    }
    if (fits.length === 1) {
      chosen = null;
      x.play(fits[0]);
    }
    return fits.length > 0;
  }

  return {
    hint: "Choose a piece, then where it goes; or choose a move of the list.",
    enter() {
      if (chosen !== null && from(chosen).length === 0) chosen = null;
      choose(chosen);
    },
    leave() { chosen = null; },
    act(square) {
      if (x.loading) return;
      if (chosen !== null && chosen !== square && finish(chosen, square)) return;
      const moves = from(square);
      if (chosen === square && !moves.some((m) => m.squares.at(-1) === square)) return choose(null);
      if (chosen === square && finish(square, square)) return; // a round trip
      if (moves.length > 0) {
        choose(square);
        say(`${pieceName(x.pieces.get(square))} on ${square} can go to ${moves.map((m) => m.squares.at(-1)).join(", ")}`);
        return;
      }
      choose(null);
      if (x.pieces.has(square)) say("This piece has no legal move");
    },
    drag(start, end) {
      if (x.loading || end === null || end === start) return;
      if (!finish(start, end)) say("This is not a legal move");
    },
    key(square, event) {
      if (event.key === "Escape") {
        choose(null);
        return true;
      }
      return false;
    },
  };
}
