/** Each loader of the schema, counted: many parents of one level are one call to a store. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Connector, ServiceAccount, Sync, User } from "../../../src/metadata/records.ts";
import { checkOf, columnOf, edgeOf, editOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";
import { present } from "../../support/present.ts";

const MANY = 12;
const times = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i));

async function inTurn<T>(make: (i: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let i = 0; i < MANY; i++) made.push(await make(i));
  return made;
}

const DEFINITION = {
  displayName: "",
  kind: "simple" as const,
  expression: "sum(amount)",
  grain: "day",
  dimensions: [],
  filters: [],
};

/** Tables, each with a column, a check, a metric and an edit. */
async function fillGraph({ graph, workspace: { id: w } }: GraphqlBench) {
  const stamp = stampOf(w, "dbt", 1);
  const tables = times((i) => nodeOf(w, "table", `shop.t${i}`));
  const columns = tables.map((table) => columnOf(w, table, "id", 0));
  const metrics = times((i) => nodeOf(w, "metric", `shop.m${i}`, { metric: DEFINITION }));
  await graph.writeNodes(stamp, "all", [...tables, ...columns, ...metrics]);
  await graph.writeEdges(
    stamp,
    "all",
    tables.map((table, i) => edgeOf(table, present(metrics[i]), "defines")),
  );
  await graph.writeChecks(
    stamp,
    "all",
    tables.map((table, i) => checkOf(w, `not_null_${i}`, [table], [present(columns[i])])),
  );
  for (const { id } of tables) await graph.curate(w, id, { description: "mine" }, editOf(1));
  return { tables: tables.map(({ id }) => id), metrics: metrics.map(({ id }) => id) };
}

interface Records {
  connectors: Connector[];
  syncs: Sync[];
  users: User[];
  accounts: ServiceAccount[];
}

/** Connectors, each with a sync that completed and one that is queued, which others have sent to as well. */
async function fillMetadata({ metadata, workspace: { id: workspaceId } }: GraphqlBench): Promise<Records> {
  const connectors = await inTurn((i) =>
    metadata.connectors.create({ workspaceId, type: "dbt", name: `c${i}`, options: {}, secretOptions: [] }),
  );
  const enqueue = (i: number) =>
    metadata.syncs.enqueue({
      workspaceId,
      connectorId: present(connectors[i]).id,
      mode: "full",
      queuedAt: new Date(),
      estimatedDurationSeconds: 1,
      repeatOf: null,
    });
  const counts = { assetsDiscovered: 0, assetsUpdated: 0, assetsRemoved: 0, errorsTotal: 0, unkept: [] };
  const syncs = await inTurn(async (i) => {
    const { id } = await enqueue(i);
    const now = new Date();
    await metadata.leases.claim({ workerId: "w", now, until: new Date(now.getTime() + 60_000) }, id);
    await metadata.leases.finish(id, "w", { status: "completed", errors: [], ...counts, state: null }, now);
    return enqueue(i);
  });
  const users = await inTurn((i) =>
    metadata.users.create({ workspaceId, email: `u${i}@example.com`, role: "analyst" }),
  );
  const accounts = await inTurn((i) =>
    metadata.accounts.create({ workspaceId, name: `a${i}`, role: "analyst", clientId: `client_${i}` }),
  );
  for (const { id } of accounts)
    await metadata.accounts.addSecret(workspaceId, id, { salt: "s", hash: "h", expiresAt: null });
  return { connectors, syncs, users, accounts };
}

