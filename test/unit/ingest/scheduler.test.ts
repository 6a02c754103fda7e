/** Connectors that sync on a schedule: when their syncs are queued, and when not. */
import { expect, it } from "vitest";

import { createScheduler } from "../../../src/ingest/scheduler.ts";
import type { Connector } from "../../../src/metadata/records.ts";
import { MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { createScriptedConnector } from "../../support/scripted-connector.ts";
import { SUCCESS } from "../../support/syncs.ts";

const HOURLY = { cron: "0 * * * *", timeZone: "UTC" };
/** After this time every connector that was due has started. */
const SPREAD_MS = 20 * SECOND_MS;

async function setUp() {
  const metadata = await openTestMetadata();
  const { store, clock, workspace, addConnector } = metadata;
  let nudges = 0;
  const logged: unknown[] = [];
  const log = { error: (fault: unknown) => void logged.push(fault), info: () => {} };
  const queue = { nudge: () => void nudges++ };
  const openScheduler = (of = store) =>
    createScheduler({ store: of, queue, findConnectorType: createScriptedConnector().find, clock, log });

  async function addHourly(name: string, nextRunAt = "2026-01-01T01:00:00.000Z") {
    const { id } = await addConnector(name);
    return store.connectors.setSchedule(workspace.id, id, { ...HOURLY, nextRunAt });
  }
  const queued = async (connector: Pick<Connector, "id">) => {
    const syncs = await store.syncs.listRecent(workspace.id, connector.id, 100);
    return syncs.map(({ status, queuedAt }) => `${status} ${queuedAt.slice(11, 19)}`);
  };
  const nextOf = async ({ id }: Pick<Connector, "id">) =>
    (await store.connectors.findById(workspace.id, id))?.schedule?.nextRunAt;
  const endAll = async (): Promise<void> => {
    for (;;) {
      const sync = await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() });
      if (sync === null) return;
      await store.leases.finish(sync.id, "w", SUCCESS, clock.now());
    }
  };
  return { ...metadata, openScheduler, addHourly, queued, nextOf, endAll, logged, nudges: () => nudges };
}

it("The scheduler queues a sync within seconds of its time, and sets the next time", async () => {
  const { openScheduler, addHourly, queued, nextOf, clock, nudges } = await setUp();
  const scheduler = openScheduler();
  const shop = await addHourly("shop");
  clock.advance(60 * MINUTE_MS - 1);
  await scheduler.tick();
  expect(await queued(shop)).toEqual([]);
  clock.advance(SPREAD_MS);
  await scheduler.tick();
  await scheduler.tick();
  expect(await queued(shop)).toEqual(["queued 01:00:19"]);
  expect(await nextOf(shop)).toBe("2026-01-01T02:00:00.000Z");
  expect(nudges()).toBe(1);
});

it("The scheduler spreads connectors that have the same time", async () => {
  const { openScheduler, addHourly, queued, clock } = await setUp();
  const scheduler = openScheduler();
  const connectors = await Promise.all(Array.from({ length: 30 }, (_, i) => addHourly(`shop${i}`)));
  clock.advance(60 * MINUTE_MS);
  for (let second = 0; second <= 20; second++) {
    await scheduler.tick();
    clock.advance(SECOND_MS);
  }
  const times = (await Promise.all(connectors.map(queued))).flat();
  expect(times).toHaveLength(30);
  expect(new Set(times).size).toBeGreaterThan(8);
});

it("The scheduler skips a time while the previous sync is queued or running", async () => {
  const { openScheduler, addHourly, queued, nextOf, endAll, clock } = await setUp();
  const scheduler = openScheduler();
  const shop = await addHourly("shop");
  for (let hour = 0; hour < 3; hour++) {
    clock.advance(60 * MINUTE_MS + SPREAD_MS);
    await scheduler.tick();
  }
  expect(await queued(shop)).toEqual(["queued 01:00:20"]);
  expect(await nextOf(shop)).toBe("2026-01-01T04:00:00.000Z");
  await endAll();
  clock.advance(60 * MINUTE_MS);
  await scheduler.tick();
  expect(await queued(shop)).toEqual(["queued 04:01:00", "completed 01:00:20"]);
});

