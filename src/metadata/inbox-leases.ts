/**
 * How a process keeps a subject of an inbox while it settles it. Settlings that overlap do no harm, because the graph
 * refuses what the earlier one writes. But they do the work twice, and those of busy processes could interrupt each other
 * again and again.
 */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";

import type { OpenSettling } from "./inbox.ts";
import type { Tables } from "./tables.ts";

const LEASE_MS = 20_000;
/** A lease that ends this much later than a new one would was given before the clock was set back. */
const CLOCK_FAULT_MS = 60 * 60 * 1_000;

/** When a lease ends that begins now. */
export function leaseFrom(now: string): string {
  return new Date(Date.parse(now) + LEASE_MS).toISOString();
}

/** Whether nobody has the subject now. */
export function isFree({ eb, or }: ExpressionBuilder<Tables, "inboxSubjects">, now: string): Expression<SqlBool> {
  const tooLate = new Date(Date.parse(now) + LEASE_MS + CLOCK_FAULT_MS).toISOString();
  return or([eb("leaseUntil", "is", null), eb("leaseUntil", "<=", now), eb("leaseUntil", ">", tooLate)]);
}

/** Sets when the lease of a running settling ends. If another one has begun, nothing is changed. */
export async function setLease(
  db: Kysely<Tables>,
  {
    workspaceId,
    connectorId,
    subject,
    number,
  }: Pick<OpenSettling, "workspaceId" | "connectorId" | "subject" | "number">,
  leaseUntil: string | null,
): Promise<void> {
  await db
    .updateTable("inboxSubjects")
    .set({ leaseUntil })
    .where("workspaceId", "=", workspaceId)
    .where("connectorId", "=", connectorId)
    .where("subject", "=", subject)
    .where("settlings", "=", number)
    // It has not ended.
    .where("leaseUntil", "is not", null)
    .execute();
}
