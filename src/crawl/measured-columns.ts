/** Finds out which columns a metric reads, from the queries that its connector states for it. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { joinUses } from "../catalog/edge.ts";
import { nodeId } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { type AssetStatement, MEASURED, type MeasuredRelation, measuringQuery } from "../catalog/statement.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import type { LineageRequest } from "../sql-lineage/request.ts";
import type { Caller } from "../work/caller.ts";
import { type ColumnUsage, createFinder, KNOWN, usagesOf, withBasis } from "./column-lineage.ts";
import { type KnownRelation, type NamedColumn, type Relations, toRelation } from "./known-relations.ts";
import type { StatementReader } from "./statement-reader.ts";

export interface MeasuredOptions {
  /** The workspace's name, which is part of ids. */
  workspace: string;
  relations: Relations;
  reader: StatementReader;
  /** The caller for whom the SQL is read. */
  caller: Caller;
}

export interface Measured {
  own: ColumnLineage;
  edges: EdgeWrite[];
  /** Like `edges`, but from columns that are written only after all SQL of the scope has been read. */
  lateEdges: EdgeWrite[];
  /** The columns that its queries name. */
  named: NamedColumn[];
}

interface Known {
  read: MeasuredRelation;
  relation: KnownRelation;
}

export async function readMeasured(
  { ref, facts, reads = [] }: AssetStatement,
  { workspace, relations, reader, caller }: MeasuredOptions,
): Promise<Measured> {
  const known = reads.flatMap((read): Known[] => {
    const relation = relations.get(nodeId(workspace, read.relation));
    return relation === undefined ? [] : [{ read, relation }];
  });
  const requests = known.map(({ read, relation }) => toRequest(read, relation));
  const answers = await reader.read([...requests, ...definitionOf(facts.metric, known)], caller);
  const [definition] = answers.splice(requests.length);
  const usages = new Map<string, ColumnUsage>();
  const named = new Map<string, NamedColumn>();
  const reasons = known.length < reads.length ? ["it measures a relation that is not known"] : [];
  for (const [i, answer] of answers.entries()) {
    if ("unresolved" in answer) {
      reasons.push(answer.unresolved);
      continue;
    }
    const find = createFinder(
      workspace,
      known.slice(i, i + 1).map(({ relation }) => relation),
    );
    for (const { parents, unresolved } of answer.columns) {
      const { usages: own, missing } = usagesOf(parents, find);
      reasons.push(...[unresolved, missing].filter((reason) => reason !== null));
      for (const { from, uses } of own) {
        usages.set(from.id, { from, uses: [...(usages.get(from.id)?.uses ?? []), ...uses] });
      }
    }
    if (answer.unresolvedUse !== null) reasons.push(answer.unresolvedUse);
    for (const { relation, column } of answer.named) {
      const from = find(relation, column);
      if (typeof from !== "string") named.set(from.id, from);
    }
  }
  const to = nodeId(workspace, ref);
  const edgesFrom = (late: boolean): EdgeWrite[] =>
    [...usages.values()]
      .filter(({ from }) => from.late === late)
      .map(({ from, uses }) => ({ from: from.id, to, kind: "defines", uses: joinUses(uses) }));
  const [reason] = reasons;
  const status = usages.size === 0 ? "unknown" : "partial";
  const state = reason === undefined ? KNOWN : ({ status, reason } as const);
  const own = definition === undefined ? state : withBasis(state, definition);
  return { own, edges: edgesFrom(false), lateEdges: edgesFrom(true), named: [...named.values()] };
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
