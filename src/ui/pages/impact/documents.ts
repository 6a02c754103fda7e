import { type FragmentOf, graphql, type ResultOf } from "../../graphql/graphql.ts";

export const SUBJECT = graphql(`
  query ImpactSubject($id: ID!) {
    node(id: $id) {
      ... on CatalogNode {
        id
        type
        name
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

export const AFFECTED = graphql(`
  fragment Affected on AffectedNode {
    id
    name
    fqn
    type
    certification
    owner
    ownerName
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
`);

export type Affected = FragmentOf<typeof AFFECTED>;

const SUMMARY = graphql(`
  fragment Summary on ImpactSummary {
    totalAffected
    highRiskCount
    mediumRiskCount
    lowRiskCount
  }
`);

export type Summary = FragmentOf<typeof SUMMARY>;

const OWNER = graphql(
  `
    fragment Owner on AffectedOwner {
      owner
      ownerName
      summary {
        ...Summary
      }
    }
  `,
  [SUMMARY],
);

export type Owner = FragmentOf<typeof OWNER>;

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
        summary {
          ...Summary
        }
        affected {
          ...Affected
        }
        owners {
          ...Owner
        }
        checks {
          total
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
  [AFFECTED, OWNER, SUMMARY, COMPLETENESS],
);

export type ImpactAnswer = NonNullable<ResultOf<typeof IMPACT>["impact"]>;

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

export const DBT_CONNECTORS = graphql(`
  query DbtConnectors {
    connectors(first: 200) {
      nodes {
        id
        name
        type
      }
    }
  }
`);

export const MANIFEST_IMPACT = graphql(
  `
    query ManifestImpact($manifest: Upload!, $catalog: Upload, $connector: ID) {
      manifestImpact(upload: $manifest, catalogUpload: $catalog, connectorId: $connector) {
        markdown
        truncated
        adapted
        dropped
        summary {
          ...Summary
        }
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
          summary {
            ...Summary
          }
        }
        affected {
          state
          changes
          impact {
            ...Affected
          }
        }
        owners {
          ...Owner
        }
        checks {
          total
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
    }
  `,
  [AFFECTED, OWNER, SUMMARY, COMPLETENESS],
);

export type ManifestAnswer = NonNullable<ResultOf<typeof MANIFEST_IMPACT>["manifestImpact"]>;
export type FoundChange = ManifestAnswer["changes"][number];
