// What is stored: how many positions are won, drawn and lost, how distances are
// spread, the longest wins.
import { $, el, svg } from "./dom.js";
import { get } from "./api.js";
import { count, distance, refusal } from "./words.js";

export function statisticsView(x) {
  const panel = $("panel-statistics");
  let listed = null; // the variant whose tables are shown
  let rows = [];
  let pieces = 0;
  let chosen = null;
  let asked = 0;

  async function list() {
    const name = x.variant.name;
    listed = name;
    chosen = null;
    panel.replaceChildren(el("p", { class: "hint" }, "…"));
    try {
      rows = (await get(`${name}/tables`)).tables;
    } catch (error) {
      listed = null;
      return panel.replaceChildren(el("p", { class: "error" }, refusal(error)));
    }
    if (name !== x.variant.name) return;
    const sizes = [...new Set(rows.map(size))];
    pieces = Math.min(Math.max(...sizes, 2), Math.max(x.pieces.size, 2));
    if (!sizes.includes(pieces)) pieces = sizes.at(-1);
    draw();
  }

  const size = (row) => row.material.length - 1;

  function draw() {
    const sizes = [...new Set(rows.map(size))].sort();
    if (rows.length === 0) return panel.replaceChildren(el("p", { class: "hint" }, `No ${x.variant.title} tables are stored here.`));
    panel.replaceChildren(
      el("div", { class: "bar", role: "group", "aria-label": "Number of pieces" }, ...sizes.map((n) => el("button", {
        type: "button", "aria-pressed": n === pieces, onclick: () => { pieces = n; chosen = null; draw(); },
      }, `${n} pieces`))),
      el("p", { class: "hint" }, "The side to move is written first: K a king, M a man. ",
        ...key("win", "wins"), ...key("draw", "draws"), ...key("loss", "loses")),
      el("ul", { class: "tables" }, ...rows.filter((r) => size(r) === pieces).map(bars)),
      el("div", { id: "table" }));
  }

  const key = (kind, text) => [el("i", { class: `swatch ${kind}` }), ` ${text} `];
  const share = (n, of) => `${(100 * n / of).toFixed(1)} %`;

  function bars(row) {
    const parts = [["win", row.wins], ["draw", row.draws], ["loss", row.losses]];
    const words = parts.map(([kind, n]) => `${kind} ${share(n, row.positions)}`).join(", ");
    return el("li", {}, el("button", {
      type: "button", "aria-expanded": row.material === chosen, "aria-label": `${row.material}: ${words}`, title: words,
      onclick: () => detail(row),
    },
    el("span", { class: "material" }, row.material),
    el("span", { class: "stack" }, ...parts.map(([kind, n]) => el("i", { class: kind, style: { "flex-grow": String(n / row.positions) } }))),
    el("span", { class: "longest" }, row.max_win_dtw ? `${row.max_win_dtw} plies` : "")));
  }

  async function detail(row) {
    chosen = row.material;
    const now = ++asked;
    for (const b of panel.querySelectorAll(".tables button")) b.setAttribute("aria-expanded", b.querySelector(".material").textContent === chosen);
    const box = $("table");
    box.replaceChildren(el("p", { class: "hint" }, "Counting…"));
    box.scrollIntoView({ block: "nearest" });
    try {
      let answer = await get(`${x.variant.name}/tables/${row.material}`);
      while (answer.state === "counting") {
        await new Promise((done) => setTimeout(done, 700));
        if (now !== asked) return;
        answer = await get(`${x.variant.name}/tables/${row.material}`);
      }
      if (now !== asked) return;
      box.replaceChildren(...figures(answer.sides.find((s) => s.material === row.material), answer.state));
    } catch (error) {
      if (now === asked) box.replaceChildren(el("p", { class: "error" }, refusal(error)));
    }
    box.scrollIntoView({ block: "nearest" });
  }

  function figures(side, state) {
    const line = (name, n) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, n.toLocaleString("en")), el("td", {}, share(n, side.positions)));
    const nodes = [
      el("h3", {}, side.material),
      el("table", {}, line("positions", side.positions), line("won", side.wins), line("drawn", side.draws), line("lost", side.losses), line("must capture", side.captures)),
    ];
    if (!side.distances) {
      nodes.push(el("p", { class: "hint" }, state === "too large" ? "The table is too large to be counted here." : "Distances are not stored."));
      return nodes;
    }
    if (side.distances.length > 0) nodes.push(el("h4", {}, "Positions by distance"), histogram(side.distances));
    if (side.longest.length > 0) {
      nodes.push(el("h4", {}, "Longest wins"), el("ul", { class: "longest-wins" }, ...side.longest.map((w) => el("li", {}, el("button", {
        type: "button", onclick: () => { x.setMode("play"); x.open(x.variant.name, w.fen); },
      }, `${w.fen} `, el("small", {}, distance(w.dtw)))))));
    }
    return nodes;
  }

  // histogram has wins upward and losses downward. Heights are roots: a few long
  // wins are what one looks for.
  function histogram(distances) {
    const width = 360, height = 150, middle = 82;
    const longest = Math.max(...distances.map((d) => d.dtw));
    const most = Math.max(...distances.map((d) => d.positions));
    const step = (width - 8) / (longest + 2);
    const bar = ({ dtw, positions }) => {
      const h = Math.max(1.5, 62 * Math.sqrt(positions / most));
      const win = dtw % 2 === 1;
      return svg("rect", {
        class: win ? "win" : "loss", x: 4 + step * dtw, width: Math.max(1, step * 1.6), y: win ? middle - h : middle, height: h,
      }, svg("title", {}, `${win ? "won" : "lost"} in ${count(dtw, "ply", "plies")}: ${positions.toLocaleString("en")}`));
    };
    const every = longest > 80 ? 20 : longest > 30 ? 10 : 5;
    const labels = [];
    for (let d = 0; d <= longest; d += every) labels.push(svg("text", { x: 4 + step * (d + 0.5), y: height - 2 }, String(d)));
    const won = distances.filter((d) => d.dtw % 2 === 1), lost = distances.filter((d) => d.dtw % 2 === 0);
    const end = (list, word) => (list.length ? `${word} in up to ${count(list.at(-1).dtw, "ply", "plies")}` : `none ${word}`);
    return el("figure", {},
      svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img", "aria-label": `${end(won, "won")}; ${end(lost, "lost")}` },
        ...distances.map(bar), ...labels),
      el("figcaption", { class: "hint" }, `Plies to the end; above won, below lost. Heights are square roots of numbers.`));
  }

  return () => {
    if (!panel.hidden && listed !== x.variant.name) list();
  };
}
