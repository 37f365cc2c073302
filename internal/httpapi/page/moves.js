// The verdict and the list of moves, best first.
import { $, el } from "./dom.js";
import { sign, ruling, result } from "./words.js";

const reasons = {
  missing_table: (x) => `No table with these pieces is stored here. To make it: threekings generate --variant ${x.variant.name} --material ${material(x)}`,
  too_many_pieces: (x) => `Tables have at most ${x.about.max_pieces} pieces. Moves can be played all the same.`,
};

function material(x) {
  const list = (colour) => {
    const mine = [...x.pieces.values()].filter((p) => p.toLowerCase() === colour);
    const kings = mine.filter((p) => p !== colour).length;
    return "K".repeat(kings) + "M".repeat(mine.length - kings);
  };
  return x.side === "white" ? `${list("w")}v${list("b")}` : `${list("b")}v${list("w")}`;
}

export function showVerdict(x) {
  const box = $("verdict");
  const reason = x.error && reasons[x.error.code]?.(x);
  const outcome = x.answer ? result(x.answer) : "unknown";
  box.className = x.loading ? "loading" : x.error && !reason ? "refused" : outcome;
  box.setAttribute("aria-busy", x.loading);
  if (x.loading) return;
  const text = x.verdict();
  const big = el("p", { class: "big" }, text);
  const counted = x.answer?.profile ? el("p", { class: `ruling ${x.answer.verdict}` }, ruling(x.answer),
    x.answer.left_out.length ? ` Left out: ${x.answer.left_out.join("; ")}.` : "") : null;
  const small = reason ? el("p", {}, reason) : null;
  box.replaceChildren(...[big, counted, small].filter(Boolean));
}

export function movesView(x) {
  let marked = [];
  x.choice = (moves) => {
    marked = moves.map((m) => m.move);
    render(x);
    $("moves").querySelector(".marked button")?.focus();
  };

  const arrow = (m) => () => x.board.point([{ squares: m.squares, value: result(m) }]);
  const clear = () => x.board.point([]);

  function row(m, best) {
    const button = el("button", {
      type: "button", class: `move ${result(m) ?? "unknown"}`, "data-move": m.move,
      onclick: () => x.play(m), onmouseenter: arrow(m), onmouseleave: clear, onfocus: arrow(m), onblur: clear,
    },
    el("b", { class: "sign", "aria-hidden": "true" }, sign(result(m))),
    el("span", { class: "text" }, m.move),
    el("span", { class: "words" }, x.words(m)),
    best ? el("span", { class: "best" }, "best") : null);
    return el("li", { class: marked.includes(m.move) ? "marked" : null }, button);
  }

  function render() {
    const list = $("moves");
    list.setAttribute("aria-busy", x.loading);
    $("best").disabled = x.loading || !x.moves?.length || x.moves[0].outcome === null;
    $("line").disabled = x.loading || !x.answer || result(x.answer) === "draw" || x.over || x.answer.dtw === null;
    if (x.loading) {
      marked = [];
      return;
    }
    const top = x.moves?.[0];
    // Worth telling only of moves that stand out.
    const sameWorth = (m) => top.outcome !== null && m.outcome === top.outcome && m.verdict === top.verdict && m.dtw === top.dtw;
    const moves = x.moves ?? [];
    const stands = 2 * moves.filter(sameWorth).length <= moves.length;
    list.replaceChildren(...moves.map((m) => row(m, stands && sameWorth(m))));
    if (x.moves?.length === 0) list.append(el("li", { class: "none" }, x.over ? "The game is over." : "No legal move."));
  }

  $("best").addEventListener("click", () => x.play(x.moves[0]));
  return render;
}
