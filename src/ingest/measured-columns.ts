/** Finds out which columns a metric reads, from the queries that its connector states for it. */
import { hash } from "node:crypto";

import { nodeId } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { type AssetStatement, MEASURED, type MeasuredRelation, measuringQuery } from "../catalog/statement.ts";
import type { LineageAnswer, LineageRequest } from "../sql-lineage/request.ts";
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
  const all = await reader.read([...requests, ...definitionOf(facts.metric, known)], caller);
  const answers = all.slice(0, requests.length);
  const read = answers.map((answer, i) => ({ answer, sources: known.slice(i, i + 1).map(({ relation }) => relation) }));
  const missing = known.length < reads.length ? "it measures a relation that is not known" : null;
  const lineage = joinQueries(workspace, ref, read, missing);
  return { ...lineage, own: withBasis(lineage.own, { digest: missing === null ? digestOf(all) : undefined }) };
}

/** Changes if the definition means something else, or the queries compute it otherwise. */
function digestOf(answers: readonly LineageAnswer[]): string | undefined {
  const digests = answers.flatMap(({ digest }) => digest ?? []);
  return digests.length < answers.length ? undefined : hash("sha256", digests.join(), "hex");
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
