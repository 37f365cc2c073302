// The map: what the position would be worth with one piece on every other
// square.
import { $, say } from "./dom.js";
import { get } from "./api.js";
import { legend } from "./board.js";
import { pieceName, worth, title, refusal } from "./words.js";

export function mapping(x) {
  let chosen = null; // the square of the piece
  let shown = null; // the answer for it
  let asked = 0;

  async function draw(square) {
    chosen = square;
    const now = ++asked;
    try {
      const answer = await get(`${x.variant.name}/map`, { fen: x.here.fen, square });
      if (now !== asked || x.mode !== "map") return;
      shown = answer;
      paint();
      say(summary());
    } catch (error) {
      if (now === asked) $("hint").textContent = refusal(error);
    }
  }

  function counts() {
    const n = {};
    for (const s of shown.squares) n[s.outcome ?? "unknown"] = (n[s.outcome ?? "unknown"] ?? 0) + 1;
    return n;
  }

  function summary() {
    const n = counts();
    return `${title(shown.side)} wins with it on ${n.win ?? 0} squares, draws on ${n.draw ?? 0}, loses on ${n.loss ?? 0}`;
  }

  function paint() {
    x.board.mark(new Map(shown.squares.map((s) => [s.square, { outcome: s.outcome, words: worth(s.outcome, s.dtw) }])));
    x.board.guide({ selected: chosen });
    $("hint").replaceChildren(`${title(shown.side)} to move, the ${pieceName(x.pieces.get(chosen))} anywhere: `, legend(shown.side, counts()));
  }

  function move(square) {
    const pieces = new Map(x.pieces);
    const letter = pieces.get(chosen);
    pieces.delete(chosen);
    pieces.set(square, letter);
    chosen = square;
    x.edit(pieces, x.side, false);
  }

  return {
    hint: "Choose a piece: every square is coloured by what the position would be worth with it there.",
    enter() {
      if (x.loading || x.error && !["missing_table", "too_many_pieces"].includes(x.error.code)) return;
      if (chosen !== null && x.pieces.has(chosen)) draw(chosen);
      else chosen = shown = null;
    },
    leave() {
      chosen = shown = null;
      asked++;
      x.board.mark(new Map());
    },
    act(square) {
      if (x.pieces.has(square)) draw(square);
      else if (shown?.squares.some((s) => s.square === square)) move(square);
      else say("Choose a piece first");
    },
    drag(from, to) {
      chosen = from;
      if (to !== null && to !== from && !x.pieces.has(to)) move(to);
      else draw(from);
    },
  };
}
