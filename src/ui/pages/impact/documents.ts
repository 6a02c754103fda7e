import { USAGE } from "../../assets/usage.ts";
import { type FragmentOf, graphql } from "../../graphql/graphql.ts";

export const SUBJECT = graphql(`
  query ImpactSubject($id: ID!) {
    node(id: $id) {
      ... on CatalogNode {
        id
        type
        name: displayName
        fqn
      }
      ... on Asset {
        dataType
        columns {
          id
          name
          dataType
        }
        parent {
          id
          type
          name
          fqn
          columns {
            id
            name
            dataType
          }
        }
      }
    }
  }
`);

export const AFFECTED = graphql(
  `
    fragment Affected on AffectedNode {
      id
      name: displayName
      fqn
      type
      certification
      owner
      ownerName
      usage {
        ...Usage
      }
      risk
      reason
      hops
      path
      evidence {
        from
        to
        kind
        transformation
        expression
      }
    }
  `,
  [USAGE],
);

export type Affected = FragmentOf<typeof AFFECTED>;

const SUMMARY = graphql(`
  fragment Summary on ImpactSummary {
    totalAffected
    highRiskCount
    mediumRiskCount
    lowRiskCount
  }
`);

const OWNER = graphql("fragment Owner on AffectedOwner { owner ownerName summary { ...Summary } }", [SUMMARY]);

export type Owner = FragmentOf<typeof OWNER>;

const ASSETS = graphql(
  `
    fragment Assets on AffectedAssets {
      total
      high
      medium
      low
      columns
      types {
        type
        count
      }
      owners {
        ...Owner
      }
      nodes {
        impact {
          ...Affected
        }
        columns {
          id
          name
          risk
        }
      }
    }
  `,
  [AFFECTED, OWNER],
);

export type Assets = FragmentOf<typeof ASSETS>;
export type AffectedAsset = Assets["nodes"][number];

const COMPLETENESS = graphql(`
  fragment ImpactCompleteness on Completeness {
    asOf
    complete
    gapsTotal
    gaps {
      assetId
      reason
    }
  }
`);

export type ImpactCompleteness = FragmentOf<typeof COMPLETENESS>;

export const IMPACT = graphql(
  `
    query Impact($id: ID!, $changeType: ChangeType!, $newType: String) {
      impact(id: $id, changeType: $changeType, newType: $newType) {
        truncated
        assets {
          ...Assets
        }
        checks {
          total
          unbuilt {
            id
            name
            type
          }
          skippedModels
          skippedChecks
          nodes {
            reason
            check {
              id
              name
              kind
            }
          }
        }
        completeness {
          ...ImpactCompleteness
        }
      }
    }
  `,
  [ASSETS, COMPLETENESS],
);

export const IMPACT_MARKDOWN = graphql(`
  query ImpactMarkdown($change: ChangeInput!) {
    changeSetImpact(changes: [$change]) {
      markdown
    }
  }
`);

export const NAMES = graphql(`
  query EvidenceNames($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on CatalogNode {
        id
        type
        name
      }
      ... on Asset {
        parent {
          name
        }
      }
    }
  }
`);

const CHANGE_SET = graphql(
  `
    fragment ChangeSet on ChangeSetImpact {
      against
      failed(failOn: $failOn)
      verdict(failOn: $failOn)
      headline
      steps
      markdown(failOn: $failOn)
      truncated
      changes {
        kind
        id
        name
        fqn
        type
        newName
        oldType
        newType
        confidence
        because
        assets
      }
      assets {
        ...Assets
      }
      reached: affected(states: [affected]) {
        changes
        impact {
          id
        }
      }
      rest: affected(states: [adapted, dropped]) {
        state
        changes
        impact {
          ...Affected
        }
      }
      checks {
        total
        unbuilt {
          id
          name
          type
        }
        skippedModels
        skippedChecks
        wouldFail {
          id
          name
          kind
          reason
        }
      }
      lapses {
        total
        metrics {
          id
          name
          reason
          owner
        }
      }
      uncompared {
        object
        message
      }
      completeness {
        ...ImpactCompleteness
      }
    }
  `,
  [AFFECTED, ASSETS, COMPLETENESS],
);

export const MANIFEST_IMPACT = graphql(
  `
    query ManifestImpact($manifest: Upload!, $catalog: Upload, $connector: ID, $failOn: FailOn!) {
      manifestImpact(upload: $manifest, catalogUpload: $catalog, connectorId: $connector) {
        ...ChangeSet
      }
    }
  `,
  [CHANGE_SET],
);

export const SAVED_IMPACT = graphql(
  `
    query SavedImpact($id: ID!, $failOn: FailOn!) {
      savedImpact(id: $id) {
        savedAt
        impact {
          ...ChangeSet
        }
      }
    }
  `,
  [CHANGE_SET],
);

export type ChangeSetAnswer = FragmentOf<typeof CHANGE_SET>;
export type FoundChange = ChangeSetAnswer["changes"][number];
