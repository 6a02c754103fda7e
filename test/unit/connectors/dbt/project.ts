/** Small dbt artifacts, and what a crawl of them states. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { CheckStatement } from "../../../../src/catalog/check.ts";
import { toFqn } from "../../../../src/catalog/identity.ts";
import type { AssetStatement } from "../../../../src/catalog/statement.ts";
import type { CrawlContext, CrawlEvent } from "../../../../src/connectors/connector.ts";
import type { CrawlError } from "../../../../src/catalog/crawl.ts";
import { dbtConnector } from "../../../../src/connectors/dbt/connector.ts";
import type { Artifact } from "../../../../src/connectors/dbt/options.ts";

type Json = Record<string, unknown>;

export const MODEL = {
  resource_type: "model",
  package_name: "shop",
  database: "wh",
  schema: "mart",
  description: "",
  columns: {},
  config: { materialized: "table", meta: {}, tags: [] },
  depends_on: { macros: [], nodes: [] },
};

/** Entries by unique id. Each has the last part of its id as its name. */
export function entries(members: Record<string, Json>, common: Json = MODEL): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(members).map(([id, own]) => [
      id,
      { ...common, unique_id: id, name: id.slice(id.lastIndexOf(".") + 1), ...own },
    ]),
  );
}

/** A manifest as dbt writes it, with the given sections. */
export function manifest(sections: Json = {}, version = 12): Json {
  return {
    metadata: {
      dbt_schema_version: `https://schemas.getdbt.com/dbt/manifest/v${version}.json`,
      project_name: "shop",
      adapter_type: "postgres",
    },
    nodes: {},
    sources: {},
    macros: { "macro.shop.m": { macro_sql: "{% macro m() %}}}{{ '\"' }}{% endmacro %}" } },
    exposures: {},
    metrics: {},
    groups: {},
    ...sections,
  };
}

export function catalog(nodes: Record<string, Record<string, string>>): Json {
  const relations = Object.entries(nodes).map(([id, columns]) => [
    id,
    {
      metadata: { type: "BASE TABLE", schema: "mart", name: id, comment: null },
      columns: Object.fromEntries(
        Object.entries(columns).map(([name, type], at) => [name, { name, type, index: at + 1, comment: null }]),
      ),
    },
  ]);
  return {
    metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/catalog/v1.json" },
    nodes: Object.fromEntries(relations),
    sources: {},
  };
}

/** The results of tests and models that `dbt build` writes. */
export function runResults(results: readonly Json[], which = "build", version = 6): Json {
  return {
    metadata: { dbt_schema_version: `https://schemas.getdbt.com/dbt/run-results/v${version}.json` },
    results,
    elapsed_time: 1,
    args: { which },
  };
}

/** The results that `dbt source freshness` writes. */
export function sourceResults(results: readonly Json[]): Json {
  return { metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/sources/v3.json" }, results };
}

export interface Crawled {
  events: CrawlEvent[];
  /** By type and fqn, such as `model wh.mart.orders`. */
  assets: Map<string, AssetStatement>;
  /** Such as `wh.raw.orders derives wh.mart.orders`. */
  edges: string[];
  checks: CheckStatement[];
  errors: CrawlError[];
  state: Record<string, string> | null;
  complete: boolean | null;
}

export async function crawl(options: Record<string, string>, context: Partial<CrawlContext> = {}): Promise<Crawled> {
  const crawled: Crawled = {
    events: [],
    assets: new Map(),
    edges: [],
    checks: [],
    errors: [],
    state: null,
    complete: null,
  };
  const { signal } = new AbortController();
  const full = { mode: "full", previousState: null, signal, now: () => new Date(0), ...context } as const;
  for await (const event of dbtConnector.pull.crawl(dbtConnector.options.parse(options), full)) {
    crawled.events.push(event);
    if (event.kind === "asset") crawled.assets.set(`${event.asset.ref.type} ${toFqn(event.asset.ref)}`, event.asset);
    if (event.kind === "edge") {
      crawled.edges.push(`${toFqn(event.edge.from)} ${event.edge.kind} ${toFqn(event.edge.to)}`);
    }
    if (event.kind === "check") crawled.checks.push(event.check);
    if (event.kind === "error") crawled.errors.push(event.error);
    if (event.kind === "state") crawled.state = event.state;
    if (event.kind === "end") crawled.complete = event.complete;
  }
  return crawled;
}

/** Writes the artifacts into their own folder, crawls them and removes them. Text is written unchanged. */
export async function crawlArtifacts(
  artifacts: { manifest: Json | string | Buffer } & Partial<Record<Exclude<Artifact, "manifest">, Json | string>>,
  context: Partial<CrawlContext> = {},
): Promise<Crawled> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "dbt-test-"));
  const options: Record<string, string> = {};
  for (const [name, content] of Object.entries(artifacts)) {
    const path = join(folder.path, `${name}.json`);
    const written = typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    await writeFile(path, written);
    options[name] = path;
  }
  return await crawl(options, context);
}
