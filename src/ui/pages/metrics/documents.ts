import { type FragmentOf, graphql, mutation, type ResultOf } from "../../graphql/graphql.ts";

/** What the catalog names as the source of metrics that people define. */
export const PEOPLE = "people";

const METRIC_ROW = graphql(`
  fragment MetricRow on Metric {
    id
    type
    name
    displayName
    fqn
    description
    kind
    definitionSummary
    certification
    certifiedBy
    certifiedAt
    owner
    ownerName
    tags
  }
`);

export type MetricRow = FragmentOf<typeof METRIC_ROW>;

export const METRICS = graphql(
  `
    query Metrics(
      $search: String
      $certification: Certification
      $owner: EmailAddress
      $tag: String
      $responsible: String
      $after: String
    ) {
      metrics(
        search: $search
        certification: $certification
        owner: $owner
        tag: $tag
        responsible: $responsible
        after: $after
        first: 50
      ) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...MetricRow
        }
      }
    }
  `,
  [METRIC_ROW],
);

export const METRIC = graphql(
  `
    query Metric($id: ID!) {
      metric(id: $id) {
        ...MetricRow
        platform
        connectors
        sourceConnector
        url
        createdAt
        updatedAt
        definition {
          expression
          grain
          dimensions
          filters
        }
        audit {
          place
          action
          from
          to
          actor
          at
          note
        }
        metricLineage {
          sourceAssets {
            id
            type
            name: displayName
            technicalName: name
            fqn
            certification
          }
          downstream {
            id
            type
            name: displayName
            fqn
          }
        }
        upstream(first: 50, types: [metric]) {
          edges {
            node {
              id
              type
              name: displayName
              technicalName: name
              fqn
              certification
            }
          }
        }
        sourceColumns {
          column {
            id
            type
            name
            fqn
            ... on Asset {
              dataType
              parent {
                id
              }
            }
          }
          uses {
            kind
            transformation
            expression
          }
        }
      }
    }
  `,
  [METRIC_ROW],
);

export type MetricDetail = NonNullable<ResultOf<typeof METRIC>["metric"]>;
export type Step = MetricDetail["audit"][number];

export const MAY_CERTIFY = graphql("query MayCertify { viewer { mayCertify } }");

export const CERTIFY = mutation("certifyMetric", "metric { id }");

export const WITHDRAW = mutation("withdrawCertification", "metric { id }");

export const DEFINE = mutation("defineMetric", "metric { id }");

export const METRIC_TO_EDIT = graphql(`
  query MetricToEdit($id: ID!) {
    metric(id: $id) {
      id
      name
      displayName
      description
      kind
      certification
      sourceConnector
      owner
      tags
      definition {
        expression
        grain
        dimensions
        filters
      }
      namedSources {
        id
        type
        fqn
      }
    }
  }
`);

export const UPDATE = mutation("updateMetric", "metric { id certification }");

export const REMOVE = mutation("removeMetric", "id");
