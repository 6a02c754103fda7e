import { PERSON, ASSET_ROW, NODE, USAGE } from "../../assets/asset-row.ts";
import { type FragmentOf, gql, mutation, type ResultOf, using } from "../../graphql/graphql.ts";

/** What is known of an asset or a column, and what people changed. */
const KNOWN = using(PERSON).gql(`fragment Known on Asset {
  inferred ordinal
  columnLineage { status reason }
  lineageSummary { upstreamCount downstreamCount }
  edits { field editor { ...PersonName } at isReset }
}`);

export const ASSET = using(ASSET_ROW, KNOWN, USAGE, PERSON).gql(`query Asset($id: ID!) {
  asset(id: $id) {
    ...AssetRow owner existence platform materialization createdAt updatedAt url
    usage { ...Usage } meta
    ...Known connectors certifiedAt
    certifier { ...PersonName }
    parent { id name type fqn ownedBy { ...PersonName } }
    columns { id }
    checks(first: 1) { totalCount }
  }
}`);

export type AssetDetail = NonNullable<ResultOf<typeof ASSET>["asset"]>;

export const CONNECTORS = gql(`query AssetConnectors {
  connectors(first: 200) {
    nodes { id name type lastSync { status completedAt } reception { receivedAt } }
  }
}`);

export const COMPLETENESS = gql(`query AssetCompleteness($id: ID!) {
  lineage(id: $id, direction: upstream, depth: 10) {
    completeness { asOf complete gapsTotal gaps { assetId node { displayName } reason } }
  }
}`);

export const COLUMNS = using(KNOWN).gql(`query AssetColumns($id: ID!) {
  asset(id: $id) {
    columns {
      ...Known id name description tags owner dataType
      upstream(first: 1) { totalCount }
      downstream(first: 1) { totalCount }
    }
    checks(first: 200) {
      totalCount
      nodes { id name test kind status message columns { id } }
    }
  }
}`);

export type ColumnsAnswer = NonNullable<ResultOf<typeof COLUMNS>["asset"]>;
export type Column = ColumnsAnswer["columns"][number];
export type Check = ColumnsAnswer["checks"]["nodes"][number];

const NEIGHBOUR = using(NODE, PERSON).gql(`fragment Neighbour on NeighbourEdge {
  kinds
  uses { kind transformation expression }
  node { ...Node ownedBy { ...PersonName } existence }
}`);

export type Neighbour = FragmentOf<typeof NEIGHBOUR>;

const NEIGHBOURS = using(NEIGHBOUR).gql(`fragment Neighbours on NeighbourConnection {
  totalCount
  pageInfo { nextCursor }
  edges { ...Neighbour }
}`);

export const UPSTREAM = using(NEIGHBOURS).gql(`query AssetUpstream($id: ID!, $search: String, $after: String) {
  node(id: $id) {
    ... on CatalogNode { neighbours: upstream(first: 20, search: $search, after: $after) { ...Neighbours } }
  }
}`);

export const DOWNSTREAM = using(NEIGHBOURS).gql(`query AssetDownstream($id: ID!, $search: String, $after: String) {
  node(id: $id) {
    ... on CatalogNode { neighbours: downstream(first: 20, search: $search, after: $after) { ...Neighbours } }
  }
}`);

export const SQL = gql(`query AssetSql($id: ID!) {
  asset(id: $id) {
    sql
    sqlUses {
      reason
      columns {
        column { id name parent { id name } }
        ranges { start end }
      }
    }
  }
}`);

export type SqlUses = NonNullable<ResultOf<typeof SQL>["asset"]>["sqlUses"];
export type UsedColumn = NonNullable<SqlUses>["columns"][number];

export const IDENTITY = using(ASSET_ROW).gql(`query AssetIdentity($id: ID!) {
  asset(id: $id) {
    identity {
      platform instance kind key
      sources { connector existence name since type }
      nearMisses { ...AssetRow platform }
    }
  }
}`);

export const UPDATE_ASSET = mutation("updateAsset", "asset { id }");
