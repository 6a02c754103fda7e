import { PERSON, ASSET_ROW, NODE, SEARCH_MATCH, USAGE } from "../../assets/asset-row.ts";
import { gql, using } from "../../graphql/graphql.ts";

export const ASSETS = using(ASSET_ROW, SEARCH_MATCH, USAGE).gql(`query CatalogAssets(
  $search: String, $types: [AssetType!], $connector: String, $schema: String, $directly: Boolean, $platform: String,
  $tag: String, $owner: EmailAddress, $certification: Certification, $responsible: String,
  $described: Boolean, $failing: Boolean, $orderBy: NodeOrder, $after: String
) {
  assets(
    search: $search, types: $types, connector: $connector, schema: $schema, directly: $directly,
    platform: $platform, tag: $tag, owner: $owner, certification: $certification,
    responsible: $responsible, described: $described, failing: $failing, orderBy: $orderBy, after: $after, first: 50
  ) {
    totalCount
    pageInfo { nextCursor }
    edges {
      matched { ...Match }
      node { ...AssetRow usage { ...Usage } }
    }
  }
}`);

/** One level of the tree of platforms, databases and schemas. */
export const FOLDERS = gql(`query Folders($platform: String, $database: String, $after: String) {
  folders(platform: $platform, database: $database, first: 100, after: $after) {
    pageInfo { nextCursor }
    nodes { name platform schema assetCount }
  }
}`);

/** What has a tag, or belongs to an owner or team. */
export const COLLECTION = using(NODE, PERSON)
  .gql(`query Collection($tag: String, $responsible: String, $types: [AssetType!]) {
  all: assets(tag: $tag, responsible: $responsible, types: $types, first: 1) {
    totalCount
    facets {
      types { type count }
      owners(first: 8) { person { ...PersonName } }
      tags(first: 8) { value }
    }
  }
  failing: assets(tag: $tag, responsible: $responsible, types: $types, failing: true, first: 1) { totalCount }
  undescribed: assets(tag: $tag, responsible: $responsible, types: $types, described: false, first: 1) {
    totalCount
  }
  metrics(tag: $tag, responsible: $responsible, first: 8) { totalCount nodes { ...Node description } }
}`);

export const FOUND_METRICS = using(NODE, SEARCH_MATCH).gql(`query FoundMetrics(
  $search: String, $tag: String, $owner: EmailAddress, $certification: Certification,
  $responsible: String, $described: Boolean
) {
  metrics(
    search: $search, tag: $tag, owner: $owner, certification: $certification,
    responsible: $responsible, described: $described, first: 3
  ) {
    totalCount
    pageInfo { hasNextPage }
    edges { matched { ...Match } node { ...Node description } }
  }
}`);

export const FACET_COUNTS = using(PERSON).gql(`query CatalogFacets(
  $search: String, $types: [AssetType!], $connector: String, $schema: String, $directly: Boolean, $platform: String,
  $tag: String, $owner: EmailAddress, $certification: Certification, $responsible: String,
  $described: Boolean, $failing: Boolean
) {
  assets(
    search: $search, types: $types, connector: $connector, schema: $schema, directly: $directly,
    platform: $platform, tag: $tag, owner: $owner, certification: $certification,
    responsible: $responsible, described: $described, failing: $failing, first: 1
  ) {
    facets {
      atLeast
      types { type count }
      connectors { value count }
      schemas(first: 100) { value count }
      certifications { value count }
      owners { value person { ...PersonName } count }
      tags { value count }
    }
  }
}`);
