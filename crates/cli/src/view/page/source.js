// Where frames come from. A source has one function, `ask(name, query, body)`, which resolves to an
// ArrayBuffer, or throws an Error whose `status` says whether it was refused (4xx) or no server is there
// (0). The names, queries and answers are in docs/viewer.md; another source than the server
// (an engine in the page, say) answers the same names with the same bytes.

/** Frames from the server of `throng view`. */
export class ServerSource {
  constructor(base = ".") { this.base = base; }

  async ask(name, query = {}, body = undefined) {
    const words = new URLSearchParams(
      Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
    const method = name === "order" || name === "control" ? "POST" : "GET";
    let answer;
    try {
      // A comma stays one.
      const text = words.toString().replaceAll("%2C", ",");
      answer = await fetch(`${this.base}/${name}?${text}`, { method, body, cache: "no-store" });
    } catch {
      throw Object.assign(new Error("The server does not answer."), { status: 0 });
    }
    if (!answer.ok) {
      throw Object.assign(new Error(await answer.text()), { status: answer.status });
    }
    return answer.arrayBuffer();
  }
}

const text = new TextDecoder();

/** An answer that is JSON. */
export function json(bytes) { return JSON.parse(text.decode(bytes)); }

/** An answer with a head: the head as an object, and where its body begins. */
export function withHead(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(text.decode(new Uint8Array(bytes, 4, length)));
  return { head, bytes, at: 4 + length };
}