it("The scheduler queues one sync for all times that passed while no server ran", async () => {
  const { openScheduler, addHourly, queued, nextOf, clock } = await setUp();
  const shop = await addHourly("shop");
  clock.advance(300 * MINUTE_MS + SPREAD_MS);
  await openScheduler().tick();
  expect(await queued(shop)).toEqual(["queued 05:00:20"]);
  expect(await nextOf(shop)).toBe("2026-01-01T06:00:00.000Z");
});

it("The scheduler queues nothing for a connector that is disabled or being removed", async () => {
  const { openScheduler, addHourly, queued, store, workspace, clock } = await setUp();
  const [off, going] = [await addHourly("off"), await addHourly("going")];
  await store.connectors.setDisabled(workspace.id, off.id, true);
  await store.connectors.beginRemoval(workspace.id, going.id);
  clock.advance(60 * MINUTE_MS + SPREAD_MS);
  await openScheduler().tick();
  expect(await queued(off)).toEqual([]);
  expect(await queued(going)).toEqual([]);
});

it("Several servers queue only one sync for one time", async () => {
  const { openScheduler, openAgain, addHourly, queued, clock } = await setUp();
  const schedulers = [openScheduler(), openScheduler(await openAgain()), openScheduler(await openAgain())];
  const shop = await addHourly("shop");
  clock.advance(60 * MINUTE_MS + SPREAD_MS);
  await Promise.all(schedulers.map((each) => each.tick()));
  expect(await queued(shop)).toHaveLength(1);
});

it("The scheduler continues with the other connectors if one schedule cannot be read", async () => {
  const { openScheduler, addHourly, addConnector, queued, store, workspace, clock, logged } = await setUp();
  const { id } = await addConnector("broken");
  const broken = { cron: "nonsense", timeZone: "UTC", nextRunAt: "2026-01-01T00:30:00.000Z" };
  await store.connectors.setSchedule(workspace.id, id, broken);
  const shop = await addHourly("shop");
  clock.advance(60 * MINUTE_MS + SPREAD_MS);
  const scheduler = openScheduler();
  await scheduler.tick();
  expect(await queued(shop)).toHaveLength(1);
  expect(logged).toHaveLength(1);
  // The next polls find it as well, every second.
  await scheduler.tick();
  expect(logged).toHaveLength(1);
});

it.each(["while it runs", "while no server runs"])(
  "The scheduler follows the clock that was set back %s",
  async (when) => {
    const { openScheduler, addHourly, queued, nextOf, clock } = await setUp();
    const shop = await addHourly("shop");
    const before = openScheduler();
    clock.advance(24 * 60 * MINUTE_MS + SPREAD_MS);
    await before.tick();
    expect(await nextOf(shop)).toBe("2026-01-02T01:00:00.000Z");
    const after = when === "while it runs" ? before : openScheduler();
    clock.advance(-20 * 60 * MINUTE_MS);
    await after.tick();
    expect(await nextOf(shop)).toBe("2026-01-01T05:00:00.000Z");
    clock.advance(60 * MINUTE_MS);
    await after.tick();
    expect(await queued(shop)).toHaveLength(1);
  },
);

it("The scheduler starts nothing twice if the clock is set back by a few seconds", async () => {
  const { openScheduler, addHourly, nextOf, clock } = await setUp();
  const shop = await addHourly("shop");
  const scheduler = openScheduler();
  clock.advance(60 * MINUTE_MS + SPREAD_MS);
  await scheduler.tick();
  clock.advance(-SPREAD_MS - 10 * SECOND_MS);
  await scheduler.tick();
  await openScheduler().tick();
  expect(await nextOf(shop)).toBe("2026-01-01T02:00:00.000Z");
});
