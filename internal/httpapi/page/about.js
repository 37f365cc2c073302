// What the page is, how it is used, what numbers mean, what the server allows.
import { $, el } from "./dom.js";

const keys = [
  ["arrows", "walk over the squares"], ["Enter", "choose, go there, put a piece"], ["Esc", "choose nothing"],
  [", .", "back, forward"], ["Home End", "first, last position"], ["f", "turn the board"],
  ["p s m", "play, set up, map"], ["t", "the other side to move"],
  ["w W b B", "set up: put a man or king"], ["Delete", "set up: remove"], ["x", "set up: pick up, Enter puts down"],
];

export function aboutView(x) {
  let shown = null;
  return () => {
    const panel = $("panel-about");
    if (panel.hidden || shown === x.variant) return;
    shown = x.variant;
    const { limits, version, tables_version: tables } = x.about;
    const cost = (route) => limits.costs[route];
    const rules = x.variant.rules.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]).flat();
    panel.replaceChildren(
      el("p", {}, "Every position with few pieces, solved: who wins with best play, how fast, and what every legal move is worth. Nothing is estimated. What is not stored is said to be unknown."),
      el("h3", {}, `${x.variant.title} draughts`), el("dl", {}, ...rules),
      el("p", {}, x.variant.tables ? `${x.variant.tables} tables are stored here, up to ${x.variant.pieces} pieces.` : "No tables are stored here yet."),
      el("h3", {}, "What numbers mean"),
      el("p", {}, "A ply is one move by one side. Distances count the plies to the end of the game when the winner takes the shortest way and the loser the longest. The side that loses is shown its longest resistance first. Draw rules that count moves can be applied below the board: then a second verdict says whether the win comes in time, and both are shown."),
      el("h3", {}, "Keys"), el("dl", { class: "keys" }, ...keys.map(([k, text]) => [el("dt", {}, el("kbd", {}, k)), el("dd", {}, text)]).flat()),
      el("h3", {}, "For programs"),
      el("p", {}, "Everything here comes from an API: ", el("a", { href: "v1/openapi.json" }, "openapi.json"), " describes it. ",
        limits.units_per_second === null ? "This server does not limit how often it is asked."
          : `One address may use ${limits.units_per_second} units a second, ${limits.units_at_once} at once.`),
      el("ul", {},
        el("li", {}, `A position is 1 unit, a line ${cost("GET /v1/{variant}/line")}, a map ${cost("GET /v1/{variant}/map")}, a game ${cost("POST /v1/{variant}/game")}, a PNG ${cost("GET /v1/{variant}/board.png")}.`),
        el("li", {}, `A batch has up to ${limits.batch_positions} positions; ${limits.positions_a_unit} cost 1 unit.`),
        el("li", {}, `A line has up to ${limits.line_plies} plies, a game ${limits.game_plies}; a request up to ${limits.body_bytes / 1024} KB and ${limits.seconds} seconds.`),
        el("li", {}, "Whoever asks for more gets status 429 or 503, with Retry-After in seconds.")),
      el("p", { class: "hint" }, `threekings ${version}, tables ${tables.slice(0, 16)}`));
  };
}
