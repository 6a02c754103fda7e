/** Asks the graph what a change would affect, and puts the answer into the form that clients read. */
import type { CatalogNode } from "../catalog/asset.ts";
import {
  type AffectedNode,
  canChange,
  type ChangeType,
  type FailingChecks,
  type Impact,
  type OwnerImpact,
  type RiskCounts,
} from "../catalog/impact.ts";
import { ownerKey } from "../catalog/impact/owners.ts";
import { hasMoreCharacters } from "../characters.ts";
import { badField, notFound } from "../errors.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";

/** More than any type of a warehouse takes, nested ones included. */
const MAX_TYPE_CHARACTERS = 10_000;

export interface ImpactSummary {
  totalAffected: number;
  highRiskCount: number;
  mediumRiskCount: number;
  lowRiskCount: number;
}

/** An owner of something affected, and those of the owner's affected assets that are shown. */
export interface AffectedOwner extends Pick<OwnerImpact, "owner" | "ownerName"> {
  summary: ImpactSummary;
  affected: AffectedNode[];
}

/** Plain data, so that no field of the up to 10,000 affected needs a resolver. */
export interface ImpactAnswer extends Pick<Impact, "newType" | "effect" | "affected" | "truncated" | "coverage"> {
  assetId: string;
  asset: CatalogNode;
  changeType: ChangeType;
  summary: ImpactSummary;
  owners: AffectedOwner[];
  /** Null where nobody asked for them. */
  checks: FailingChecks | null;
}

export interface Change {
  changeType: ChangeType;
  newType?: string | null | undefined;
}

/** @throws AppError `bad_request` for a change that cannot happen to the asset, or a new type that is none */
export function checkChange({ type }: CatalogNode, { changeType, newType = null }: Change): void {
  if (newType !== null) checkNewType(newType, changeType);
  if (!canChange(type, changeType)) {
    throw badField("changeType", `${changeType} is about columns, and a ${type} has none; deprecate can be asked`);
  }
}

/** @throws AppError `bad_request` as `checkChange` does */
export async function assessImpact(
  asset: CatalogNode,
  { changeType, newType = null }: Change,
  context: GraphqlContext,
  { maxChecks }: { maxChecks: number | undefined },
): Promise<ImpactAnswer> {
  checkChange(asset, { changeType, newType });
  const { budget, caller, graph, services } = context;
  const query = { root: asset.id, change: changeType, newType, maxAffected: services.maxLineageNodes };
  const looked = maxChecks === undefined ? query : { ...query, maxChecks };
  await services.turns.next(caller);
  const impact = await graph.assessImpact(workspaceOf(context), looked);
  if (impact === null) throw notFound("asset", asset.id);
  const { effect, summary, affected, owners, truncated, coverage, checks = null } = impact;
  budget.draw("rows", sumHops(affected) + owners.length + (checks === null ? 0 : countRows(checks)));
  return {
    assetId: asset.id,
    asset,
    changeType,
    newType,
    effect,
    summary: toSummary(summary),
    affected,
    owners: withAffected(owners, affected),
    truncated,
    coverage,
    checks,
  };
}

/** A row for each check and each column that it needs. */
function countRows({ failing }: FailingChecks): number {
  return failing.reduce((sum, { check }) => sum + 1 + check.columns.length, 0);
}

/** A row for each affected node and each hop of its path. */
function sumHops(affected: readonly AffectedNode[]): number {
  return affected.reduce((sum, { path }) => sum + path.length, 0);
}

/** @throws AppError `bad_request` */
function checkNewType(newType: string, changeType: ChangeType): void {
  if (changeType !== "type_change") throw badField("newType", "is for a type_change alone");
  if (newType.trim() === "") throw badField("newType", "must not be blank");
  if (hasMoreCharacters(newType, MAX_TYPE_CHARACTERS)) {
    throw badField("newType", `may have at most ${MAX_TYPE_CHARACTERS} characters`);
  }
}

export function toSummary({ total, high, medium, low }: RiskCounts): ImpactSummary {
  return { totalAffected: total, highRiskCount: high, mediumRiskCount: medium, lowRiskCount: low };
}

export function withAffected(owners: readonly OwnerImpact[], affected: readonly AffectedNode[]): AffectedOwner[] {
  const owned = Map.groupBy(affected, ownerKey);
  return owners.map((each) => ({
    owner: each.owner,
    ownerName: each.ownerName,
    summary: toSummary(each),
    affected: owned.get(ownerKey(each)) ?? [],
  }));
}
