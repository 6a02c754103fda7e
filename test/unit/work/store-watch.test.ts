import { describe, expect, it } from "vitest";

import type { Countdown } from "../../../src/clock.ts";
import { createStoreWatch, PAUSE_MS, QUIET_MS } from "../../../src/work/store-watch.ts";

const AWAY = new Error("away");
const REFUSED = new Error("refused by the store");

/** A store whose probes and clock the test moves. */
function openWatch() {
  let now = 0;
  const planned = new Set<{ at: number; call: () => void }>();
  const countdown: Countdown = (ms, call) => {
    const plan = { at: now + ms, call };
    planned.add(plan);
    return () => void planned.delete(plan);
  };
  const probes: PromiseWithResolvers<unknown>[] = [];
  let ended = 0;
  let timesAway = 0;
  const watch = createStoreWatch({
    probe() {
      const probe = Promise.withResolvers<unknown>();
      probes.push(probe);
      return { answer: probe.promise, end: () => void (ended += 1) };
    },
    isAway: (error) => error === AWAY,
    isAnswer: (error) => error === REFUSED,
    onAway: () => void (timesAway += 1),
    countdown,
    nowMs: () => now,
  });
  return {
    watch,
    probes,
    counts: () => ({ probes: probes.length, ended, timesAway }),
    async pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const [next] = [...planned].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        now = next.at;
        planned.delete(next);
        next.call();
        await nextTask();
      }
      now = until;
    },
    async answerProbe(how: "answer" | "fail") {
      const probe = probes.at(-1);
      if (how === "answer") probe?.resolve(null);
      else probe?.reject(AWAY);
      await nextTask();
    },
  };
}

const nextTask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const never = (): Promise<never> => new Promise(() => {});

describe("Watched stores", () => {
  it("A silent store is probed after a second, and all waiting requests fail if the probe fails", async () => {
    const { watch, pass, answerProbe, counts } = openWatch();
    const waiting = [watch.answerOf(never), watch.answerOf(never)].map((asked) =>
      asked.catch((error: unknown) => error),
    );
    await pass(QUIET_MS - 1);
    expect(counts().probes).toBe(0);
    await pass(1);
    expect(counts().probes).toBe(1);
    await answerProbe("fail");
    expect(await Promise.all(waiting)).toEqual([AWAY, AWAY]);
    let asked = false;
    const later = watch.answerOf(async () => (asked = true));
    await expect(later).rejects.toBe(AWAY);
    expect([asked, counts()]).toEqual([false, { probes: 1, ended: 1, timesAway: 1 }]);
  });

  it("A store that is away is probed twice a second, and asked again as soon as a probe is answered", async () => {
    const { watch, pass, answerProbe, counts } = openWatch();
    await expect(watch.answerOf(() => Promise.reject(AWAY))).rejects.toBe(AWAY);
    await answerProbe("fail");
    for (let n = 2; n < 20; n++) {
      await pass(PAUSE_MS);
      expect(counts().probes).toBe(n);
      await answerProbe("fail");
    }
    await pass(PAUSE_MS);
    await answerProbe("answer");
    expect(await watch.answerOf(async () => "here")).toBe("here");
    expect(counts().timesAway).toBe(1);
    const asked = counts().probes;
    await pass(10 * QUIET_MS);
    expect(counts().probes).toBe(asked);
  });

  it("A store that takes long over one request and answers probes is not away", async () => {
    const { watch, pass, answerProbe, counts } = openWatch();
    const slow = Promise.withResolvers<string>();
    const answer = watch.answerOf(() => slow.promise);
    for (let second = 0; second < 20; second++) {
      await pass(QUIET_MS);
      await answerProbe("answer");
    }
    slow.resolve("20 seconds");
    expect(await answer).toBe("20 seconds");
    expect(counts()).toEqual({ probes: 20, ended: 20, timesAway: 0 });
  });

  it.each([
    ["an answer", () => Promise.resolve("answer")],
    ["an error of the store", () => Promise.reject(REFUSED)],
  ])("A store is not probed as long as %s comes every now and then", async (_, ask) => {
    const { watch, pass, counts } = openWatch();
    watch.answerOf(never).catch(() => {});
    for (let n = 0; n < 20; n++) {
      await pass(QUIET_MS - 1);
      await watch.answerOf<unknown>(ask).catch(() => {});
    }
    expect(counts().probes).toBe(0);
  });

  it("A store is probed even though callers keep giving up, because that is no answer", async () => {
    const { watch, pass, counts } = openWatch();
    watch.answerOf(never).catch(() => {});
    for (let n = 0; n < 4; n++) {
      await pass(QUIET_MS / 4);
      await watch.answerOf(() => Promise.reject(new Error("the caller is gone"))).catch(() => {});
    }
    expect(counts().probes).toBe(1);
  });

  it("A store is not away if other requests were answered while a probe failed", async () => {
    const { watch, pass, answerProbe, counts } = openWatch();
    await expect(watch.answerOf(() => Promise.reject(AWAY))).rejects.toBe(AWAY);
    await pass(1);
    expect(await watch.answerOf(async () => "here")).toBe("here");
    await answerProbe("fail");
    expect(await watch.answerOf(async () => "still here")).toBe("still here");
    expect(counts()).toEqual({ probes: 1, ended: 1, timesAway: 0 });
  });

  it("A store that many doubt is probed once, and never after it is closed", async () => {
    const { watch, pass, counts, answerProbe } = openWatch();
    void watch.doubt();
    const doubted = watch.doubt();
    expect(counts().probes).toBe(1);
    await answerProbe("fail");
    await doubted;
    watch.close();
    await watch.doubt();
    await pass(10 * PAUSE_MS);
    expect(counts().probes).toBe(1);
  });
});
