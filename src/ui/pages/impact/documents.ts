import { PERSON, USAGE } from "../../assets/asset-row.ts";
import { type FragmentOf, gql, using } from "../../graphql/graphql.ts";

export const SUBJECT = gql(`query ImpactSubject($id: ID!) {
  node(id: $id) {
    ... on CatalogNode { id type name: displayName fqn }
    ... on Asset {
      dataType
      columns { id name dataType }
      parent { id type name fqn columns { id name dataType } }
    }
  }
}`);

export const AFFECTED = using(PERSON, USAGE).gql(`fragment Affected on AffectedNode {
  id name: displayName fqn type certification
  ownedBy { ...PersonName }
  usage { ...Usage }
  risk reason hops path
  evidence { from to kind transformation expression }
}`);

export type Affected = FragmentOf<typeof AFFECTED>;

const SUMMARY = gql("fragment Summary on ImpactSummary { totalAffected highRiskCount mediumRiskCount lowRiskCount }");

const OWNER = using(PERSON, SUMMARY).gql(`fragment Owner on AffectedOwner {
  ownedBy { ...PersonName }
  summary { ...Summary }
}`);

export type Owner = FragmentOf<typeof OWNER>;

const ASSETS = using(AFFECTED, OWNER).gql(`fragment Assets on AffectedAssets {
  total high medium low columns
  types { type count }
  owners { ...Owner }
  nodes { impact { ...Affected } columns { id name risk } }
}`);

export type Assets = FragmentOf<typeof ASSETS>;
export type AffectedAsset = Assets["nodes"][number];

/** What no change reaches, and what would get no new data all the same. */
const UNREFRESHED = using(PERSON).gql(`fragment Unrefreshed on UnrefreshedAssets {
  total
  owners { ownedBy { ...PersonName } count }
  nodes(first: 1000) { id name: displayName fqn type reason ownedBy { ...PersonName } }
}`);

export type Unrefreshed = FragmentOf<typeof UNREFRESHED>;

const COMPLETENESS = gql(`fragment ImpactCompleteness on Completeness {
  asOf complete gapsTotal
  gaps { assetId node { displayName } reason }
}`);

export type ImpactCompleteness = FragmentOf<typeof COMPLETENESS>;

export const IMPACT = using(ASSETS, COMPLETENESS, UNREFRESHED)
  .gql(`query Impact($id: ID!, $changeType: ChangeType!, $newType: String) {
  impact(id: $id, changeType: $changeType, newType: $newType) {
    truncated
    assets { ...Assets }
    unrefreshed { ...Unrefreshed }
    checks {
      total
      unbuilt { id name type }
      skippedModels skippedChecks
      nodes { reason check { id name kind } }
    }
    completeness { ...ImpactCompleteness }
  }
}`);

export const IMPACT_MARKDOWN = gql(`query ImpactMarkdown($change: ChangeInput!) {
  changeSetImpact(changes: [$change]) { markdown }
}`);

export const NAMES = gql(`query EvidenceNames($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on CatalogNode { id type name }
    ... on Asset { parent { name } }
  }
}`);

const CHANGE_SET = using(AFFECTED, ASSETS, COMPLETENESS, PERSON, UNREFRESHED)
  .gql(`fragment ChangeSet on ChangeSetImpact {
  against failed(failOn: $failOn) verdict(failOn: $failOn) headline steps markdown(failOn: $failOn) truncated
  changes {
    kind id name fqn type newName oldType newType confidence because assets
    ownedBy { ...PersonName } certifier { ...PersonName }
  }
  assets { ...Assets }
  reached: affected(states: [affected]) { changes impact { id } }
  rest: affected(states: [adapted, dropped]) { state changes impact { ...Affected } }
  unrefreshed { ...Unrefreshed }
  checks { total unbuilt { id name type } skippedModels skippedChecks wouldFail { id name kind reason } }
  lapses {
    total
    metrics { id name reason ownedBy { ...PersonName } certifier { ...PersonName } }
  }
  rewritten {
    assets { id name fqn type how }
    readers { id name fqn type risk ownedBy { ...PersonName } }
    truncated
  }
  lineage {
    nodes { difference asset { id name fqn type } details { id } }
    edges { difference from { fqn } to { fqn } }
    truncated
  }
  uncompared { object message isUnread }
  completeness { ...ImpactCompleteness }
}`);

export const MANIFEST_IMPACT = using(CHANGE_SET)
  .gql(`query ManifestImpact($manifest: Upload!, $catalog: Upload, $connector: ID, $failOn: FailOn!) {
  manifestImpact(upload: $manifest, catalogUpload: $catalog, connectorId: $connector) { ...ChangeSet savedId }
}`);

export const SAVED_IMPACT = using(CHANGE_SET).gql(`query SavedImpact($id: ID!, $failOn: FailOn!) {
  savedImpact(id: $id) { savedAt impact { ...ChangeSet } }
}`);

export type ChangeSetAnswer = FragmentOf<typeof CHANGE_SET>;
export type FoundChange = ChangeSetAnswer["changes"][number];
