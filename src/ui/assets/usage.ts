/** How much an asset is used, as a source tells. */
import { type FragmentOf, gql } from "../graphql/graphql.ts";
import { countOf, formatCount } from "../parts/count.ts";

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
