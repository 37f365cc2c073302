// What was played, with the value after each move, and games pasted as PDN.
import { $, el, say } from "./dom.js";
import { post } from "./api.js";
import { reverse, sign, worth, refusal } from "./words.js";
import { read } from "./fen.js";

const rank = { loss: 0, draw: 1, win: 2 };
const lost = { draw: "lets the win go", loss: "loses" };

// worse says what a move has cost the side that made it, if anything.
function worse(before, after) {
  const was = rank[before.outcome], is = rank[reverse(after.outcome)];
  return was !== undefined && is !== undefined && is < was ? lost[reverse(after.outcome)] : null;
}

export function gameView(x) {
  let text = "";

  function chip(entry, i, entries) {
    const start = read(entries[0].fen).side;
    const begins = (i + (start === "white" ? 1 : 0)) % 2 === 0;
    const number = Math.floor((i + (start === "white" ? 1 : 2)) / 2);
    const mine = reverse(entry.outcome) ?? null; // for the side that moved
    const mistake = i > 0 ? worse(entries[i - 1], entry) : null;
    const words = i === 0 ? "start" : `${mine ? worth(mine, entry.dtw === null || entry.dtw === undefined ? null : entry.dtw + 1) : "unknown"}${mistake ? `: ${mistake}` : ""}`;
    const label = i === 0 ? "Start" : entry.move ?? "set up";
    return el("li", {},
      el("button", {
        type: "button", class: `chip ${i > 0 && mine ? mine : "unknown"}${mistake ? " mistake" : ""}`, title: words,
        "aria-label": `${label}, ${words}`, "aria-current": i === x.timeline.at ? "step" : null,
        onclick: () => { x.stop(); x.go(i); },
      },
      i > 0 && (begins || i === 1) ? el("span", { class: "number" }, `${number}${begins ? "." : "..."} `) : null,
      label, i > 0 && mine ? el("b", { class: "sign" }, mistake ? `${sign(mine)}?` : sign(mine)) : null));
  }

  function render() {
    const { entries, at } = x.timeline;
    const list = $("game");
    list.replaceChildren(...entries.map(chip));
    const current = list.children[at];
    if (!$("panel-game").hidden && current) {
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    $("first").disabled = $("back").disabled = at === 0;
    $("forward").disabled = $("last").disabled = x.timeline.atEnd;
    $("run").disabled = x.timeline.atEnd && !x.timer;
    $("run").classList.toggle("running", Boolean(x.timer));
    $("run").setAttribute("aria-label", x.timer ? "Stop" : "Play on");
  }

  async function load(number) {
    $("pdn-error").textContent = "";
    try {
      const g = await post(`${x.variant.name}/game`, text, { number });
      x.stop();
      await x.open(g.variant, g.start.fen);
      x.timeline.plan(g.moves.map((m) => ({ fen: m.fen, move: m.move, outcome: m.outcome, dtw: m.dtw })));
      x.tell();
      const tags = g.tags.filter((t) => ["White", "Black", "Event", "Date"].includes(t.name)).map((t) => t.value);
      $("pdn-tags").textContent = [...tags, g.result, g.cut ? `only the first ${g.moves.length} moves` : ""].filter(Boolean).join(" · ");
      $("pdn-number").hidden = g.games < 2;
      $("pdn-number").querySelector("input").max = g.games;
      $("pdn-number").querySelector("input").value = number;
      $("pdn-number").querySelector("span").textContent = `of ${g.games}`;
      say(`${g.moves.length} moves`);
    } catch (error) {
      $("pdn-error").textContent = refusal(error);
    }
  }

  $("pdn-form").addEventListener("submit", (event) => {
    event.preventDefault();
    text = $("pdn").value;
    load(1);
  });
  $("pdn-number").querySelector("input").addEventListener("change", (event) => load(event.target.value));
  $("pdn-copy").addEventListener("click", async () => {
    const { entries } = x.timeline;
    const moves = entries.slice(1).map((e) => e.move).filter(Boolean);
    const pdn = `[SetUp "1"]\n[FEN "${entries[0].fen}"]\n\n${moves.join(" ")} *\n`;
    $("pdn").value = pdn;
    try {
      await navigator.clipboard.writeText(pdn);
      say("Copied");
    } catch {
      $("pdn").select();
    }
  });
  return render;
}
