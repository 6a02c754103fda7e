/** An OpenAI-compatible endpoint on a free port that gives the answers, good or bad, that a test scripts. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Reply =
  | { text: string }
  | { refusal: string }
  | { status: number; body?: string; location?: string }
  | { raw: string }
  /** Nothing is sent, not even a status. */
  | "hang"
  /** A part of an answer is sent, then a little more at each `trickle`, and never its end. */
  | "slow"
  /** A part of an answer is sent, and then the connection is cut. */
  | "break off";

interface Received {
  path: string;
  authorization: string | undefined;
  text: string;
  body: { model: string; messages: { role: string; content: unknown }[] };
}

export interface ModelServer {
  /** The base URL for the settings. */
  url: string;
  received: Received[];
  /** The next replies. The last one is repeated for ever. */
  script(...replies: Reply[]): void;
  /** Resolves when this number of requests in all are answered, or hang. */
  reached(count: number): Promise<void>;
  /** Sends a little more of each slow answer. */
  trickle(): void;
  /** Resolves when the client has aborted the newest request. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}

const HALF = '{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":';

export async function startModelServer(): Promise<ModelServer> {
  const received: Received[] = [];
  const open: ServerResponse[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let replies: Reply[] = [];
  let newest: Promise<unknown> = Promise.resolve();
  let answered = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request);
    const { url: path = "", headers } = request;
    received.push({ path, authorization: headers.authorization, text, body: JSON.parse(text) as Received["body"] });
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 500 };
    send(reply, response);
    if (reply === "slow") open.push(response);
    answered += 1;
    for (const { count, resolve } of waiting) if (answered >= count) resolve();
  };

  const server = createServer((request, response) => {
    newest = once(response, "close");
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    script(...next) {
      replies = next;
      received.length = 0;
      answered = 0;
    },
    reached: (count) => new Promise((resolve) => (answered >= count ? resolve() : waiting.push({ count, resolve }))),
    trickle: () => open.forEach((response) => response.write(" ")),
    letGo: async () => {
      await newest;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === "hang") return;
  if (reply === "slow" || reply === "break off") {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(HALF, () => reply === "break off" && response.destroy());
  } else if ("status" in reply) {
    response.writeHead(reply.status, reply.location === undefined ? {} : { location: reply.location });
    response.end(reply.body ?? "");
  } else {
    response.writeHead(200, { "content-type": "application/json" });
    response.end("raw" in reply ? reply.raw : JSON.stringify(toCompletion(reply)));
  }
}

function toCompletion(reply: Extract<Reply, { text: string } | { refusal: string }>): object {
  const message = {
    role: "assistant",
    content: "text" in reply ? reply.text : null,
    ...("refusal" in reply ? { refusal: reply.refusal } : {}),
  };
  return {
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 },
  };
}
