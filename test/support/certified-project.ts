/** A dbt project that is crawled, with certified metrics, and the same project as a pull request would change it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import { isMetric, type MetricNode } from "../../src/catalog/asset.ts";
import { systemRandom } from "../../src/clock.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { textAsFile } from "../../src/connectors/source-file.ts";
import { certifyMetric } from "../../src/metrics/certify.ts";
import { defineMetric } from "../../src/metrics/define.ts";
import type { GivenMetric } from "../../src/metrics/metric-input.ts";
import { createWhatIf, type WhatIfReport } from "../../src/what-if/what-if.ts";
import { THE_SERVICE } from "../../src/work/caller.ts";
import { createEventLoopScheduler } from "../../src/work/event-loop-scheduler.ts";
import { openCrawls } from "./crawls.ts";
import { makeTemporaryFolder } from "./metadata-store.ts";
import { originAs } from "./origin.ts";
import { present } from "./present.ts";

export interface Manifest {
  metrics?: Record<string, { name: string; unique_id: string }>;
  exposures?: Record<string, { depends_on: { nodes: string[] } }>;
  nodes: Record<string, ManifestNode>;
  semantic_models?: Record<string, { node_relation?: { alias: string } | null }>;
}

interface ManifestNode {
  unique_id: string;
  resource_type: string;
  name: string;
  alias: string;
  relation_name: string | null;
  compiled_code?: string | null;
  version?: unknown;
  columns: Record<string, { name: string }>;
}

/** The reasons of lapses by the names of metrics. */
export type Reasons = Record<string, string>;

const ACTOR = "ada@example.com";

/** @param folder contains manifest.json, and catalog.json if there is one */
export async function openCertifiedProject(folder: string) {
  const { add, ...opened } = await openCrawls(findConnectorType);
  const { graph, workspace, admin, store, clock, sqlLineage } = opened;
  const original = readFileSync(join(folder, "manifest.json"), "utf8");
  const own = await makeTemporaryFolder();
  const path = join(own, "manifest.json");
  writeFileSync(path, original);
  const catalog = join(folder, "catalog.json");
  const crawl = await add({
    type: "dbt",
    name: "project",
    options: { manifest: path, ...(existsSync(catalog) && { catalog }) },
  });
  const outcome = await crawl();
  if (outcome.status !== "completed") throw new Error(`the crawl of ${folder} ended ${outcome.status}`);
  const whatIf = createWhatIf({
    graph,
    store,
    sqlLineage,
    findConnectorType,
    turns: createEventLoopScheduler(),
    maxAffected: 10_000,
  });

  async function listMetrics(): Promise<MetricNode[]> {
    return (await opened.list("metric")).filter(isMetric);
  }

  async function noteOf({ id }: MetricNode): Promise<string> {
    const [trail] = await graph.loadTrails(workspace.id, [id]);
    return present(trail?.steps.at(-1)).note;
  }

  /** Certifies all metrics that are not certified. */
  async function certifyAll(): Promise<void> {
    for (const { id, certification } of await listMetrics()) {
      if (certification === "certified") continue;
      const request = { origin: originAs(workspace, admin, ACTOR), id, by: ACTOR, note: "" };
      await certifyMetric({ graph, store, clock }, request);
    }
  }

  async function define(metric: Pick<GivenMetric, "name" | "expression" | "sources">): Promise<void> {
    const unsaid = {
      displayName: metric.name,
      kind: "simple" as const,
      grain: "",
      dimensions: [],
      filters: [],
      description: "",
      owner: "",
    };
    const parts = { graph, audit: store.audit, sqlLineage, caller: THE_SERVICE, clock, random: systemRandom };
    await defineMetric(parts, { workspace, actor: ACTOR }, { ...unsaid, tags: [], ...metric });
  }

  /** The whole answer of the check of a pull request. */
  function assess(manifest: string, against = "project"): Promise<WhatIfReport> {
    const request = { workspace, caller: THE_SERVICE, against };
    return whatIf.assessManifest({ ...request, manifest: textAsFile("manifest.json", manifest) });
  }

  return {
    ...opened,
    add,
    listMetrics,
    certifyAll,
    assess,
    define,
    edit(change: (manifest: Manifest) => void): string {
      const manifest: Manifest = JSON.parse(original);
      change(manifest);
      return JSON.stringify(manifest);
    },
    /** The lapses that the check of a pull request predicts. */
    async check(manifest: string): Promise<Reasons> {
      const { lapses } = await assess(manifest);
      return Object.fromEntries(lapses.metrics.map(({ name, reason }) => [name, reason]));
    },
    /** The lapses of the crawl after the merge. Afterwards the project is unchanged, and all metrics are certified. */
    async merge(manifest: string): Promise<Reasons> {
      writeFileSync(path, manifest);
      await crawl();
      const lapsed = (await listMetrics()).filter(({ certification }) => certification !== "certified");
      const reasons = await Promise.all(lapsed.map(async (metric) => [metric.name, await noteOf(metric)] as const));
      writeFileSync(path, original);
      await crawl();
      await certifyAll();
      return Object.fromEntries(reasons);
    },
  };
}

