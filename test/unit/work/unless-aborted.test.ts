import { describe, expect, it } from "vitest";

import { silentOnceAborted, unlessAborted } from "../../../src/work/unless-aborted.ts";

const FAILURE = new Error("it failed");
const REASON = new Error("nobody waits");

/** The state of a promise after everything else that is ready has run. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.catch((error: unknown) => error);
  const later = new Promise((resolve) => setImmediate(resolve, "pending"));
  return Promise.race([settled, later]);
}

describe("unlessAborted", () => {
  it("unlessAborted returns the promise's result", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve(1))).toBe(1);
    await expect(unlessAborted(signal, Promise.reject(FAILURE))).rejects.toBe(FAILURE);
  });

  it("unlessAborted fails with the signal's reason, whether it aborts before the promise or during it", async () => {
    const work = new AbortController();
    const waiting = unlessAborted(work.signal, new Promise(() => {}));
    work.abort(REASON);
    await expect(waiting).rejects.toBe(REASON);
    await expect(unlessAborted(work.signal, new Promise(() => {}))).rejects.toBe(REASON);
  });
});

describe("silentOnceAborted", () => {
  it("silentOnceAborted passes on values, and errors while the signal has not aborted", async () => {
    const work = new AbortController();
    expect(await silentOnceAborted(work.signal, Promise.resolve(1))).toBe(1);
    await expect(silentOnceAborted(work.signal, Promise.reject(FAILURE))).rejects.toBe(FAILURE);
    work.abort(REASON);
    expect(await silentOnceAborted(work.signal, Promise.resolve(2))).toBe(2);
  });

  it("silentOnceAborted stays pending for an error that comes after the signal aborted", async () => {
    const work = new AbortController();
    work.abort(REASON);
    expect(await stateOf(silentOnceAborted(work.signal, Promise.reject(FAILURE)))).toBe("pending");
  });
});
