import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { PEOPLE } from "../../../../src/catalog/layers.ts";
import { isNumeric, NODE_ORDERS } from "../../../../src/catalog/node-order.ts";
import { parseSearch } from "../../../../src/catalog/search.ts";
import { createReads } from "../../../../src/graph/sqlite/graph-reads.ts";
import { createWrites } from "../../../../src/graph/sqlite/graph-writes.ts";
import { packEdges } from "../../../../src/graph/sqlite/packed-edges.ts";
import { openGraphFile } from "../../../../src/graph/sqlite/schema.ts";
import { createStatements } from "../../../../src/graph/sqlite/statements.ts";
import { certifying, metricOf } from "../../../contract/catalog-graph/certification.ts";
import { checkOf, columnOf, edgeOf, editOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { makeTemporaryFolder } from "../../../support/metadata-store.ts";
import { present } from "../../../support/present.ts";

/** These tables grow with the catalog. All other tables stay small. */
const LARGE =
  /^(?:nodes|removed_nodes|claims|edges|node_facets|column_references|checks|checked_nodes|moments|kept_nodes|kept_links|result_changes)$/;

/** Renaming a connector rewrites everything that it stated, in steps. */
const READS_ALL = /substr\(layer/;

/** The large tables that a statement reads from end to end, or by their ids as a union does, as SQLite plans it. */
function readsWhole(sql: string, plan: readonly string[]): string[] {
  const names = new Map([...sql.matchAll(/(\w+) AS (\w+)/g)].map(([, table = "", alias = ""]) => [alias, table]));
  const scanned = plan.flatMap(
    (detail) =>
      /^(?:SCAN (\w+)(?! VIRTUAL)|SEARCH (\w+) .* (?:sqlite_autoindex|kept)_\w+ \(workspace=\?\)$)/
        .exec(detail)
        ?.slice(1)
        .find(Boolean) ?? [],
  );
  return scanned.map((name) => names.get(name) ?? name).filter((table) => LARGE.test(table));
}

it("No statement reads a large table from end to end, because each event and each page would cost the whole graph", async () => {
  const db = openGraphFile(join(await makeTemporaryFolder(), "graph.sqlite"));
  onTestFinished(() => db.close());
  const statements = new Set<string>();
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    statements.add(sql);
    return prepare(sql);
  };
  const sql = createStatements(db);
  const [writes, reads] = [createWrites(sql), createReads(sql)];

  const w = newWorkspace();
  const [orders, revenue] = [
    nodeOf(w, "table", "shop.a.orders"),
    nodeOf(w, "model", "shop.a.revenue", { sql: "select" }),
  ];
  const [amount, total] = [columnOf(w, orders, "amount", 0), columnOf(w, revenue, "total", 0)];
  const metric = metricOf(w);
  const edges = [
    edgeOf(orders, revenue, "derives"),
    edgeOf(amount, total, "derives"),
    edgeOf(total, metric, "defines"),
  ];
  const crawl = async (sync: number, nodes: (typeof orders)[]): Promise<void> => {
    const stamp = stampOf(w, "dbt", sync);
    await writes.writeNodes(stamp, "all", nodes);
    await writes.writeEdges(stamp, "all", packEdges(edges));
    await writes.writeReferences(stamp, "all", [{ from: amount.id, to: revenue.id }]);
    await writes.writeChecks(stamp, "all", [checkOf(w, "not_null", [orders], [amount])]);
    await writes.countLosses(stamp, await writes.listScopes(stamp));
    await writes.sweep(stamp, "all");
    await writes.tally(stamp);
  };
  await crawl(1, [orders, revenue, amount, total, metric]);
  await writes.writeNodes(stampOf(w, "warehouse", 1, 20), "all", [
    orders,
    amount,
    { ...total, existence: "referenced" },
  ]);
  await writes.stateByHand(stampOf(w, PEOPLE, 1), { node: metric, named: [], edges: [] }, "new");
  await writes.certify(w, metric.id, certifying(2));
  await writes.curate(w, orders.id, { description: "by hand", tags: ["gold"] }, editOf(3));

  const page = { after: null, limit: 5 };
  const filters = [
    { types: "asset" },
    { types: ["table"], tag: "gold", owner: "a@b.example", connector: "dbt" },
  ] as const;
  for (const filter of [
    ...filters,
    { types: "asset", schema: "shop.a", certification: "none", directly: true, platform: "postgres" } as const,
  ]) {
    reads.listNodes(w, filter, page);
    reads.countNodes(w, filter);
    for (const order of NODE_ORDERS) {
      reads.sortNodes(w, filter, order, page);
      reads.sortNodes(w, filter, order, { ...page, among: [orders.id] });
      reads.sortNodes(w, filter, order, { ...page, after: { value: isNumeric(order) ? 1 : "a", key: "a" } });
    }
    for (const text of ["orders", "shop.a.orders", "tot", "ordrs", "amount by hand"])
      reads.searchNodes(w, filter, present(parseSearch(text)), page);
    for (const facet of ["tag", "owner", "certification", "connector", "schema"] as const)
      reads.countValues(w, filter, facet, 5);
  }
  reads.countNodes(w);
  reads.listValues(w, "tag", 5);
  reads.loadOwnerNames(w, ["a@b.example"]);
  for (const path of [{}, { platform: "postgres" }, { platform: "postgres", database: "shop" }])
    reads.listFolders(w, path, { ...page, after: "a" });
  const ids = [orders.id, total.id, metric.id];
  for (const read of [
    "loadNodes",
    "loadColumns",
    "loadSources",
    "loadEdits",
    "loadTrails",
    "loadDependencies",
  ] as const)
    reads[read](w, ids);
  reads.loadChecks(
    w,
    ids.map((node) => ({ node, first: 5, after: null })),
  );
  for (const direction of ["upstream", "downstream"] as const)
    for (const id of ids) {
      reads.loadNeighbours(w, [{ id, direction, first: 5, after: null, only: { nameParts: ["o"], tag: "gold" } }]);
      reads.loadNeighbours(w, [{ id, direction, first: 5, after: null }]);
      for (const lineage of [null, reads.loadLineage(Infinity)])
        reads.walk(w, { root: id, direction, depth: 3, maxNodes: 10, maxEdges: 10 }, lineage);
    }
  for (const lineage of [null, reads.loadLineage(Infinity)])
    await reads.assessImpact(w, { root: amount.id, change: "column_drop", newType: null, maxAffected: 10 }, lineage);

  await writes.markIncomplete(stampOf(w, "dbt", 3), "all");
  await writes.renameConnector({ ...stampOf(w, "dbt", 4), connectorName: "renamed" }, null);
  await crawl(5, [orders]);
  await writes.removeConnector(stampOf(w, "dbt", 6));

  const root = { root: amount.id, directOnly: true, depth: 3, maxNodes: 10 };
  const past = stampOf(w, "dbt", 2).at;
  await reads.readPast(past, "loadColumns", [w, [orders.id]]);
  await reads.readPast(past, "listNodes", [w, { types: "asset" }, page]);
  for (const direction of ["upstream", "downstream"] as const)
    await reads.readPast(past, "walk", [w, { ...root, direction }]);
  const change = { root: amount.id, change: "column_drop", newType: null, maxAffected: 10 } as const;
  await reads.readPast(past, "assessImpact", [w, change]);
  await reads.readPast(past, "loadByFqn", [w, "wh.orders", {}]);
  await reads.readPast(past, "sortNodes", [w, { types: "asset" }, "downstream", page]);
  const span = { since: null, until: stampOf(w, "dbt", 6).at };
  for (const about of [undefined, orders.id])
    await reads.listChanges([w, { ...span, about }, { after: null, limit: 50 }]);
  await reads.findCauses(w, { ...span, since: past, target: revenue.id, offset: 0, limit: 50 });
  await expect(reads.readPast(past, "countNodes", [w], 1)).rejects.toThrow("It reads more than 1 nodes");
  const failing = { types: "asset", failing: true } as const;
  await expect(reads.readPast(past, "countNodes", [w, failing])).rejects.toThrow("checks have no history");
  await expect(reads.readPast("2000", "loadNodes", [w, []])).rejects.toThrow("before the history begins");
  while (!(await writes.sweepHistory(w, stampOf(w, "dbt", 6).at))) {
    // Each step removes some.
  }

  db.prepare = prepare;
  const whole = [...statements].flatMap((statement) => {
    const plan = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/.test(statement)
      ? prepare(`EXPLAIN QUERY PLAN ${statement}`)
          .all()
          .map(({ detail }) => String(detail))
      : [];
    return readsWhole(statement, plan).map((table) => ({ table, statement, plan }));
  });
  expect(statements.size).toBeGreaterThan(100);
  expect(whole.filter(({ statement }) => !READS_ALL.test(statement))).toEqual([]);
});
