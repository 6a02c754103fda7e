/** The numbers of runs, by which the graph distinguishes a worker that resumes late from the one that took over. */
import { expect, it } from "vitest";

import type { Connector } from "../../../src/metadata/records.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openTestMetadata, type TestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";
import { enqueue, SUCCESS } from "../../support/syncs.ts";

async function runSync(test: TestMetadata, connector: Connector): Promise<number> {
  const { store, clock } = test;
  await enqueue(test, connector);
  const now = clock.now();
  const { id, run } = present(await store.leases.claim({ workerId: "w", now, until: now }));
  await store.leases.finish(id, "w", SUCCESS, now);
  return run;
}

/** Writes one new message of the connector. */
async function runSubject({ store }: TestMetadata, { id, workspaceId }: Connector, key: string): Promise<number> {
  const subject = { workspaceId, connectorId: id, subject: "job" };
  await store.inbox.add({ workspaceId, connectorId: id }, [{ subject: "job", key, body: "{}" }]);
  const open = present(await store.inbox.begin(subject, "this process"));
  await store.inbox.end(open, { notes: [], expiresAt: null, errors: [], errorsTotal: 0 });
  return open.run;
}

it.each([
  ["syncs", runSync],
  ["attempts of events", runSubject],
] as const)("The run numbers of %s rise, even within one moment", async (_what, runOne) => {
  const test = await openTestMetadata();
  const connector = await test.addConnector("shop");
  const runs: number[] = [];
  for (let n = 0; n < 3; n++) runs.push(await runOne(test, connector, `message ${n}`));
  expect(runs).toEqual([...new Set(runs)].toSorted((a, b) => a - b));
});

it.each([
  ["syncs", runSync],
  ["attempts of events", runSubject],
] as const)(
  "The run numbers of %s rise, even after the metadata store is restored from a backup and the graph is not",
  async (_what, runOne) => {
    const test = await openTestMetadata();
    const connector = await test.addConnector("shop");
    const inBackup = await runOne(test, connector, "message 0");
    let last = inBackup;
    for (let n = 1; n < 10; n++) {
      test.clock.advance(MINUTE_MS);
      last = await runOne(test, connector, `message ${n}`);
    }
    await test.runSql(`UPDATE connectors SET runs = ${inBackup}`);
    test.clock.advance(MINUTE_MS);
    expect(await runOne(test, connector, "message 10")).toBeGreaterThan(last);
  },
);
