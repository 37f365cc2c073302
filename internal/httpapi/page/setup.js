// Setting up: pieces are put, moved and removed freely. What is no position of
// the variant the server says.
import { $, el, svg, say } from "./dom.js";
import { piece } from "./pieces.js";
import { pieceName, title, other } from "./words.js";

const tools = ["w", "W", "b", "B", "remove"];

export function settingUp(x) {
  let tool = "w";
  let held = null; // the square of a piece that was picked up with the keyboard

  const buttons = tools.map((name) => el("button", {
    type: "button", class: "tool", "aria-pressed": name === tool, "data-tool": name,
    title: name === "remove" ? "Remove pieces (Delete)" : `Put a ${pieceName(name)} (${name})`,
    "aria-label": name === "remove" ? "Remove pieces" : `Put a ${pieceName(name)}`,
    onclick: () => pick(name),
  }, name === "remove" ? "✕" : svg("svg", { viewBox: "-22 -22 44 44", "aria-hidden": "true" }, piece(name))));
  const clear = el("button", { type: "button", onclick: () => x.edit(new Map()) }, "Clear");
  const initial = el("button", { type: "button", onclick: () => x.open(x.variant.name, x.variant.initial) }, "Start position");
  $("setup").append(...buttons, clear, initial);

  function pick(name) {
    tool = name;
    for (const b of buttons) b.setAttribute("aria-pressed", b.dataset.tool === name);
  }

  function put(square, letter) {
    const pieces = new Map(x.pieces);
    if (letter === null) pieces.delete(square);
    else pieces.set(square, letter);
    say(letter === null ? `${square} is empty` : `${pieceName(letter)} on ${square}`);
    x.edit(pieces);
  }

  function move(from, to) {
    const pieces = new Map(x.pieces);
    const letter = pieces.get(from);
    pieces.delete(from);
    if (to !== null) pieces.set(to, letter);
    say(to === null ? `${from} is empty` : `${pieceName(letter)} from ${from} to ${to}`);
    x.edit(pieces);
  }

  return {
    hint: "Choose a kind of piece and click squares; drag pieces to move them, off the board to remove them.",
    enter() {
      $("setup").hidden = false;
      x.board.guide({ selected: held });
    },
    leave() {
      $("setup").hidden = true;
      held = null;
    },
    act(square) {
      if (held !== null) {
        const from = held;
        held = null;
        if (from !== square) return move(from, square);
        return x.board.guide({});
      }
      put(square, tool === "remove" || x.pieces.get(square) === tool ? null : tool);
    },
    drag(from, to) {
      if (from !== to) move(from, to);
    },
    key(square, event) {
      if ("wWbB".includes(event.key)) {
        pick(event.key);
        put(square, event.key);
      } else if (["Delete", "Backspace", "0"].includes(event.key)) {
        if (x.pieces.has(square)) put(square, null);
      } else if (event.key === "x" && x.pieces.has(square)) {
        held = square;
        x.board.guide({ selected: held });
        say(`${pieceName(x.pieces.get(square))} picked up; Enter puts it down`);
      } else if (event.key === "Escape") {
        held = null;
        x.board.guide({});
      } else {
        return false;
      }
      return true;
    },
  };
}

// changeSide gives the move to the other side.
export function changeSide(x) {
  const side = other(x.side);
  say(`${title(side)} to move`);
  x.edit(x.pieces, side);
}
