/** Which columns a metric reads: by the queries that its connector states of it. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { type ColumnUse, joinUses } from "../catalog/edge.ts";
import { nodeId } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { type AssetStatement, MEASURED, type MeasuredRelation, measuringQuery } from "../catalog/statement.ts";
import type { EdgeWrite } from "../graph/catalog-graph.ts";
import type { LineageRequest } from "../sql-lineage/request.ts";
import { KNOWN, type KnownRelation, toReadable, usesOf, withBasis } from "./column-lineage.ts";
import type { Relations } from "./scope-lineage.ts";
import type { Caller } from "../work/caller.ts";
import type { StatementReader } from "./statement-reader.ts";

export interface MeasuredOptions {
  /** The workspace's name, which ids are made of. */
  workspace: string;
  relations: Relations;
  reader: StatementReader;
  /** Who has the SQL read. */
  caller: Caller;
}

export async function readMeasured(
  { ref, facts, reads = [] }: AssetStatement,
  { workspace, relations, reader, caller }: MeasuredOptions,
): Promise<{ own: ColumnLineage; edges: EdgeWrite[] }> {
  const known = reads.map(
    ({ relation }): KnownRelation => relations.get(nodeId(workspace, relation)) ?? { ref: relation, columns: [] },
  );
  const requests = reads.map((read, i) => toRequest(read, known[i]?.columns ?? []));
  const answers = await reader.read([...requests, ...definitionOf(facts.metric, reads)], caller);
  const [definition] = answers.splice(requests.length);
  const uses = new Map<string, ColumnUse[]>();
  const reasons: string[] = [];
  for (const [i, answer] of answers.entries()) {
    const outputs = "unresolved" in answer ? [] : answer.columns;
    if ("unresolved" in answer) reasons.push(answer.unresolved);
    for (const { parents, unresolved } of outputs) {
      const found = usesOf(workspace, parents, known.slice(i, i + 1).map(toReadable));
      reasons.push(...[unresolved, found.missing].filter((reason) => reason !== null));
      for (const [id, own] of found.uses) uses.set(id, [...(uses.get(id) ?? []), ...own]);
    }
  }
  const to = nodeId(workspace, ref);
  const edges = [...uses].map(([from, own]): EdgeWrite => ({ from, to, kind: "defines", uses: joinUses(own) }));
  const [reason] = reasons;
  const own: ColumnLineage =
    reason === undefined ? KNOWN : { status: edges.length === 0 ? "unknown" : "partial", reason };
  return { own: definition === undefined ? own : withBasis(own, definition), edges };
}

/** The definition as people read it, which is asked for nothing but its name. */
function definitionOf(
  metric: MetricDefinition | null | undefined,
  [first]: readonly MeasuredRelation[],
): LineageRequest[] {
  if (metric == null || first === undefined) return [];
  return [toRequest({ ...first, sql: measuringQuery(metric) }, [])];
}

function toRequest({ relation, sql }: MeasuredRelation, columns: readonly string[]): LineageRequest {
  return { sql, dialect: relation.platform, relations: [{ database: "", schema: "", name: MEASURED, columns }] };
}
