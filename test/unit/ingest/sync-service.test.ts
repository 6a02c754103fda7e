import { describe, expect, it } from "vitest";

import { toConnectorId } from "../../../src/ids.ts";
import { createSyncService } from "../../../src/ingest/sync-service.ts";
import type { SyncStatus } from "../../../src/metadata/records.ts";
import { MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";
import { createScriptedConnector } from "../../support/scripted-connector.ts";
import { SUCCESS } from "../../support/syncs.ts";

async function setUp(estimateSeconds?: () => Promise<number>) {
  const metadata = await openTestMetadata();
  const { store, clock, workspace } = metadata;
  const connector = await metadata.addConnector("shop");
  let nudges = 0;
  const createService = (on = store) =>
    createSyncService({
      store: on,
      queue: { nudge: () => void nudges++ },
      findConnectorType: createScriptedConnector(estimateSeconds).find,
      clock,
    });
  const request = { workspaceId: workspace.id, connectorId: connector.id };

  /** Ends the queued sync with this status, after this duration. */
  async function end(status: "completed" | "failed", durationMs = 0): Promise<void> {
    const sync = await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() });
    clock.advance(durationMs);
    await store.leases.finish(present(sync).id, "w", { ...SUCCESS, status }, clock.now());
  }

  const { trigger } = createService();
  return {
    ...metadata,
    connector,
    request,
    createService,
    end,
    trigger: (change: { mode?: "full" | "incremental"; force?: boolean } = {}) => trigger({ ...request, ...change }),
    nudges: () => nudges,
  };
}

describe("Triggering a sync", () => {
  it("A triggered sync is queued, and the queue is woken", async () => {
    const { trigger, nudges, connector, clock } = await setUp();
    expect(await trigger()).toMatchObject({
      id: expect.stringMatching(/^syn_[0-9a-f]{32}$/),
      connectorId: connector.id,
      status: "queued",
      queuedAt: clock.now().toISOString(),
    });
    expect(nudges()).toBe(1);
  });

  it("Triggering a sync needs a connector of the same workspace", async () => {
    const { store, request, createService } = await setUp();
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    const { trigger } = createService();
    await expect(trigger({ ...request, connectorId: toConnectorId("con_none") })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(trigger({ ...request, workspaceId: other.id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("A hundred simultaneous requests in two processes get one sync", async () => {
    const { request, createService, openAgain, store, connector, workspace } = await setUp();
    const services = [createService(), createService(await openAgain())];
    const asked = Array.from({ length: 100 }, (_, i) => services[i % 2]?.trigger(request));
    const syncs = await Promise.all(asked);
    expect(new Set(syncs.map((sync) => sync?.id)).size).toBe(1);
    expect(await store.syncs.listRecent(workspace.id, connector.id, 10)).toHaveLength(1);
  });

  it("Requests within five minutes get the same sync with its current status, whatever the mode", async () => {
    const { trigger, clock, end } = await setUp();
    const { id } = await trigger();
    clock.advance(MINUTE_MS);
    await end("completed");
    expect(await trigger({ mode: "full" })).toMatchObject({ id, status: "completed" });
    clock.advance(4 * MINUTE_MS - 1);
    expect(await trigger({ mode: "incremental" })).toMatchObject({ id });
    clock.advance(1);
    expect((await trigger()).id).not.toBe(id);
  });

  it("A new sync starts if the last one is from a time before the clock was set back", async () => {
    const { trigger, clock } = await setUp();
    const { id } = await trigger();
    clock.advance(-60 * MINUTE_MS);
    const second = await trigger();
    expect(second).not.toMatchObject({ id });
    expect(await trigger()).toMatchObject({ id: second.id, isRepeat: true });
  });

  it("Requests get the same sync if another server's clock is a few seconds ahead", async () => {
    const { trigger, clock } = await setUp();
    const { id } = await trigger();
    clock.advance(-5_000);
    expect(await trigger()).toMatchObject({ id });
  });

  it("Requests get the same sync after a restart", async () => {
    const { trigger, store, openAgain, createService, request } = await setUp();
    const { id } = await trigger();
    await store.close();
    expect(await createService(await openAgain()).trigger(request)).toMatchObject({ id });
  });

  it.each(["failed", "cancelled"] satisfies SyncStatus[])("A new sync starts after a %s one", async (status) => {
    const { trigger, end, runSql } = await setUp();
    const { id } = await trigger();
    if (status === "failed") await end("failed");
    else await runSql(`UPDATE syncs SET status = 'cancelled' WHERE id = '${id}'`);
    expect(await trigger()).not.toMatchObject({ id });
  });

  it("A new sync starts if forced, and later requests get the new one", async () => {
    const { trigger, store, connector, workspace } = await setUp();
    const { id } = await trigger();
    const forced = await trigger({ force: true });
    expect(forced.id).not.toBe(id);
    expect((await trigger()).id).toBe(forced.id);
    expect((await store.syncs.findLatest(workspace.id, connector.id))?.id).toBe(forced.id);
    expect(
      (await store.syncs.loadLatest(workspace.id, [toConnectorId("con_none"), connector.id])).map((s) => s?.id),
    ).toEqual([undefined, forced.id]);
  });

  it("Each connector has its own syncs", async () => {
    const { trigger, addConnector, createService, request } = await setUp();
    const other = await addConnector("other");
    const first = await trigger();
    expect((await createService().trigger({ ...request, connectorId: other.id })).id).not.toBe(first.id);
  });

  it("A sync is full until one has completed, and then has the requested mode", async () => {
    const { trigger, end, clock } = await setUp();
    const next = async (mode?: "full" | "incremental") => {
      clock.advance(6 * MINUTE_MS);
      return (await trigger(mode === undefined ? {} : { mode })).mode;
    };
    expect(await next("incremental")).toBe("full");
    await end("failed");
    expect(await next()).toBe("full");
    await end("completed");
    expect(await next()).toBe("incremental");
    expect(await next("full")).toBe("full");
  });
});

describe("The estimate of a sync's duration", () => {
  it("The estimate of the first sync comes from the connector's type", async () => {
    const { trigger } = await setUp();
    expect((await trigger()).estimatedDurationSeconds).toBe(7);
  });

  it("The estimate of a sync is at least one second, even if the source cannot be read", async () => {
    const quick = await setUp(() => Promise.resolve(0.01));
    expect((await quick.trigger()).estimatedDurationSeconds).toBe(1);
    const blind = await setUp(() => Promise.reject(new Error("no such file")));
    expect((await blind.trigger()).estimatedDurationSeconds).toBe(1);
  });

  it("The estimate of a sync is the median of the last five completed runs", async () => {
    const { trigger, end } = await setUp();
    for (const seconds of [1_000, 40, 10, 30, 1_000]) {
      await trigger({ force: true });
      await end("completed", seconds * SECOND_MS);
      await trigger({ force: true });
      await end("failed", 5_000 * SECOND_MS);
    }
    expect((await trigger({ force: true })).estimatedDurationSeconds).toBe(40);
    await end("completed", 20 * SECOND_MS);
    expect((await trigger({ force: true })).estimatedDurationSeconds).toBe(30);
  });
});
