import { setImmediate } from "node:timers/promises";

import { describe, expect, it, vi } from "vitest";

import { toSyncId } from "../../../../src/ids.ts";
import type { CrawlOutcome, CrawlProgress, Sync } from "../../../../src/metadata/records.ts";
import type { MetadataStore } from "../../../../src/metadata/store.ts";
import { SyncCancelled } from "../../../../src/ingest/queue/crawler-queue.ts";
import { createLocalQueue, type LocalQueue } from "../../../../src/ingest/queue/local.ts";
import { SECOND_MS } from "../../../support/clock.ts";
import { openTestMetadata } from "../../../support/metadata-store.ts";
import { enqueue, SUCCESS } from "../../../support/syncs.ts";

/** Longer than any lease. */
const LEASE_OVER_MS = 60 * SECOND_MS;

/** A running crawl, which the test ends. */
interface Crawl {
  sync: Sync;
  signal: AbortSignal;
  tell: (progress: CrawlProgress) => void;
  end: (outcome?: Partial<CrawlOutcome>) => void;
  break: (error: unknown) => void;
}

async function setUp() {
  const metadata = await openTestMetadata();
  const { store, clock, workspace } = metadata;

  /** A new worker on the store; `crawls` are the ones it was given, oldest first. */
  function createWorker(on: MetadataStore = store): { queue: LocalQueue; crawls: Crawl[]; faults: unknown[] } {
    const crawls: Crawl[] = [];
    const faults: unknown[] = [];
    const queue = createLocalQueue({
      store: on,
      clock,
      log: { error: (fault: unknown) => void faults.push(fault), info: () => {} },
      sleep: () => setImmediate(),
      run(sync, signal, tell) {
        const { promise, resolve, reject } = Promise.withResolvers<CrawlOutcome>();
        signal.addEventListener("abort", () => reject(signal.reason));
        crawls.push({ sync, signal, tell, end: (o) => resolve({ ...SUCCESS, ...o }), break: reject });
        return promise;
      },
    });
    return { queue, crawls, faults };
  }

  const find = async (sync: Sync): Promise<Sync> => {
    const found = await store.syncs.findById(workspace.id, sync.id);
    if (found === null) throw new Error(`sync ${sync.id} is gone`);
    return found;
  };
  return { ...metadata, createWorker, find };
}

