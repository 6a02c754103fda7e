/** Reads of the embedded graph that may take long leave the event loop to others; short ones are done on the spot. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { expect, it, onTestFinished } from "vitest";

import { parseSearch } from "../../src/catalog/search.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { edgeOf, newWorkspace, nodeOf, stampOf } from "../support/graph-writes.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { present } from "../support/present.ts";

/** Whether the event loop has to turn before the answer is there: another thread's word comes no sooner. */
async function letsOthersRun(read: Promise<unknown>): Promise<boolean> {
  let isThere = false;
  const told = read.finally(() => {
    isThere = true;
  });
  for (let microtask = 0; microtask < 20; microtask++) await Promise.resolve();
  const isWaited = !isThere;
  await told;
  return isWaited;
}

it("leaves the neighbours of hubs, long walks, wide impacts and lists by facet to the reader's thread", async () => {
  const graph = await openSqliteGraph({ path: join(await makeTemporaryFolder(), "graph.db") });
  onTestFinished(() => graph.close());
  const w = newWorkspace();
  const stamp = stampOf(w, "dbt", 1);
  const hub = nodeOf(w, "table", "hub");
  const users = Array.from({ length: 2_100 }, (_, i) => nodeOf(w, "table", `user_${i}`));
  await graph.writeNodes(stamp, "all", [hub, ...users]);
  await graph.writeEdges(
    stamp,
    "all",
    users.map((user) => edgeOf(hub, user, "derives")),
  );
  const few = users.slice(0, 50).map(({ id }) => ({ id, direction: "upstream", first: 20, after: null }) as const);
  const many = [...few, { id: hub.id, direction: "downstream", first: 20, after: null } as const];
  const page = { after: null, limit: 50 };
  const root = { direction: "upstream", depth: 3, maxNodes: 100 } as const;

  expect(await letsOthersRun(graph.loadNeighbours(w, few))).toBe(false);
  expect(await letsOthersRun(graph.loadNeighbours(w, many))).toBe(true);
  expect((await graph.loadNeighbours(w, many)).map(({ total }) => total)).toEqual([...few.map(() => 1), 2_100]);

  expect(await letsOthersRun(graph.listNodes(w, { types: "asset" }, page))).toBe(false);
  expect(await letsOthersRun(graph.listNodes(w, { types: "asset", connector: "dbt" }, page))).toBe(true);

  expect(await letsOthersRun(graph.walk(w, { ...root, root: users[0]?.id ?? "" }))).toBe(false);
  expect(await letsOthersRun(graph.walk(w, { ...root, root: hub.id, direction: "downstream" }))).toBe(true);

  const change = { change: "deprecate", newType: null, maxAffected: 100 } as const;
  expect(await letsOthersRun(graph.assessImpact(w, { ...change, root: users[0]?.id ?? "" }))).toBe(false);
  expect(await letsOthersRun(graph.assessImpact(w, { ...change, root: hub.id }))).toBe(true);
});

it("lets a search overtake a wide impact", async () => {
  const graph = await openSqliteGraph({ path: join(await makeTemporaryFolder(), "graph.db") });
  onTestFinished(() => graph.close());
  const w = newWorkspace();
  const stamp = stampOf(w, "dbt", 1);
  const hub = nodeOf(w, "table", "hub");
  const users = Array.from({ length: 3_000 }, (_, i) => nodeOf(w, "table", `user_${i}`));
  await graph.writeNodes(stamp, "all", [hub, ...users]);
  await graph.writeEdges(
    stamp,
    "all",
    users.map((user) => edgeOf(hub, user, "derives")),
  );
  const query = present(parseSearch("user 7"));
  const assess = () => graph.assessImpact(w, { root: hub.id, change: "deprecate", newType: null, maxAffected: 3_000 });
  const search = () => graph.searchNodes(w, { types: "asset" }, query, { after: null, limit: 1 });
  // Both threads have started.
  await Promise.all([assess(), search()]);

  const ended: string[] = [];
  const impact = assess().then(() => ended.push("impact"));
  // The impact is on its way to its thread before the search is asked for.
  await setImmediate();
  await Promise.all([impact, search().then(() => ended.push("search"))]);
  expect(ended).toEqual(["search", "impact"]);
});
