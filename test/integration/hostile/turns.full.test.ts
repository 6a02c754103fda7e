/** Many requests of one key, requests whose client has disconnected, and requests that take too long. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Countdown } from "../../../src/clock.ts";
import type { Caller } from "../../../src/work/caller.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";

/** The most requests of one key in progress, and the most that wait. */
const AT_ONCE = 16;
const MAX_WAITING = 200;

let app: RunningApp;
let busy: string;
/** The functions that end the time of each request in progress, in the order of the requests. */
const ends: (() => void)[] = [];

/** A clock that the test moves. */
const countdown: Countdown = (_ms, onEnd) => {
  ends.push(onEnd);
  return () => {};
};

beforeAll(async () => {
  app = await startApp({ sample: true, overrides: { countdown } });
  busy = await app.createToken(["read"]);
});
afterAll(() => app.close());

const clientOf = (token: string): RestClient => createRestClient({ url: app.url, token });

/** A request whose body the test ends. */
async function holdRequest(token: string): Promise<Socket> {
  const before = ends.length;
  const socket = connect({ port: Number(new URL(app.url).port), host: "127.0.0.1" });
  await once(socket, "connect");
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      "Content-Length: 100\r\n\r\n{",
  );
  await expect.poll(() => ends.length).toBeGreaterThan(before);
  return socket;
}

describe("a key with many requests in progress", () => {
  it("A key with too many waiting requests gets refusals, and other keys get answers", async () => {
    const held = [];
    for (let i = 0; i < AT_ONCE; i++) held.push(await holdRequest(busy));
    const ask = clientOf(busy);
    const all = Array.from({ length: MAX_WAITING + 1 }, () => ask("/api/v1/connectors"));
    const refused = await Promise.race(all);
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        error: "rate_limited",
        message: "Too many requests of this key are still waiting.",
        details: { reason: "waiting" },
      },
    ]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-ratelimit-limit")).toBe("1000");
    expect((await clientOf(await app.createToken(["read"]))("/api/v1/connectors")).status).toBe(200);
    for (const socket of held) socket.destroy();
    const others = await Promise.all(all);
    expect(others.filter(({ status }) => status === 200)).toHaveLength(MAX_WAITING);
  });
});

describe("a request beyond its time limit", () => {
  it("A request that exceeds its time limit is answered as given up, even if its work goes on", async () => {
    const socket = await holdRequest(busy);
    const answer = once(socket, "data");
    ends.at(-1)?.();
    const [data] = (await answer) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 503 /);
    expect(data.toString()).toContain("The request took longer than 60 seconds and was stopped.");
    expect(data.toString()).toMatch(/retry-after: 5/i);
    socket.destroy();
  });
});

describe("a request of a disconnected client", () => {
  it("A request stops its work when the client disconnects", async () => {
    const { graph } = app.app;
    const { readerFor } = graph;
    const callers: Caller[] = [];
    const reached = Promise.withResolvers<void>();
    // The test only watches the graph, and does not replace it.
    graph.readerFor = (caller) => {
      callers.push(caller);
      reached.resolve();
      return readerFor.call(graph, caller);
    };
    const hangUp = new AbortController();
    const answer = fetch(`${app.url}/api/v1/catalog/assets?search=orders`, {
      headers: { authorization: `Bearer ${busy}` },
      signal: hangUp.signal,
    });
    await reached.promise;
    hangUp.abort();
    await expect(answer).rejects.toThrow("aborted");
    await expect.poll(() => callers[0]?.signal.aborted).toBe(true);
    graph.readerFor = readerFor;
  });
});
