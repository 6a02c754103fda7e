/** The audit trail. Events are written and read, and never changed. */
import type { Selectable } from "kysely";

import type { WorkspaceId } from "../ids.ts";
import type { StoreContext } from "./context.ts";
import type { AuditAction, AuditEvent } from "./records.ts";
import type { Tables } from "./tables.ts";

/** The position of an event in the trail. */
export interface AuditPosition {
  at: string;
  id: string;
}

/** Which events to list; all that is given must hold. */
interface AuditFilter {
  action?: AuditAction | undefined;
  /** An e-mail address or a service account's name, in any case. */
  actor?: string | undefined;
  /** Events at this time or later, as ISO 8601 in UTC. */
  since?: string | undefined;
  /** Events before this time. */
  until?: string | undefined;
}

export interface AuditStore {
  append(event: Omit<AuditEvent, "id" | "at">): Promise<void>;
  /**
   * One page, the newest event first, starting after the event `after`. Events without a workspace, such as lockouts, are
   * in the list of every workspace.
   */
  list(
    workspaceId: WorkspaceId,
    page: AuditFilter & { after: AuditPosition | null; limit: number },
  ): Promise<{ items: AuditEvent[]; hasMore: boolean }>;
}

export function createAuditStore({ db, now, newId }: StoreContext): AuditStore {
  return {
    async append(event) {
      const row = { id: newId("aud"), ...event, details: JSON.stringify(event.details), at: now() };
      await db.insertInto("auditEvents").values(row).execute();
    },
    async list(workspaceId, { after, limit, action, actor, since, until }) {
      const rows = await db
        .selectFrom("auditEvents")
        .selectAll()
        .where(({ eb, or }) => or([eb("workspaceId", "=", workspaceId), eb("workspaceId", "is", null)]))
        .$call((query) => (action === undefined ? query : query.where("action", "=", action)))
        .$call((query) =>
          actor === undefined
            ? query
            : query.where(({ eb, fn }) => eb(fn("lower", ["actor"]), "=", actor.toLowerCase())),
        )
        .$call((query) => (since === undefined ? query : query.where("at", ">=", since)))
        .$call((query) => (until === undefined ? query : query.where("at", "<", until)))
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple("at", "id"), "<", tuple(after?.at ?? "", after?.id ?? "")),
          ),
        )
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      return { items: rows.slice(0, limit).map(toAuditEvent), hasMore: rows.length > limit };
    },
  };
}

function toAuditEvent(row: Selectable<Tables["auditEvents"]>): AuditEvent {
  const details: AuditEvent["details"] = JSON.parse(row.details);
  return { ...row, details };
}
