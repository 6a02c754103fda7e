/** History that is older than the settings keep it. */
import { expect, it } from "vitest";

import { createHistorySweeper } from "../../../src/ingest/history-sweeper.ts";
import { nodeOf, stampOf } from "../../support/graph-writes.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

const DAY_MS = 86_400_000;

it("The sweeper removes history after the days of the setting, and keeps what is needed for later days", async () => {
  const { store, clock, workspace } = await openTestMetadata();
  const graph = createReferenceGraph({ keepsPast: true });
  const dayOf = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
  const node = nodeOf(workspace.id, "table", "wh.orders");
  for (const days of [30, 20, 5]) {
    const facts = { description: `${days} days ago` };
    const stamp = { ...stampOf(workspace.id, "dbt", 1), at: dayOf(days) };
    await graph.writeNodes(stamp, "all", [nodeOf(workspace.id, "table", "wh.orders", facts)]);
  }
  const seen = async (days: number) =>
    (await graph.readPast(dayOf(days), "loadNodes", workspace.id, [node.id]))[0]?.description;
  const log = { error: (fault: unknown) => expect(fault).toBeUndefined(), info: () => {} };
  const sweeper = createHistorySweeper({ graph, store, days: 10, clock, log });
  expect(await seen(25)).toBe("30 days ago");
  await sweeper.again();
  await expect(seen(25)).rejects.toThrow(dayOf(20));
  expect([await seen(10), await seen(5)]).toEqual(["20 days ago", "5 days ago"]);
  await sweeper.stop();
});
