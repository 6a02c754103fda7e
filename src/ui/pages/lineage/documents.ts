import { type FragmentOf, graphql, type ResultOf } from "../../graphql/graphql.ts";
import { AFFECTED } from "../impact/documents.ts";

/** The neighbours of a node by their ids: enough to know which nodes of a picture are connected. */
const NEAR = graphql(`
  fragment Near on NeighbourConnection {
    totalCount
    edges {
      kinds
      uses {
        kind
      }
      node {
        id
      }
    }
  }
`);

const NODE = graphql(
  `
    fragment LineageNode on CatalogNode {
      id
      type
      name: displayName
      fqn
      existence
      owner
      ownerName
      columnLineage {
        status
        reason
      }
      certification
      ... on Asset {
        parent {
          id
          name
        }
      }
      upstream(first: 20) {
        ...Near
      }
      downstream(first: 20) {
        ...Near
      }
    }
  `,
  [NEAR],
);

export type NodeAnswer = FragmentOf<typeof NODE>;
export type NearAnswer = FragmentOf<typeof NEAR>;

export const NODES = graphql(
  `
    query LineageNodes($ids: [ID!]!) {
      nodes(ids: $ids) {
        ...LineageNode
      }
    }
  `,
  [NODE],
);

const PAGE = graphql(
  `
    fragment NeighbourPage on NeighbourConnection {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        kinds
        uses {
          kind
        }
        node {
          ...LineageNode
        }
      }
    }
  `,
  [NODE],
);

export type PageAnswer = FragmentOf<typeof PAGE>;

/** A page of the neighbours of each of some nodes. A cursor belongs to one node alone. */
export const UPSTREAM = graphql(
  `
    query LineageUpstream($ids: [ID!]!, $first: Int!, $after: String, $search: String) {
      nodes(ids: $ids) {
        id
        ... on CatalogNode {
          neighbours: upstream(first: $first, after: $after, search: $search) {
            ...NeighbourPage
          }
        }
      }
    }
  `,
  [PAGE],
);

export const DOWNSTREAM = graphql(
  `
    query LineageDownstream($ids: [ID!]!, $first: Int!, $after: String, $search: String) {
      nodes(ids: $ids) {
        id
        ... on CatalogNode {
          neighbours: downstream(first: $first, after: $after, search: $search) {
            ...NeighbourPage
          }
        }
      }
    }
  `,
  [PAGE],
);

const COLUMN_ENDS = graphql(`
  fragment ColumnEnds on NeighbourConnection {
    edges {
      uses {
        kind
      }
      node {
        id
        type
        ... on Asset {
          parent {
            id
          }
        }
      }
    }
  }
`);

export const COLUMNS = graphql(
  `
    query LineageColumns($id: ID!) {
      asset(id: $id) {
        columns {
          id
          name
          dataType
          columnLineage {
            status
          }
          upstream(first: 60) {
            ...ColumnEnds
          }
          downstream(first: 60) {
            ...ColumnEnds
          }
        }
      }
    }
  `,
  [COLUMN_ENDS],
);

export type ColumnAnswer = NonNullable<ResultOf<typeof COLUMNS>["asset"]>["columns"][number];

/** What a change affects, without what only the list of it shows. */
export const CHANGE_IMPACT = graphql(
  `
    query LineageImpact($id: ID!, $changeType: ChangeType!, $newType: String) {
      impact(id: $id, changeType: $changeType, newType: $newType) {
        truncated
        asset {
          id
          type
          name: displayName
          ... on Asset {
            parent {
              id
              name
            }
          }
        }
        assets {
          total
          columns
          nodes {
            impact {
              ...Affected
            }
            columns {
              ...Affected
            }
          }
        }
      }
    }
  `,
  [AFFECTED],
);

export type ImpactAnswer = NonNullable<ResultOf<typeof CHANGE_IMPACT>["impact"]>;

/** What is within some hops of a node, and the links there. */
export const WALK = graphql(`
  query LineageWalk($id: ID!, $direction: Direction!, $depth: Int!) {
    lineage(id: $id, direction: $direction, depth: $depth) {
      totalNodes
      nodes {
        id
      }
      edges {
        from
        to
        kind
      }
    }
  }
`);

export type WalkAnswer = NonNullable<ResultOf<typeof WALK>["lineage"]>;

/** How all within some hops of a node differs from an earlier day. */
export const DIFF = graphql(`
  query LineageDifferences($id: ID!, $depth: Int!, $compareWith: String!) {
    lineageDiff(id: $id, depth: $depth, compareWith: $compareWith) {
      before
      nodes {
        difference
        asset {
          id
          name
          fqn
          type
        }
        details {
          kind
          name
        }
      }
      edges {
        difference
        from {
          id
        }
        to {
          id
        }
        before
        after
      }
      truncated
    }
  }
`);

export type DiffAnswer = NonNullable<ResultOf<typeof DIFF>["lineageDiff"]>;

export const TABLES = graphql(`
  query LineageTables($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Asset {
        id
        parent {
          id
        }
      }
    }
  }
`);

export type TableAnswer = NonNullable<ResultOf<typeof TABLES>["nodes"]>[number];
