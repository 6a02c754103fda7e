import { graphql, mutation, type ResultOf } from "../../../graphql/graphql.ts";

export const AUDIT = graphql(`
  query AuditTrail(
    $action: AuditAction
    $actor: String
    $since: DateTime
    $until: DateTime
    $after: String
    $first: Int! = 50
  ) {
    auditEvents(action: $action, actor: $actor, since: $since, until: $until, first: $first, after: $after) {
      nodes {
        id
        at
        action
        actor
        actorName
        source
        subject
        subjectName
        details
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type AuditEvent = NonNullable<ResultOf<typeof AUDIT>["auditEvents"]>["nodes"][number];

export const RETENTION = graphql("query AuditRetention { auditRetention { days } }");

export const RETENTION_FORECAST = graphql(`
  query AuditForecast($days: Int!) {
    auditForecast(days: $days) {
      events
      hasMore
      oldest
    }
  }
`);

export const SET_RETENTION = mutation("setAuditRetention", "auditRetention { days }");
