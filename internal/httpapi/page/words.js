// Values in words, the same as the command line has them.

export const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
export const title = (side) => (side === "white" ? "White" : "Black");
export const other = (side) => (side === "white" ? "black" : "white");

// distance says plies, and moves of the side that wins.
export function distance(dtw) {
  if (dtw === null || dtw === undefined) return "the distance is not stored";
  return `${count(dtw, "ply", "plies")} (${count(Math.floor((dtw + 1) / 2), "move", "moves")})`;
}

// verdict says what a position is worth. over: it has no legal move.
export function verdict(side, outcome, dtw, over, pieces) {
  const who = title(side);
  switch (outcome) {
    case "draw":
      return over ? "Game over: a draw" : `${who} to move: draw`;
    case "win":
      return dtw === null ? `${who} to move wins` : `${who} to move wins in ${distance(dtw)}`;
    case "loss":
      if (dtw === 0 || over) return pieces === 0 ? `${who} has lost: no pieces left` : `${who} has lost: no move left`;
      return dtw === null ? `${who} to move loses` : `${who} to move loses in ${distance(dtw)}`;
    default:
      return "Unknown: not in the tables";
  }
}

// worth says what a move is worth to the side that makes it.
export function worth(outcome, dtw) {
  switch (outcome) {
    case "draw": return "Draw";
    case "win": return dtw === null ? "Win" : `Win in ${distance(dtw)}`;
    case "loss": return dtw === null ? "Loss" : `Loss in ${distance(dtw)}`;
    default: return "Unknown: not in the tables";
  }
}

export const sign = (outcome) => ({ win: "+", draw: "=", loss: "−" })[outcome] ?? "?";
export const reverse = (outcome) => ({ win: "loss", loss: "win" })[outcome] ?? outcome;

export const pieceName = (letter) => ({ w: "white man", W: "white king", b: "black man", B: "black king" })[letter];
export const colourOf = (letter) => (letter.toLowerCase() === "w" ? "white" : "black");

// refusal says in a sentence what the server refused.
export function refusal(error) {
  const text = error.message.replace(/^(bad FEN|illegal position|bad PDN|missing table): /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const verdicts = {
  win: "a win, in time", rule_draw: "a draw: the rule takes the win away", draw: "a draw",
  rule_saved: "a draw: the rule saves it", loss: "a loss, in time",
};

// ruling says what a position is worth under draw rules.
export function ruling(answer) {
  const at = answer.limit === null ? `at count ${answer.count}` : `at count ${answer.count} of ${answer.limit}`;
  const left = answer.plies_left === null ? "no limit" : `${count(answer.plies_left, "ply", "plies")} left`;
  const reset = answer.dtr === null ? "" : `${count(answer.dtr, "ply", "plies")} to the next reset, `;
  const what = verdicts[answer.verdict] ?? "unknown, as no distances to reset are stored";
  return `Under the draw rules ${answer.profile} ${at}: ${what}; ${reset}${left}.`;
}

// underRules says in short what draw rules make of a move.
export const underRules = (move) => ({ rule_draw: "draw by rule", rule_saved: "saved by rule" })[move.verdict] ?? null;

// result is what counts in the end: under draw rules if there is a verdict.
export const result = ({ outcome, verdict }) => ({ rule_draw: "draw", rule_saved: "draw" })[verdict] ?? verdict ?? outcome ?? null;
