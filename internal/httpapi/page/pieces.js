// Pieces and boards in SVG, as the pictures of the command line have them.
import { svg } from "./dom.js";

export const CELL = 48;
export const RIM = 20;

const look = {
  white: { face: "#fdf8ec", edge: "#7d6748", ring: "#d9c9a8", crown: "#8a5a16" },
  black: { face: "#35302e", edge: "#0f0d0c", ring: "#6b625d", crown: "#f2c14e" },
};
const crown = [[-0.48, 0.42], [-0.6, -0.22], [-0.29, 0.05], [0, -0.46], [0.29, 0.05], [0.6, -0.22], [0.48, 0.42]];
const tips = [[-0.6, -0.26], [0, -0.5], [0.6, -0.26]];

// piece draws a man or a king around the origin.
export function piece(letter) {
  const p = look[letter.toLowerCase() === "w" ? "white" : "black"];
  const r = 0.37 * CELL;
  const disc = (radius, fill, extra) => svg("circle", { r: radius, fill, ...extra });
  const g = svg("g", { class: "piece" },
    svg("circle", { cx: 1, cy: 2, r, fill: "#000", "fill-opacity": 0.25 }),
    disc(r, p.edge), disc(r - 1.6, p.face), disc(0.78 * r, p.ring), disc(0.78 * r - 1.2, p.face));
  if (letter === letter.toUpperCase()) {
    const s = 0.95 * r;
    g.append(svg("polygon", { fill: p.crown, points: crown.map(([x, y]) => `${s * x},${s * y}`).join(" ") }));
    for (const [x, y] of tips) g.append(svg("circle", { cx: s * x, cy: s * y, r: 0.09 * s, fill: p.crown }));
  } else {
    g.append(disc(0.4 * r, p.ring), disc(0.4 * r - 1.3, p.face));
  }
  return g;
}

// arrow leads through points; its class gives the colour.
export function arrow(points, value) {
  const width = 6, head = 17, gap = 12;
  const g = svg("g", { class: `arrow ${value}` });
  for (let i = 0; i + 1 < points.length; i++) {
    const [from, to] = [points[i], points[i + 1]];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length === 0) continue;
    const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const place = (forth, aside) => `${from.x + forth * along.x - aside * along.y},${from.y + forth * along.y + aside * along.x}`;
    const last = i === points.length - 2;
    const begin = i === 0 ? gap : 0;
    const end = last ? length - head : length;
    g.append(svg("polygon", { points: [place(begin, width / 2), place(end, width / 2), place(end, -width / 2), place(begin, -width / 2)].join(" ") }));
    if (last) g.append(svg("polygon", { points: [place(length, 0), place(end - 1, head * 0.6), place(end - 1, -head * 0.6)].join(" ") }));
    else g.append(svg("circle", { cx: to.x, cy: to.y, r: width / 2 }));
  }
  return g;
}
