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
import type { GraphqlContext } from "./context.ts";

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
  const { caller, loaders, oneByOne, services } = context;
  const query = { root: asset.id, change: changeType, newType, maxAffected: services.maxLineageNodes };
  return oneByOne(async () => {
    const impact = await loaders.impacts.load(maxChecks === undefined ? query : { ...query, maxChecks });
    if (impact === null) throw notFound("asset", asset.id);
    // An impact that was asked for before is there at once; its answer takes some milliseconds all the same.
    await services.turns.next(caller);
    return toAnswer(asset, impact);
  });
}

function toAnswer(asset: CatalogNode, impact: Impact): ImpactAnswer {
  const { root, change, newType, effect, summary, affected, owners, truncated, coverage, checks = null } = impact;
  return {
    assetId: root,
    asset,
    changeType: change,
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
