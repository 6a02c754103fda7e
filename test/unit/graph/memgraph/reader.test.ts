/** How many reads a caller may have at once. The store behind the reader answers only when the test releases it. */
import { expect, it } from "vitest";

import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { createReader } from "../../../../src/graph/memgraph/reader.ts";
import { toNodeId, toWorkspaceId } from "../../../../src/ids.ts";
import type { Caller } from "../../../../src/work/caller.ts";
import type { Resume } from "../../../../src/work/event-loop-scheduler.ts";
import { createFairQueue } from "../../../../src/work/fair-queue.ts";

/** A store that answers nothing until it is released, and a list of its queries. */
function openStore() {
  const gate = Promise.withResolvers<void>();
  const asked: string[] = [];
  const read: Run = async (_statement, { workspace }) => {
    asked.push(String(workspace));
    await gate.promise;
    return [];
  };
  const bolt = { read, readTogether: <T>(work: (run: Run) => Promise<T>) => work(read), check: async () => {} };
  const turns = createFairQueue({ atOnce: 3, atOnceForOne: 2, maxWaiting: 10, maxWaitMs: Infinity });
  return {
    asked,
    letGo: () => gate.resolve(),
    readerFor: (caller: Caller, resume?: Resume) =>
      createReader({ bolt, turns, resume, lineageOf: () => NO_LINEAGE }, caller),
  };
}

function makeCaller(tenant: string): Caller & { leave: (reason: Error) => void } {
  const controller = new AbortController();
  return { tenant, signal: controller.signal, leave: (reason) => controller.abort(reason) };
}

const NO_LINEAGE = { current: () => null, at: async () => null };
const X = toNodeId("x");

it("A tenant has only its share of reads at once, and another tenant can read", async () => {
  const { asked, letGo, readerFor } = openStore();
  const busy = readerFor(makeCaller("busy"));
  const reads = [1, 2, 3, 4].map(() => busy.loadDependencies(toWorkspaceId("busy"), [X]));
  const other = readerFor(makeCaller("other")).loadDependencies(toWorkspaceId("other"), [X]);
  expect(asked).toEqual(["busy", "busy", "other"]);
  letGo();
  await Promise.all([...reads, other]);
  expect(asked).toEqual(["busy", "busy", "other", "busy", "busy"]);
});

it("A caller goes on with the store's answer when it may, and others read meanwhile", async () => {
  const { asked, letGo, readerFor } = openStore();
  const mayGoOn = Promise.withResolvers<void>();
  const busy = readerFor(makeCaller("busy"), () => mayGoOn.promise);
  const ended: string[] = [];
  const reads = ["busy 1", "busy 2", "busy 3"].map(async (name) => {
    await busy.loadDependencies(toWorkspaceId(name), [X]);
    ended.push(name);
  });
  letGo();
  await readerFor(makeCaller("other")).loadDependencies(toWorkspaceId("other"), [X]);
  expect([asked.toSorted(), ended]).toEqual([["busy 1", "busy 2", "busy 3", "other"], []]);
  mayGoOn.resolve();
  await Promise.all(reads);
  expect(ended).toHaveLength(3);
});

it("A caller who disconnects gets an error at once, and nothing more is read for it", async () => {
  const { asked, letGo, readerFor } = openStore();
  const caller = makeCaller("gone");
  const trails = readerFor(caller).loadTrails(toWorkspaceId("gone"), [X]);
  const reason = new Error("hung up");
  caller.leave(reason);
  await expect(trails).rejects.toBe(reason);
  letGo();
  await readerFor(makeCaller("other")).loadTrails(toWorkspaceId("other"), [X]);
  expect(asked).toEqual(["gone", "other", "other"]);
});

it("The slot of a caller who disconnected stays taken until the store has answered", async () => {
  const { asked, letGo, readerFor } = openStore();
  const caller = makeCaller("busy");
  const reads = [1, 2].map(() => readerFor(caller).loadDependencies(toWorkspaceId("first"), [X]));
  caller.leave(new Error("hung up"));
  await Promise.allSettled(reads);
  const next = readerFor(makeCaller("busy")).loadDependencies(toWorkspaceId("next"), [X]);
  expect(asked).toEqual(["first", "first"]);
  letGo();
  await next;
  expect(asked).toEqual(["first", "first", "next"]);
});
