/** Sends raw HTTP that no HTTP client would send. */
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends the text unchanged, one byte a character, and reads until the server closes or has sent its whole answer.
 * @param origin of the server
 */
export async function sendRaw(origin: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(120_000, () => socket.destroy(new Error("the server neither answers nor closes")));
  socket.write(Buffer.from(text, "latin1"));
  let received = "";
  for await (const chunk of socket) {
    received += String(chunk);
    const answer = parse(received);
    if (answer !== null) return answer;
  }
  throw new Error(`the connection closed after ${JSON.stringify(received)}`);
}

/** The answer, or null while it is incomplete. */
function parse(text: string): RawAnswer | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  if (Buffer.byteLength(body) < Number(headers["content-length"] ?? 0)) return null;
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}
