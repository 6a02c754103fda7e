/**
 * An impact as people read it: assets and metrics, each with its affected columns. The workspace, the command line, the
 * comment on a pull request, GraphQL and the tools of agents count and order by these functions.
 *
 * If a column is affected, so is its table, at the same risk or a higher one.
 */
import { type AffectedNode, type AssetGroup, type OwnerImpact, type Risk, type RiskCounts, RISKS } from "../impact.ts";
import { compareImpactOrder, type NodeType } from "../node-types.ts";
import { usageRank } from "../usage.ts";
import { countRisks, groupByOwner, createOwnerKeys, isOwnedBy } from "./owners.ts";

/** Everything that is given must hold. */
export interface AssetFilter {
  /** With `column`, columns are listed and counted by themselves, too. */
  types?: readonly NodeType[] | undefined;
  risks?: readonly Risk[] | undefined;
  /** An address or a name, in any case; "" for what nobody owns. */
  owner?: string | undefined;
}

export interface AffectedAsset {
  impact: AffectedNode;
  /** Its affected columns, the worst and nearest first. */
  columns: readonly AffectedNode[];
}

export interface AssetCounts extends RiskCounts {
  /** How many columns of these assets are affected. */
  columns: number;
  /** Those that people look at come first. */
  types: { type: NodeType; count: number }[];
}

type Grouped<Id> = Pick<AffectedNode, "type" | "risk" | "owner" | "ownerName"> & WithParent<Id>;

interface WithParent<Id> {
  id: Id;
  parentId: Id | null;
}

/** Groups by type, risk and owner. A column counts with its table, or by itself if its table is not in the catalog. */
export function groupAssets<Id>(affected: readonly Grouped<Id>[]): AssetGroup[] {
  const byId = new Map(affected.map((node) => [node.id, node]));
  const groups = new Map<string, AssetGroup>();
  const ownerKey = createOwnerKeys();
  const groupOf = ({ type, risk, owner, ownerName }: Grouped<Id>, isFolded: boolean): AssetGroup =>
    groups.getOrInsertComputed(`${type} ${risk} ${isFolded} ${ownerKey({ owner, ownerName })}`, () => {
      return { type, risk, owner, ownerName, count: 0, columns: 0, isFolded };
    });
  for (const node of affected) {
    const parent = node.parentId === null ? undefined : byId.get(node.parentId);
    groupOf(node, parent !== undefined).count += 1;
    if (parent !== undefined) groupOf(parent, false).columns += 1;
  }
  return [...groups.values()];
}

/** Exact, also where not all that is affected was kept. */
export function countAssets(groups: readonly AssetGroup[], filter: AssetFilter = {}): AssetCounts {
  const passing = groups.filter(passes(filter));
  const byType = Map.groupBy(passing, ({ type }) => type);
  return {
    ...countRisks(passing),
    columns: passing.reduce((sum, { columns }) => sum + columns, 0),
    types: [...byType]
      .map(([type, ofType]) => ({ type, count: countRisks(ofType).total }))
      .toSorted((a, b) => compareImpactOrder(a, b) || b.count - a.count),
  };
}

/** The owners of the assets that pass: whom to tell. */
export function listOwners(groups: readonly AssetGroup[], filter: AssetFilter = {}): OwnerImpact[] {
  return groupByOwner(groups.filter(passes(filter)));
}

/**
 * The assets that pass, in the order of reading: dashboards, metrics and pipelines, then models and tables; each in the
 * order of `compareAffected`.
 * @param affected in that order
 */
export function listAssets(affected: readonly AffectedNode[], filter: AssetFilter = {}): AffectedAsset[] {
  const parents = parentsIn(affected);
  const columns = Map.groupBy(affected, ({ id }) => parents.get(id));
  const test = passes(filter);
  return affected
    .filter((node) => test({ ...node, isFolded: parents.has(node.id) }))
    .toSorted(compareImpactOrder)
    .map((impact) => ({ impact, columns: columns.get(impact.id) ?? [] }));
}

/** What passes, in the order in which it is given. Columns are never folded. */
export function filterAffected(affected: readonly AffectedNode[], filter: AssetFilter): AffectedNode[] {
  const test = passes(filter);
  return affected.filter((node) => test({ ...node, isFolded: false }));
}

/** The affected table or model of each affected column. */
function parentsIn<Id>(affected: readonly WithParent<Id>[]): Map<Id, Id> {
  const ids = new Set(affected.map(({ id }) => id));
  return new Map(
    affected.flatMap(({ id, parentId }) => (parentId !== null && ids.has(parentId) ? [[id, parentId] as const] : [])),
  );
}

function passes({ types, risks = RISKS, owner }: AssetFilter) {
  const isTheirs = owner === undefined ? () => true : isOwnedBy(owner);
  return (each: Omit<AssetGroup, "count" | "columns">): boolean =>
    (types === undefined ? !each.isFolded : types.includes(each.type)) && risks.includes(each.risk) && isTheirs(each);
}

/** By risk, then by hops, then the most used first. Zero for two with the same: their names decide. */
export function compareAffected(a: AffectedNode, b: AffectedNode): number {
  return RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) || a.hops - b.hops || usageRank(b.usage) - usageRank(a.usage);
}
