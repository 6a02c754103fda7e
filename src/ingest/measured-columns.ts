/** Finds out which columns a metric reads, from the queries that its connector states for it. */
import { nodeId } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { type AssetStatement, MEASURED, type MeasuredRelation, measuringQuery } from "../catalog/statement.ts";
import type { LineageRequest } from "../sql-lineage/request.ts";
import { type QueryLineage, withBasis } from "./column-lineage.ts";
import { type KnownRelation, toRelation } from "./known-relations.ts";
import { joinQueries } from "./query-lineage.ts";
import type { SqlContext } from "./statement-reader.ts";

interface Known {
  read: MeasuredRelation;
  relation: KnownRelation;
}

export async function readMeasured(
  { ref, facts, reads = [] }: AssetStatement,
  { workspace, relations, reader, caller }: SqlContext,
): Promise<QueryLineage> {
  const known = reads.flatMap((read): Known[] => {
    const relation = relations.get(nodeId(workspace, read.relation));
    return relation === undefined ? [] : [{ read, relation }];
  });
  const requests = known.map(({ read, relation }) => toRequest(read, relation));
  const answers = await reader.read([...requests, ...definitionOf(facts.metric, known)], caller);
  const [definition] = answers.splice(requests.length);
  const read = answers.map((answer, i) => ({ answer, sources: known.slice(i, i + 1).map(({ relation }) => relation) }));
  const missing = known.length < reads.length ? "it measures a relation that is not known" : null;
  const lineage = joinQueries(workspace, ref, read, missing);
  return definition === undefined ? lineage : { ...lineage, own: withBasis(lineage.own, definition) };
}

/** A request for the definition as people read it. Only the hash in its answer is used. */
function definitionOf(metric: MetricDefinition | null | undefined, [first]: readonly Known[]): LineageRequest[] {
  if (metric == null || first === undefined) return [];
  return [toRequest({ ...first.read, sql: measuringQuery(metric) }, first.relation)];
}

function toRequest({ relation, sql }: MeasuredRelation, known: KnownRelation): LineageRequest {
  const measured = { ...toRelation(known), database: "", schema: "", name: MEASURED, inlinedAs: "" };
  return { sql, dialect: relation.platform, relations: [measured] };
}
