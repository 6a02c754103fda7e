import { graphql, type ResultOf } from "../../graphql/graphql.ts";

export const ASK = graphql(`
  query Ask($query: String!, $conversation: [String!]) {
    ask(query: $query, conversation: $conversation) {
      answer
      readAs
      confidence
      engine
      note
      citations {
        assetId
        assetName
        snippet
      }
      suggestedActions {
        type
        endpoint
        params
        changeType
      }
    }
  }
`);

export type Answer = NonNullable<ResultOf<typeof ASK>["ask"]>;

export const CITED = graphql(`
  query CitedAssets($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on CatalogNode {
        id
        type
        name: displayName
        fqn
      }
    }
  }
`);
