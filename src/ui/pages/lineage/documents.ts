import { PERSON, NODE } from "../../assets/asset-row.ts";
import { type FragmentOf, gql, type ResultOf, using } from "../../graphql/graphql.ts";
import { AFFECTED } from "../impact/documents.ts";

/** The neighbours of a node by their ids: enough to know which nodes of a picture are connected. */
const NEAR = gql("fragment Near on NeighbourConnection { totalCount edges { kinds uses { kind } node { id } } }");

const LINEAGE_NODE = using(NODE, NEAR, PERSON).gql(`fragment LineageNode on CatalogNode {
  ...Node existence
  ownedBy { ...PersonName }
  columnLineage { status reason }
  ... on Asset { parent { id name } }
  upstream(first: 20) { ...Near }
  downstream(first: 20) { ...Near }
}`);

export type NodeAnswer = FragmentOf<typeof LINEAGE_NODE>;
export type NearAnswer = FragmentOf<typeof NEAR>;

export const NODES = using(LINEAGE_NODE).gql(`query LineageNodes($ids: [ID!]!, $asOf: String) {
  nodes(ids: $ids, asOf: $asOf) { ...LineageNode }
}`);

const PAGE = using(LINEAGE_NODE).gql(`fragment NeighbourPage on NeighbourConnection {
  totalCount
  pageInfo { nextCursor }
  edges { kinds uses { kind } node { ...LineageNode } }
}`);

export type PageAnswer = FragmentOf<typeof PAGE>;

/** A page of the neighbours of each of some nodes. A cursor belongs to one node alone. */
export const UPSTREAM = using(PAGE).gql(`query LineageUpstream(
  $ids: [ID!]!, $first: Int!, $after: String, $search: String, $asOf: String
) {
  nodes(ids: $ids, asOf: $asOf) {
    id
    ... on CatalogNode { neighbours: upstream(first: $first, after: $after, search: $search) { ...NeighbourPage } }
  }
}`);

export const DOWNSTREAM = using(PAGE).gql(`query LineageDownstream(
  $ids: [ID!]!, $first: Int!, $after: String, $search: String, $asOf: String
) {
  nodes(ids: $ids, asOf: $asOf) {
    id
    ... on CatalogNode {
      neighbours: downstream(first: $first, after: $after, search: $search) { ...NeighbourPage }
    }
  }
}`);

const COLUMN_ENDS = gql(`fragment ColumnEnds on NeighbourConnection {
  edges {
    uses { kind }
    node {
      id type
      ... on Asset { parent { id } }
    }
  }
}`);

export const COLUMNS = using(COLUMN_ENDS).gql(`query LineageColumns($id: ID!, $asOf: String) {
  asset(id: $id, asOf: $asOf) {
    columns {
      id name dataType
      columnLineage { status }
      upstream(first: 60) { ...ColumnEnds }
      downstream(first: 60) { ...ColumnEnds }
    }
  }
}`);

export type ColumnAnswer = NonNullable<ResultOf<typeof COLUMNS>["asset"]>["columns"][number];

/** What a change affects, without what only the list of it shows. */
export const CHANGE_IMPACT = using(AFFECTED)
  .gql(`query LineageImpact($id: ID!, $changeType: ChangeType!, $newType: String, $asOf: String) {
  impact(id: $id, changeType: $changeType, newType: $newType, asOf: $asOf) {
    truncated
    asset {
      id type name: displayName
      ... on Asset { parent { id name } }
    }
    assets {
      total columns
      nodes { impact { ...Affected } columns { ...Affected } }
    }
  }
}`);

export type ImpactAnswer = NonNullable<ResultOf<typeof CHANGE_IMPACT>["impact"]>;

/** What is within some hops of a node, and the links there. */
export const WALK = gql(`query LineageWalk($id: ID!, $direction: Direction!, $depth: Int!, $asOf: String) {
  lineage(id: $id, direction: $direction, depth: $depth, asOf: $asOf) {
    totalNodes
    nodes { id }
    edges { from to kind }
  }
}`);

export type WalkAnswer = NonNullable<ResultOf<typeof WALK>["lineage"]>;

/** How all within some hops of a node differs from an earlier day, or would with a manifest. */
export const DIFF =
  gql(`query LineageDifferences($id: ID!, $depth: Int!, $compareWith: String, $savedImpact: ID, $asOf: String) {
  lineageDiff(id: $id, depth: $depth, compareWith: $compareWith, savedImpact: $savedImpact, asOf: $asOf) {
    before after connector
    nodes { difference asset { id name fqn type } details { kind name } }
    edges { difference from { id } to { id } before after }
    truncated
  }
}`);

export type DiffAnswer = NonNullable<ResultOf<typeof DIFF>["lineageDiff"]>;
