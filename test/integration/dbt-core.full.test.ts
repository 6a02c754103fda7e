/**
 * dbt itself builds the sample, on PostgreSQL and with DuckDB, and what is read from its artifacts equals what the sample
 * ships. Skipped with a message where dbt cannot be installed.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import { ASSET_TYPES } from "../../src/catalog/node-types.ts";
import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { copyShop, findDbt, runDbt } from "../support/dbt-programs.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { present } from "../support/present.ts";
import type { Python } from "../support/python.ts";

const SAMPLE = join(import.meta.dirname, "../../samples/shop");
const PASSWORD = "dbt's password";

const refund = (id: string) => `('${id}', 'charge', 1000, 'eur', 'succeeded', '2026-01-02 12:00Z')`;

/**
 * Statements that create the tables that the sample's loaders fill, as its catalog says, and fill some of them. Stripe sent
 * two refunds twice. PostgreSQL and DuckDB both take them.
 */
async function readLoading(): Promise<string[]> {
  const catalog: unknown = JSON.parse(await readFile(join(SAMPLE, "catalog.json"), "utf8"));
  const tables = Object.values(Object(Object(catalog).sources)).flatMap((table) => {
    const { metadata, columns } = Object(table);
    const listed = Object.values(Object(columns)).map((column) => `"${Object(column).name}" ${Object(column).type}`);
    const { schema, name } = Object(metadata);
    return [`create schema if not exists ${schema}`, `create table ${schema}.${name} (${listed.join(", ")})`];
  });
  const refunds = ["one", "one", "two", "two"].map(refund).join(", ");
  return [
    ...tables,
    "insert into raw_stripe.charges (id, amount, currency, status, created) values ('charge', 1000, 'eur', 'succeeded', '2026-01-02 12:00Z')",
    `insert into raw_stripe.refunds (id, charge_id, amount, currency, status, created) values ${refunds}`,
  ];
}

/** What the catalog shows of a project: assets and columns with their sources, and checks with their results. */
async function readProject(folder: string) {
  const artifacts = ["manifest", "catalog", "semantic_manifest", "run_results"];
  const { crawl, list, sourcesOf, graph, workspace } = await openDbtCrawl(folder, artifacts);
  const { status, errors } = await crawl();
  const nodes: Record<string, unknown> = {};
  const checks: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const type of [...ASSET_TYPES, "column"] as const) {
    for (const node of await list(type)) {
      names.set(node.id, node.fqn);
      nodes[`${type} ${node.fqn}`] = { ...toShown(node), sources: (await sourcesOf(node)).toSorted() };
      const [page] = await graph.loadChecks(workspace.id, [{ node: node.id, first: 1_000, after: null }]);
      for (const check of present(page).items) {
        const { name, kind, severity, result } = check;
        checks[`${node.fqn} ${name}`] = { kind, severity, ...result, ranAt: result !== null };
      }
    }
  }
  // Ids belong to a platform.
  const named = JSON.stringify(nodes).replaceAll(/"([0-9a-f]{32})"/g, (id, hex) =>
    JSON.stringify(names.get(hex) ?? id),
  );
  return { status, errors, nodes: Object(JSON.parse(named)) as Record<string, object>, checks };
}

type ReadProject = Awaited<ReturnType<typeof readProject>>;

/** DuckDB's words for types, and its types of sums, averages and differences of dates, are others than PostgreSQL's. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^(?:text|varchar)$/i, "text"],
  [/^(?:integer|bigint)$/i, "whole number"],
  [/^(?:numeric|decimal)\b.*/i, "decimal number"],
];

const toFamily = (type: string): string => FAMILIES.find(([form]) => form.test(type))?.[1] ?? type.toLowerCase();

function withFamilies({ nodes, ...project }: ReadProject): ReadProject {
  const entries = Object.entries(nodes).map(([name, node]): [string, object] => {
    const dataType = toFamily(String(Object(node).dataType));
    return [name, { ...node, dataType }];
  });
  return { ...project, nodes: Object.fromEntries(entries) };
}

function toShown(node: CatalogNode) {
  const { name, dataType, ordinal, inferred, description, tags, owner, ownerName, materialization, gap } = node;
  const { certification, certifiedBy, certifiedAt, sql, columnLineage } = node;
  const own = { name, dataType, ordinal, inferred, description, tags, owner, ownerName, materialization, gap };
  return { ...own, certification, certifiedBy, certifiedAt, sql, columnLineage };
}

/** Builds the sample with dbt, and reads what it wrote. */
async function buildShop(python: Python, folder: string, output: object) {
  await copyShop(folder, output);
  await runDbt(python, "dbt", ["build", "--exclude-resource-type", "test"], { folder });
  await runDbt(python, "dbt", ["docs", "generate"], { folder });
  const read = join(folder, "read");
  await cp(join(folder, "target"), read, { recursive: true });
  // One test fails, so the command does too.
  await expect(runDbt(python, "dbt", ["test"], { folder })).rejects.toThrow(
    "Got 2 results, configured to fail if != 0",
  );
  await cp(join(folder, "target/run_results.json"), join(read, "run_results.json"));
  return readProject(read);
}

test(
  "The artifacts that dbt makes of the sample say what those of the sample say",
  { timeout: 600_000 },
  async ({ skip }) => {
    if (!hasPostgres) skip("there is no PostgreSQL");
    const { python, missing } = await findDbt();
    if (python === null) return skip(missing);
    const folder = await mkdtemp(join(tmpdir(), "tributary-dbt-"));
    const server = await startPostgres();
    await using _ = {
      async [Symbol.asyncDispose]() {
        await server.close();
        await rm(folder, { recursive: true });
      },
    };
    await server.run("postgres", `create role dbt login superuser password '${PASSWORD.replace("'", "''")}'`);
    await server.run("postgres", "create database shop");
    await server.run("shop", ...(await readLoading()));
    const at = { type: "postgres", host: "127.0.0.1", port: server.port, user: "dbt", password: PASSWORD };
    const made = await buildShop(python, folder, { ...at, dbname: "shop", schema: "shop", threads: 2 });
    const shipped = await readProject(SAMPLE);
    expect(Object.keys(shipped.checks).length).toBeGreaterThan(35);
    expect(made).toEqual(shipped);
  },
);

test(
  "The artifacts that dbt makes of the sample with DuckDB say the same, but for the names of types",
  { timeout: 600_000 },
  async ({ skip, onTestFinished }) => {
    const { python, missing } = await findDbt();
    if (python === null) return skip(missing);
    const folder = await mkdtemp(join(tmpdir(), "tributary-dbt-duckdb-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "shop.duckdb");
    const load =
      "import duckdb, json, sys; [duckdb.connect(sys.argv[1]).execute(each) for each in json.loads(sys.argv[2])]";
    await python.run("python", ["-c", load, path, JSON.stringify(await readLoading())]);
    const made = await buildShop(python, folder, { type: "duckdb", path, schema: "shop", threads: 2 });
    expect(withFamilies(made)).toEqual(withFamilies(await readProject(SAMPLE)));
  },
);
