import { type FragmentOf, gql, mutation, type ResultOf, using } from "../../graphql/graphql.ts";

const ERROR = gql("fragment SyncError on SyncError { severity stage code message object retryable }");

const SYNC = using(ERROR).gql(`fragment SyncRun on Sync {
  id status mode progress progressLabel queuedAt startedAt completedAt cancelRequestedAt failedTries nextTryAt
  estimatedDurationSeconds assetsDiscovered assetsUpdated assetsRemoved errorsTotal
  errors { ...SyncError }
}`);

export type SyncRun = FragmentOf<typeof SYNC>;

/** What the catalog counts as assets, and beside it the columns. */
const HELD = gql(`fragment Held on Connector {
  assets(first: 1, types: [table, model, pipeline, dashboard]) { totalCount }
}`);

export const CONNECTORS = using(HELD).gql(`query ConnectorList($after: String) {
  connectors(first: 100, after: $after) {
    nodes {
      id name type health
      ...Held
      disabledAt
      schedule { nextRunAt }
      lastSync { id status failedTries nextTryAt progress completedAt errorsTotal }
      reception { receivedAt }
    }
    pageInfo { nextCursor }
  }
}`);

export type ListedConnector = NonNullable<ResultOf<typeof CONNECTORS>["connectors"]>["nodes"][number];

export const CONNECTOR = using(HELD, SYNC, ERROR).gql(`query Connector($id: ID!) {
  connector(id: $id) {
    id name pipelineName type health
    ...Held
    columns: assets(first: 1, type: column) { totalCount }
    createdAt disabledAt removingAt removalShare
    schedule { cron timeZone nextRunAt }
    lastSync { ...SyncRun }
    unkept { entity aspect why count example }
    reception { receivedAt waiting errorsTotal errors { ...SyncError } }
  }
}`);

export type ConnectorDetail = NonNullable<ResultOf<typeof CONNECTOR>["connector"]>;

/** How many syncs the page of a connector shows. */
export const LATEST = 5;

export const SYNCS = using(SYNC).gql(`query ConnectorSyncs($id: ID!, $first: Int!) {
  connector(id: $id) { id syncs(first: $first) { ...SyncRun } }
}`);

export const SYNC_PROGRESS = using(SYNC).gql(`subscription SyncProgress($id: ID!) {
  syncProgress(id: $id) { ...SyncRun }
}`);

export const CONNECTOR_TYPES = gql(`query ConnectorTypes {
  connectorTypes { type description options capabilities secretOptions pathOptions }
}`);

export type ConnectorType = NonNullable<ResultOf<typeof CONNECTOR_TYPES>["connectorTypes"]>[number];

export const CONNECTOR_OPTIONS = gql(`query ConnectorOptions($id: ID!) {
  connectorOptions(id: $id) { options secretOptions }
}`);

export const TRIGGER_SYNC = mutation("triggerSync", "sync { ...SyncRun }", [SYNC]);

export const CANCEL_SYNC = mutation("cancelSync", "sync { id status cancelRequestedAt }");

export const CREATE_CONNECTOR = mutation("createConnector", "connector { id name }");

export const UPDATE_CONNECTOR = mutation("updateConnector", "connector { id }");

export const REMOVE_CONNECTOR = mutation("removeConnector", "id removedCount");

export const TEST_CONNECTOR = mutation("testConnector", "isReadable findings { option message severity }");
