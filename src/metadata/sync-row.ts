import type { Selectable } from "kysely";

import type { Unkept } from "../catalog/crawl.ts";
import type { Sync } from "./records.ts";
import type { Tables } from "./tables.ts";

export function toSync(row: Selectable<Tables["syncs"]>): Sync {
  const { number: _number, workerId: _workerId, leaseUntil: _leaseUntil, attempts: _attempts, ...sync } = row;
  const unkept: Unkept[] = JSON.parse(row.unkept);
  return { ...sync, unkept };
}
