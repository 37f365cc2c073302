// The address holds the position, so that a link shows the same to others.

export function readAddress() {
  const q = new URLSearchParams(location.search);
  return { variant: q.get("variant"), fen: q.get("fen"), flipped: q.get("flip") === "1", profile: q.get("rules") ?? "" };
}

// link keeps what may stay readable in an address readable.
export function link({ variant, fen, flipped, profile }) {
  const text = encodeURIComponent(fen).replaceAll("%3A", ":").replaceAll("%2C", ",");
  return `?variant=${variant}&fen=${text}${flipped ? "&flip=1" : ""}${profile ? `&rules=${profile}` : ""}`;
}

export function writeAddress(state) {
  history.replaceState(null, "", link(state));
}
