// What is shown: a variant, a position in a row of positions, and what the server
// says of it. Views are told when that changes.
import { $, say } from "./dom.js";
import { get, Refused } from "./api.js";
import { Board } from "./board.js";
import { Timeline } from "./timeline.js";
import { read, write } from "./fen.js";
import { writeAddress } from "./address.js";
import { verdict, refusal, worth, reverse, underRules } from "./words.js";

// counted adds the count under draw rules, if there is one, to a FEN.
const counted = (fen, count) => (count === undefined ? fen : `${fen}:H${count}`);

export class Explorer {
  constructor(about) {
    this.about = about;
    this.variants = new Map(about.variants.map((v) => [v.name, v]));
    this.timeline = new Timeline();
    this.views = [];
    this.modes = {}; // by name: { act, drag, key, enter, leave, hint }
    this.mode = "play";
    this.flipped = false;
    this.profile = ""; // draw rules; none
    this.asked = 0;
    this.board = new Board($("board"), {
      act: (square) => this.modes[this.mode].act(square),
      drag: (from, to) => this.modes[this.mode].drag(from, to),
      key: (square, event) => this.modes[this.mode].key?.(square, event) ?? false,
    });
  }

  // here is the position that is shown; moves and value are null until the
  // server has said what they are.
  get here() { return this.timeline.now; }

  // choose shows the empty board of a variant.
  choose(name, flipped = this.flipped, profile = "") {
    this.variant = this.variants.get(name) ?? this.variants.get("international");
    this.profile = this.variant.profiles.some((p) => p.name === profile) ? profile : "";
    this.flipped = flipped;
    this.board.build(this.variant, flipped);
    $("variant").value = this.variant.name;
  }

  // open shows a position of a variant and forgets what was before.
  async open(name, fen) {
    if (this.variant?.name !== name) this.choose(name);
    this.timeline.begin({ fen: fen ?? (await this.example()) });
    this.show();
  }

  // address is what a link has to hold.
  address() {
    return { variant: this.variant.name, fen: this.here.fen, flipped: this.flipped, profile: this.profile };
  }

  // judge chooses draw rules, or none, and a count.
  judge(profile, count) {
    this.stop();
    this.profile = profile;
    const bare = this.here.fen.replace(/:H\d+$/, "");
    this.here.fen = profile ? `${bare}:H${count}` : bare;
    this.show();
  }

  // example is a position worth a look: the longest win among small tables.
  async example() {
    try {
      const { tables } = await get(`${this.variant.name}/tables`);
      const small = tables.filter((t) => t.max_win_fen && t.positions < 200_000_000);
      const chosen = small.find((t) => this.variant.name === "international" && t.material === "MvMM")
        ?? small.sort((a, b) => b.max_win_dtw - a.max_win_dtw)[0];
      return chosen?.max_win_fen ?? this.variant.initial;
    } catch {
      return this.variant.initial;
    }
  }

  // show draws the position and asks for its value. path is where a piece came
  // along.
  show(path) {
    const entry = this.here;
    Object.assign(this, { ...read(entry.fen), moves: null, over: false, answer: null, error: null, loading: true });
    this.refused = null;
    this.board.point([]);
    this.board.mark(new Map());
    this.board.guide({});
    this.board.show(this.pieces, this.side, path);
    writeAddress(this.address());
    this.tell();
    return this.load(entry, path !== undefined);
  }

  // question is what the server is asked about a position, under the draw rules if
  // they are applied. One that was jumped to in a game has no count: it is not
  // judged.
  question(entry) {
    const judged = this.profile && (/:H/.test(entry.fen) || this.timeline.at === 0);
    return judged ? { fen: entry.fen, profile: this.profile } : { fen: entry.fen };
  }

