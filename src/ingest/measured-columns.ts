/** Finds out which columns a metric reads, from the queries that its connector states for it. */
import { hash } from "node:crypto";

import { nodeId } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { type AssetStatement, MEASURED, type MeasuredRelation, measuringQuery } from "../catalog/statement.ts";
import { compareCodePoints } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";
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
  const ids = known.map(({ read: { relation } }) => nodeId(workspace, relation));
  return { ...lineage, own: withBasis(lineage.own, { digest: missing === null ? digestOf(all, ids) : undefined }) };
}

/**
 * Changes if the definition means something else, or the queries compute it otherwise or of other relations.
 * @param ids of the relations of the queries, which come first among the answers
 */
function digestOf(answers: readonly LineageAnswer[], ids: readonly NodeId[]): string | undefined {
  const digests = answers.flatMap(({ digest }) => digest ?? []);
  if (digests.length < answers.length) return undefined;
  // Their order says nothing, and relations are numbered, so that one may get another name.
  const queries = ids.map((id, i) => ({ id, digest: digests[i] ?? "" })).toSorted(byDigest);
  const places = [...new Set(queries.map(({ id }) => id))];
  const parts = queries.map(({ id, digest }) => `${places.indexOf(id)} ${digest}`);
  return hash("sha256", [...parts, ...digests.slice(ids.length)].join(), "hex");
}

function byDigest(a: { digest: string }, b: { digest: string }): number {
  return compareCodePoints(a.digest, b.digest);
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
