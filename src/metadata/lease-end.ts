/** Leases, and when one has ended. Leases are times, and each process reads its own clock. */
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";

import { latestFrom } from "../clock.ts";

/** Who takes something, at a time, until when it is theirs unless they renew it. */
export interface Lease {
  workerId: string;
  now: Date;
  until: Date;
}

/**
 * Whether a lease has ended, or was given before the clock was set back. A worker that still runs renews it within a
 * second.
 * @param until when a lease ends that begins now
 */
export function hasEnded<Database, Table extends keyof Database>(
  eb: ExpressionBuilder<Database, Table>,
  leaseUntil: Expression<string | null>,
  { now, until }: Omit<Lease, "workerId">,
): Expression<SqlBool> {
  return eb.or([eb(leaseUntil, "<=", now.toISOString()), eb(leaseUntil, ">", latestFrom(until))]);
}
