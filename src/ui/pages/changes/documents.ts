import { graphql, type ResultOf } from "../../graphql/graphql.ts";

export const CHANGES = graphql(`
  query Changes(
    $since: String
    $until: String
    $kinds: [CatalogChangeKind!]
    $about: ID
    $owner: EmailAddress
    $tag: String
    $connector: String
    $after: String
  ) {
    changes(
      since: $since
      until: $until
      kinds: $kinds
      about: $about
      owner: $owner
      tag: $tag
      connector: $connector
      first: 20
      after: $after
    ) {
      nodes {
        id
        at
        kind
        asset {
          id
          name
          fqn
          type
          node {
            id
          }
        }
        other {
          id
          fqn
        }
        actor
        sync {
          id
          connectorId
          connector
        }
        field
        before
        after
        risk
        cause
        details {
          kind
          id
          name
          before
          after
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type Change = NonNullable<ResultOf<typeof CHANGES>["changes"]>["nodes"][number];
export type ChangeKind = Change["kind"];
