import { pino } from "pino";
import { describe, expect, it } from "vitest";

import { forecastAuditRetention, setAuditRetention } from "../../../src/auth/audit-retention.ts";
import { createAuditSweeper } from "../../../src/auth/audit-sweeper.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import type { MetadataStore } from "../../../src/metadata/store.ts";
import { openTestAuth, type TestAuth } from "../../support/auth.ts";
import { DAY_MS } from "../../support/clock.ts";

const log = pino({ level: "silent" });

function sweeperOf({ clock }: TestAuth, store: MetadataStore) {
  return createAuditSweeper({ store, clock, log });
}

function append({ store }: TestAuth, workspaceId: WorkspaceId | null, subject: string): Promise<void> {
  return store.audit.append({ workspaceId, action: "refused", actor: "", source: "192.0.2.1", subject, details: {} });
}

/** The events of the trail, oldest first: their subjects, and for a sweep what it deleted. */
async function read({ trail }: TestAuth): Promise<unknown[]> {
  return (await trail()).map(({ action, subject, details }) => (action === "audit_trimmed" ? details : subject));
}

describe("Audit retention", () => {
  it("Audit events are kept for ever by default, and a retention is at least a week", async () => {
    const auth = await openTestAuth();
    const { parts, origin, store, workspace, clock } = auth;
    await append(auth, workspace.id, "first");
    clock.advance(20 * 365 * DAY_MS);
    await sweeperOf(auth, store).tick();
    expect(await read(auth)).toEqual(["first"]);
    for (const days of [6, 0, -1, 7.5, 3_651, Number.NaN]) {
      await expect(setAuditRetention(parts, origin, days)).rejects.toMatchObject({ code: "bad_request" });
      await expect(forecastAuditRetention(parts, workspace.id, days)).rejects.toMatchObject({ code: "bad_request" });
    }
    expect(await setAuditRetention(parts, origin, 7)).toEqual({ days: 7 });
    expect(await setAuditRetention(parts, origin, 7)).toEqual({ days: 7 });
    const [, changed, ...more] = await auth.trail();
    expect(changed).toMatchObject({
      action: "setting_changed",
      actor: "admin@example.com",
      details: { from: null, to: 7 },
    });
    expect(more).toEqual([]);
  });

  it("The sweep deletes the events that the forecast counted, once a day, and records that", async () => {
    const auth = await openTestAuth();
    const { parts, origin, store, workspace, clock } = auth;
    for (let day = 1; day <= 12; day++) {
      await append(auth, workspace.id, `day ${day}`);
      clock.advance(DAY_MS);
    }
    clock.advance(DAY_MS / 2);
    const before = "2026-01-06T00:00:00.000Z";
    expect(await forecastAuditRetention(parts, workspace.id, 7)).toEqual({
      count: 5,
      hasMore: false,
      oldest: "2026-01-01T00:00:00.000Z",
      before,
    });
    expect(await forecastAuditRetention(parts, workspace.id, 30)).toMatchObject({ count: 0, oldest: null });
    await setAuditRetention(parts, origin, 7);
    const sweeper = sweeperOf(auth, store);
    await sweeper.tick();
    const kept = [6, 7, 8, 9, 10, 11, 12].map((day) => `day ${day}`);
    const swept = [{ events: 5, before, days: 7 }];
    // Both events have the same time, so their order is not fixed.
    expect((await read(auth)).slice(0, 7)).toEqual(kept);
    expect(await read(auth)).toEqual(expect.arrayContaining([...kept, ...swept, "auditRetentionDays"]));
    await sweeper.tick();
    expect(await read(auth)).toHaveLength(9);
    clock.advance(DAY_MS);
    await sweeper.tick();
    const events = await read(auth);
    expect(events).toHaveLength(9);
    expect(events.at(-1)).toEqual({ events: 1, before: "2026-01-07T00:00:00.000Z", days: 7 });
  });

  it("A retention applies to one workspace, and to events without a workspace only if every workspace has one", async () => {
    const auth = await openTestAuth();
    const { parts, origin, store, workspace, clock } = auth;
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    await append(auth, null, "nobody's");
    await append(auth, other.id, "other's");
    await append(auth, workspace.id, "ours");
    clock.advance(20 * DAY_MS);
    await setAuditRetention(parts, origin, 7);
    const sweeper = sweeperOf(auth, store);
    await sweeper.tick();
    const subjectsOf = async (id: WorkspaceId) =>
      (await store.audit.list(id, { after: null, limit: 100 })).items.map(({ action, subject }) => subject || action);
    expect((await subjectsOf(workspace.id)).toSorted()).toEqual(
      ["audit_trimmed", "auditRetentionDays", "nobody's"].toSorted(),
    );
    expect((await subjectsOf(other.id)).toSorted()).toEqual(["nobody's", "other's"]);
    await store.audit.setRetention(other.id, 30);
    await sweeper.tick();
    expect(await subjectsOf(other.id)).toContain("nobody's");
    clock.advance(11 * DAY_MS);
    await sweeper.tick();
    expect((await subjectsOf(other.id)).toSorted()).toEqual(["audit_trimmed", "audit_trimmed"]);
  });

  it("The next sweep continues after an interrupted one, and no two sweeps delete the same event", async () => {
    const auth = await openTestAuth();
    const { parts, origin, store, workspace, clock, openAgain } = auth;
    await store.transaction(async ({ audit }) => {
      const event = { workspaceId: workspace.id, action: "refused", actor: "", source: "", details: {} } as const;
      for (let i = 0; i < 5_000; i++) await audit.append({ ...event, subject: String(i) });
    });
    clock.advance(30 * DAY_MS);
    await setAuditRetention(parts, origin, 7);
    let left = 1;
    const failing: MetadataStore = {
      ...store,
      transaction: (work) =>
        left-- > 0 ? store.transaction(work) : Promise.reject(new Error("the process ends here")),
    };
    await sweeperOf(auth, failing).tick();
    const deleted = async () => {
      const { items } = await store.audit.list(workspace.id, { after: null, limit: 100, action: "audit_trimmed" });
      return items.map(({ details }) => details["events"]).toSorted();
    };
    expect(await deleted()).toEqual([500]);
    await Promise.all([sweeperOf(auth, store).tick(), sweeperOf(auth, await openAgain()).tick()]);
    expect(await deleted()).toEqual(Array.from({ length: 10 }, () => 500));
    expect(await store.audit.countBefore(workspace.id, clock.now().toISOString(), 10)).toEqual({
      count: 0,
      oldest: null,
    });
  });

  it("A sweep follows a retention that changes while it deletes", async () => {
    const auth = await openTestAuth();
    const { parts, origin, store, workspace, clock } = auth;
    await store.transaction(async ({ audit }) => {
      const event = { workspaceId: workspace.id, action: "refused", actor: "", source: "", details: {} } as const;
      for (let i = 0; i < 1_200; i++) await audit.append({ ...event, subject: String(i) });
    });
    clock.advance(30 * DAY_MS);
    await setAuditRetention(parts, origin, 7);
    let times = 0;
    const changing: MetadataStore = {
      ...store,
      async transaction(work) {
        if (times++ === 1) await setAuditRetention(parts, origin, null);
        return store.transaction(work);
      },
    };
    await sweeperOf(auth, changing).tick();
    expect(await store.audit.countBefore(workspace.id, clock.now().toISOString(), 2_000)).toMatchObject({ count: 700 });
  });

  it("The sweep takes the write lock only if there are events to delete", async () => {
    const auth = await openTestAuth();
    const { parts, origin, store, workspace, clock } = auth;
    await append(auth, workspace.id, "first");
    await setAuditRetention(parts, origin, 7);
    clock.advance(3 * DAY_MS);
    const never: MetadataStore = { ...store, transaction: () => Promise.reject(new Error("wrote")) };
    const failed: unknown[] = [];
    const sweeper = createAuditSweeper({
      store: never,
      clock,
      log: { error: (fault: unknown) => failed.push(fault), info: () => {} },
    });
    await sweeper.tick();
    expect(failed).toEqual([]);
    clock.advance(7 * DAY_MS);
    await sweeper.tick();
    expect(failed).toHaveLength(1);
  });

  it("The forecast includes events without a workspace if no other workspace keeps them longer", async () => {
    const auth = await openTestAuth();
    const { parts, store, workspace, clock } = auth;
    await append(auth, null, "nobody's");
    await append(auth, workspace.id, "ours");
    clock.advance(20 * DAY_MS);
    const forecast = () => forecastAuditRetention(parts, workspace.id, 7);
    expect(await forecast()).toMatchObject({ count: 2, oldest: "2026-01-01T00:00:00.000Z" });
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    expect(await forecast()).toMatchObject({ count: 1 });
    await store.audit.setRetention(other.id, 30);
    expect(await forecast()).toMatchObject({ count: 1 });
  });
});
