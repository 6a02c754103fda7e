import { ASSET_ROW, SEARCH_MATCH } from "../../assets/asset-row.ts";
import { graphql } from "../../graphql/graphql.ts";

export const ASSETS = graphql(
  `
    query CatalogAssets(
      $search: String
      $types: [AssetType!]
      $connector: String
      $schema: String
      $tag: String
      $owner: EmailAddress
      $certification: Certification
      $after: String
    ) {
      assets(
        search: $search
        types: $types
        connector: $connector
        schema: $schema
        tag: $tag
        owner: $owner
        certification: $certification
        after: $after
        first: 50
      ) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          matched {
            ...Match
          }
          node {
            ...AssetRow
          }
        }
      }
    }
  `,
  [ASSET_ROW, SEARCH_MATCH],
);

export const FACET_COUNTS = graphql(`
  query CatalogFacets(
    $search: String
    $types: [AssetType!]
    $connector: String
    $schema: String
    $tag: String
    $owner: EmailAddress
    $certification: Certification
  ) {
    assets(
      search: $search
      types: $types
      connector: $connector
      schema: $schema
      tag: $tag
      owner: $owner
      certification: $certification
      first: 1
    ) {
      facets {
        atLeast
        types {
          type
          count
        }
        connectors {
          value
          count
        }
        schemas(first: 100) {
          value
          count
        }
        certifications {
          value
          count
        }
        owners {
          value
          count
        }
        tags {
          value
          count
        }
      }
    }
  }
`);
