/** Answers that are written in slices, over HTTP. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { describe, expect, it } from "vitest";

import type { Countdown } from "../../../src/clock.ts";
import { createAnswers } from "../../../src/http/answer/answers.ts";
import { endInTime } from "../../../src/http/end-in-time.ts";
import type { Middleware } from "../../../src/http/state.ts";
import type { Caller } from "../../../src/work/caller.ts";
import { SLICE_CHARACTERS } from "../../../src/work/json-slices.ts";
import { measureJson } from "../../../src/work/measure-json.ts";
import { createEventLoopScheduler, type EventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { serve } from "../../support/serve.ts";

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `row "${id}" of é` }));
const LARGE = { rows: rows(200_000) };
const BYTES = Buffer.byteLength(JSON.stringify(LARGE));
/** In slices, the size is counted in characters before they are escaped. */
const SLICES = measureJson(LARGE) / SLICE_CHARACTERS;

/** Turns that come as usual, with a list of those who requested one. */
function watchTurns(): EventLoopScheduler & { callers: Caller[] } {
  const turns = createEventLoopScheduler();
  const callers: Caller[] = [];
  return {
    callers,
    next(caller) {
      callers.push(caller);
      return turns.next(caller);
    },
  };
}

async function serveValue(value: unknown, maxAnswerBytes = 1e9, takenMs = 300_000) {
  const turns = watchTurns();
  const answers = createAnswers({ turns, maxAnswerBytes });
  const ends: (() => void)[] = [];
  const countdown: Countdown = (_ms, onEnd) => {
    ends.push(onEnd);
    return () => {};
  };
  const inTime = endInTime({ countdown, requestSeconds: 60 });
  const answer: Middleware = (ctx) => inTime(ctx, () => answers.sendValue(ctx, value));
  const url = await serve(answer, { timeouts: { takenMs } });
  /** The functions that end the time of each request so far. */
  const endTime = () => ends.forEach((end) => end());
  return { url, turns, endTime };
}

/** The signal of the caller that writes the answer, after another one has measured it. */
async function takingOf(callers: readonly Caller[]): Promise<AbortSignal | undefined> {
  const signals = () => [...new Set(callers.map(({ signal }) => signal))];
  await expect.poll(() => signals().length).toBe(2);
  return signals()[1];
}

/** A client that reads nothing before it is told to. */
async function connectLazily(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return socket;
}

describe("a large answer", () => {
  it("A large answer comes complete and in chunks, with one turn to measure each slice and one to write it", async () => {
    const { url, turns } = await serveValue(LARGE);
    const response = await fetch(url);
    expect([response.headers.get("transfer-encoding"), response.headers.get("content-length")]).toEqual([
      "chunked",
      null,
    ]);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe(JSON.stringify(LARGE));
    expect(turns.callers.length).toBeGreaterThanOrEqual(2 * Math.floor(SLICES));
  });

  it("A large answer is refused by its size in bytes, escapes included", async () => {
    expect((await fetch((await serveValue(LARGE, BYTES)).url)).status).toBe(200);
    expect((await fetch((await serveValue(LARGE, BYTES - 1)).url)).status).toBe(400);
  });

  it("A large answer is written only as fast as the client reads, and no longer once the client has disconnected", async () => {
    const { url, turns } = await serveValue({ lists: Array.from({ length: 5 }, () => LARGE.rows) });
    const all = 5 * SLICES;
    const socket = await connectLazily(url);
    const taking = await takingOf(turns.callers);
    const written = () => turns.callers.filter(({ signal }) => signal === taking).length;
    // Meanwhile the same answer is measured once more, in turns with the writing.
    const measureAgain = () => fetch(url, { method: "HEAD" });
    await measureAgain();
    expect(written()).toBeLessThan(all / 2);
    socket.destroy();
    await expect.poll(() => taking?.aborted).toBe(true);
    const before = written();
    await measureAgain();
    expect(written()).toBe(before);
  });

  it("Reading a large answer may take longer than the time limit of a request", async () => {
    const { url, turns, endTime } = await serveValue(LARGE);
    const socket = await connectLazily(url);
    await takingOf(turns.callers);
    endTime();
    let [taken, last] = [0, ""];
    socket.on("data", (data: Buffer) => {
      taken += data.length;
      // The end of the answer may come in a piece of its own.
      last = (last + data.subarray(-7).toString()).slice(-7);
    });
    socket.resume();
    await expect.poll(() => last).toMatch(/\r\n0\r\n\r\n$/);
    expect(taken).toBeGreaterThan(BYTES);
    socket.destroy();
  });

  it("A client must read a large answer within a time that starts with its first slice", async () => {
    const { url, turns } = await serveValue({ lists: Array.from({ length: 5 }, () => LARGE.rows) }, 1e9, 1);
    await connectLazily(url);
    const taking = await takingOf(turns.callers);
    await expect.poll(() => taking?.aborted).toBe(true);
  });
});

describe("a small answer", () => {
  it("A small answer comes in one piece with its length, and waits for no turn", async () => {
    const value = { rows: rows(100) };
    const { url, turns } = await serveValue(value);
    const response = await fetch(url);
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(JSON.stringify(value))));
    expect(await response.json()).toEqual(value);
    expect(turns.callers).toEqual([]);
  });
});
