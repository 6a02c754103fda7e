/**
 * Which certifications would lapse: those of metrics that stand on something that a new project computes otherwise. The
 * rules are those by which a crawl ends a certification.
 */
import type { ColumnLineage } from "../catalog/asset.ts";
import type { ColumnUse } from "../catalog/edge.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import { compareCodePoints } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import { type ColumnPart, type Definition, type Dependencies, parseDependencies } from "../metrics/dependencies.ts";
import { differences, toNote } from "../metrics/differences.ts";
import { listMetrics } from "../metrics/list-metrics.ts";
import type { Pace } from "../work/pace.ts";

/** A certification that would lapse. */
export interface Lapse {
  /** Those of the metric. */
  id: NodeId;
  name: string;
  fqn: string;
  owner: string;
  ownerName: string;
  /** What would be computed otherwise. */
  reason: string;
}

export interface Lapses {
  total: number;
  /** In the order of the metrics' keys. */
  metrics: Lapse[];
  truncated: boolean;
}

export const NO_LAPSES: Lapses = { total: 0, metrics: [], truncated: false };

/** What the SQL of a new project computes. All ids are those that the catalog has for it at present. */
export interface NewSql {
  /** Tables and models whose SQL could be read. */
  assets: ReadonlyMap<string, { sql: string; basis: string | null }>;
  /** Their columns. */
  columns: ReadonlyMap<string, NewColumn>;
  metrics: ReadonlyMap<string, { definition: MetricDefinition; basis: string | null }>;
  /**
   * Whether relations have the names that they have at present. If not, because the project is compiled for another
   * schema, texts of whole statements cannot be compared.
   */
  hasSameNames: boolean;
}

export interface NewColumn {
  lineage: ColumnLineage;
  uses: { id: NodeId; column: string; use: ColumnUse }[];
}

const MAX_LISTED = 1_000;
const BATCH = 100;

/** @param gone ids of what the new project drops or calls otherwise */
export async function findLapses(
  graph: Pick<GraphReader, "listNodes" | "loadDependencies">,
  workspace: WorkspaceId,
  { next, gone }: { next: NewSql; gone: ReadonlySet<NodeId> },
  pace: Pace,
): Promise<Lapses> {
  const lost = new Map([...gone].map((id) => [id, null]));
  const certified = (await listMetrics(graph, workspace)).filter(({ certification }) => certification === "certified");
  const metrics: Lapse[] = [];
  let total = 0;
  for (let start = 0; start < certified.length; start += BATCH) {
    await pace.next();
    const some = certified.slice(start, start + BATCH);
    const texts = await graph.loadDependencies(
      workspace,
      some.map(({ id }) => id),
    );
    for (const [i, { id, name, fqn, owner, ownerName }] of some.entries()) {
      if (pace.isDue()) await pace.next();
      const before = texts[i] == null ? null : parseDependencies(texts[i]);
      const reasons = before === null ? [] : differences(before, without(gone, applyTo(before, id, next)), lost);
      if (reasons.length === 0) continue;
      total += 1;
      if (metrics.length < MAX_LISTED) metrics.push({ id, name, fqn, owner, ownerName, reason: toNote(reasons) });
    }
  }
  return { total, metrics, truncated: total > metrics.length };
}

/** What a metric would depend on. What the new project does not say stays as it is. */
function applyTo(before: Dependencies, metric: NodeId, next: NewSql): Dependencies {
  const columns = mapValues(before.columns, (part, id) => toColumn(part, next, id));
  const rows = rowsByAsset(before, next);
  return {
    ...before,
    definition: toDefinition(before.definition, next, metric),
    metrics: mapValues(before.metrics, (part, id) => ({
      ...part,
      definition: toDefinition(part.definition, next, id),
    })),
    assets: mapValues(before.assets, (part, id) => {
      const own = next.assets.get(id);
      if (own === undefined) return part;
      if (!next.hasSameNames) return { ...part, basis: null };
      return { ...part, sql: sqlHash(own.sql), basis: own.basis, rows: rows.get(id) ?? [] };
    }),
    columns,
  };
}

function without(gone: ReadonlySet<string>, dependencies: Dependencies): Dependencies {
  const left = <T>(of: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(of).filter(([id]) => !gone.has(id)));
  return { ...dependencies, assets: left(dependencies.assets), columns: left(dependencies.columns) };
}

function toColumn(part: ColumnPart, { columns, hasSameNames }: NewSql, id: string): ColumnPart {
  const own = columns.get(id);
  if (own === undefined) return part;
  const names = new Map(part.from.map((source) => [source.id, source.column]));
  const direct = own.uses.filter(({ use }) => use.kind === "DIRECT");
  const from = direct.map(({ id: source, column, use: { expression } }) => {
    return { id: source, column: names.get(source) ?? column, expression };
  });
  return {
    ...part,
    known: own.lineage.status === "known",
    basis: hasSameNames ? (own.lineage.basis ?? null) : null,
    from: from.toSorted(
      (a, b) => compareCodePoints(a.column, b.column) || compareCodePoints(a.expression, b.expression),
    ),
  };
}

function toDefinition(before: Definition, { metrics }: NewSql, id: string): Definition {
  const own = metrics.get(id);
  if (own === undefined) return before;
  const { kind, expression, grain, dimensions, filters } = own.definition;
  return { ...before, kind, expression, grain, dimensions, filters, basis: own.basis };
}

/** For each asset, the uses that decide the rows of the columns that count, as dependencies hold them. */
function rowsByAsset({ columns }: Dependencies, next: NewSql): Map<string, string[]> {
  const rows = new Map<string, Set<string>>();
  for (const [id, { parentId }] of Object.entries(columns)) {
    const own = rows.getOrInsertComputed(parentId, () => new Set());
    for (const { use } of next.columns.get(id)?.uses ?? []) {
      if (use.kind === "INDIRECT") own.add(`${use.transformation} ${use.expression}`);
    }
  }
  return new Map([...rows].map(([id, own]) => [id, [...own].toSorted(compareCodePoints)]));
}

function mapValues<T>(of: Record<string, T>, change: (value: T, key: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]));
}
