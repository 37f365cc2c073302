// What was played: positions in a row, one of which is shown. Each entry has the
// move that led to it and the value for its side to move, as far as it is known.

export class Timeline {
  entries = [];
  at = 0;

  get now() { return this.entries[this.at]; }
  get atEnd() { return this.at === this.entries.length - 1; }

  // begin forgets everything before.
  begin(entry) {
    this.entries = [entry];
    this.at = 0;
  }

  // play goes on from here. What would have come next is dropped, unless it is
  // just this.
  play(entry) {
    const next = this.entries[this.at + 1];
    if (next && next.fen === entry.fen && next.move === entry.move) {
      this.at++;
      return;
    }
    this.entries.length = this.at + 1;
    this.entries.push(entry);
    this.at++;
  }

  // plan puts moves behind this position without going there.
  plan(entries) {
    this.entries.length = this.at + 1;
    this.entries.push(...entries);
  }

  go(at) {
    const to = Math.max(0, Math.min(this.entries.length - 1, at));
    const moved = to !== this.at;
    this.at = to;
    return moved;
  }
}
