/**
 * OpenLineage's own client and its wrapper of dbt send to the service. Skipped with a message where they cannot be
 * installed.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { findDbt, runDbt } from "../support/dbt-programs.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import type { FoundPython } from "../support/python.ts";
import { at, type Json } from "../support/rest-client.ts";

const LIMIT = 600_000;

let found: FoundPython;
let service: RunningApp;
/** The service with the workspace of one test. */
let running: RunningApp;

beforeAll(async () => {
  found = await findDbt();
  // An event is shown when it is answered, however slow the machine is.
  service = await startApp({ overrides: { countdown: () => () => {} } });
}, LIMIT);
afterAll(() => service.close());
beforeEach(async ({ skip }) => {
  if (found.python === null) skip(found.missing);
  running = await service.openWorkspace();
});

/** What the clients take from the environment. */
const toService = () => ({ OPENLINEAGE_URL: running.url, OPENLINEAGE_API_KEY: running.token });

/** All assets but columns, by name. */
async function readAssets(fields: string): Promise<Json[]> {
  const types = "[pipeline, table, model]";
  const { data } = await createGraphqlClient(running)(`{ assets(first: 50, types: ${types}) { nodes { ${fields} } } }`);
  const nodes = at(data, "assets", "nodes");
  return Array.isArray(nodes) ? nodes.toSorted((a, b) => String(at(a, "fqn")).localeCompare(String(at(b, "fqn")))) : [];
}

const job = (model: string) => `nightly.small.main.small.${model}.build.run`;

const named = (...fqns: string[]) => ({ nodes: fqns.map((fqn) => ({ fqn })) });

test("The client's events of a run become its pipeline, tables, columns and lineage", { timeout: LIMIT }, async () => {
  await found.python?.run("python", [join(import.meta.dirname, "../support/openlineage-emit.py")], {
    env: toService(),
  });
  const sources = "upstream { nodes { fqn } }";
  const assets = await readAssets(`fqn description owner ${sources} columns { name dataType description ${sources} }`);
  const plain = { description: null, owner: null, columns: [], upstream: named() };
  const column = { description: null, upstream: named() };
  expect(assets).toEqual([
    // Its run failed, so it says nothing of what it reads and writes.
    { ...plain, fqn: "nightly.broken" },
    { ...plain, fqn: "nightly.load_totals", owner: "ines@example.com", upstream: named("shop.raw.orders") },
    // It sends no events itself, and its part names it.
    { ...plain, fqn: "nightly.nightly_dag" },
    {
      ...plain,
      fqn: "shop.mart.totals",
      description: "Total of each day",
      columns: [{ ...column, name: "total", dataType: "numeric", upstream: named("shop.raw.orders.amount") }],
      upstream: named("nightly.load_totals", "nightly.nightly_dag", "shop.raw.orders"),
    },
    {
      ...plain,
      fqn: "shop.raw.orders",
      columns: [
        { ...column, name: "id", dataType: "bigint" },
        { ...column, name: "amount", dataType: "numeric", description: "In euros" },
      ],
    },
  ]);
});

test("dbt-ol sends the lineage of a real run of dbt", { timeout: LIMIT }, async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-dbt-ol-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    "dbt_project.yml": 'name: small\nversion: "1.0"\nprofile: small\n',
    "profiles.yml": JSON.stringify({
      small: { target: "test", outputs: { test: { type: "duckdb", path: "small.duckdb", threads: 1 } } },
    }),
    "seeds/orders.csv": "id,amount\n1,10\n2,20\n",
    "models/doubled.sql": "select id, amount * 2 as doubled from {{ ref('orders') }}",
    "models/totals.sql": "{{ config(materialized='table') }} select sum(doubled) as total from {{ ref('doubled') }}",
  };
  for (const name of ["seeds", "models"]) await mkdir(join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);

  const { python } = found;
  if (python === null) throw new Error(found.missing);
  // The wrapper starts the dbt that it finds first.
  const env = {
    ...toService(),
    OPENLINEAGE_NAMESPACE: "nightly",
    PATH: `${python.program("")}:${process.env["PATH"]}`,
  };
  const printed = await runDbt(python, "dbt-ol", ["build"], { folder, env });
  expect(printed).toContain("Underlying dbt execution returned 0");

  const sources = "upstream { nodes { fqn } }";
  const assets = await readAssets(`type fqn ${sources} columns { name ${sources} }`);
  const run = "nightly.dbt-run-small";
  expect(assets.filter((asset) => at(asset, "type") === "table")).toEqual([
    {
      type: "table",
      fqn: "small.main.doubled",
      upstream: named(run, job("doubled"), "small.main.orders"),
      columns: [
        { name: "doubled", upstream: named("small.main.orders.amount") },
        { name: "id", upstream: named("small.main.orders.id") },
      ],
    },
    {
      type: "table",
      fqn: "small.main.totals",
      upstream: named(run, job("totals"), "small.main.doubled"),
      columns: [{ name: "total", upstream: named("small.main.doubled.doubled") }],
    },
  ]);
});
