/**
 * The lease that a process has on a subject of an inbox while it applies the subject to the graph. Two attempts at once
 * do no harm, because the graph refuses what the earlier one writes. But the work is done twice, and busy processes could
 * interrupt each other again and again.
 */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";

import type { ConnectorId, WorkspaceId } from "../ids.ts";
import { hasEnded } from "./lease-end.ts";
import type { Tables } from "./tables.ts";

const LEASE_MS = 20_000;

interface LeaseKey {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  subject: string;
  /** Counts the attempts of the subject. */
  number: number;
}

/** When a lease ends that begins now. */
export function leaseFrom(now: string): string {
  return new Date(Date.parse(now) + LEASE_MS).toISOString();
}

/** Whether no process has a lease on the subject now. */
export function isFree(eb: ExpressionBuilder<Tables, "inboxSubjects">, now: string): Expression<SqlBool> {
  const lease = { now: new Date(now), until: new Date(leaseFrom(now)) };
  return eb.or([eb("leaseUntil", "is", null), hasEnded(eb, eb.ref("leaseUntil"), lease)]);
}

/** Sets when the lease of a running attempt ends. Changes nothing if a later attempt has begun. */
export async function setLease(
  db: Kysely<Tables>,
  { workspaceId, connectorId, subject, number }: LeaseKey,
  leaseUntil: string | null,
): Promise<void> {
  await db
    .updateTable("inboxSubjects")
    .set({ leaseUntil })
    .where((eb) => eb.and({ workspaceId, connectorId, subject, attempts: number }))
    // The attempt has not ended.
    .where("leaseUntil", "is not", null)
    .execute();
}
