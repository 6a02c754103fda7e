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

export interface AuditStore {
  append(event: Omit<AuditEvent, "id" | "at">): Promise<void>;
  /**
   * One page, the newest event first, starting after the event `after`. If an action is given, only its events. Events
   * without a workspace, such as lockouts, are in the list of every workspace.
   */
  list(
    workspaceId: WorkspaceId,
    page: { after: AuditPosition | null; limit: number; action?: AuditAction },
  ): Promise<{ items: AuditEvent[]; hasMore: boolean }>;
}

export function createAuditStore({ db, now, newId }: StoreContext): AuditStore {
  return {
    async append(event) {
      const row = { id: newId("aud"), ...event, details: JSON.stringify(event.details), at: now() };
      await db.insertInto("auditEvents").values(row).execute();
    },
    async list(workspaceId, { after, limit, action }) {
      const rows = await db
        .selectFrom("auditEvents")
        .selectAll()
        .where(({ eb, or }) => or([eb("workspaceId", "=", workspaceId), eb("workspaceId", "is", null)]))
        .$if(action !== undefined, (query) => query.where("action", "=", action ?? "refused"))
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
