import fc from "fast-check";
import { assert, expect, it } from "vitest";

import type { SyncId } from "../../../../src/ids.ts";
import type { Connector, SyncStatus } from "../../../../src/metadata/records.ts";
import { SECOND_MS } from "../../../support/clock.ts";
import { propertyRuns } from "../../../support/depth.ts";
import { openTestMetadata, type TestMetadata } from "../../../support/metadata-store.ts";
import { enqueue, SUCCESS } from "../../../support/syncs.ts";

const LEASE_MS = 10 * SECOND_MS;
const WORKERS = ["w0", "w1", "w2"];

const worker = fc.constantFrom(...WORKERS);
const step = fc.oneof(
  fc.record({ act: fc.constant("enqueue" as const), connector: fc.nat(1) }),
  fc.record({ act: fc.constant("claim" as const), worker }),
  fc.record({ act: fc.constantFrom("renew" as const, "finish" as const, "release" as const), worker, sync: fc.nat(7) }),
  fc.record({ act: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 12 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The expected state of a sync after the steps so far. */
interface Known {
  id: SyncId;
  connectorId: string;
  status: SyncStatus;
  workerId: string;
  leaseUntil: number;
}

/** Does each step in the store, and compares its answer with an own record. */
function createModel(test: TestMetadata, connectors: readonly Connector[]) {
  const { leases } = test.store;
  const syncs: Known[] = [];
  const now = (): number => test.clock.now().getTime();
  const lease = (workerId: string) => ({ workerId, now: new Date(now()), until: new Date(now() + LEASE_MS) });

  /** The syncs that may be claimed: expired ones, and queued ones whose connector has no running sync. */
  function free(): Known[] {
    const busy = new Set(syncs.filter(({ status }) => status === "running").map(({ connectorId }) => connectorId));
    return syncs.filter(({ status, connectorId, leaseUntil }) =>
      status === "running" ? leaseUntil <= now() : status === "queued" && !busy.has(connectorId),
    );
  }

  async function claim(workerId: string): Promise<Known | undefined> {
    const taken = await leases.claim(lease(workerId));
    const known = free().find(({ id }) => id === taken?.id);
    // A free sync is claimed if there is one.
    assert.strictEqual(known === undefined, free().length === 0);
    assert.strictEqual(known?.id, taken?.id);
    return known && Object.assign(known, { status: "running", workerId, leaseUntil: now() + LEASE_MS });
  }

  async function finish(known: Known, workerId: string): Promise<void> {
    const holds = known.status === "running" && known.workerId === workerId;
    assert.strictEqual(await leases.finish(known.id, workerId, SUCCESS, new Date(now())), holds);
    if (holds) known.status = "completed";
  }

  async function take(move: Step): Promise<void> {
    if (move.act === "pass") return test.clock.advance(move.seconds * SECOND_MS);
    if (move.act === "claim") return void (await claim(move.worker));
    if (move.act === "enqueue") {
      const connector = connectors[move.connector];
      assert(connector);
      const { id } = await enqueue(test, connector);
      return void syncs.push({ id, connectorId: connector.id, status: "queued", workerId: "", leaseUntil: 0 });
    }
    const known = syncs[move.sync];
    if (known === undefined) return undefined;
    if (move.act === "finish") return finish(known, move.worker);
    const holds = known.status === "running" && known.workerId === move.worker;
    if (move.act === "release") {
      await leases.release(known.id, move.worker);
      if (holds) known.status = "queued";
    } else {
      assert.strictEqual(
        await leases.renew(known.id, lease(move.worker), { fraction: 0, label: "" }),
        holds ? "held" : "lost",
      );
      if (holds) known.leaseUntil = now() + LEASE_MS;
    }
    return undefined;
  }

  /** Every worker dies, and a last one ends all syncs. */
  async function drain(): Promise<SyncStatus[]> {
    test.clock.advance(LEASE_MS);
    for (let known = await claim("last"); known !== undefined; known = await claim("last")) await finish(known, "last");
    const ends = await Promise.all(syncs.map(({ id }) => test.store.syncs.findById(test.workspace.id, id)));
    return ends.map((sync) => sync?.status ?? "failed");
  }

  return { take, drain };
}

it("No sync is lost or doubled, whatever workers do and whenever they die", async () => {
  const test = await openTestMetadata();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.uuid(), async (steps, run) => {
      const connectors = [await test.addConnector(`a.${run}`), await test.addConnector(`b.${run}`)];
      const model = createModel(test, connectors);
      for (const move of steps) await model.take(move);
      expect(new Set(await model.drain()).difference(new Set(["completed"]))).toEqual(new Set());
    }),
    propertyRuns(60),
  );
});
