/** Syncs that failed for a temporary reason. The test moves the clock. */
import { describe, expect, it } from "vitest";

import type { SyncId } from "../../../../src/ids.ts";
import { createScheduler } from "../../../../src/ingest/scheduler.ts";
import { createSyncService } from "../../../../src/ingest/sync-service.ts";
import { connectorHealth, isFinished } from "../../../../src/metadata/connector-health.ts";
import type { CrawlOutcome, Sync, SyncError } from "../../../../src/metadata/records.ts";
import type { MetadataStore } from "../../../../src/metadata/store.ts";
import { createLocalQueue } from "../../../../src/ingest/queue/local.ts";
import { MINUTE_MS, SECOND_MS } from "../../../support/clock.ts";
import { openTestMetadata } from "../../../support/metadata-store.ts";
import { createScriptedConnector } from "../../../support/scripted-connector.ts";
import { enqueue, SUCCESS } from "../../../support/syncs.ts";

const HOUR_MS = 60 * MINUTE_MS;

function failure(retryable: boolean): CrawlOutcome {
  const error: SyncError = {
    code: "unavailable",
    message: "The graph store cannot be reached.",
    object: "",
    stage: "write",
    severity: "error",
    retryable,
    occurredAt: "2026-01-01T00:00:00.000Z",
  };
  return { ...SUCCESS, status: "failed", assetsDiscovered: 7, errors: [error], errorsTotal: 1 };
}

async function setUp() {
  const metadata = await openTestMetadata();
  const { store, clock, workspace } = metadata;
  const shop = await metadata.addConnector("shop");
  const begun: number[] = [];
  let taken: SyncId | null = null;
  let outcome = failure(true);
  let midway: ((sync: Sync) => Promise<void>) | null = null;
  const startedAt = clock.now().getTime();
  const createWorker = (on: MetadataStore = store) =>
    createLocalQueue({
      store: on,
      clock,
      async run(sync) {
        taken = sync.id;
        begun.push((clock.now().getTime() - startedAt) / SECOND_MS);
        await midway?.(sync);
        return outcome;
      },
    });
  const find = async ({ id }: Pick<Sync, "id">): Promise<Sync> => {
    const [found] = await store.syncs.loadByIds(workspace.id, [id]);
    if (!found) throw new Error("the sync is gone");
    return found;
  };
  const worker = createWorker();
  /** Lets a worker do what there is to do now. */
  const work = async (by = worker): Promise<void> => {
    taken = null;
    await by.tick();
    if (taken !== null) await by.wait(workspace.id, taken);
  };
  const service = createSyncService({
    store,
    queue: { nudge: () => {} },
    findConnectorType: createScriptedConnector().find,
    clock,
  });
  const trigger = (change: { force?: boolean } = {}) =>
    service.trigger({ workspaceId: workspace.id, connectorId: shop.id, ...change });
  return {
    ...metadata,
    shop,
    begun,
    createWorker,
    find,
    work,
    trigger,
    end: (next: CrawlOutcome) => void (outcome = next),
    onRun: (next: (sync: Sync) => Promise<void>) => void (midway = next),
  };
}

