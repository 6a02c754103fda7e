/** The same manifest is no change, even if other parts differ. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { type Artifacts, openDbtWhatIf } from "../support/dbt-what-if.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/dbt");
const PROJECTS = existsSync(FOLDER) ? readdirSync(FOLDER) : [];

interface Manifest {
  metadata: { generated_at: string };
  nodes: Record<string, ManifestNode>;
  sources: Record<string, ManifestNode>;
}
interface ManifestNode {
  database: string | null;
  schema: string;
  relation_name?: string | null;
  compiled_code?: string | null;
}
interface Catalog {
  metadata: { generated_at: string };
  nodes: object;
  sources: object;
}

function readProject(name: string): { manifest: Manifest; catalog: Catalog } {
  const read = (artifact: string) => JSON.parse(readFileSync(join(FOLDER, name, `${artifact}.json`), "utf8"));
  return { manifest: read("manifest"), catalog: read("catalog") };
}

/** The same value with all keys in the opposite order. */
function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

/** The same artifact with its keys in another order, made at another time. */
function reordered<T extends Manifest | Catalog>(artifact: T): T {
  const metadata = { ...artifact.metadata, generated_at: "2031-01-01T00:00:00.000000Z" };
  return reversed({ ...artifact, metadata }) as T;
}

/** The catalog with only every second relation. */
function halved({ nodes, sources, ...rest }: Catalog, which: 0 | 1): Catalog {
  const half = (of: object) => Object.fromEntries(Object.entries(of).filter((_, i) => i % 2 === which));
  return { ...rest, nodes: half(nodes), sources: half(sources) };
}

/** The manifest for another target: the schemas of everything that the project builds have other names. */
function forTarget(manifest: Manifest): Manifest {
  const copy = structuredClone(manifest);
  const schemas = new Set(Object.values(copy.nodes).map(({ schema }) => schema));
  const toTarget = (text: string): string =>
    [...schemas].reduce(
      (sql, schema) =>
        ['"', "`", ""].reduce(
          (each, quote) => each.replaceAll(`.${quote}${schema}${quote}.`, `.${quote}pr_7_${schema}${quote}.`),
          sql.replaceAll(`[${schema}].`, `[pr_7_${schema}].`),
        ),
      text,
    );
  for (const node of [...Object.values(copy.nodes), ...Object.values(copy.sources)]) {
    if (!schemas.has(node.schema)) continue;
    node.schema = `pr_7_${node.schema}`;
    if (node.relation_name) node.relation_name = toTarget(node.relation_name);
  }
  for (const node of Object.values(copy.nodes))
    if (node.compiled_code) node.compiled_code = toTarget(node.compiled_code);
  return copy;
}

describe.skipIf(PROJECTS.length === 0).each(PROJECTS)(
  "the same manifest of %s, skipped without ../shared/data",
  { timeout: 600_000 },
  (name) => {
    const { manifest, catalog } = readProject(name);
    const catalogs = {
      "its catalog": catalog,
      "no catalog": undefined,
      "half a catalog": halved(catalog, 0),
    };
    it.each(Object.entries(catalogs))("The same manifest is no change after a sync with %s", async (_what, crawled) => {
      const { check } = await openDbtWhatIf({ manifest, catalog: crawled });
      const variants: Record<string, Artifacts> = {
        "in another order, with its catalog": { manifest: reordered(manifest), catalog: reordered(catalog) },
        "with the other half of the catalog": { manifest, catalog: halved(catalog, 1) },
        "for another target": { manifest: forTarget(manifest) },
      };
      const found: Record<string, string[]> = {};
      for (const [what, variant] of Object.entries(variants)) {
        const { changes, checks, lapses, lineage } = await check(variant);
        found[what] = [
          ...changes.map(({ kind, fqn, confidence, because }) => `${kind} ${fqn} ${confidence} ${because}`),
          ...checks.wouldFail.map(({ name: test, reason }) => `check ${test}: ${reason}`),
          ...lapses.metrics.map(({ fqn, reason }) => `lapse ${fqn}: ${reason}`),
          ...lineage.nodes.map(({ difference, node: { fqn } }) => `${difference} ${fqn}`),
          ...lineage.edges.map(({ difference, from, to }) => `${difference} ${from.fqn} -> ${to.fqn}`),
        ];
      }
      expect(found).toEqual(Object.fromEntries(Object.keys(variants).map((what) => [what, []])));
    });
  },
);
