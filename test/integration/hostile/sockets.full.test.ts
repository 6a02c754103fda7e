/** Clients that send nothing, never read, open many connections, or name two hosts. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import Koa from "koa";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { pino } from "pino";

import { createSourceFinder } from "../../../src/addresses/source-address.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { createHttpServer, type ServerParts } from "../../../src/http/server.ts";
import { createTestClock, MINUTE_MS } from "../../support/clock.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { sendRaw } from "../../support/raw-http.ts";

const log = createLog("silent");
const lockout = { refuseBlocked: async () => {}, noteFailure: async () => {}, noteSuccess: async () => {} };

/** A server with the given handler. */
async function serve(handler: (ctx: Koa.Context) => unknown, parts: Partial<ServerParts> = {}) {
  const app = new Koa();
  app.use(handler);
  const findSource = createSourceFinder([], log);
  const settings = { trustedProxies: [], maxConnectionsPerAddress: 256, publicUrl: null };
  const server = createHttpServer({ app, lockout, findSource, log, clock: createTestClock(), settings, ...parts });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function get(url: string, agent: Agent): Promise<string> {
  const [response] = await once(request(url, { agent }).end(), "response");
  return text(response);
}

/** Whether a new connection is answered instead of closed. */
async function isTaken(port: number): Promise<boolean> {
  const socket = open(port);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
}

const atMost = (maxConnectionsPerAddress: number, trustedProxies: string[] = []) => ({
  settings: { maxConnectionsPerAddress, trustedProxies, publicUrl: null },
});

describe("connections without requests", () => {
  test("A connection without a request is closed after ten seconds, give or take one", async () => {
    const { server } = await serve((ctx) => (ctx.body = "hello"));
    expect(server.headersTimeout).toBe(10_000);
    expect(server.keepAliveTimeout).toBe(5_000);
  });

  test("A connection without a request is closed, while a used one stays open", async () => {
    // Long enough for the request that is sent.
    const timeouts = { headersMs: 2_000, checkEveryMs: 50 };
    const { port, url } = await serve((ctx) => (ctx.body = String(ctx.req.socket.remotePort)), { timeouts });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const first = await get(url, agent);
    const silent = open(port);
    expect(await text(silent)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await get(url, agent)).toBe(first);
  });

  test("A connection with half a request is closed", async () => {
    const timeouts = { headersMs: 20, checkEveryMs: 10 };
    const { port } = await serve((ctx) => (ctx.body = "hello"), { timeouts });
    const slow = open(port);
    slow.write("GET / HTTP/1.1\r\nHost: x\r\n");
    expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe("clients that do not read their answers", () => {
  const LARGE = Buffer.alloc(64 * 1024 ** 2, "x");

  test.each([
    ["is disconnected if no more data goes out", { stalledMs: 1_000 }],
    ["is disconnected if it takes too long to read the answer", { takenMs: 50 }],
  ])("A client that does not read its answer %s", async (_what, timeouts) => {
    const gone = Promise.withResolvers<boolean>();
    const { port } = await serve(
      (ctx) => {
        ctx.res.once("close", () => gone.resolve(ctx.res.writableFinished));
        ctx.body = LARGE;
      },
      { timeouts },
    );
    const socket = open(port);
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await gone.promise).toBe(false);
  });

  test("An answer that is ready when its client is gone is not kept", async () => {
    const takenMs = 123_456;
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const answered = Promise.withResolvers<void>();
    const { port } = await serve(
      async (ctx) => {
        socket.destroy();
        await once(ctx.res, "close");
        ctx.body = "hello";
        ctx.res.once("prefinish", () => setImmediate(answered.resolve));
      },
      { timeouts: { takenMs } },
    );
    const socket = open(port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await answered.promise;
    expect(timers.mock.calls.filter(([, ms]) => ms === takenMs)).toEqual([]);
  });

  test("A client that waits for a slow answer is not disconnected", async () => {
    const timeouts = { stalledMs: 300 };
    const { server, url } = await serve(
      async (ctx) => {
        // After this, the timer of the socket has run out.
        await once(ctx.req.socket, "timeout");
        ctx.body = "hello";
      },
      { timeouts },
    );
    const agent = new Agent();
    expect(await get(url, agent)).toBe("hello");
    expect(server.listening).toBe(true);
  });
});

describe("the connections of one address", () => {
  test("One address may have the permitted number of connections and no more, until one closes", async () => {
    const { port, server } = await serve((ctx) => (ctx.body = "hello"), atMost(2));
    const accepted = once(server, "connection");
    const first = open(port);
    const [socket]: Socket[] = await accepted;
    const gone = new Promise((resolve) => socket?.once("close", resolve));
    await once(open(port), "connect");
    expect(await isTaken(port)).toBe(false);
    first.destroy();
    await gone;
    expect(await isTaken(port)).toBe(true);
  });

  test.each([
    ["in one IPv6 /64 count together", ["2001:db8::1", "2001:db8::2"], false],
    ["in two IPv6 /64 count separately", ["2001:db8::1", "2001:db8:0:1::1"], true],
  ])("Addresses %s", async (_what, addresses, taken) => {
    const findSource = () => addresses.shift() ?? "";
    const { port } = await serve((ctx) => (ctx.body = "hello"), { ...atMost(1), findSource });
    await once(open(port), "connect");
    expect(await isTaken(port)).toBe(taken);
  });

  test("Refused connections are logged once a minute, with their number", async () => {
    const lines: unknown[] = [];
    const counting = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const clock = createTestClock();
    const { port } = await serve((ctx) => (ctx.body = "hello"), { ...atMost(1), log: counting, clock });
    await once(open(port), "connect");
    for (let tries = 0; tries < 3; tries++) expect(await isTaken(port)).toBe(false);
    expect(lines).toMatchObject([{ source: "127.0.0.1", refused: 1 }]);
    clock.advance(MINUTE_MS);
    expect(await isTaken(port)).toBe(false);
    expect(lines).toMatchObject([{ refused: 1 }, { source: "127.0.0.1", refused: 3 }]);
  });

  test("The connections of a trusted proxy are not counted, because it stands for many clients", async () => {
    const { port } = await serve((ctx) => (ctx.body = "hello"), atMost(1, ["127.0.0.0/8"]));
    await once(open(port), "connect");
    expect(await isTaken(port)).toBe(true);
  });
});

describe("the Host of a request", () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp();
  });
  afterAll(() => running.close());

  const statusOf = async (lines: string, path = "/health/live"): Promise<number> =>
    (await sendRaw(running.url, `GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)).status;

  test.each(["/health/live", "/api/v1/catalog/assets", "/nonsense"])(
    "A request to %s with two Host headers is refused, with or without a token",
    async (path) => {
      const bearer = `Authorization: Bearer ${running.token}\r\n`;
      expect(await statusOf("Host: x\r\nHost: x\r\n", path)).toBe(400);
      expect(await statusOf(`Host: x\r\nhost: y\r\n${bearer}`, path)).toBe(400);
      expect(await statusOf("", path)).toBe(400);
    },
  );

  test.each(["a b", "a,b c", "user@host", "x/y", "x?y", "x#y", "x:port", "[::1", "[nonsense]", "::1", "x\\y", "a%zz"])(
    "A Host of %s is refused",
    async (host) => {
      expect(await statusOf(`Host: ${host}\r\n`)).toBe(400);
    },
  );

  test.each([
    "x",
    "x:80",
    "x:",
    "",
    "127.0.0.1:8080",
    "[::1]:80",
    "[2001:db8::1]",
    "catalog.example.com.",
    "a_b",
    "%41",
  ])("A Host of %j is accepted", async (host) => {
    expect(await statusOf(`Host: ${host}\r\n`)).toBe(200);
  });

  test("Two Host headers are refused, however many headers are between them", async () => {
    expect(await statusOf(`Host: x\r\n${"a:\r\n".repeat(3_000)}Host: y\r\n`)).toBe(400);
  });

  test("A request in HTTP/1.0 may have no Host, but not two", async () => {
    const { status } = await sendRaw(running.url, "GET /health/live HTTP/1.0\r\n\r\n");
    const twice = await sendRaw(running.url, "GET /health/live HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n");
    expect([status, twice.status]).toEqual([200, 400]);
  });
});
