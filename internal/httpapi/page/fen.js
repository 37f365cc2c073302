// FENs as the server writes them: "W:W23,K5:B6". What a person types goes to the
// server first, which reads every form.

// read returns the side to move and the pieces by square: w, W, b or B, capitals
// are kings.
export function read(fen) {
  const [turn, ...groups] = fen.split(":");
  const pieces = new Map();
  for (const group of groups) {
    const letter = group[0];
    if (letter !== "W" && letter !== "B") continue;
    for (const item of group.slice(1).split(",")) {
      if (item === "") continue;
      const king = item[0] === "K";
      pieces.set(king ? item.slice(1) : item, king ? letter : letter.toLowerCase());
    }
  }
  return { side: turn === "B" ? "black" : "white", pieces };
}

export function write(side, pieces) {
  const list = (letters) => [...pieces]
    .filter(([, piece]) => letters.includes(piece))
    .map(([square, piece]) => (piece === piece.toUpperCase() ? "K" : "") + square)
    .join(",");
  return `${side === "black" ? "B" : "W"}:W${list("wW")}:B${list("bB")}`;
}
