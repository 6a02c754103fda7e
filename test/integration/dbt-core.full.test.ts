/**
 * dbt itself builds the sample on PostgreSQL, and what is read from its artifacts equals what the sample ships. Skipped
 * with a message where dbt cannot be installed.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import { ASSET_TYPES } from "../../src/catalog/node-types.ts";
import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { copyShop, findDbt, runDbt } from "../support/dbt-programs.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { present } from "../support/present.ts";

const SAMPLE = join(import.meta.dirname, "../../samples/shop");
const PASSWORD = "dbt's password";

const refund = (id: string) => `('${id}', 'charge', 1000, 'eur', 'succeeded', '2026-01-02 12:00Z')`;

/** Creates the tables that the sample's loaders fill, as its catalog says. Stripe sent two refunds twice. */
async function load(server: PostgresServer): Promise<void> {
  const catalog: unknown = JSON.parse(await readFile(join(SAMPLE, "catalog.json"), "utf8"));
  const tables = Object.values(Object(Object(catalog).sources)).flatMap((table) => {
    const { metadata, columns } = Object(table);
    const listed = Object.values(Object(columns)).map((column) => `"${Object(column).name}" ${Object(column).type}`);
    const { schema, name } = Object(metadata);
    return [`create schema if not exists ${schema}`, `create table ${schema}.${name} (${listed.join(", ")})`];
  });
  const refunds = ["one", "one", "two", "two"].map(refund).join(", ");
  await server.run("postgres", `create role dbt login superuser password '${PASSWORD.replace("'", "''")}'`);
  await server.run("postgres", "create database shop");
  await server.run(
    "shop",
    ...tables,
    "insert into raw_stripe.charges (id, amount, currency, status, created) values ('charge', 1000, 'eur', 'succeeded', '2026-01-02 12:00Z')",
    `insert into raw_stripe.refunds (id, charge_id, amount, currency, status, created) values ${refunds}`,
  );
}

/** What the catalog shows of a project: assets and columns with their sources, and checks with their results. */
async function readProject(folder: string) {
  const artifacts = ["manifest", "catalog", "semantic_manifest", "run_results"];
  const { crawl, list, sourcesOf, graph, workspace } = await openDbtCrawl(folder, artifacts);
  const { status, errors } = await crawl();
  const nodes: Record<string, unknown> = {};
  const checks: Record<string, unknown> = {};
  for (const type of [...ASSET_TYPES, "column"] as const) {
    for (const node of await list(type)) {
      nodes[`${type} ${node.fqn}`] = { ...toShown(node), sources: (await sourcesOf(node)).toSorted() };
      const [page] = await graph.loadChecks(workspace.id, [{ node: node.id, first: 1_000, after: null }]);
      for (const check of present(page).items) {
        const { name, kind, severity, result } = check;
        checks[`${node.fqn} ${name}`] = { kind, severity, ...result, ranAt: result !== null };
      }
    }
  }
  return { status, errors, nodes, checks };
}

function toShown(node: CatalogNode) {
  const { name, dataType, ordinal, inferred, description, tags, owner, ownerName, materialization, gap } = node;
  const { certification, certifiedBy, certifiedAt, sql, columnLineage } = node;
  const own = { name, dataType, ordinal, inferred, description, tags, owner, ownerName, materialization, gap };
  return { ...own, certification, certifiedBy, certifiedAt, sql, columnLineage };
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
    await load(server);
    const at = { type: "postgres", host: "127.0.0.1", port: server.port, user: "dbt", password: PASSWORD };
    await copyShop(folder, { ...at, dbname: "shop", schema: "shop", threads: 2 });

    await runDbt(python, "dbt", ["build", "--exclude-resource-type", "test"], { folder });
    await runDbt(python, "dbt", ["docs", "generate"], { folder });
    const read = join(folder, "read");
    await cp(join(folder, "target"), read, { recursive: true });
    // One test fails, so the command does too.
    await expect(runDbt(python, "dbt", ["test"], { folder })).rejects.toThrow(
      "Got 2 results, configured to fail if != 0",
    );
    await cp(join(folder, "target/run_results.json"), join(read, "run_results.json"));

    const [made, shipped] = [await readProject(read), await readProject(SAMPLE)];
    expect(Object.keys(shipped.checks).length).toBeGreaterThan(35);
    expect(made).toEqual(shipped);
  },
);
