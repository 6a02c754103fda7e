/** The risk of a change that happened, by the rules of impact: what its impact would have said just before. */
import { type ChangeType, type Impact, type ImpactQuery, type Risk, RISKS } from "../../catalog/impact.ts";
import { isDataset, type NodeType } from "../../catalog/node-types.ts";
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

/** Of more columns, new SQL is assessed as one change of the whole model. */
const MAX_COLUMNS = 20;

export async function assessEntry(assess: AssessBefore, entry: ChangeEntry, states: States): Promise<Risk | null> {
  const { kind, node, other, after, details } = entry;
  if (kind === "certification_changed") {
    return after === "deprecated" ? worstOf(assess, { root: node.id, change: "deprecate", newType: null }) : null;
  }
  // The columns of a renamed asset are among what its rename breaks.
  const changes = kind === "asset_renamed" ? [] : details.flatMap(toQuery);
  const own = toQuery({ kind, nodeId: other?.id ?? node.id, after });
  let worst: Risk | null = null;
  for (const query of [...own, ...changes]) {
    const risk = await worstOf(assess, query);
    if (risk !== null && (worst === null || RISKS.indexOf(risk) < RISKS.indexOf(worst))) worst = risk;
    if (worst === RISKS[0]) break;
  }
  if (worst === RISKS[0]) return worst;
  const risks: (Risk | null)[] = [worst];
  for (const root of await findDoubtful(entry, states)) {
    const impact = await assess({ root, change: "type_change", newType: null, maxAffected: 0 });
    risks.push(...(impact?.groups ?? []).flatMap(({ type, risk }) => (isLookedAt(type) ? [risk] : [])));
  }
  return RISKS.find((risk) => risks.includes(risk)) ?? null;
}

/**
 * The nodes whose values are not what they were, or must be doubted. For their readers that is as if the type changed: nothing
 * fails, and the values mean something else. It matters to those who look at them, so other models do not count.
 */
async function findDoubtful({ kind, node, check }: ChangeEntry, states: States): Promise<NodeId[]> {
  if (!isDataset(node.type)) return [];
  if (kind === "sql_changed") return findRewritten(node.id, states);
  if (kind !== "check_failed") return [];
  const columns = [...(await states.before.load(check?.columns ?? [])).values()];
  return columns.length === 0 ? [node.id] : columns.map(({ id }) => id);
}

/** The columns that a model's new SQL computes otherwise. */
async function findRewritten(model: NodeId, { before, after }: States): Promise<NodeId[]> {
  const [old, now] = [(await before.load([model])).get(model), (await after.load([model])).get(model)];
  if (isSameSql(old, now)) return [];
  const olds = await before.loadColumns([model]);
  const news = await after.load(olds.map(({ id }) => id));
  const changed = olds.filter(
    (column) => news.get(column.id)?.existence === "held" && !isSameSql(column, news.get(column.id)),
  );
  return changed.length > MAX_COLUMNS ? [model] : changed.map(({ id }) => id);
}

/** Whether the same SQL is known to decide both, however it is spelled. It counts the relations that it reads by their order. */
function isSameSql(old: PastNode | undefined, now: PastNode | undefined): boolean {
  const [one, two] = [old?.columnLineage, now?.columnLineage];
  return one?.basis !== undefined && one.basis === two?.basis && String(one.reads) === String(two.reads);
}

function isLookedAt(type: NodeType): boolean {
  return type === "dashboard" || type === "metric";
}

type RiskQuery = Omit<ImpactQuery, "maxAffected">;

function toQuery({
  kind,
  nodeId,
  after,
}: Pick<ChangePart, "nodeId" | "after"> & { kind: ChangeEntryKind }): RiskQuery[] {
  const change = CHANGE_TYPE_OF[kind];
  if (change === undefined) return [];
  const newType = change === "type_change" ? after : null;
  return [{ root: nodeId, change, newType, ...(kind === "asset_renamed" && { asWhole: true }) }];
}

async function worstOf(assess: AssessBefore, query: RiskQuery): Promise<Risk | null> {
  const impact = await assess({ ...query, maxAffected: 0 });
  return RISKS.find((risk) => (impact?.summary[risk] ?? 0) > 0) ?? null;
}
