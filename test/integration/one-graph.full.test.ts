/** A warehouse, the dbt project that fills it, the Airflow that runs it and the Metabase that reads it: one graph. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { toSyncId } from "../../src/ids.ts";
import { type FakeContents, serveAirflow, TOKEN } from "../support/airflow.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { API_KEY, createCard, createShopContent, serveMetabase, sqlQuery, stagedQuery } from "../support/metabase.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { CREATE_READER, LOCAL_SETTINGS, optionsFor, READER } from "../support/postgres-crawl.ts";
import { present } from "../support/present.ts";
import { at, createRestClient, type Json } from "../support/rest-client.ts";

const SHOP = join(import.meta.dirname, "../../samples/shop");
const SOURCE = "shop.raw_stripe.refunds";
const CREATE = `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }`;
const TRIGGER = `mutation ($id: ID!) { triggerSync(input: { connectorId: $id }) { sync { id } } }`;

interface Relation {
  metadata: { type: string; schema: string; name: string };
  columns: Record<string, { name: string; type: string; index: number }>;
}

/** The relations that dbt found in the warehouse, by their ids. */
function relations(): Record<string, Relation> {
  const { nodes, sources } = read<Record<"nodes" | "sources", Record<string, Relation>>>("catalog.json");
  return { ...sources, ...nodes };
}

/**
 * Creates every relation of the sample: views by their SQL, after the relations that they read, and all others as
 * tables.
 */
function statements(): string[] {
  const { nodes } = read<{ nodes: Record<string, { compiled_code?: string; depends_on?: { nodes: string[] } }> }>(
    "manifest.json",
  );
  const all = relations();
  const made = new Map<string, string[]>();
  const make = (id: string): void => {
    const relation = all[id];
    if (relation === undefined || made.has(id)) return;
    for (const parent of nodes[id]?.depends_on?.nodes ?? []) make(parent);
    const { type, schema, name } = relation.metadata;
    const columns = Object.values(relation.columns).toSorted((a, b) => a.index - b.index);
    const listed = columns.map((column) => `"${column.name}" ${column.type}`).join(", ");
    const own = `"${schema}"."${name}"`;
    made.set(id, [
      type === "VIEW" ? `create view ${own} as ${nodes[id]?.compiled_code}` : `create table ${own} (${listed})`,
      `grant select on ${own} to ${READER.user}`,
    ]);
  };
  for (const id of Object.keys(all)) make(id);
  return [...made.values()].flat();
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(SHOP, name), "utf8")) as T;
}

const DAGS: FakeContents = {
  dags: [
    { id: "load_stripe", owners: ["data@example.com"], schedule: "0 3 * * *", tasks: [{ id: "refunds" }] },
    { id: "dbt_run", tasks: [{ id: "build" }] },
  ],
  assets: [
    {
      uri: "postgres://db.example.com:5432/shop/raw_stripe/refunds",
      producers: ["load_stripe/refunds"],
      schedules: ["dbt_run"],
    },
  ],
};

/** Two questions about refunds, one in SQL and one of the query builder, on a dashboard. */
function createRefundContent() {
  const content = createShopContent();
  const [example] = present(content.tables[0])["fields"] as Record<string, unknown>[];
  const field = (id: number, name: string) => ({ ...example, id, name, table_id: 30 });
  const table = {
    ...content.tables[0],
    id: 30,
    name: "fct_refunds",
    schema: "finance",
    fields: [field(300, "refunded_eur"), field(301, "reason")],
  };
  const byMonth =
    "select date_trunc('month', refunded_on) as month, sum(refunded_eur) as eur from finance.fct_refunds group by 1";
  const byReason = stagedQuery({
    "source-table": 30,
    aggregation: [["sum", { "lib/uuid": "a1" }, ["field", { "lib/uuid": "f1" }, 300]]],
    breakout: [["field", { "lib/uuid": "f2" }, 301]],
  });
  return {
    ...content,
    tables: [table],
    segments: [],
    cards: [
      createCard(40, "Refunds by month", sqlQuery(byMonth)),
      createCard(41, "Refunds by reason", byReason, { query_type: "query" }),
    ],
    dashboards: [
      {
        ...content.dashboards[0],
        name: "Refunds",
        dashcards: [40, 41].map((card, i) => ({ id: i, card_id: card, card: { id: card, name: "" }, series: [] })),
      },
    ],
  };
}

