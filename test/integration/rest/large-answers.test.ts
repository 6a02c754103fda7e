/** Answers that are written in slices, over HTTP. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { describe, expect, it } from "vitest";

import { createAnswers } from "../../../src/rest/answers.ts";
import type { Caller } from "../../../src/work/caller.ts";
import { SLICE_BYTES } from "../../../src/work/json-slices.ts";
import { createTurns, type Turns } from "../../../src/work/turns.ts";
import { serve } from "../../support/serve.ts";

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `row "${id}" of é` }));
const LARGE = { rows: rows(200_000) };
const BYTES = Buffer.byteLength(JSON.stringify(LARGE));

/** Turns that come as they do, with everyone who asked for one. */
function watchTurns(): Turns & { callers: Caller[] } {
  const turns = createTurns();
  const callers: Caller[] = [];
  return {
    callers,
    next(caller) {
      callers.push(caller);
      return turns.next(caller);
    },
  };
}

async function serveValue(value: unknown, maxAnswerBytes = 1e9) {
  const turns = watchTurns();
  const answers = createAnswers({ turns, maxAnswerBytes });
  const url = await serve((ctx) => answers.sendValue(ctx, value));
  return { url, turns };
}

/** A client that takes nothing before it is told to. */
async function connectLazily(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return socket;
}

describe("a large answer", () => {
  it("comes in chunks, whole, with a turn for each slice to measure and another to write it", async () => {
    const { url, turns } = await serveValue(LARGE);
    const response = await fetch(url);
    expect([response.headers.get("transfer-encoding"), response.headers.get("content-length")]).toEqual([
      "chunked",
      null,
    ]);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe(JSON.stringify(LARGE));
    expect(turns.callers.length).toBeGreaterThanOrEqual(2 * Math.floor(BYTES / SLICE_BYTES));
  });

  it("is refused by the bytes that it would have, escapes included", async () => {
    expect((await fetch((await serveValue(LARGE, BYTES)).url)).status).toBe(200);
    expect((await fetch((await serveValue(LARGE, BYTES - 1)).url)).status).toBe(400);
  });

  it("is not written further than the client takes it, nor at all once the client is gone", async () => {
    const { url, turns } = await serveValue({ lists: Array.from({ length: 5 }, () => LARGE.rows) });
    const all = (5 * BYTES) / SLICE_BYTES;
    const socket = await connectLazily(url);
    // Measured, then begun to be written for somebody who may go.
    await expect.poll(() => new Set(turns.callers.map(({ signal }) => signal)).size, { timeout: 20_000 }).toBe(2);
    const [measuring, taking] = [...new Set(turns.callers.map(({ signal }) => signal))];
    const written = () => turns.callers.filter(({ signal }) => signal === taking).length;
    // Meanwhile the same is measured once more, in turns with the writing.
    const measureAgain = () => fetch(url, { method: "HEAD" });
    await measureAgain();
    expect(written()).toBeLessThan(all / 2);
    socket.destroy();
    await expect.poll(() => taking?.aborted).toBe(true);
    expect(measuring?.aborted).toBe(false);
    const before = written();
    await measureAgain();
    expect(written()).toBe(before);
  });
});

describe("a small answer", () => {
  it("comes in one piece with its length, and waits for no turn", async () => {
    const value = { rows: rows(100) };
    const { url, turns } = await serveValue(value);
    const response = await fetch(url);
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(JSON.stringify(value))));
    expect(await response.json()).toEqual(value);
    expect(turns.callers).toEqual([]);
  });
});
