/** Long reads for a caller who may have only so much in memory. */
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import type { GraphReader } from "../../../../src/graph/catalog-graph.ts";
import { openSqliteGraph } from "../../../../src/graph/sqlite/index.ts";
import { edgeOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { makeTemporaryFolder } from "../../../support/metadata-store.ts";

/** More edges than are walked on the main thread. */
const USERS = 600;

const w = newWorkspace();
const hub = nodeOf(w, "table", "hub");

async function openHub() {
  const graph = await openSqliteGraph({ path: join(await makeTemporaryFolder(), "graph.sqlite") });
  onTestFinished(() => graph.close());
  const users = Array.from({ length: USERS }, (_, i) => nodeOf(w, "table", `user_${i}`));
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub, ...users]);
  await graph.writeEdges(
    stampOf(w, "dbt", 1),
    "all",
    users.map((user) => edgeOf(hub, user, "derives")),
  );
  return graph;
}

const walk = { root: hub.id, direction: "downstream", depth: 1, maxNodes: USERS } as const;
const change = { root: hub.id, change: "asset_drop", newType: null, maxAffected: USERS } as const;

it.each<[string, number, (reader: GraphReader) => Promise<unknown>]>([
  ["The nodes and edges of a long walk", 2 * USERS + 1, (reader) => reader.walk(w, walk)],
  ["The paths of an impact", 2 * USERS, (reader) => reader.assessImpact(w, change)],
])("%s are taken into memory when the caller's request may grow by them", async (_what, rows, read) => {
  const graph = await openHub();
  const asked = Promise.withResolvers<number>();
  const granted = Promise.withResolvers<void>();
  let isRead = false;
  const reader = graph.readerFor({
    tenant: "a",
    signal: new AbortController().signal,
    grow(more) {
      asked.resolve(more);
      return granted.promise;
    },
  });
  const answer = read(reader).finally(() => (isRead = true));
  expect(await asked.promise).toBe(rows);
  expect(isRead).toBe(false);
  granted.resolve();
  expect(await answer).not.toBeNull();
});