  async load(entry, played) {
    const asked = ++this.asked;
    const name = this.variant.name;
    const query = this.question(entry);
    const [legal, answer] = await Promise.allSettled([get(`${name}/moves`, { fen: entry.fen }), get(name, query)]);
    if (asked !== this.asked) return;
    this.loading = false;
    if (legal.status === "fulfilled") {
      entry.fen = legal.value.fen; // in its canonical form
      writeAddress(this.address());
      this.over = legal.value.over;
      this.moves = legal.value.moves.map((m) => ({ ...m, outcome: null, dtw: null }));
    }
    if (answer.status === "fulfilled") {
      this.answer = answer.value;
      entry.outcome = answer.value.outcome;
      entry.dtw = answer.value.dtw;
      const squares = new Map(this.moves?.map((m) => [m.move, m.squares]));
      this.moves = answer.value.moves.map((m) => ({ ...m, squares: squares.get(m.move) ?? m.move.split(/[-x]/) }));
    } else {
      this.error = answer.reason;
    }
    if (played && entry.move) say(`${entry.move}. ${this.verdict()}`);
    this.tell();
  }

  // refuse says why a text is no position; what is shown stays.
  refuse(refused) {
    this.refused = refused;
    if (this.here) this.tell();
  }

  tell() {
    for (const view of this.views) view(this);
    this.modes[this.mode].enter?.();
  }

  verdict() {
    if (this.error instanceof Refused && !["missing_table", "too_many_pieces"].includes(this.error.code)) return refusal(this.error);
    if (this.loading) return "…";
    const mine = [...this.pieces.values()].filter((p) => (p.toLowerCase() === "w") === (this.side === "white")).length;
    if (!this.answer && this.over) return verdict(this.side, "loss", 0, true, mine);
    return verdict(this.side, this.answer?.outcome ?? null, this.answer?.dtw ?? null, this.over, mine);
  }

  // play makes a legal move.
  play(move) {
    if (this.loading) return;
    this.stop();
    this.timeline.play({ fen: counted(move.fen, move.count), move: move.move });
    this.show(move.squares);
  }

  // edit puts pieces anywhere. Setting up begins a new game; a map goes on from
  // what was played.
  edit(pieces, side = this.side, begin = true) {
    this.stop();
    const entry = { fen: write(side, pieces) };
    if (begin) this.timeline.begin(entry);
    else this.timeline.play(entry);
    this.show();
  }

  go(at) {
    const next = this.timeline.entries[at];
    let path;
    if (at === this.timeline.at + 1 && next?.move) {
      const move = this.moves?.find((m) => m.move === next.move);
      path = move?.squares ?? next.move.split(/[-x]/);
      if (move?.count !== undefined && !/:H/.test(next.fen)) next.fen = counted(next.fen, move.count);
    }
    if (this.timeline.go(at)) this.show(path);
  }

  // run goes forward by itself.
  run() {
    if (this.timer) return this.stop();
    const next = () => {
      if (this.timeline.atEnd) return this.stop();
      this.go(this.timeline.at + 1);
    };
    this.timer = setInterval(next, 1000);
    next();
    this.tell();
  }

  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.tell();
  }

  flip() {
    this.flipped = !this.flipped;
    this.board.build(this.variant, this.flipped);
    this.show();
  }

  setMode(mode) {
    if (mode === this.mode) return;
    this.modes[this.mode].leave?.();
    this.mode = mode;
    this.board.guide({});
    this.tell();
    say(this.modes[mode].hint);
  }

  // bestLine puts best play behind this position.
  async bestLine() {
    const entry = this.here;
    const line = await get(`${this.variant.name}/line`, this.question(entry));
    if (entry !== this.here) return line;
    this.timeline.plan(line.line.map((m) => ({
      fen: counted(m.fen, m.count), move: m.move, outcome: reverse(m.outcome), dtw: m.dtw === null ? null : m.dtw - 1,
    })));
    this.tell();
    return line;
  }

  // words says what a move is worth, with what draw rules make of it.
  words(move) { 
    const under = underRules(move);
    return worth(move.outcome, move.dtw) + (under ? `; ${under}` : "");
  }
}
