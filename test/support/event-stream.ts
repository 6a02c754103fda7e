/** Asks for a subscription over HTTP, and reads its events as they arrive. */
import type { Json } from "./rest-client.ts";

export interface EventStream {
  status: number;
  type: string;
  /** The next event; null when the stream has ended. */
  next(): Promise<{ event: string; data: Json } | null>;
  /** All remaining events. */
  rest(): Promise<{ event: string; data: Json }[]>;
  /** Disconnects, as a client does that is no longer interested. */
  leave(): void;
  /** The body of an answer that is not an event stream. */
  body: Json;
}

export async function subscribe(
  { url, token }: { url: string; token: string },
  query: string,
  { variables = {}, accept = "text/event-stream" }: { variables?: Record<string, unknown>; accept?: string } = {},
): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    signal: leaving.signal,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
    body: JSON.stringify({ query, variables }),
  });
  const type = response.headers.get("content-type") ?? "";
  const isStream = type.startsWith("text/event-stream");
  // The reader is taken at once, because fetch drops a response that seems unread.
  const events = isStream && response.body !== null ? readEvents(response.body.getReader()) : readNothing();
  const next = async () => (await events.next()).value ?? null;
  return {
    status: response.status,
    type,
    next,
    async rest() {
      const all = [];
      for (let event = await next(); event !== null; event = await next()) all.push(event);
      return all;
    },
    leave: () => leaving.abort(),
    body: isStream ? null : JSON.parse(await response.text()),
  };
}

async function* readNothing(): AsyncGenerator<never, void, undefined> {}

async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<{ event: string; data: Json }, void> {
  let text = "";
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const event = fields.get("event");
      const data = fields.get("data") ?? "";
      // A comment only keeps the connection alive.
      if (event !== undefined) yield { event, data: data === "" ? null : (JSON.parse(data) as Json) };
    }
  }
}
