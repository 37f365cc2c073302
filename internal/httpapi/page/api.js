// Asking the server. Every position and every legal move comes from there: the
// page knows no rules.

let version = "";
const kept = new Map(); // answers by address
const most = 500;

// Refused is an error that the server explains.
export class Refused extends Error {
  constructor(code, message, body) {
    super(message);
    this.code = code;
    this.body = body;
  }
}

async function read(response) {
  let body;
  try {
    body = await response.json();
  } catch {
    throw new Refused("offline", "The answer cannot be read.");
  }
  if (!response.ok) throw new Refused(body.error?.code ?? "internal", body.error?.message ?? "Something went wrong.", body);
  return body;
}

const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

// ask tries again, once, where the server says when.
async function ask(url, options) {
  for (let again = true; ; again = false) {
    let response;
    try {
      response = await fetch(url, options);
    } catch {
      throw new Refused("offline", "The server cannot be reached.");
    }
    const after = Number(response.headers.get("Retry-After"));
    if (!again || !after || after > 10) return response;
    await wait(after);
  }
}

export async function get(path, query = {}) {
  const parameters = new URLSearchParams(query);
  if (version) parameters.set("v", version);
  const url = `v1/${path}?${parameters}`;
  if (kept.has(url)) return kept.get(url);
  const response = await ask(url);
  const body = await read(response);
  if (response.status === 200) {
    if (kept.size >= most) kept.delete(kept.keys().next().value);
    kept.set(url, body);
  }
  return body;
}

export async function post(path, text, query = {}) {
  return read(await ask(`v1/${path}?${new URLSearchParams(query)}`, { method: "POST", body: text, headers: { "Content-Type": "text/plain" } }));
}

// about is what there is: variants, limits, the version of the tables.
export async function about() {
  const body = await read(await ask("v1/variants", { cache: "no-cache" }));
  version = body.v;
  return body;
}