describe("Syncs that failed for a temporary reason", () => {
  it("A sync that failed for a temporary reason is queued again, with its errors, next try and number of failures", async () => {
    const { clock, work, find, trigger } = await setUp();
    const sync = await trigger();
    await work();
    const waiting = await find(sync);
    expect(waiting).toMatchObject({
      status: "queued",
      failedTries: 1,
      nextTryAt: new Date(clock.now().getTime() + 15 * SECOND_MS).toISOString(),
      startedAt: null,
      completedAt: null,
      assetsDiscovered: 7,
      errorsTotal: 1,
      errors: failure(true).errors,
    });
    expect(isFinished(waiting)).toBe(true);
    expect(connectorHealth({ disabledAt: null, removingAt: null }, waiting)).toBe("unhealthy");
  });

  it("A failed sync is tried again with growing pauses for an hour, and then has failed", async () => {
    const { clock, work, find, trigger, begun } = await setUp();
    const sync = await trigger();
    for (let second = 0; second <= 2 * 3_600; second += 15) {
      await work();
      clock.advance(15 * SECOND_MS);
    }
    expect(begun).toEqual([0, 15, 45, 105, 225, 465, 945, 1_905, 3_600]);
    expect(await find(sync)).toMatchObject({ status: "failed", failedTries: 8, nextTryAt: null, errorsTotal: 1 });
  });

  it("A failed sync completes as soon as a try succeeds, and is not tried again", async () => {
    const { clock, work, find, trigger, begun, end } = await setUp();
    const sync = await trigger();
    await work();
    end(SUCCESS);
    clock.advance(15 * SECOND_MS);
    await work();
    const done = await find(sync);
    expect(done).toMatchObject({ status: "completed", failedTries: 1, nextTryAt: null, errors: [], errorsTotal: 0 });
    expect(connectorHealth({ disabledAt: null, removingAt: null }, done)).toBe("healthy");
    clock.advance(2 * HOUR_MS);
    await work();
    expect(begun).toHaveLength(2);
  });

  it("A failed sync is tried again by another worker, even after a restart and long after its time", async () => {
    const test = await setUp();
    const sync = await test.trigger();
    await test.work();
    const restarted = test.createWorker(await test.openAgain());
    test.clock.advance(14 * SECOND_MS);
    await test.work(restarted);
    expect(test.begun).toHaveLength(1);
    test.clock.advance(5 * HOUR_MS);
    await test.work(restarted);
    expect(test.begun).toHaveLength(2);
    expect(await test.find(sync)).toMatchObject({ status: "queued", failedTries: 2 });
  });

  it("A failed sync is tried again soon, and not hours later, if the clock is set back", async () => {
    const { clock, work, trigger, begun } = await setUp();
    await trigger();
    await work();
    clock.advance(-5 * HOUR_MS);
    await work();
    expect(begun).toHaveLength(2);
  });

  it("A failed sync that is triggered within five minutes is tried at once, as the same sync", async () => {
    const { work, trigger, begun, find } = await setUp();
    const sync = await trigger();
    await work();
    expect(await trigger()).toMatchObject({ id: sync.id, status: "queued", nextTryAt: null, isRepeat: true });
    await work();
    expect(begun).toEqual([0, 0]);
    expect(await find(sync)).toMatchObject({ failedTries: 2 });
  });

  it.each([
    ["with force", 0, { force: true }],
    ["after more than five minutes", 6 * MINUTE_MS, {}],
  ])("A failed sync is replaced by a new one that is triggered %s, and ends as failed", async (_, ms, how) => {
    const { clock, work, trigger, begun, find, end } = await setUp();
    const sync = await trigger();
    await work();
    clock.advance(ms);
    const next = await trigger(how);
    expect(next.id).not.toBe(sync.id);
    expect(await find(sync)).toMatchObject({
      status: "failed",
      nextTryAt: null,
      completedAt: clock.now().toISOString(),
      errorsTotal: 1,
    });
    end(SUCCESS);
    await work();
    clock.advance(2 * HOUR_MS);
    await work();
    expect(begun).toHaveLength(2);
    expect(await find(next)).toMatchObject({ status: "completed", failedTries: 0 });
  });

  it("A failed sync is not tried again if a newer one was queued while it ran", async () => {
    const test = await setUp();
    test.onRun(async () => {
      if (test.begun.length === 1) await enqueue(test, test.shop);
    });
    const sync = await test.trigger();
    await test.work();
    expect(await test.find(sync)).toMatchObject({ status: "failed", failedTries: 0, nextTryAt: null });
  });

  it("A failed sync is not tried again after it is cancelled", async () => {
    const { store, workspace, clock, work, trigger, begun, find } = await setUp();
    const sync = await trigger();
    await work();
    await store.syncs.cancel(workspace.id, sync.id);
    clock.advance(2 * HOUR_MS);
    await work();
    expect(await find(sync)).toMatchObject({ status: "cancelled", nextTryAt: null });
    expect(begun).toHaveLength(1);
  });

  it("A failed sync is not tried again if it was cancelled while it ran", async () => {
    const { store, workspace, work, trigger, find, onRun } = await setUp();
    onRun(async ({ id }) => void (await store.syncs.cancel(workspace.id, id)));
    const sync = await trigger();
    await work();
    expect(await find(sync)).toMatchObject({ status: "failed", nextTryAt: null });
  });

  it("A failed sync is tried at once when its connector's scheduled time comes, and no other sync is queued", async () => {
    const { store, workspace, shop, clock, work, trigger, begun } = await setUp();
    const schedule = { cron: "30 * * * *", timeZone: "UTC" };
    const nextRunAt = new Date(clock.now().getTime() + 10 * SECOND_MS).toISOString();
    await store.connectors.setSchedule(workspace.id, shop.id, { ...schedule, nextRunAt });
    await trigger();
    for (let second = 0; second < 16 * 60; second += 15) {
      await work();
      clock.advance(15 * SECOND_MS);
    }
    const before = begun.length;
    const findConnectorType = createScriptedConnector().find;
    const log = { error: () => {}, info: () => {} };
    await createScheduler({ store, queue: { nudge: () => {} }, findConnectorType, clock, log }).tick();
    await work();
    expect(begun).toHaveLength(before + 1);
    expect(await store.syncs.listRecent(workspace.id, shop.id, 10)).toHaveLength(1);
  });

  it("A failed sync does not count as queued before its next try", async () => {
    const { store, clock, work, trigger } = await setUp();
    await trigger();
    expect(await store.syncs.countUnfinished()).toEqual({ queued: 1, running: 0 });
    await work();
    expect(await store.syncs.countUnfinished()).toEqual({ queued: 0, running: 0 });
    clock.advance(15 * SECOND_MS);
    expect(await store.syncs.countUnfinished()).toEqual({ queued: 1, running: 0 });
  });
});

it("A sync that failed for a permanent reason is not tried again", async () => {
  const { clock, work, find, trigger, begun, end } = await setUp();
  end(failure(false));
  const sync = await trigger();
  await work();
  expect(await find(sync)).toMatchObject({ status: "failed", failedTries: 0, nextTryAt: null });
  clock.advance(2 * HOUR_MS);
  await work();
  expect(begun).toHaveLength(1);
});
