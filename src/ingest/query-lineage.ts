/** What a metric, dashboard or pipeline reads, by the queries that it runs. */
import { joinUses } from "../catalog/edge.ts";
import { nodeId, type NodeRef } from "../catalog/identity.ts";
import { NODE_TYPE_TABLE } from "../catalog/node-types.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import type { WorkspaceName } from "../ids.ts";
import type { LineageAnswer } from "../sql-lineage/request.ts";
import { type ColumnUsage, createFinder, KNOWN, type QueryLineage, usagesOf } from "./column-lineage.ts";
import type { KnownRelation, NamedColumn } from "./known-relations.ts";

/** A query that was read, and the relations of the request in their order. */
export interface ReadQuery {
  answer: LineageAnswer;
  sources: readonly KnownRelation[];
}

/**
 * Joins the columns that all queries of one asset read.
 * @param workspace the workspace's name, which is part of ids
 * @param missing why something else may be read; null if nothing else is
 */
export function joinQueries(
  workspace: WorkspaceName,
  ref: NodeRef,
  queries: readonly ReadQuery[],
  missing: string | null,
): QueryLineage {
  const usages = new Map<string, ColumnUsage>();
  const named = new Map<string, NamedColumn>();
  const reasons = missing === null ? [] : [missing];
  for (const { answer, sources } of queries) {
    if ("unresolved" in answer) {
      reasons.push(answer.unresolved);
      continue;
    }
    const find = createFinder(workspace, sources);
    for (const { parents, unresolved } of answer.columns) {
      const { usages: own, missing: unknown } = usagesOf(parents, find);
      reasons.push(...[unresolved, unknown].filter((reason) => reason !== null));
      for (const { from, uses } of own) {
        usages.set(from.id, { from, uses: joinUses([...(usages.get(from.id)?.uses ?? []), ...uses]) });
      }
    }
    if (answer.unresolvedUse !== null) reasons.push(answer.unresolvedUse);
    for (const { relation, column } of answer.named) {
      const from = find(relation, column);
      if (typeof from !== "string") named.set(from.id, from);
    }
  }
  const to = nodeId(workspace, ref);
  const kind = NODE_TYPE_TABLE[ref.type].queryEdge;
  const edgesFrom = (late: boolean): EdgeWrite[] =>
    [...usages.values()]
      .filter(({ from }) => from.late === late)
      .map(({ from, uses }) => ({ from: from.id, to, kind, uses }));
  const [reason] = reasons;
  const status = usages.size === 0 ? "unknown" : "partial";
  const own = reason === undefined ? KNOWN : ({ status, reason } as const);
  return { own, edges: edgesFrom(false), lateEdges: edgesFrom(true), named: [...named.values()] };
}
