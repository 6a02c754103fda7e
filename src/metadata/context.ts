/** What the stores of all records share. */
import type { Kysely } from "kysely";

import type { IdPrefix, Ids } from "./ids.ts";
import type { Tables } from "./tables.ts";

export interface StoreContext {
  /** The database, or a transaction that has begun on it. */
  db: Kysely<Tables>;
  now: () => string;
  newId: <Prefix extends IdPrefix>(prefix: Prefix) => Ids[Prefix];
}

/** Works in the transaction that has begun, else in one of its own. */
export function inTransaction<T>(db: Kysely<Tables>, work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
