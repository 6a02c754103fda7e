import { mutation, type ResultOf, using } from "../../graphql/graphql.ts";
import { NODE, USAGE } from "../../assets/asset-row.ts";

/** What needs a person: what this person owns or has certified. */
export const NEEDS = using(NODE).gql(`query HomeNeeds($me: String!, $types: [AssetType!]) {
  lapsedMetrics(responsible: $me) { lapsedAt reason metric { ...Node } }
  failing: assets(responsible: $me, failing: true, types: $types, first: 5) {
    totalCount
    nodes {
      ...Node
      failed: checks(status: fail, first: 1) { totalCount nodes { name } }
      broken: checks(status: error, first: 1) { totalCount nodes { name } }
    }
  }
  undescribed: assets(responsible: $me, described: false, types: $types, first: 5) { totalCount nodes { ...Node } }
  unowned: assets(responsible: $me, owner: null, types: $types, first: 5) { totalCount nodes { ...Node } }
  connectors(first: 200) {
    nodes {
      id name type health
      lastSync { completedAt errors { message } }
    }
  }
  allLapsed: lapsedMetrics { lapsedAt }
  allFailing: assets(failing: true, types: $types, first: 1) { totalCount }
  allUnowned: assets(owner: null, types: $types, first: 1) { totalCount }
  allUndescribed: assets(described: false, types: $types, first: 1) { totalCount }
}`);

export type Needs = ResultOf<typeof NEEDS>;

export const LISTS = using(NODE, USAGE).gql(`query HomeLists($types: [AssetType!]) {
  mostUsed: assets(orderBy: usage, types: $types, first: 6) {
    nodes { ...Node usage { ...Usage } }
  }
  mostRead: assets(orderBy: downstream, types: $types, first: 6) {
    nodes { ...Node lineageSummary { downstreamCount } }
  }
  myRecent(first: 8) { ...Node }
  myFavourites(first: 8) { ...Node }
  mySearches { id name query }
  myFirstSteps
}`);

export type FirstStep = ResultOf<typeof LISTS>["myFirstSteps"] extends readonly (infer Step)[] | null ? Step : never;

export const REMOVE_SEARCH = mutation("removeSearch", "id");
