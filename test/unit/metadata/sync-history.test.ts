import { expect, it } from "vitest";

import type { Connector, Sync } from "../../../src/metadata/records.ts";
import { openTestMetadata, type TestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";
import { enqueue, SUCCESS } from "../../support/syncs.ts";

/** Adds syncs that ended long ago: the first ones completed, the others failed. */
async function addHistory(
  { runSql }: TestMetadata,
  connector: Connector,
  { completed, failed }: { completed: number; failed: number },
): Promise<void> {
  await runSql(`
    INSERT INTO syncs (id, workspace_id, connector_id, number, status, mode, queued_at, completed_at, estimated_duration_seconds)
    WITH RECURSIVE history(number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM history WHERE number < ${completed + failed}
    )
    SELECT 'syn_${connector.name}_' || number, '${connector.workspaceId}', '${connector.id}', number,
      CASE WHEN number <= ${completed} THEN 'completed' ELSE 'failed' END, 'full',
      '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z', 1
    FROM history`);
}

async function runOnce(test: TestMetadata, connector: Connector): Promise<Sync> {
  const { store, clock } = test;
  await enqueue(test, connector);
  const now = clock.now();
  const sync = present(await store.leases.claim({ workerId: "w", now, until: new Date(now.getTime() + 20_000) }));
  expect(await store.leases.finish(sync.id, "w", SUCCESS, now)).toBe(true);
  return sync;
}

async function numbersOf({ runSql }: TestMetadata, connector: Connector): Promise<number[]> {
  const rows = await runSql(`SELECT number FROM syncs WHERE connector_id = '${connector.id}' ORDER BY number`);
  return rows.map(({ number }) => Number(number));
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

it("A connector keeps its newest thousand syncs when one ends, and at most a hundred older ones are deleted at a time", async () => {
  const test = await openTestMetadata();
  const [busy, other] = [await test.addConnector("busy"), await test.addConnector("other")];
  await addHistory(test, busy, { completed: 1_149, failed: 0 });
  await addHistory(test, other, { completed: 1_149, failed: 0 });

  await runOnce(test, busy);
  expect(await numbersOf(test, busy)).toEqual(range(101, 1_150));
  await runOnce(test, busy);
  expect(await numbersOf(test, busy)).toEqual(range(152, 1_151));
  expect(await numbersOf(test, other)).toHaveLength(1_149);
});

it("A connector keeps its last five completed syncs, however many failed after them", async () => {
  const test = await openTestMetadata();
  const connector = await test.addConnector("broken");
  await addHistory(test, connector, { completed: 10, failed: 1_020 });
  await runOnce(test, connector);
  // One of the last five is the newest sync.
  expect(await numbersOf(test, connector)).toEqual([...range(7, 10), ...range(32, 1_031)]);
});