describe("the loaders of a request", () => {
  let bench: GraphqlBench;
  let nodes: Awaited<ReturnType<typeof fillGraph>>;
  let records: Records;
  beforeAll(async () => {
    bench = await openGraphqlBench();
    nodes = await fillGraph(bench);
    records = await fillMetadata(bench);
  });
  afterAll(() => bench.close());

  const askFor = async (ids: readonly string[], fields: string) => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename ${fields} } }`;
    const { data, errors } = await bench.ask(query, { ids }, ["read", "write", "admin"]);
    expect(errors).toEqual([]);
    const found = (data as { nodes: unknown[] }).nodes;
    expect(found).toHaveLength(ids.length);
    expect(found).not.toContain(null);
    return found;
  };

  it("Many catalog nodes are loaded by id in one call", async () => {
    await askFor([...nodes.tables, ...nodes.metrics], "");
    expect(bench.calls).toEqual(["loadNodes"]);
  });

  it.each([
    ["connectors", "connectors.loadByIds"],
    ["syncs", "syncs.loadByIds"],
    ["users", "users.loadByIds"],
    ["accounts", "accounts.loadByIds"],
  ] as const)("The %s of a request are loaded by id in one call", async (kind, call) => {
    await askFor(
      records[kind].map(({ id }) => id),
      "",
    );
    expect(bench.metadataCalls).toEqual([call]);
  });

  it.each([
    ["edits", "... on Asset { edits { field } }", "loadEdits", /"description"/],
    ["columns", "... on Asset { columns { name } }", "loadColumns", /"name":"id"/],
    ["sources", "... on Asset { identity { sources { connector } } }", "loadSources", /"dbt"/],
    ["checks", "... on Asset { checks { nodes { name } } }", "loadChecks", /not_null_/],
    ["neighbours", "... on Asset { downstream { nodes { name } } }", "loadNeighbours", /"m\d+"/],
  ])("The %s of many assets are loaded in one call", async (_what, fields, call, shown) => {
    const found = await askFor(nodes.tables, fields);
    for (const each of found) expect(JSON.stringify(each)).toMatch(shown);
    expect(bench.calls).toEqual(["loadNodes", call]);
  });

  it("The certification trails of many metrics are loaded in one call", async () => {
    await askFor(nodes.metrics, "... on Metric { audit { action } }");
    expect(bench.calls).toEqual(["loadNodes", "loadTrails"]);
  });

  it("The last syncs of many connectors are loaded in one call", async () => {
    const ids = records.connectors.map(({ id }) => id);
    const found = await askFor(ids, "... on Connector { lastSync { status } }");
    expect(new Set(found.map((each) => JSON.stringify((each as { lastSync: unknown }).lastSync)))).toEqual(
      new Set(['{"status":"queued"}']),
    );
    expect(bench.metadataCalls).toEqual(["connectors.loadByIds", "syncs.loadLatest"]);
  });

  it("The health of many connectors whose syncs have not ended takes one more call", async () => {
    const ids = records.connectors.map(({ id }) => id);
    const found = await askFor(ids, "... on Connector { health }");
    expect(new Set(found.map((each) => (each as { health: unknown }).health))).toEqual(new Set(["healthy"]));
    expect(bench.metadataCalls).toEqual(["connectors.loadByIds", "syncs.loadLatest", "syncs.loadLatest"]);
  });

  it("The waiting events of many connectors are counted in one call", async () => {
    const { metadata, workspace } = bench;
    for (const { id: connectorId } of records.connectors) {
      await metadata.inbox.add({ workspaceId: workspace.id, connectorId }, [{ subject: "job", key: "k", body: "{}" }]);
    }
    const found = await askFor(
      records.connectors.map(({ id }) => id),
      "... on Connector { reception { waiting } }",
    );
    for (const each of found) expect(each).toMatchObject({ reception: { waiting: 1 } });
    expect(bench.metadataCalls).toEqual(["connectors.loadByIds", "inbox.loadReceptions"]);
  });

  it("The secrets of many service accounts are loaded in one call", async () => {
    const found = await askFor(
      records.accounts.map(({ id }) => id),
      "... on ServiceAccount { secrets { id } }",
    );
    for (const each of found) expect(each).toMatchObject({ secrets: [{ id: expect.any(String) }] });
    expect(bench.metadataCalls).toEqual(["accounts.loadByIds", "accounts.loadSecrets"]);
  });

  it("The times of connectors' last syncs are loaded once for all answers about lineage", async () => {
    await askFor(nodes.tables, "... on Asset { lineage(direction: downstream) { completeness { asOf } } }");
    expect(bench.metadataCalls).toEqual(["syncs.loadLastCompleted"]);
  });

  it("The impact of a change of an asset is computed once, however often a query selects it", async () => {
    const [id] = nodes.tables;
    const fields = "impact(changeType: deprecate) { summary { totalAffected } }";
    const query = `query ($id: ID!) { a: asset(id: $id) { ${fields} } b: asset(id: $id) { ${fields} } }`;
    const { errors } = await bench.ask(query, { id });
    expect(errors).toEqual([]);
    expect(bench.calls).toEqual(["loadNodes", "assessImpact"]);
  });
});
