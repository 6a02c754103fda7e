/** What lists of assets show of each. */
import { PERSON } from "./person.ts";
import { type FragmentOf, gql, using } from "../graphql/graphql.ts";

export const ASSET_ROW = using(PERSON).gql(`fragment AssetRow on Asset {
  id type name fqn description certification
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
