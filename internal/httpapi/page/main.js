// The page: joins what the other modules do.
import { $, el, say } from "./dom.js";
import { about, get } from "./api.js";
import { readAddress, link } from "./address.js";
import { Explorer } from "./explorer.js";
import { playing } from "./play.js";
import { settingUp, changeSide } from "./setup.js";
import { mapping } from "./map.js";
import { movesView, showVerdict } from "./moves.js";
import { gameView } from "./game.js";
import { statisticsView } from "./statistics.js";
import { aboutView } from "./about.js";
import { tabs } from "./tabs.js";
import { title, refusal } from "./words.js";

async function start() {
  let known;
  try {
    known = await about();
  } catch (error) {
    $("verdict").replaceChildren(el("p", { class: "big" }, refusal(error)));
    return;
  }
  const x = new Explorer(known);
  for (const v of known.variants) $("variant").append(el("option", { value: v.name }, v.title));

  x.modes = { play: playing(x), setup: settingUp(x), map: mapping(x) };
  const open = tabs(document.querySelector(".tabs"), () => x.variant && x.tell());
  x.views = [controls, showVerdict, movesView(x), gameView(x), statisticsView(x), aboutView(x)];
  wire(x, open);

  const wanted = readAddress();
  x.choose(wanted.variant ?? "international", wanted.flipped, wanted.profile);
  if (wanted.fen === null || !(await showFEN(x, wanted.fen))) {
    const { refused } = x;
    await x.open(x.variant.name);
    if (refused) x.refuse(refused);
  }
}

// showFEN shows a position that a person or a link gives in any form.
async function showFEN(x, text) {
  try {
    const { fen } = await get(`${x.variant.name}/moves`, { fen: text });
    await x.open(x.variant.name, fen);
    return true;
  } catch (error) {
    x.refuse({ text, why: refusal(error) });
    return false;
  }
}

// controls shows what buttons and links say of the position.
function controls(x) {
  $("side").querySelector("span").textContent = `${title(x.side)} to move`;
  $("side").querySelector("i").className = `dot ${x.side}`;
  for (const mode of Object.keys(x.modes)) $(`mode-${mode}`).setAttribute("aria-pressed", mode === x.mode);
  $("hint").textContent = x.modes[x.mode].hint;
  if (x.refused) $("fen").value = x.refused.text;
  else if (document.activeElement !== $("fen")) $("fen").value = x.here.fen;
  $("fen-error").textContent = x.refused?.why ?? "";
  $("fen").setAttribute("aria-invalid", Boolean(x.refused));
  showRules(x);
  const query = new URLSearchParams({ fen: x.here.fen });
  $("json").href = `v1/${x.variant.name}?${query}${x.profile ? `&profile=${x.profile}` : ""}`;
  if (x.flipped) query.set("flip", 1);
  for (const kind of ["svg", "png"]) {
    $(`picture-${kind}`).href = `v1/${x.variant.name}/board.${kind}?${query}`;
    $(`picture-${kind}`).download = `${x.variant.name}.${kind}`;
  }
  document.title = `${x.variant.title}: ${x.here.fen} · threekings`;
}

// showRules shows the draw rules of the variant, and the count.
function showRules(x) {
  const select = $("rules");
  if (select.dataset.variant !== x.variant.name) {
    select.dataset.variant = x.variant.name;
    select.replaceChildren(el("option", { value: "" }, "not applied"),
      ...x.variant.profiles.filter((p) => p.name !== "none").map((p) => el("option", { value: p.name, title: p.source }, `${p.name}: ${p.title}`)));
  }
  select.value = x.profile;
  $("count-label").hidden = !x.profile;
  if (document.activeElement !== $("count")) $("count").value = /:H(\d+)/.exec(x.here.fen)?.[1] ?? 0;
}

function wire(x, openTab) {
  const on = (id, act) => $(id).addEventListener("click", act);
  const go = (to) => () => { x.stop(); x.go(to()); };
  on("first", go(() => 0));
  on("back", go(() => x.timeline.at - 1));
  on("forward", go(() => x.timeline.at + 1));
  on("last", go(() => x.timeline.entries.length - 1));
  on("run", () => x.run());
  on("flip", () => x.flip());
  on("side", () => changeSide(x));
  for (const mode of Object.keys(x.modes)) on(`mode-${mode}`, () => x.setMode(mode));
  on("line", async () => {
    try {
      const line = await x.bestLine();
      if (line.end === "cut") say("The line goes on beyond what the server gives at once");
      if (line.error) say(refusal(line.error));
      openTab("tab-game");
      if (!x.timer) x.run();
    } catch (error) {
      say(refusal(error));
    }
  });
  $("variant").addEventListener("change", (event) => { x.stop(); x.open(event.target.value); });
  $("position").addEventListener("submit", async (event) => {
    event.preventDefault();
    x.stop();
    if (await showFEN(x, $("fen").value)) $("verdict").focus({ preventScroll: true });
  });
  const judge = () => x.judge($("rules").value, Math.max(0, Math.trunc(Number($("count").value)) || 0));
  $("rules").addEventListener("change", judge);
  $("count").addEventListener("change", judge);
  on("share", async () => {
    const url = new URL(link(x.address()), location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      $("share").textContent = "Copied";
    } catch {
      $("share").textContent = "Copy it from the address bar";
    }
    setTimeout(() => { $("share").textContent = "Copy link"; }, 2000);
  });
  on("theme", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* for this visit */ }
  });
  const keys = {
    ",": () => $("back").click(), ".": () => $("forward").click(),
    Home: () => $("first").click(), End: () => $("last").click(), f: () => x.flip(), t: () => changeSide(x),
    p: () => x.setMode("play"), s: () => x.setMode("setup"), m: () => x.setMode("map"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

start();
