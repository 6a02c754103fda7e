/** What lists show of assets, metrics and people, and the paths of their pages. */
import { useQuery } from "urql";

import { type FragmentOf, gql, using } from "../graphql/graphql.ts";
import { countOf, formatCount } from "../parts/count.ts";

/** What is asked of a person or team, wherever one is named. */
export const PERSON = gql("fragment PersonName on Person { address name }");

export type Person = FragmentOf<typeof PERSON>;

export const ASSET_ROW = using(PERSON).gql(`fragment AssetRow on Asset {
  id type name displayName fqn description certification
  ownedBy { ...PersonName }
  tags dataType
}`);

export type AssetRow = FragmentOf<typeof ASSET_ROW>;

/** The name and place of an asset or metric, for short lists. */
export const NODE = gql("fragment Node on CatalogNode { id type name: displayName fqn certification }");

export type NodeRow = FragmentOf<typeof NODE>;

export const SEARCH_MATCH = gql(`fragment Match on SearchMatch {
  isComplete
  corrections { from to }
  words { word field text }
}`);

export type SearchMatch = FragmentOf<typeof SEARCH_MATCH>;

/** Makes the path of a page from what comes last in it. */
const pathIn =
  (page: string) =>
  (name: string): string =>
    `/${page}/${encodeURIComponent(name)}`;

export const pathOfAsset = pathIn("assets");
export const pathOfLineage = pathIn("lineage");
export const pathOfTag = pathIn("tags");
/** Takes an e-mail address, or the name of a team. */
export const pathOfOwner = pathIn("owners");
const pathOfMetric = pathIn("metrics");

export function pathOfNode({ id, type }: { id: string; type: string }): string {
  return type === "metric" ? pathOfMetric(id) : pathOfAsset(id);
}

/**
 * What lists say beside a name: what comes before it in the fully qualified name, such as `shop.marts`, or the whole of
 * it if it ends in another name.
 */
export function parentOf({ fqn, name }: Pick<AssetRow, "fqn" | "name">): string {
  if (fqn === name) return "";
  return fqn.endsWith(`.${name}`) ? fqn.slice(0, -name.length - 1) : fqn;
}

const PERSON_NAMED = using(PERSON).gql(
  "query PersonNamed($named: String!) { person(named: $named) { ...PersonName } }",
);

/** @param named an e-mail address or a name, as a filter takes it; null for nobody */
export function usePerson(named: string | null): Person | null {
  const [{ data }] = useQuery({ query: PERSON_NAMED, variables: { named: named ?? "" }, pause: named === null });
  if (named === null) return null;
  return data?.person ?? { address: null, name: named };
}

/** Names a person in a URL or as a key; "" for nobody. */
export function personKey(of: Person | null): string {
  return of?.address?.toLowerCase() ?? of?.name ?? "";
}

/** What an address says of a filter by owner for whatever has none. */
export const NO_OWNER = "none";

/** @returns the variable of a list's owner: null for what has no owner, and no variable for whatever the owner is */
export function ownedBy(owner: string | null | undefined): { owner?: string | null } {
  return owner == null ? {} : { owner: owner === NO_OWNER ? null : owner };
}

/** How much an asset is used, as a source tells. */
export const USAGE = gql("fragment Usage on AssetUsage { users queries views until }");

export type Usage = FragmentOf<typeof USAGE>;

/** How many days the service counts. */
export const USAGE_DAYS = 30;

/** Such as `12 people` and `1,340 queries`: what the source tells. */
export function usageWords({ users, queries, views }: Usage): string[] {
  return [
    ...(users === null ? [] : [`${formatCount(users)} ${users === 1 ? "person" : "people"}`]),
    ...(queries === null ? [] : [`${formatCount(queries)} ${queries === 1 ? "query" : "queries"}`]),
    ...(views === null ? [] : [countOf(views, "view")]),
  ];
}
