/** The lineage index on a file: when it can be used, and that no answer is older than what was written. */
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createReads } from "../../../../src/graph/sqlite/graph-reads.ts";
import { openSqliteGraph } from "../../../../src/graph/sqlite/index.ts";
import { openGraphFile } from "../../../../src/graph/sqlite/schema.ts";
import { createStatements } from "../../../../src/graph/sqlite/statements.ts";
import { THE_SERVICE } from "../../../../src/work/caller.ts";
import { createUsage, type Usage } from "../../../../src/work/usage.ts";
import { edgeOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { makeTemporaryFolder } from "../../../support/metadata-store.ts";
import { present } from "../../../support/present.ts";

const w = newWorkspace();
const hub = nodeOf(w, "table", "hub");
const query = { root: hub.id, direction: "downstream", depth: 10, maxNodes: 10 } as const;

async function openFile() {
  const path = join(await makeTemporaryFolder(), "graph.sqlite");
  const graph = await openSqliteGraph({ path });
  const db = openGraphFile(path);
  onTestFinished(async () => {
    db.close();
    await graph.close();
  });
  return { graph, db, reads: createReads(createStatements(db)) };
}

it("An index that the log of changes no longer reaches is not used, and a newer one is asked for", async () => {
  const { graph, db, reads } = await openFile();
  const users = Array.from({ length: 2_400 }, (_, i) => nodeOf(w, "table", `user_${i}`));
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub, ...users]);
  await graph.writeEdges(
    stampOf(w, "dbt", 1),
    "all",
    users.slice(1).map((user) => edgeOf(hub, user, "derives")),
  );
  const shared = reads.loadLineage(Infinity);
  expect(reads.walk(w, query, null).isOutdated).toBe(true);
  expect(reads.walk(w, query, shared)).toMatchObject({ isOutdated: false, answer: { totalNodes: 2_399 } });

  await graph.writeEdges(stampOf(w, "dbt", 2), "all", [edgeOf(hub, present(users[0]), "derives")]);
  db.exec("DELETE FROM lineage_changes WHERE position < (SELECT max(position) FROM lineage_changes)");
  expect(reads.walk(w, query, shared)).toMatchObject({ isOutdated: true, answer: { totalNodes: 2_400 } });
  expect(reads.walk(w, query, reads.loadLineage(Infinity))).toMatchObject({
    isOutdated: false,
    answer: { totalNodes: 2_400 },
  });
});

it("An impact from memory tells the owner and the risk that an asset has by now", async () => {
  const { graph, reads } = await openFile();
  const board = (owner: string) => nodeOf(w, "dashboard", "board", { owner });
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub, board("old@example.com")]);
  await graph.writeEdges(stampOf(w, "dbt", 1), "all", [edgeOf(hub, board(""), "powers")]);
  const shared = reads.loadLineage(Infinity);
  const change = { root: hub.id, change: "deprecate", newType: null, maxAffected: 0 } as const;
  const ownersOf = async (lineage: typeof shared) =>
    present((await reads.assessImpact(w, change, lineage)).answer).owners.map(({ owner }) => owner);
  expect(await ownersOf(shared)).toEqual(["old@example.com"]);
  await graph.writeNodes(stampOf(w, "dbt", 2), "all", [board("new@example.com")]);
  expect(await ownersOf(shared)).toEqual(["new@example.com"]);
  expect(await ownersOf(shared)).toEqual(await ownersOf(null));
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

/** A graph on a file, a reader of it, and a promise that resolves when the service has loaded the lineage. */
async function openProcess(path: string) {
  const loaded = Promise.withResolvers<void>();
  const all = createUsage();
  const usage: Usage = {
    ...all,
    begin(tenant) {
      const end = all.begin(tenant);
      return (ms) => {
        end(ms);
        // Nothing else here is done in the name of the service.
        if (tenant === THE_SERVICE.tenant) loaded.resolve();
      };
    },
  };
  const graph = await openSqliteGraph({ path, usage });
  onTestFinished(() => graph.close());
  return { graph, reader: graph.readerFor({ ...THE_SERVICE, tenant: "reader" }), loaded: loaded.promise };
}

it("Two processes on one file see each other's writes as soon as these are acknowledged, with lineage in memory", async () => {
  const path = join(await makeTemporaryFolder(), "graph.sqlite");
  const both = [await openProcess(path), await openProcess(path)] as const;
  const users = Array.from({ length: 2_240 }, (_, i) => nodeOf(w, "table", `user_${i}`));
  let written = 2_200;
  await both[0].graph.writeNodes(stampOf(w, "dbt", 1), "all", [hub, ...users]);
  await both[0].graph.writeEdges(
    stampOf(w, "dbt", 1),
    "all",
    users.slice(0, written).map((user) => edgeOf(hub, user, "derives")),
  );
  const few = { ...query, maxNodes: 10 };
  for (const { reader, loaded } of both) {
    await reader.walk(w, few);
    await loaded;
  }
  for (const [round, user] of users.slice(written).entries()) {
    const [writer, other] = round % 2 === 0 ? both : both.toReversed();
    await present(writer).graph.writeEdges(stampOf(w, "dbt", 1), "all", [edgeOf(hub, user, "derives")]);
    written += 1;
    expect((await present(other).reader.walk(w, few))?.totalNodes).toBe(written);
  }
});
