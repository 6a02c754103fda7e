import { gql, type ResultOf } from "../../graphql/graphql.ts";

export const ASK = gql(`query Ask($query: String!, $conversation: [String!]) {
  ask(query: $query, conversation: $conversation) {
    answer readAs confidence engine note
    citations { assetId assetName snippet }
    suggestedActions { type endpoint params changeType }
  }
}`);

export type Answer = NonNullable<ResultOf<typeof ASK>["ask"]>;

export const CITED = gql(`query CitedAssets($ids: [ID!]!) {
  nodes(ids: $ids) { ... on CatalogNode { id type name: displayName fqn } }
}`);
