import type { Selectable } from "kysely";

import type { Unkept } from "../catalog/crawl.ts";
import type { Sync, SyncError } from "./records.ts";
import type { Tables } from "./tables.ts";

export function toSync(row: Selectable<Tables["syncs"]>): Sync {
  const { number: _number, workerId: _workerId, leaseUntil: _leaseUntil, attempts: _attempts, ...sync } = row;
  const errors: SyncError[] = JSON.parse(row.errors);
  const unkept: Unkept[] = JSON.parse(row.unkept);
  return { ...sync, errors, unkept, confirmRemoval: row.confirmRemoval !== 0 };
}
