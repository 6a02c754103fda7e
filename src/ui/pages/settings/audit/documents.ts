import { gql, mutation, type ResultOf } from "../../../graphql/graphql.ts";

export const AUDIT = gql(`query AuditTrail(
  $action: AuditAction, $actor: String, $since: DateTime, $until: DateTime, $after: String, $first: Int! = 50
) {
  auditEvents(action: $action, actor: $actor, since: $since, until: $until, first: $first, after: $after) {
    nodes { id at action actor by { name } source subject subjectName details }
    pageInfo { nextCursor }
  }
}`);

export type AuditEvent = NonNullable<ResultOf<typeof AUDIT>["auditEvents"]>["nodes"][number];

export const RETENTION = gql("query AuditRetention { auditRetention { days } }");

export const RETENTION_FORECAST = gql(`query AuditForecast($days: Int!) {
  auditForecast(days: $days) { events hasMore oldest }
}`);

export const SET_RETENTION = mutation("setAuditRetention", "auditRetention { days }");