/** Renames a model, and everything that names it: its table, references to it, and its CTE if it is ephemeral. */
export function renameModel(manifest: Manifest, id: string, name: string): void {
  const node = present(manifest.nodes[id]);
  const newId = id.replace(/[^.]+$/, name);
  const renames: [RegExp, string][] = [
    [new RegExp(`^${escape(id)}$`), newId],
    [new RegExp(`\\b__dbt__cte__${escape(node.name)}\\b`, "g"), `__dbt__cte__${name}`],
  ];
  const { relation_name: relation, alias } = node;
  if (relation !== null) {
    const at = relation.lastIndexOf(alias);
    const renamed = `${relation.slice(0, at)}${name}${relation.slice(at + alias.length)}`;
    renames.push([new RegExp(`(?<![\\w.])${escape(relation)}(?!\\w)`, "g"), renamed.replaceAll("$", "$$$$")]);
  }
  const rename = (text: string): string => renames.reduce((all, [from, to]) => all.replace(from, to), text);
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return rename(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [rename(key), visit(child)]));
  };
  for (const { node_relation: measured } of Object.values(manifest.semantic_models ?? {})) {
    if (measured?.alias === alias) measured.alias = name;
  }
  Object.assign(node, { name, alias: name });
  Object.assign(manifest, visit(manifest));
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Ids of the models that a test may rename. */
export function modelIds({ nodes }: Manifest): string[] {
  return Object.entries(nodes).flatMap(([id, node]) =>
    node.resource_type === "model" && node.version == null && node.compiled_code ? [id] : [],
  );
}

/** Replaces text in the compiled SQL of a model. */
export function rewriteModel({ nodes }: Manifest, id: string, from: string, to: string): void {
  const node = present(nodes[id]);
  if (node.compiled_code?.includes(from) !== true) throw new Error(`the SQL of ${id} does not hold ${from}`);
  node.compiled_code = node.compiled_code.replace(from, to);
}

/** The name that `lapsesByRenames` gives to a model. */
export const RENAMED = "renamed_model";

type CertifiedProject = Awaited<ReturnType<typeof openCertifiedProject>>;

/** The models whose rename lapses a certification, by the check and by the crawl. */
export async function lapsesByRenames(
  project: CertifiedProject,
  ids: readonly string[],
): Promise<Record<string, Reasons>> {
  const found: Record<string, Reasons> = {};
  for (const id of ids) {
    const manifest = project.edit((edited) => renameModel(edited, id, RENAMED));
    const [foretold, lapsed] = [await project.check(manifest), await project.merge(manifest)];
    expect(foretold).toEqual(lapsed);
    if (Object.keys(lapsed).length > 0) found[id] = lapsed;
  }
  return found;
}