describe("The local queue", () => {
  it("A worker claims the sync that waited longest, reports its progress and records its end", async () => {
    const test = await setUp();
    const { queue, crawls } = test.createWorker();
    const shop = await test.addConnector("shop");
    const sync = await enqueue(test, shop);
    await queue.tick();
    expect(crawls.map((crawl) => crawl.sync.id)).toEqual([sync.id]);
    expect(await test.find(sync)).toMatchObject({ status: "running", startedAt: test.clock.now().toISOString() });

    crawls[0]?.tell({ fraction: 0.5, label: "reading" });
    test.clock.advance(SECOND_MS);
    await queue.tick();
    expect(await test.find(sync)).toMatchObject({ progress: 0.5, progressLabel: "reading" });

    const told: string[] = [];
    const ended = queue.wait(test.workspace.id, sync.id, (now) => told.push(now.progressLabel));
    crawls[0]?.end({ assetsDiscovered: 3, state: { hash: "abc" } });
    expect(await ended).toMatchObject({
      status: "completed",
      assetsDiscovered: 3,
      completedAt: test.clock.now().toISOString(),
      progress: 1,
    });
    expect(told[0]).toBe("reading");
    expect((await test.store.connectors.findById(test.workspace.id, shop.id))?.state).toEqual({ hash: "abc" });
  });

  it("A worker runs at most two connectors at once, and one sync of a connector", async () => {
    const test = await setUp();
    const { queue, crawls } = test.createWorker();
    const [a, b, c] = [await test.addConnector("a"), await test.addConnector("b"), await test.addConnector("c")];
    const [a1, a2, b1, c1] = [
      await enqueue(test, a),
      await enqueue(test, a),
      await enqueue(test, b),
      await enqueue(test, c),
    ];
    await queue.tick();
    const running = () => crawls.map((crawl) => crawl.sync.id);
    expect(new Set(running())).toHaveProperty("size", 2);
    expect(running()).not.toContain(a2.id);
    for (let done = 0; done < 4; done++) {
      const crawl = crawls[done];
      if (crawl === undefined) throw new Error("a sync was not taken up");
      crawl.end();
      await queue.wait(test.workspace.id, crawl.sync.id);
      await setImmediate();
      await queue.tick();
    }
    expect(running().toSorted()).toEqual([a1, a2, b1, c1].map(({ id }) => id).toSorted());
    expect(running().indexOf(a1.id)).toBeLessThan(running().indexOf(a2.id));
  });

  it("A sync that is cancelled while its worker releases it ends as cancelled", async () => {
    const test = await setUp();
    const lease = { workerId: "w", now: test.clock.now(), until: new Date(test.clock.now().getTime() + SECOND_MS) };
    for (let i = 0; i < 10; i++) {
      const sync = await enqueue(test, await test.addConnector(`c${i}`));
      await test.store.leases.claim(lease, sync.id);
      await Promise.all([test.store.leases.release(sync.id, "w"), test.store.syncs.cancel(test.workspace.id, sync.id)]);
      expect(await test.find(sync)).toMatchObject({ status: "cancelled" });
    }
  });

  it("One sync is never given to two workers", async () => {
    const test = await setUp();
    const workers = [test.createWorker(), test.createWorker(await test.openAgain()), test.createWorker()];
    for (const name of ["a", "b", "c", "d"]) await enqueue(test, await test.addConnector(name));
    await Promise.all(workers.flatMap(({ queue }) => [queue.tick(), queue.tick()]));
    const taken = workers.flatMap(({ crawls }) => crawls.map((crawl) => crawl.sync.id));
    expect(taken).toHaveLength(4);
    expect(new Set(taken).size).toBe(4);
  });

  it("A sync stays with its worker as long as the lease is renewed", async () => {
    const test = await setUp();
    const [first, second] = [test.createWorker(), test.createWorker()];
    await enqueue(test, await test.addConnector("shop"));
    await first.queue.tick();
    for (let i = 0; i < 100; i++) {
      test.clock.advance(5 * SECOND_MS);
      await first.queue.tick();
      await second.queue.tick();
    }
    expect(second.crawls).toEqual([]);
    expect(first.crawls[0]?.signal.aborted).toBe(false);
  });

  it("The sync of a worker that died is claimed again, and the dead worker's result no longer counts", async () => {
    const test = await setUp();
    const [dead, heir] = [test.createWorker(), test.createWorker()];
    const sync = await enqueue(test, await test.addConnector("shop"));
    await dead.queue.tick();
    test.clock.advance(LEASE_OVER_MS);
    await heir.queue.tick();
    expect(heir.crawls.map((crawl) => crawl.sync.id)).toEqual([sync.id]);

    dead.crawls[0]?.end({ assetsDiscovered: 666, state: { of: "the dead" } });
    await setImmediate();
    expect(await test.find(sync)).toMatchObject({ status: "running", assetsDiscovered: 0 });

    heir.crawls[0]?.end({ assetsDiscovered: 1 });
    expect(await heir.queue.wait(test.workspace.id, sync.id)).toMatchObject({ assetsDiscovered: 1 });
    expect((await test.store.connectors.findByName(test.workspace.id, "shop"))?.state).toBeNull();
  });

  it.each([
    ["ten minutes", 10 * 60 * SECOND_MS],
    ["a day", 24 * 60 * 60 * SECOND_MS],
  ])("The sync of a worker that died before the clock was set back by %s is claimed again", async (_by, ms) => {
    const test = await setUp();
    const [dead, heir] = [test.createWorker(), test.createWorker()];
    const sync = await enqueue(test, await test.addConnector("shop"));
    await dead.queue.tick();
    test.clock.advance(-ms);
    await heir.queue.tick();
    expect(heir.crawls.map((crawl) => crawl.sync.id)).toEqual([sync.id]);
  });

  it("A sync to be cancelled ends if its worker died before the clock was set back", async () => {
    const test = await setUp();
    const [dead, heir] = [test.createWorker(), test.createWorker()];
    const sync = await enqueue(test, await test.addConnector("shop"));
    await dead.queue.tick();
    await test.store.syncs.cancel(test.workspace.id, sync.id);
    test.clock.advance(-10 * 60 * SECOND_MS);
    await heir.queue.tick();
    expect(await test.find(sync)).toMatchObject({ status: "cancelled" });
  });

  it("A worker that slept through its lease stops its crawl", async () => {
    const test = await setUp();
    const [sleeper, heir] = [test.createWorker(), test.createWorker()];
    const sync = await enqueue(test, await test.addConnector("shop"));
    await sleeper.queue.tick();
    test.clock.advance(LEASE_OVER_MS);
    await heir.queue.tick();
    await sleeper.queue.tick();
    expect(sleeper.crawls[0]?.signal.aborted).toBe(true);
    await setImmediate();
    expect(await test.find(sync)).toMatchObject({ status: "running" });
    expect(heir.crawls[0]?.signal.aborted).toBe(false);
  });

  it("A worker for one sync first ends the sync that a dead worker left of its connector, and nothing else", async () => {
    const test = await setUp();
    const shop = await test.addConnector("shop");
    const left = await enqueue(test, shop);
    await test.createWorker().queue.tick();
    await enqueue(test, await test.addConnector("other"));
    const asked = await enqueue(test, shop);
    const { queue, crawls } = test.createWorker();
    await queue.tick(asked.id);
    expect(crawls).toEqual([]);
    test.clock.advance(LEASE_OVER_MS);
    for (const next of [left, asked]) {
      await queue.tick(asked.id);
      const crawl = crawls.at(-1);
      expect(crawl?.sync.id).toBe(next.id);
      crawl?.end();
      await queue.wait(test.workspace.id, next.id);
      await setImmediate();
    }
    await queue.tick(asked.id);
    expect(crawls).toHaveLength(2);
  });

  it("A queued sync is cancelled at once, and the worker of a running one stops it", async () => {
    const test = await setUp();
    const { queue, crawls } = test.createWorker();
    const shop = await test.addConnector("shop");
    const [first, second] = [await enqueue(test, shop), await enqueue(test, shop)];
    await queue.tick();
    expect(await test.store.syncs.cancel(test.workspace.id, second.id)).toMatchObject({ status: "cancelled" });
    expect(await test.store.syncs.cancel(test.workspace.id, first.id)).toMatchObject({ status: "running" });
    expect(crawls[0]?.signal.aborted).toBe(false);
    await queue.tick();
    expect(crawls[0]?.signal.reason).toBeInstanceOf(SyncCancelled);
    expect(await queue.wait(test.workspace.id, first.id)).toMatchObject({ status: "cancelled" });
    await queue.tick();
    expect(crawls).toHaveLength(1);
  });

  it("A sync that was cancelled while its worker was dead is not claimed again", async () => {
    const test = await setUp();
    const sync = await enqueue(test, await test.addConnector("shop"));
    await test.createWorker().queue.tick();
    await test.store.syncs.cancel(test.workspace.id, sync.id);
    test.clock.advance(LEASE_OVER_MS);
    const heir = test.createWorker();
    await heir.queue.tick();
    expect(heir.crawls).toEqual([]);
    expect(await test.find(sync)).toMatchObject({ status: "cancelled", errorsTotal: 0 });
  });

  it("A sync is given up after three workers died with it", async () => {
    const test = await setUp();
    const sync = await enqueue(test, await test.addConnector("shop"));
    for (let death = 1; death <= 3; death++) {
      const worker = test.createWorker();
      await worker.queue.tick();
      expect(worker.crawls).toHaveLength(1);
      test.clock.advance(LEASE_OVER_MS);
    }
    const last = test.createWorker();
    await last.queue.tick();
    expect(last.crawls).toEqual([]);
    expect(await test.find(sync)).toMatchObject({
      status: "failed",
      errorsTotal: 1,
      errors: [{ code: "worker_died", severity: "error", retryable: true }],
    });
  });

  it("A worker that stops releases its syncs, any number of times", async () => {
    const test = await setUp();
    const sync = await enqueue(test, await test.addConnector("shop"));
    for (let restart = 0; restart < 5; restart++) {
      const { queue, crawls } = test.createWorker();
      await queue.tick();
      expect(crawls).toHaveLength(1);
      await queue.stop();
      expect(crawls[0]?.signal.aborted).toBe(true);
      expect(await test.find(sync)).toMatchObject({ status: "queued", startedAt: null, progress: 0 });
      await queue.tick();
      expect(crawls).toHaveLength(1);
    }
    const [dead, heir] = [test.createWorker(), test.createWorker()];
    await dead.queue.tick();
    test.clock.advance(LEASE_OVER_MS);
    await heir.queue.tick();
    expect(heir.crawls).toHaveLength(1);
  });

  it("A crawl that breaks its contract is logged and tried again, and the worker continues", async () => {
    const test = await setUp();
    const { queue, crawls, faults } = test.createWorker();
    const sync = await enqueue(test, await test.addConnector("shop"));
    await queue.tick();
    crawls[0]?.break(new Error("a fault in our own code"));
    await setImmediate();
    expect(faults).toHaveLength(1);
    test.clock.advance(LEASE_OVER_MS);
    await queue.tick();
    crawls[1]?.end();
    expect(await queue.wait(test.workspace.id, sync.id)).toMatchObject({ status: "completed" });
  });

  it("A worker logs that the store is away, and polls again later", async () => {
    const test = await setUp();
    const own = await test.openAgain();
    const { queue, faults } = test.createWorker(own);
    await own.close();
    await expect(queue.tick()).resolves.toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it("A worker polls every second once started, and at once when nudged", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const test = await setUp();
      const { queue, crawls } = test.createWorker();
      queue.start();
      await queue.tick();
      await enqueue(test, await test.addConnector("a"));
      vi.advanceTimersByTime(1_000);
      await queue.tick();
      expect(crawls).toHaveLength(1);
      await enqueue(test, await test.addConnector("b"));
      queue.nudge();
      await expect.poll(() => crawls.length).toBe(2);
      await queue.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it("Waiting for a sync that does not exist fails", async () => {
    const test = await setUp();
    const { queue } = test.createWorker();
    await expect(queue.wait(test.workspace.id, toSyncId("syn_none"))).rejects.toMatchObject({ code: "not_found" });
    await expect(queue.check()).resolves.toBeUndefined();
  });
});
