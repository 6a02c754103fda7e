/** The risk of a change that happened, by the rules of impact: what its impact would have said just before. */
import { type ChangeType, type Impact, type ImpactQuery, type Risk, RISKS } from "../../catalog/impact.ts";
import type { ChangeEntry, ChangeEntryKind, ChangePart } from "../../catalog/changes/change.ts";

/** What each kind of change means for those who read the node. Nothing can break by the others. */
const CHANGE_TYPE_OF: Partial<Record<ChangeEntryKind, ChangeType>> = {
  asset_removed: "asset_drop",
  asset_renamed: "column_rename",
  column_removed: "column_drop",
  column_retyped: "type_change",
};

/** Assesses a change of the graph just before it happened. */
export type AssessBefore = (query: ImpactQuery) => Promise<Impact | null>;

export async function assessEntry(assess: AssessBefore, entry: ChangeEntry): Promise<Risk | null> {
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
  return worst;
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
