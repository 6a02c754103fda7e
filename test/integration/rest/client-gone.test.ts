/** Clients that disconnect in the middle of an answer or a body. This is no fault of the service. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { createAnswers } from "../../../src/http/answer/answers.ts";
import { createEventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { serve } from "../../support/serve.ts";

interface Line {
  level: number;
  msg: string;
  requestId?: string;
}

const WARN = 40;
const REQUEST_ID = "5ea1c3b0-55d4-4a41-9c3c-2f4d6f3a0f0e";

const lines: Line[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ overrides: { log } });
});
afterAll(() => running.close());
beforeEach(() => {
  lines.length = 0;
});

async function send(url: string, head: string, body = ""): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const lineEnd = "\r\n";
  const rest = ["Host: x", `Authorization: Bearer ${running.token}`, `X-Request-Id: ${REQUEST_ID}`, "", body];
  socket.write(head + lineEnd + rest.join(lineEnd));
  return socket;
}

/** Reads the beginning of the answer, and no more. */
async function takeBeginning(socket: Socket): Promise<void> {
  await once(socket, "data");
  socket.pause();
}

const linesOfRequest = (): Line[] => lines.filter(({ requestId }) => requestId === REQUEST_ID);

/** @returns what was logged of the request as a warning or with an error, once the server knows that the client is gone */
async function logged(): Promise<Line[]> {
  await expect.poll(() => linesOfRequest().map(({ msg }) => msg)).toContain("the client closed the connection");
  return linesOfRequest().filter((line) => line.level >= WARN || "err" in line);
}

const HALF_QUERY =
  "POST /graphql HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue";

const WAYS: [how: string, go: (socket: Socket) => void][] = [
  ["resets the connection", (socket) => void socket.resetAndDestroy()],
  ["closes the connection", (socket) => void socket.destroy()],
];

test.each(WAYS)(
  "A client that %s in the middle of a large file is told at debug level, without an error",
  async (_, go) => {
    const socket = await send(running.url, "GET /graphql/graphiql.js HTTP/1.1");
    await takeBeginning(socket);
    go(socket);
    expect(await logged()).toEqual([]);
  },
);

test.each(WAYS)(
  "A client that %s in the middle of a large answer is told at debug level, without an error",
  async (_, go) => {
    const answers = createAnswers({ turns: createEventLoopScheduler(), maxAnswerBytes: 1e9 });
    const rows = Array.from({ length: 200_000 }, (_each, id) => ({
      id,
      name: "more than the connection's buffers hold",
    }));
    const url = await serve((ctx) => answers.sendValue(ctx, rows), { log });
    const socket = await send(url, "GET / HTTP/1.1");
    await takeBeginning(socket);
    go(socket);
    expect(await logged()).toEqual([]);
  },
);

test.each(WAYS)(
  "A client that %s in the middle of a body is logged at debug level, without an error",
  async (_, go) => {
    const socket = await send(running.url, HALF_QUERY, '{"query":');
    // The service has checked the head, and waits for the rest of the body.
    await once(socket, "data");
    go(socket);
    const found = await logged();
    expect(found.filter(({ level }) => level >= WARN)).toEqual([]);
    expect(found.filter((line) => "err" in line)).toEqual([]);
  },
);
