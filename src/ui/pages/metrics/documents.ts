import { PERSON, NODE } from "../../assets/asset-row.ts";
import { type FragmentOf, gql, mutation, type ResultOf, using } from "../../graphql/graphql.ts";

/** What the catalog names as the source of metrics that people define. */
export const PEOPLE = "people";

const METRIC_ROW = using(PERSON).gql(`fragment MetricRow on Metric {
  id type name displayName fqn description kind definitionSummary certification
  certifier { ...PersonName }
  certifiedAt
  ownedBy { ...PersonName }
  tags
}`);

export type MetricRow = FragmentOf<typeof METRIC_ROW>;

export const METRICS = using(METRIC_ROW).gql(`query Metrics(
  $search: String, $certification: Certification, $owner: EmailAddress, $tag: String, $responsible: String,
  $orderBy: NodeOrder, $after: String
) {
  metrics(
    search: $search, certification: $certification, owner: $owner, tag: $tag, responsible: $responsible,
    orderBy: $orderBy, after: $after, first: 50
  ) {
    totalCount
    pageInfo { nextCursor }
    nodes { ...MetricRow }
  }
}`);

export const METRIC = using(METRIC_ROW, NODE, PERSON).gql(`query Metric($id: ID!) {
  metric(id: $id) {
    ...MetricRow platform connectors sourceConnector url createdAt updatedAt
    definition { expression grain dimensions filters }
    audit { place action from to by { ...PersonName } at note }
    metricLineage { sourceAssets { ...Node technicalName: name } downstream { ...Node } }
    upstream(first: 50, types: [metric]) {
      edges { node { ...Node technicalName: name } }
    }
    sourceColumns {
      column {
        ...Node
        ... on Asset { dataType parent { id } }
      }
      uses { kind transformation expression }
    }
  }
}`);

export type MetricDetail = NonNullable<ResultOf<typeof METRIC>["metric"]>;
export type Step = MetricDetail["audit"][number];

export const MAY_CERTIFY = gql("query MayCertify { viewer { mayCertify } }");

export const CERTIFY = mutation("certifyMetric", "metric { id }");

export const WITHDRAW = mutation("withdrawCertification", "metric { id }");

export const DEFINE = mutation("defineMetric", "metric { id }");

export const METRIC_TO_EDIT = gql(`query MetricToEdit($id: ID!) {
  metric(id: $id) {
    id name displayName description kind certification sourceConnector owner tags
    definition { expression grain dimensions filters }
    namedSources { id type fqn }
  }
}`);

export const UPDATE = mutation("updateMetric", "metric { id certification }");

export const REMOVE = mutation("removeMetric", "id");
