import { ASSET_ROW } from "../../assets/asset-row.ts";
import { USAGE } from "../../assets/usage.ts";
import { type FragmentOf, graphql, mutation, type ResultOf } from "../../graphql/graphql.ts";

export const ASSET = graphql(
  `
    query Asset($id: ID!) {
      asset(id: $id) {
        ...AssetRow
        existence
        platform
        materialization
        createdAt
        updatedAt
        url
        usage {
          ...Usage
        }
        inferred
        ordinal
        connectors
        certifiedAt
        certifiedBy
        columnLineage {
          status
          reason
        }
        lineageSummary {
          upstreamCount
          downstreamCount
        }
        edits {
          field
          by
          at
          isReset
        }
        parent {
          id
          name
          type
          fqn
        }
        columns {
          id
        }
        checks(first: 1) {
          totalCount
        }
      }
    }
  `,
  [ASSET_ROW, USAGE],
);

export type AssetDetail = NonNullable<ResultOf<typeof ASSET>["asset"]>;

export const CONNECTORS = graphql(`
  query AssetConnectors {
    connectors(first: 200) {
      nodes {
        id
        name
        type
        lastSync {
          status
          completedAt
        }
      }
    }
  }
`);

export const COMPLETENESS = graphql(`
  query AssetCompleteness($id: ID!) {
    lineage(id: $id, direction: upstream, depth: 10) {
      completeness {
        asOf
        complete
        gapsTotal
        gaps {
          assetId
          reason
        }
      }
    }
  }
`);

export const COLUMNS = graphql(`
  query AssetColumns($id: ID!) {
    asset(id: $id) {
      columns {
        id
        name
        description
        tags
        owner
        edits {
          field
          by
          at
          isReset
        }
        dataType
        ordinal
        inferred
        columnLineage {
          status
          reason
        }
        lineageSummary {
          upstreamCount
          downstreamCount
        }
        upstream(first: 1) {
          totalCount
        }
        downstream(first: 1) {
          totalCount
        }
      }
      checks(first: 200) {
        totalCount
        nodes {
          id
          name
          test
          kind
          status
          message
          columns {
            id
          }
        }
      }
    }
  }
`);

export type ColumnsAnswer = NonNullable<ResultOf<typeof COLUMNS>["asset"]>;
export type Column = ColumnsAnswer["columns"][number];
export type Check = ColumnsAnswer["checks"]["nodes"][number];

const NEIGHBOUR = graphql(`
  fragment Neighbour on NeighbourEdge {
    kinds
    uses {
      kind
      transformation
      expression
    }
    node {
      id
      type
      name: displayName
      fqn
      owner
      ownerName
      existence
      certification
    }
  }
`);

export type Neighbour = FragmentOf<typeof NEIGHBOUR>;

export const UPSTREAM = graphql(
  `
    query AssetUpstream($id: ID!, $search: String, $after: String) {
      node(id: $id) {
        ... on CatalogNode {
          neighbours: upstream(first: 20, search: $search, after: $after) {
            totalCount
            pageInfo {
              hasNextPage
              endCursor
            }
            edges {
              ...Neighbour
            }
          }
        }
      }
    }
  `,
  [NEIGHBOUR],
);

export const DOWNSTREAM = graphql(
  `
    query AssetDownstream($id: ID!, $search: String, $after: String) {
      node(id: $id) {
        ... on CatalogNode {
          neighbours: downstream(first: 20, search: $search, after: $after) {
            totalCount
            pageInfo {
              hasNextPage
              endCursor
            }
            edges {
              ...Neighbour
            }
          }
        }
      }
    }
  `,
  [NEIGHBOUR],
);

export const SQL = graphql(`
  query AssetSql($id: ID!) {
    asset(id: $id) {
      sql
      sqlUses {
        reason
        columns {
          column {
            id
            name
            parent {
              id
              name
            }
          }
          ranges {
            start
            end
          }
        }
      }
    }
  }
`);

export type SqlUses = NonNullable<ResultOf<typeof SQL>["asset"]>["sqlUses"];
export type UsedColumn = NonNullable<SqlUses>["columns"][number];

export const IDENTITY = graphql(
  `
    query AssetIdentity($id: ID!) {
      asset(id: $id) {
        identity {
          platform
          instance
          kind
          key
          sources {
            connector
            existence
            name
            since
            type
          }
          nearMisses {
            ...AssetRow
            platform
          }
        }
      }
    }
  `,
  [ASSET_ROW],
);

export const UPDATE_ASSET = mutation("updateAsset", "asset { id }");
