import { ASSET_ROW, NODE, SEARCH_MATCH } from "../../assets/asset-row.ts";
import { USAGE } from "../../assets/usage.ts";
import { graphql } from "../../graphql/graphql.ts";

export const ASSETS = graphql(
  `
    query CatalogAssets(
      $search: String
      $types: [AssetType!]
      $connector: String
      $schema: String
      $directly: Boolean
      $platform: String
      $tag: String
      $owner: EmailAddress
      $unowned: Boolean
      $certification: Certification
      $responsible: String
      $described: Boolean
      $failing: Boolean
      $orderBy: NodeOrder
      $after: String
    ) {
      assets(
        search: $search
        types: $types
        connector: $connector
        schema: $schema
        directly: $directly
        platform: $platform
        tag: $tag
        owner: $owner
        unowned: $unowned
        certification: $certification
        responsible: $responsible
        described: $described
        failing: $failing
        orderBy: $orderBy
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
            usage {
              ...Usage
            }
          }
        }
      }
    }
  `,
  [ASSET_ROW, SEARCH_MATCH, USAGE],
);

/** One level of the tree of platforms, databases and schemas. */
export const FOLDERS = graphql(`
  query Folders($platform: String, $database: String, $after: String) {
    folders(platform: $platform, database: $database, first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        name
        platform
        schema
        assetCount
      }
    }
  }
`);

/** What has a tag, or belongs to an owner or team. */
export const COLLECTION = graphql(
  `
    query Collection($tag: String, $responsible: String, $types: [AssetType!]) {
      all: assets(tag: $tag, responsible: $responsible, types: $types, first: 1) {
        totalCount
        facets {
          types {
            type
            count
          }
          owners(first: 8) {
            value
          }
          tags(first: 8) {
            value
          }
        }
      }
      failing: assets(tag: $tag, responsible: $responsible, types: $types, failing: true, first: 1) {
        totalCount
      }
      undescribed: assets(tag: $tag, responsible: $responsible, types: $types, described: false, first: 1) {
        totalCount
      }
      metrics(tag: $tag, responsible: $responsible, first: 8) {
        totalCount
        nodes {
          ...Node
          description
        }
      }
    }
  `,
  [NODE],
);

export const FOUND_METRICS = graphql(
  `
    query FoundMetrics(
      $search: String
      $tag: String
      $owner: EmailAddress
      $unowned: Boolean
      $certification: Certification
      $responsible: String
      $described: Boolean
    ) {
      metrics(
        search: $search
        tag: $tag
        owner: $owner
        unowned: $unowned
        certification: $certification
        responsible: $responsible
        described: $described
        first: 3
      ) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...Node
          description
        }
      }
    }
  `,
  [NODE],
);

export const FACET_COUNTS = graphql(`
  query CatalogFacets(
    $search: String
    $types: [AssetType!]
    $connector: String
    $schema: String
    $directly: Boolean
    $platform: String
    $tag: String
    $owner: EmailAddress
    $unowned: Boolean
    $certification: Certification
    $responsible: String
    $described: Boolean
    $failing: Boolean
  ) {
    assets(
      search: $search
      types: $types
      connector: $connector
      schema: $schema
      directly: $directly
      platform: $platform
      tag: $tag
      owner: $owner
      unowned: $unowned
      certification: $certification
      responsible: $responsible
      described: $described
      failing: $failing
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
