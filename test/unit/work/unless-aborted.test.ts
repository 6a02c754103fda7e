import { describe, expect, it } from "vitest";

import { silentOnceAborted, unlessAborted } from "../../../src/work/unless-aborted.ts";

const FAILURE = new Error("it failed");
const REASON = new Error("nobody waits");

/** What a promise came to by the time that everything else at hand is done. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.catch((error: unknown) => error);
  const later = new Promise((resolve) => setImmediate(resolve, "pending"));
  return Promise.race([settled, later]);
}

describe("unlessAborted", () => {
  it("answers what the promise does", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve(1))).toBe(1);
    await expect(unlessAborted(signal, Promise.reject(FAILURE))).rejects.toBe(FAILURE);
  });

  it("fails by the reason of the signal, before the promise or while it is pending", async () => {
    const work = new AbortController();
    const waiting = unlessAborted(work.signal, new Promise(() => {}));
    work.abort(REASON);
    await expect(waiting).rejects.toBe(REASON);
    await expect(unlessAborted(work.signal, new Promise(() => {}))).rejects.toBe(REASON);
  });
});

describe("silentOnceAborted", () => {
  it("hands on values, and errors while the signal has not aborted", async () => {
    const work = new AbortController();
    expect(await silentOnceAborted(work.signal, Promise.resolve(1))).toBe(1);
    await expect(silentOnceAborted(work.signal, Promise.reject(FAILURE))).rejects.toBe(FAILURE);
    work.abort(REASON);
    expect(await silentOnceAborted(work.signal, Promise.resolve(2))).toBe(2);
  });

  it("never settles for an error that comes when nobody waits any more", async () => {
    const work = new AbortController();
    work.abort(REASON);
    expect(await stateOf(silentOnceAborted(work.signal, Promise.reject(FAILURE)))).toBe("pending");
  });
});
