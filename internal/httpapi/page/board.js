// The board: squares that can be clicked, dragged on and walked over with the
// arrow keys. It knows geometry, not rules: what a click means is told by its
// owner.
import { svg, el } from "./dom.js";
import { CELL, RIM, piece, arrow } from "./pieces.js";
import { pieceName, sign } from "./words.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  // act(square): a click or Enter. drag(from, to): to is null off the board.
  // key(square, event): any other key; true if it meant something.
  constructor(host, { act, drag, key }) {
    this.host = host;
    this.act = act;
    this.drag = drag;
    this.key = key;
    this.pieces = new Map();
    this.cells = new Map();
    this.marks = new Map();
    this.legal = { selected: null, sources: new Set(), targets: new Set() };
    this.focused = null;
  }

  // build draws the empty board of a variant.
  build(variant, flipped) {
    const had = this.host.contains(document.activeElement);
    this.variant = variant;
    this.flipped = flipped;
    this.byName = new Map(variant.squares.map((s) => [s.name, s]));
    this.byPlace = new Map(variant.squares.map((s) => [`${s.row},${s.col}`, s]));
    const width = 2 * RIM + CELL * variant.width, height = 2 * RIM + CELL * variant.height;
    this.host.dataset.board = variant.name;
    this.cells.clear();
    const grid = svg("g", { role: "rowgroup" });
    this.layers = {
      marks: svg("g", { class: "marks", "aria-hidden": "true" }),
      numbers: svg("g", { class: "numbers", "aria-hidden": "true" }),
      pieces: svg("g", { "aria-hidden": "true" }),
      arrows: svg("g", { class: "arrows", "aria-hidden": "true" }),
    };
    this.svg = svg("svg", {
      viewBox: `0 0 ${width} ${height}`, role: "grid", class: "board",
      "aria-label": `${variant.title} board`, "aria-rowcount": variant.height, "aria-colcount": variant.width,
    },
    svg("rect", { class: "rim", width, height, rx: 8 }),
    svg("rect", { class: "light", x: RIM, y: RIM, width: CELL * variant.width, height: CELL * variant.height }),
    grid, this.layers.marks, this.layers.numbers, this.layers.pieces, this.layers.arrows);
    for (let y = 0; y < variant.height; y++) {
      const row = svg("g", { role: "row" });
      for (let x = 0; x < variant.width; x++) {
        const square = this.seen(y, x);
        if (square) row.append(this.cell(square, x, y));
      }
      grid.append(row);
    }
    this.names(width, height);
    this.turn = svg("circle", { class: "turn", r: 6, cx: width - RIM / 2 });
    this.svg.append(this.turn);
    this.svg.addEventListener("keydown", (event) => this.press(event));
    this.listenToDrags();
    this.host.replaceChildren(this.svg);
    this.focused = this.byName.has(this.focused) ? this.focused : variant.squares[variant.squares.length - 1].name;
    this.refresh();
    if (had) this.focus(this.focused);
  }

  // seen returns the square at a place on the screen.
  seen(y, x) {
    const { width, height } = this.variant;
    return this.byPlace.get(this.flipped ? `${height - 1 - y},${width - 1 - x}` : `${y},${x}`);
  }

  place({ row, col }) {
    const { width, height } = this.variant;
    return this.flipped ? { y: height - 1 - row, x: width - 1 - col } : { y: row, x: col };
  }

  corner(name) {
    const { x, y } = this.place(this.byName.get(name));
    return { x: RIM + CELL * x, y: RIM + CELL * y };
  }

  centre(name) {
    const { x, y } = this.corner(name);
    return { x: x + CELL / 2, y: y + CELL / 2 };
  }

  cell(square, x, y) {
    const at = { x: RIM + CELL * x, y: RIM + CELL * y };
    const g = svg("g", { role: "gridcell", class: "cell", tabindex: -1, "data-square": square.name },
      svg("rect", { class: "dark", ...at, width: CELL, height: CELL }),
      svg("rect", { class: "ring", x: at.x + 1.5, y: at.y + 1.5, width: CELL - 3, height: CELL - 3 }),
      svg("circle", { class: "target", cx: at.x + CELL / 2, cy: at.y + CELL / 2, r: 7 }));
    if (!this.variant.algebraic) this.layers.numbers.append(svg("text", { x: at.x + 2.5, y: at.y + 10, "data-number": square.name }, square.name));
    g.addEventListener("click", () => {
      if (this.dragged) return;
      this.focus(square.name);
      this.act(square.name);
    });
    g.addEventListener("focus", () => this.rove(square.name));
    this.cells.set(square.name, g);
    return g;
  }

  // names writes files and ranks on the rim.
  names(width, height) {
    if (!this.variant.algebraic) return;
    const { width: files, height: ranks } = this.variant;
    const label = (text, x, y) => this.svg.append(svg("text", { class: "rank", x, y, "aria-hidden": "true" }, text));
    for (let y = 0; y < ranks; y++) label(this.flipped ? y + 1 : ranks - y, RIM / 2, RIM + CELL * (y + 0.5) + 4);
    for (let x = 0; x < files; x++) label("abcdefghijkl"[this.flipped ? files - 1 - x : x], RIM + CELL * (x + 0.5), height - RIM / 2 + 4);
  }

  // show puts pieces on the board. With path, the piece that stands at its end
  // has walked it, and what has gone fades.
  show(pieces, side, path) {
    const before = this.pieces;
    this.pieces = pieces;
    const nodes = [];
    for (const [square, letter] of pieces) {
      const { x, y } = this.centre(square);
      const node = piece(letter);
      node.setAttribute("transform", `translate(${x} ${y})`);
      node.dataset.on = square;
      nodes.push(node);
      if (path && !still.matches && square === path.at(-1)) this.walk(node, path);
    }
    if (path && !still.matches) {
      for (const [square, letter] of before) {
        if (pieces.has(square) || square === path[0]) continue;
        const { x, y } = this.centre(square);
        const ghost = piece(letter);
        ghost.setAttribute("transform", `translate(${x} ${y})`);
        ghost.classList.add("ghost");
        nodes.unshift(ghost);
        ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 350, delay: 100, fill: "both" }).finished.then(() => ghost.remove(), () => {});
      }
    }
    this.layers.pieces.replaceChildren(...nodes);
    const bottom = (side === "white") !== this.flipped;
    this.turn.setAttribute("cy", bottom ? RIM + CELL * (this.variant.height - 0.5) : RIM + CELL / 2);
    this.turn.setAttribute("fill", side === "white" ? "#fdf8ec" : "#1c1917");
    this.refresh();
  }

  walk(node, path) {
    const points = path.map((name) => this.centre(name));
    const inner = svg("g", {}, ...node.childNodes);
    node.append(inner);
    const end = points.at(-1);
    inner.animate(points.map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)` })),
      { duration: 160 + 90 * points.length, easing: "ease-in-out" });
  }

  // guide shows which squares a click means something on.
  guide(legal) {
    this.legal = { selected: null, sources: new Set(), targets: new Set(), ...legal };
    this.refresh();
  }

  // mark colours squares: a map of square to { outcome, words }.
  mark(marks) {
    this.marks = marks;
    const nodes = [];
    for (const [square, { outcome }] of marks) {
      const { x, y } = this.corner(square);
      nodes.push(svg("rect", { class: `mark ${outcome ?? "unknown"}`, x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3 }));
      if (!this.pieces.has(square)) nodes.push(svg("text", { class: `sign ${outcome ?? "unknown"}`, x: x + CELL / 2, y: y + CELL / 2 + 8 }, sign(outcome)));
    }
    this.layers.marks.replaceChildren(...nodes);
    for (const text of this.layers.numbers.childNodes) {
      const mark = marks.get(text.dataset.number);
      text.setAttribute("class", mark ? `marked ${mark.outcome ?? "unknown"}` : "");
    }
    this.refresh();
  }

  // point draws arrows: lists of squares with a value.
  point(arrows) {
    this.layers.arrows.replaceChildren(...arrows.map(({ squares, value }) => arrow(squares.map((name) => this.centre(name)), value ?? "unknown")));
  }

  refresh() {
    const { selected, sources, targets } = this.legal;
    for (const [name, cell] of this.cells) {
      const letter = this.pieces.get(name);
      const mark = this.marks.get(name);
      const words = [name, letter ? pieceName(letter) : "empty"];
      if (mark) words.push(mark.words);
      if (name === selected) words.push("chosen");
      else if (targets.has(name)) words.push("can go here");
      else if (sources.has(name)) words.push("can move");
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", name === selected);
      cell.setAttribute("tabindex", name === this.focused ? 0 : -1);
      cell.classList.toggle("selected", name === selected);
      cell.classList.toggle("is-target", targets.has(name));
      cell.classList.toggle("is-source", sources.has(name));
    }
  }

  rove(name) {
    this.cells.get(this.focused)?.setAttribute("tabindex", -1);
    this.focused = name;
    this.cells.get(name).setAttribute("tabindex", 0);
  }

  focus(name) {
    this.rove(name);
    this.cells.get(name).focus({ preventScroll: true });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (steps[event.key]) {
      this.step(...steps[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.act(this.focused);
    } else if (!this.key(this.focused, event)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // step goes to the next square that plays. Where the one straight ahead does
  // not, a step up and one down lead back to the same square.
  step(dy, dx) {
    const { x, y } = this.place(this.byName.get(this.focused));
    const { width, height } = this.variant;
    if (dx) {
      for (let i = x + dx; i >= 0 && i < width; i += dx) {
        const square = this.seen(y, i);
        if (square) return this.focus(square.name);
      }
      return;
    }
    if (y + dy < 0 || y + dy >= height) return;
    const lean = y % 2 ? -1 : 1;
    for (const i of [x, x + lean, x - lean]) {
      const square = this.seen(y + dy, i);
      if (square) return this.focus(square.name);
    }
  }

  listenToDrags() {
    let from = null, start = null, node = null;
    const point = (event) => {
      const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      return { x: p.x, y: p.y };
    };
    const over = ({ x, y }) => this.seen(Math.floor((y - RIM) / CELL), Math.floor((x - RIM) / CELL))?.name ?? null;
    this.svg.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      const name = over(point(event));
      if (event.button !== 0 || !this.pieces.has(name)) return;
      from = name;
      start = point(event);
      node = this.layers.pieces.querySelector(`[data-on="${name}"]`);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (from === null) return;
      const p = point(event);
      if (!this.dragged && Math.hypot(p.x - start.x, p.y - start.y) < 8) return;
      if (!this.dragged) {
        this.dragged = true;
        this.svg.setPointerCapture(event.pointerId);
        this.layers.pieces.append(node);
      }
      node.setAttribute("transform", `translate(${p.x} ${p.y})`);
    });
    const drop = (event) => {
      if (from === null) return;
      const [name, moved] = [from, this.dragged];
      from = null;
      if (!moved) return;
      const { x, y } = this.centre(name);
      node.setAttribute("transform", `translate(${x} ${y})`);
      if (event.type === "pointerup") this.drag(name, over(point(event)));
      setTimeout(() => { this.dragged = false; }); // after the click that follows
    };
    this.svg.addEventListener("pointerup", drop);
    this.svg.addEventListener("pointercancel", drop);
  }
}

// legend explains the colours of a map.
export function legend(side, counts) {
  const who = side === "white" ? "White" : "Black";
  const item = (outcome, text) => el("span", { class: `key ${outcome}` }, el("b", {}, sign(outcome)), ` ${text}: ${counts[outcome] ?? 0}`);
  return el("span", { class: "legend" },
    item("win", `${who} wins`), item("draw", "draw"), item("loss", `${who} loses`),
    counts.unknown ? item("unknown", "unknown") : null);
}