describe.skipIf(!hasPostgres)("one graph of all sources", () => {
  let server: PostgresServer;
  let app: RunningApp;
  let graphql: GraphqlClient;

  async function crawl(type: string, name: string, options: Record<string, string>): Promise<void> {
    const created = await graphql(CREATE, { input: { type, name, options } });
    expect(created.message).toBe("");
    const triggered = await graphql(TRIGGER, { id: at(created.data, "createConnector", "connector", "id") });
    const { metadata, queue } = app.app;
    const workspace = await getDefaultWorkspace(metadata);
    const sync = toSyncId(String(at(triggered.data, "triggerSync", "sync", "id")));
    expect(await queue.wait(workspace.id, sync)).toMatchObject({ status: "completed", errors: [] });
  }

  /** Types and names of all nodes that a walk over REST reaches. */
  async function reach(id: Json): Promise<string[]> {
    const ask = createRestClient(app);
    const { status, body } = await ask(`/api/v1/lineage/downstream?asset_id=${String(id)}&depth=10`);
    expect(status).toBe(200);
    expect(at(body, "truncated")).toBe(false);
    const nodes = at(body, "nodes");
    return Array.isArray(nodes) ? nodes.map((node) => `${at(node, "type")} ${at(node, "name")}`) : [];
  }

  beforeAll(async () => {
    server = await startPostgres();
    await server.run("postgres", CREATE_READER, "create database shop");
    const schemas = [...new Set(Object.values(relations()).map(({ metadata }) => metadata.schema))];
    await server.run(
      "shop",
      ...schemas.map((schema) => `create schema "${schema}"`),
      ...statements(),
      ...schemas.map((schema) => `grant usage on schema "${schema}" to ${READER.user}`),
    );
    app = await startApp({ env: LOCAL_SETTINGS });
    graphql = createGraphqlClient(app);
  });
  afterAll(async () => {
    await app?.close();
    await server?.close();
  });

  it("One graph leads from a source's column to a dashboard's question, at both levels, with one node for each relation", async () => {
    await using metabase = await serveMetabase(createRefundContent());
    const airflow = await serveAirflow(DAGS);
    // The readers come first. Nodes that they name are referenced until a connector states them.
    await crawl("metabase", "bi", { url: metabase.url, token: API_KEY });
    await crawl("airflow", "scheduler", { url: airflow.url, token: TOKEN });
    await crawl("postgres", "warehouse", optionsFor(server.port, "shop"));
    await crawl("dbt", "project", { target: SHOP });

    const { data, message } = await graphql(`{
      source: asset(fqn: "${SOURCE}") {
        id
        identity { sources { connector existence } }
        upstream(first: 10) { edges { kinds node { fqn } } }
      }
      amount: asset(fqn: "${SOURCE}.amount") { id }
      assets(first: 200, types: [model, table]) { nodes { fqn } }
    }`);
    expect(message).toBe("");
    expect(at(data, "source", "identity", "sources")).toEqual(
      ["project", "scheduler", "warehouse"].map((connector) => ({ connector, existence: "held" })),
    );
    expect(at(data, "source", "upstream", "edges")).toContainEqual({
      kinds: ["materializes"],
      node: { fqn: "load_stripe.refunds" },
    });

    const below = await reach(at(data, "source", "id"));
    expect(below).toEqual(
      expect.arrayContaining([
        "model fct_refunds",
        "dashboard Refunds by month",
        "dashboard Refunds by reason",
        "dashboard Refunds",
        "pipeline dbt_run",
      ]),
    );
    const belowAmount = await reach(at(data, "amount", "id"));
    expect(belowAmount).toEqual(
      expect.arrayContaining(["column refunded_eur", "dashboard Refunds by month", "dashboard Refunds by reason"]),
    );

    const nodes = at(data, "assets", "nodes");
    const names = Array.isArray(nodes) ? nodes.map((node) => String(at(node, "fqn"))) : [];
    expect(names.filter((name) => name.startsWith("shop."))).toHaveLength(Object.keys(relations()).length);
    expect(new Set(names).size).toBe(names.length);
  });
});
