import { describe, expect, it } from "vitest";

import { createTurns } from "../../../src/work/turns.ts";

/** Turns over a clock and an event loop that only the test moves, and who had a turn, in their order. */
function openTurns() {
  let now = 0;
  let next: (() => void)[] = [];
  const served: string[] = [];
  const turns = createTurns({ nowMs: () => now, soon: (callback) => void next.push(callback) });
  /** Lets every promise that can go on go on. */
  const settle = async (): Promise<void> => {
    for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
  };
  return {
    turns,
    served,
    settle,
    pass: (ms: number) => {
      now += ms;
    },
    /** The next iteration of the event loop. */
    async iterate() {
      const callbacks = next;
      next = [];
      for (const callback of callbacks) callback();
      await settle();
    },
    /** Asks for a turn, and takes so long when it comes. */
    ask: (holder: string, ms = 1, signal = new AbortController().signal) =>
      turns.next({ holder, signal }).then(() => {
        served.push(holder);
        now += ms;
      }),
  };
}

describe("turns on the event loop", () => {
  it("come at once while the iteration is young", async () => {
    const { ask, settle, served } = openTurns();
    for (const holder of ["a", "a", "b"]) void ask(holder);
    await settle();
    expect(served).toEqual(["a", "a", "b"]);
  });

  it("wait for the next iteration when this one has taken long, one slice in each", async () => {
    const { ask, settle, iterate, served } = openTurns();
    await ask("a", 50);
    for (const holder of ["a", "a"]) void ask(holder, 50);
    await settle();
    expect(served).toEqual(["a"]);
    await iterate();
    expect(served).toEqual(["a", "a"]);
    await iterate();
    expect(served).toEqual(["a", "a", "a"]);
  });

  it("come next to a holder who had none yet, before the many of another", async () => {
    const { ask, settle, iterate, served } = openTurns();
    await ask("busy", 50);
    for (let slice = 0; slice < 5; slice++) void ask("busy", 50);
    await iterate();
    void ask("late");
    await settle();
    await iterate();
    expect(served).toEqual(["busy", "busy", "late"]);
  });

  it("are not given to a caller who is gone", async () => {
    const { ask, iterate, served } = openTurns();
    await ask("a", 50);
    const gone = new AbortController();
    const waiting = ask("b", 1, gone.signal);
    gone.abort(new Error("the client is gone"));
    await expect(waiting).rejects.toThrow("the client is gone");
    await iterate();
    await iterate();
    expect(served).toEqual(["a"]);
  });

  it("tell how long the iteration has taken", async () => {
    const { turns, iterate, pass } = openTurns();
    expect(turns.iterationMs()).toBe(0);
    pass(30);
    expect(turns.iterationMs()).toBe(30);
    await iterate();
    expect(turns.iterationMs()).toBe(0);
  });
});
