/** The lineage index on a file: when it can be used, and that no answer is older than what was written. */
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createReads } from "../../../../src/graph/sqlite/graph-reads.ts";
import { openSqliteGraph } from "../../../../src/graph/sqlite/index.ts";
import { openGraphFile } from "../../../../src/graph/sqlite/schema.ts";
import { createStatements } from "../../../../src/graph/sqlite/statements.ts";
import { edgeOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { makeTemporaryFolder } from "../../../support/metadata-store.ts";
import { present } from "../../../support/present.ts";

const w = newWorkspace();
const hub = nodeOf(w, "table", "hub");
const query = { root: hub.id, direction: "downstream", depth: 10, maxNodes: 10_000 } as const;

async function openFile() {
  const path = join(await makeTemporaryFolder(), "graph.sqlite");
  const graph = await openSqliteGraph({ path });
  const db = openGraphFile(path);
  onTestFinished(async () => {
    db.close();
    await graph.close();
  });
  return { path, graph, db, reads: createReads(createStatements(db)) };
}

it("An index that the log of changes no longer reaches is not used, and a newer one is asked for", async () => {
  const { graph, db, reads } = await openFile();
  const users = Array.from({ length: 6_000 }, (_, i) => nodeOf(w, "table", `user_${i}`));
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub, ...users]);
  await graph.writeEdges(
    stampOf(w, "dbt", 1),
    "all",
    users.slice(1).map((user) => edgeOf(hub, user, "derives")),
  );
  const shared = reads.loadLineage(Infinity);
  expect(reads.walk(w, query, null).isOutdated).toBe(true);
  expect(reads.walk(w, query, shared)).toMatchObject({ isOutdated: false, answer: { totalNodes: 5_999 } });

  await graph.writeEdges(stampOf(w, "dbt", 2), "all", [edgeOf(hub, present(users[0]), "derives")]);
  db.exec("DELETE FROM lineage_changes WHERE position < (SELECT max(position) FROM lineage_changes)");
  expect(reads.walk(w, query, shared)).toMatchObject({ isOutdated: true, answer: { totalNodes: 6_000 } });
  expect(reads.walk(w, query, reads.loadLineage(Infinity))).toMatchObject({
    isOutdated: false,
    answer: { totalNodes: 6_000 },
  });
});

it("Lineage is not loaded if it needs more memory than it may use", async () => {
  const { graph, reads } = await openFile();
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub]);
  expect(reads.loadLineage(20)).toBeNull();
  expect(reads.loadLineage(1_000)).not.toBeNull();
});

it("A crawl that finds everything as it was adds nothing to the log of changes", async () => {
  const { graph, db } = await openFile();
  const user = nodeOf(w, "table", "user");
  const crawl = async (sync: number): Promise<number> => {
    await graph.writeNodes(stampOf(w, "dbt", sync), "all", [hub, user]);
    await graph.writeEdges(stampOf(w, "dbt", sync), "all", [edgeOf(hub, user, "derives")]);
    return Number(db.prepare("SELECT max(position) AS position FROM lineage_changes").get()?.["position"]);
  };
  const first = await crawl(1);
  expect(first).toBe(3);
  expect(await crawl(2)).toBe(first);
});

it("Two processes on one file see each other's writes as soon as these are acknowledged, while lineage is loaded", async () => {
  const { path, graph } = await openFile();
  const other = await openSqliteGraph({ path });
  onTestFinished(() => other.close());
  const users = Array.from({ length: 5_500 }, (_, i) => nodeOf(w, "table", `user_${i}`));
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub, ...users]);
  let written = 5_200;
  await graph.writeEdges(
    stampOf(w, "dbt", 1),
    "all",
    users.slice(0, written).map((user) => edgeOf(hub, user, "derives")),
  );
  for (const [round, user] of users.slice(written, written + 20).entries()) {
    const [writer, reader] = round % 2 === 0 ? [graph, other] : [other, graph];
    await writer.writeEdges(stampOf(w, "dbt", 1), "all", [edgeOf(hub, user, "derives")]);
    written += 1;
    expect((await reader.walk(w, query))?.totalNodes).toBe(written);
  }
});
