/** The risk of a change that happened, by the rules of impact: what its impact would have said just before. */
import { type ChangeType, type Impact, type ImpactQuery, type Risk, RISKS } from "../../catalog/impact.ts";
import {
  AS_IF_RETYPED,
  type DecidingSql,
  findRewrittenColumns,
  isKnownToDiffer,
  isSameSql,
  type RewrittenNode,
  type RewrittenRoot,
  risksOfLookedAt,
  rootsOf,
} from "../../catalog/changes/rewritten.ts";
import { isDataset } from "../../catalog/node-types.ts";
import type { PastNode } from "../../catalog/asset.ts";
import type { NodeId } from "../../ids.ts";
import type { ChangeEntry, ChangeEntryKind, ChangePart } from "../../catalog/changes/change.ts";

/** What each kind of change means for those who read the node. Nothing can break by the others. */
const CHANGE_TYPE_OF: Partial<Record<ChangeEntryKind, ChangeType>> = {
  asset_removed: "asset_drop",
  asset_renamed: "column_rename",
  column_removed: "column_drop",
  column_retyped: "type_change",
  schedule_missed: "deprecate",
};

/** Assesses a change of the graph just before it happened. */
export type AssessBefore = (query: ImpactQuery) => Promise<Impact | null>;

/** What is read of the catalog just before a change and after it. */
interface PastNodes {
  load: (ids: readonly NodeId[]) => Promise<ReadonlyMap<NodeId, PastNode>>;
  loadColumns: (parents: readonly NodeId[]) => Promise<readonly PastNode[]>;
}

type States = Record<"before" | "after", PastNodes>;

export async function assessEntry(assess: AssessBefore, entry: ChangeEntry, states: States): Promise<Risk | null> {
  const { kind, node, other, after, details } = entry;
  if (kind === "certification_changed") {
    return after === "deprecated" ? worstOf(assess, { root: node.id, change: "deprecate", newType: null }) : null;
  }
  // The columns of a renamed asset are among what its rename breaks.
  const changes = kind === "asset_renamed" ? [] : details.flatMap(toQuery);
  // A run that failed filled nothing, just as one that has not begun.
  const asKind = kind === "check_failed" && node.type === "pipeline" ? "schedule_missed" : kind;
  const own = toQuery({ kind: asKind, nodeId: other?.id ?? node.id, after });
  let worst: Risk | null = null;
  for (const query of [...own, ...changes]) {
    const risk = await worstOf(assess, query);
    if (risk !== null && (worst === null || RISKS.indexOf(risk) < RISKS.indexOf(worst))) worst = risk;
    if (worst === RISKS[0]) break;
  }
  if (worst === RISKS[0]) return worst;
  const risks: (Risk | null)[] = [worst];
  for (const root of await findDoubtful(entry, states)) {
    risks.push(...risksOfLookedAt(await assess({ ...root, ...AS_IF_RETYPED, maxAffected: 0 })));
  }
  return RISKS.find((risk) => risks.includes(risk)) ?? null;
}

/** The nodes whose values are not what they were, or must be doubted. */
async function findDoubtful({ kind, node, check }: ChangeEntry, states: States): Promise<readonly RewrittenRoot[]> {
  if (!isDataset(node.type)) return [];
  if (kind === "sql_changed") return findRewritten(node.id, states);
  if (kind !== "check_failed") return [];
  const columns = [...(await states.before.load(check?.columns ?? [])).values()];
  return (columns.length === 0 ? [node] : columns).map(({ id }) => ({ root: id }));
}

/** The columns that a model's new SQL computes otherwise, or the model if there are many. */
async function findRewritten(id: NodeId, { before, after }: States): Promise<readonly RewrittenRoot[]> {
  const [old, now] = [(await before.load([id])).get(id), (await after.load([id])).get(id)];
  const model = toRewritten(id, old, now);
  if (isSameSql(model)) return [];
  const olds = await before.loadColumns([id]);
  const news = await after.load(olds.map((column) => column.id));
  const kept = olds.flatMap((column) => {
    const fresh = news.get(column.id);
    return fresh?.existence === "held" ? [toRewritten(column.id, column, fresh)] : [];
  });
  const hasOtherRows = isKnownToDiffer(old?.columnLineage?.rows?.basis, now?.columnLineage?.rows?.basis);
  return rootsOf(id, findRewrittenColumns(model, kept), hasOtherRows);
}

function toRewritten(id: NodeId, old: PastNode | undefined, now: PastNode | undefined): RewrittenNode {
  return { id, before: toDecidingSql(old), after: toDecidingSql(now) };
}

function toDecidingSql(node: PastNode | undefined): DecidingSql {
  const { basis = null, reads = [] } = node?.columnLineage ?? {};
  return { basis, reads };
}

type RiskQuery = Omit<ImpactQuery, "maxAffected">;

type Changed = Pick<ChangePart, "nodeId" | "after"> & { kind: ChangeEntryKind };

function toQuery({ kind, nodeId, after }: Changed): RiskQuery[] {
  const change = CHANGE_TYPE_OF[kind];
  if (change === undefined) return [];
  const newType = change === "type_change" ? after : null;
  return [{ root: nodeId, change, newType, ...(kind === "asset_renamed" && { asWhole: true }) }];
}

async function worstOf(assess: AssessBefore, query: RiskQuery): Promise<Risk | null> {
  const impact = await assess({ ...query, maxAffected: 0 });
  return RISKS.find((risk) => (impact?.summary[risk] ?? 0) > 0) ?? null;
}
