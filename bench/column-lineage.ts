/**
 * Syncs a generated dbt project whose models copy, compute, join, aggregate and rank. Prints the cost of its column
 * lineage. Usage: node bench/column-lineage.ts [models, default 10000]
 */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runCommandLine } from "../src/cli/program.ts";

const MEASURES = ["amount", "discount", "tax", "shipping", "refund", "fee"];
const LABELS = ["status", "country", "channel", "currency"];
const STAGED = ["id", "customer_id", "ordered_at", ...MEASURES, ...LABELS];

interface Model {
  name: string;
  sql: string;
  parents: string[];
  columns: string[];
}

const relation = (name: string) => `"shop"."main"."${name}"`;

function staging(at: number): Model {
  const source = `raw_${at}`;
  const casts = MEASURES.map((name) => `cast(${name}_cents as numeric) / 100 as ${name}`);
  const labels = LABELS.map((name) => `lower(trim(${name})) as ${name}`);
  const sql = `with source as (select * from ${relation(source)}),
renamed as (
  select id, customer as customer_id, ordered_at::timestamp as ordered_at, ${[...casts, ...labels].join(", ")}
  from source where _deleted is null
)
select * from renamed`;
  return { name: `stg_${at}`, sql, parents: [source], columns: STAGED };
}

function joined(at: number, [a = "", b = ""]: readonly string[]): Model {
  const net = MEASURES.map((name) => `coalesce(a.${name}, 0) - coalesce(b.${name}, 0) as net_${name}`);
  const sql = `with a as (select * from ${relation(a)}), b as (select * from ${relation(b)}),
ranked as (
  select *, row_number() over (partition by customer_id order by ordered_at desc) as recency from b
)
select a.id, a.customer_id, a.ordered_at, ${LABELS.map((name) => `a.${name}`).join(", ")}, ${net.join(", ")},
  case when b.recency = 1 then 'latest' when a.status = 'returned' then 'returned' else 'other' end as state
from a left join ranked as b on a.customer_id = b.customer_id and a.ordered_at >= b.ordered_at
where a.country <> 'test'`;
  const columns = ["id", "customer_id", "ordered_at", ...LABELS, ...MEASURES.map((name) => `net_${name}`), "state"];
  return { name: `int_${at}`, sql, parents: [a, b], columns };
}

function mart(at: number, parents: readonly string[]): Model {
  const rows = parents.map(
    (name) => `select customer_id, country, ${MEASURES.map((each) => `net_${each}`).join(", ")} from ${relation(name)}`,
  );
  const totals = MEASURES.flatMap((name) => [`sum(net_${name}) as total_${name}`, `max(net_${name}) as top_${name}`]);
  const sql = `with every_row as (${rows.join(" union all ")})
select country, count(distinct customer_id) as customers, ${totals.join(", ")}
from every_row group by country having count(*) > 10`;
  const columns = ["country", "customers", ...MEASURES.flatMap((name) => [`total_${name}`, `top_${name}`])];
  return { name: `fct_${at}`, sql, parents: [...parents], columns };
}

function nameAt(models: readonly Model[], at: number): string {
  return models[at % models.length]?.name ?? "";
}

/** Half staging, three tenths joins, the rest marts. */
function project(amount: number): Model[] {
  const staged = Array.from({ length: Math.ceil(amount / 2) }, (_, at) => staging(at));
  const joins = Array.from({ length: Math.ceil(amount * 0.3) }, (_, at) =>
    joined(at, [nameAt(staged, at), nameAt(staged, at * 7 + 1)]),
  );
  const marts = Array.from({ length: amount - staged.length - joins.length }, (_, at) =>
    mart(at, [nameAt(joins, at), nameAt(joins, at * 3 + 1), nameAt(joins, at * 5 + 2)]),
  );
  return [...staged, ...joins, ...marts];
}

const columnsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { name }]));

function manifest(models: readonly Model[]): unknown {
  const made = new Set(models.map(({ name }) => name));
  const idOf = (name: string) => (made.has(name) ? `model.shop.${name}` : `source.shop.raw.${name}`);
  const place = { package_name: "shop", database: "shop", schema: "main", description: "" };
  const sources = ["id", "customer", "ordered_at", "_deleted", ...MEASURES.map((name) => `${name}_cents`), ...LABELS];
  return {
    metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json", adapter_type: "postgres" },
    nodes: Object.fromEntries(
      models.map(({ name, sql, parents, columns }) => [
        idOf(name),
        {
          ...place,
          unique_id: idOf(name),
          resource_type: "model",
          name,
          alias: name,
          columns: columnsOf(columns),
          config: { materialized: "table" },
          depends_on: { nodes: parents.map(idOf) },
          compiled_code: sql,
        },
      ]),
    ),
    sources: Object.fromEntries(
      models.flatMap(({ parents }) =>
        parents
          .filter((name) => !made.has(name))
          .map((name) => [
            idOf(name),
            {
              ...place,
              unique_id: idOf(name),
              resource_type: "source",
              source_name: "raw",
              name,
              identifier: name,
              columns: columnsOf(sources),
            },
          ]),
      ),
    ),
  };
}

const amount = Number(process.argv[2] ?? 10_000);
await using folder = await mkdtempDisposable(join(tmpdir(), "column-lineage-"));
const file = join(folder.path, "manifest.json");
const models = project(amount);
await writeFile(file, JSON.stringify(manifest(models)));
process.env["DATA_DIR"] = join(folder.path, "data");
await runCommandLine(["workspace", "create", "bench"]);
await runCommandLine(["connector", "add", "dbt", "--name", "generated", "--option", `manifest=${file}`]);

const begin = performance.now();
const before = process.cpuUsage();
await runCommandLine(["sync", "generated", "--wait"]);
const { user, system } = process.cpuUsage(before);
console.log({
  models: models.length,
  columns: models.reduce((sum, { columns }) => sum + columns.length, 0),
  seconds: Math.round((performance.now() - begin) / 1000),
  processorSeconds: Math.round((user + system) / 1e6),
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
});
