/**
 * The edges into a metric that people defined, and the nodes at their other ends, which people name. If the metric's SQL
 * can be read, the edges say how it uses its columns.
 */
import type { CatalogNode, ColumnLineage } from "../catalog/asset.ts";
import { type ColumnUse, joinUses } from "../catalog/edge.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { MEASURED, measuringQuery } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { EdgeWrite, NodeWrite } from "../graph/catalog-writes.ts";
import { nameNode } from "../graph/name-node.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { Relation } from "../sql-lineage/request.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";

interface DrawParts {
  graph: Pick<GraphReader, "loadColumns" | "loadNodes" | "loadSources">;
  sqlLineage: Pick<SqlLineage, "resolve">;
  /** The caller for whom the SQL is read. */
  caller: Caller;
}

interface Drawn {
  edges: EdgeWrite[];
  /** Relations come before their columns. */
  named: NodeWrite[];
  /** Null if its SQL was not read. */
  columnLineage: ColumnLineage | null;
}

export async function drawEdges(
  parts: DrawParts,
  metric: Pick<MetricDefinition, "expression" | "filters"> & { id: NodeId; workspace: WorkspaceId },
  sources: readonly CatalogNode[],
): Promise<Drawn> {
  const { graph } = parts;
  const { uses, columnLineage } = await readUses(parts, metric, sources);
  // A walk at the level of assets does not visit columns, so the tables of the columns feed the metric too.
  const parentIds = new Set(sources.flatMap(({ parentId }) => parentId ?? []));
  const parents = (await graph.loadNodes(metric.workspace, [...parentIds])).filter((node) => node !== null);
  const ends = [...new Map([...parents, ...sources].map((node) => [node.id, node])).values()];
  const ids = ends.map(({ id }) => id);
  const known = await graph.loadSources(metric.workspace, ids);
  return {
    edges: ids.map((id) => ({ from: id, to: metric.id, kind: "defines", uses: joinUses(uses.get(id) ?? []) })),
    named: ends.map((node, i) => nameNode(node, known[i]?.[0]?.instance ?? "")),
    columnLineage,
  };
}

/** The uses by the columns' ids. It needs sources that are one relation, or columns of one relation. */
async function readUses(
  { graph, sqlLineage, caller }: DrawParts,
  { workspace, expression, filters }: Pick<MetricDefinition, "expression" | "filters"> & { workspace: WorkspaceId },
  sources: readonly CatalogNode[],
): Promise<{ uses: Map<NodeId, ColumnUse[]>; columnLineage: ColumnLineage | null }> {
  const uses = new Map<NodeId, ColumnUse[]>();
  const [parentId, ...others] = new Set(sources.map((source) => source.parentId ?? source.id));
  const isOfOne = parentId !== undefined && others.length === 0;
  const [parent = null] = isOfOne ? await graph.loadNodes(workspace, [parentId]) : [];
  if (parent === null || parent.type === "metric") return { uses, columnLineage: null };
  const [columns = []] = await graph.loadColumns(workspace, [parent.id]);
  const relation: Relation = {
    database: "",
    schema: "",
    name: MEASURED,
    columns: columns.map(({ name }) => name),
    completeness: columns.length === 0 ? "some" : "all",
    inlinedAs: "",
  };
  const sql = measuringQuery({ expression, filters });
  const answer = await sqlLineage.resolve({ sql, dialect: parent.platform, relations: [relation] }, caller);
  const basis = answer.digest === undefined ? {} : { basis: answer.digest };
  if ("unresolved" in answer) {
    return { uses, columnLineage: { status: "unknown", reason: answer.unresolved, ...basis } };
  }
  const ids = new Map(sources.map(({ id, name }) => [fold(name), id]));
  let reason = answer.incomplete;
  for (const output of answer.columns) {
    reason ??= output.unresolved;
    for (const { column, kind, transformation, expression: used } of output.parents) {
      const id = ids.get(fold(column));
      if (id === undefined) reason ??= `the column ${column} is not among its sources`;
      else uses.set(id, [...(uses.get(id) ?? []), { kind, transformation, expression: used }]);
    }
  }
  return { uses, columnLineage: { status: reason === null ? "known" : "partial", reason: reason ?? "", ...basis } };
}
