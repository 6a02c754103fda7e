/** What happens while a graph store is away, is busy, or belongs to another service. The test moves the clock. */
import { describe, expect, it } from "vitest";

import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { retry } from "../../../../src/graph/memgraph/retry.ts";
import {
  ANY_ASSET,
  checkFormat,
  claimStore,
  FIND_FORMAT,
  FIND_OWNER,
  SET_FORMAT,
  SET_OWNER,
} from "../../../../src/graph/memgraph/store-node.ts";
import { UnusableStore } from "../../../../src/work/connecting.ts";

const AWAY = new Error("away");
const isAway = (error: unknown): boolean => error === AWAY;

function createAttempts(results: readonly unknown[]) {
  let at = 0;
  const attempt = async (): Promise<unknown> => {
    const result = results[at++];
    if (result instanceof Error) throw result;
    return result;
  };
  return { attempt, count: () => at };
}

function createTime() {
  let now = 0;
  const wait = async (ms: number) => void (now += ms);
  return { now: () => now, parts: { nowMs: () => now, random: () => 0.5, wait } };
}

function createStore(owner: string | null) {
  const stored = { owner };
  const run: Run = async (statement, parameters) => {
    if (statement === SET_OWNER) stored.owner = String(parameters["owner"]);
    return statement === FIND_OWNER ? [[stored.owner]] : [];
  };
  return { stored, run };
}

describe("Work that a store refuses", () => {
  it("Refused work is retried until it succeeds, with growing pauses", async () => {
    const { now, parts } = createTime();
    const { attempt, count } = createAttempts([AWAY, AWAY, AWAY, "done"]);
    expect(await retry(attempt, () => 60_000, parts)).toBe("done");
    expect([count(), Math.round(now())]).toEqual([4, Math.round(20 + 32 + 51.2)]);
  });

  it("Refused work ends with the last error when its time is over", async () => {
    const { now, parts } = createTime();
    await expect(
      retry(
        () => Promise.reject(AWAY),
        () => 60_000,
        parts,
      ),
    ).rejects.toBe(AWAY);
    expect(now()).toBeGreaterThanOrEqual(60_000);
    expect(now()).toBeLessThan(62_000);
  });

  it("Refused work is not retried after an error that would come again", async () => {
    const { parts } = createTime();
    const { attempt, count } = createAttempts([AWAY, new Error("stopped"), "done"]);
    await expect(retry(attempt, (error) => (isAway(error) ? 60_000 : 0), parts)).rejects.toThrow("stopped");
    expect(count()).toBe(2);
  });
});

describe("The owner of a graph", () => {
  it("A graph belongs to the first metadata store that uses it", async () => {
    const { stored, run } = createStore(null);
    await claimStore(run, "sto_a", "bolt://graph");
    expect(stored.owner).toBe("sto_a");
    await claimStore(run, "sto_a", "bolt://graph");
  });

  it("A graph refuses another metadata store, and the error says what to do", async () => {
    const { stored, run } = createStore("sto_a");
    const refused = claimStore(run, "sto_b", "bolt://graph");
    await expect(refused).rejects.toBeInstanceOf(UnusableStore);
    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/another service.*REMOVE s\.owner/) });
    expect(stored.owner).toBe("sto_a");
  });
});

const createGraph = (format: number | null, assets: number) => {
  const stored = { format };
  const run: Run = async (statement, parameters) => {
    if (statement === SET_FORMAT) stored.format = Number(parameters["format"]);
    if (statement === ANY_ASSET) return Array.from({ length: assets }, (_, i) => [`a${i}`]);
    return statement === FIND_FORMAT ? [[stored.format]] : [];
  };
  return { stored, run };
};

describe("The format of a graph", () => {
  it("An empty graph gets the format of this version, which then accepts it when it is filled", async () => {
    const { stored, run } = createGraph(null, 0);
    await checkFormat(run, "bolt://graph");
    expect(stored.format).toEqual(expect.any(Number));
    await checkFormat(createGraph(stored.format, 1).run, "bolt://graph");
  });

  it.each([null, 4, 6])(
    "A graph that was filled in the format %s is refused, and the error says what to do",
    async (format) => {
      const { stored, run } = createGraph(format, 1);
      const refused = checkFormat(run, "bolt://graph");
      await expect(refused).rejects.toBeInstanceOf(UnusableStore);
      await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/export the workspaces/) });
      expect(stored.format).toBe(format);
    },
  );
});
