/** Asks the graph what a change would affect, and gives the answer the form that clients read. */
import type { CatalogNode } from "../catalog/asset.ts";
import {
  type AffectedNode,
  canChange,
  type ChangeType,
  type FailingChecks,
  type Impact,
  type ImpactQuery,
  type OwnerImpact,
  type RiskCounts,
} from "../catalog/impact.ts";
import { ownerKey } from "../catalog/impact/owners.ts";
import { hasMoreCharacters } from "../characters.ts";
import { badField, notFound } from "../errors.ts";
import type { GraphqlContext } from "./context.ts";
import { createLoader, sum } from "./loaders.ts";

/** Longer than any data type of a warehouse, nested types included. */
const MAX_TYPE_CHARACTERS = 10_000;

export interface ImpactSummary {
  totalAffected: number;
  highRiskCount: number;
  mediumRiskCount: number;
  lowRiskCount: number;
}

/** An owner of affected assets, and those of them that are shown. */
export interface AffectedOwner extends Pick<OwnerImpact, "owner" | "ownerName"> {
  summary: ImpactSummary;
  affected: AffectedNode[];
}

/** Plain data, so that the up to 10,000 affected assets need no resolvers. */
export interface ImpactAnswer extends Pick<
  Impact,
  "newType" | "effect" | "affected" | "groups" | "truncated" | "coverage"
> {
  assetId: string;
  asset: CatalogNode;
  changeType: ChangeType;
  summary: ImpactSummary;
  owners: AffectedOwner[];
  /** Null if nobody asked for them. */
  checks: FailingChecks | null;
}

export interface Change {
  changeType: ChangeType;
  newType?: string | null | undefined;
}

/** @throws AppError `bad_request` if the change cannot happen to the asset, or the new type is invalid */
export function checkChange({ type }: CatalogNode, { changeType, newType = null }: Change): void {
  if (newType !== null) checkNewType(newType, changeType);
  if (!canChange(type, changeType)) {
    throw badField(
      "changeType",
      `${changeType} is a change of columns, and a ${type} has none; only deprecate and asset_drop are possible`,
    );
  }
}

const impactsOf = createLoader(
  ({ graph }, ws, queries: readonly ImpactQuery[]) =>
    Promise.all(queries.map((query) => graph.assessImpact(ws, query))),
  { weigh: (impact) => (impact === null ? 0 : countRows(impact)), cacheKeyFn: (query) => JSON.stringify(query) },
);

/** One row for each node of each path, each owner, each failing check with the columns that it needs, and what is not refreshed. */
function countRows({ affected, owners, checks }: Impact): number {
  const needs = (checks?.failing ?? []).map(({ check }) => 1 + check.columns.length);
  const others = owners.length + (checks?.unrefreshed.nodes.length ?? 0);
  return sum(affected.map(({ path }) => path.length)) + others + sum(needs);
}

/** @throws AppError `bad_request` as `checkChange` does */
export async function assessImpact(
  asset: CatalogNode,
  { changeType, newType = null }: Change,
  context: GraphqlContext,
  { maxChecks }: { maxChecks: number | undefined },
): Promise<ImpactAnswer> {
  checkChange(asset, { changeType, newType });
  const query = { root: asset.id, change: changeType, newType };
  const impact = await loadImpact(maxChecks === undefined ? query : { ...query, maxChecks }, context);
  if (impact === null) throw notFound("asset", asset.id);
  return toAnswer(asset, impact);
}

/**
 * Works out the impacts of a request one by one, and each of them once.
 * @returns null if there is no such asset
 */
export async function loadImpact(
  query: Omit<ImpactQuery, "maxAffected">,
  context: GraphqlContext,
): Promise<Impact | null> {
  const { nextTurn, oneByOne, services } = context;
  return oneByOne(async () => {
    const impact = await impactsOf(context).load({ ...query, maxAffected: services.maxLineageNodes });
    // An impact that is loaded already comes at once, but to build its answer still takes some milliseconds.
    await nextTurn();
    return impact;
  });
}

function toAnswer(asset: CatalogNode, impact: Impact): ImpactAnswer {
  const {
    root,
    change,
    newType,
    effect,
    summary,
    affected,
    groups,
    owners,
    truncated,
    coverage,
    checks = null,
  } = impact;
  return {
    assetId: root,
    asset,
    changeType: change,
    newType,
    effect,
    summary: toSummary(summary),
    affected,
    groups,
    owners: withAffected(owners, affected),
    truncated,
    coverage,
    checks,
  };
}

/** @throws AppError `bad_request` */
function checkNewType(newType: string, changeType: ChangeType): void {
  if (changeType !== "type_change") throw badField("newType", "is only for a type_change");
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
