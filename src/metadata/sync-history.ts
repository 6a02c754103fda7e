/** How much of a connector's history is kept. Without a bound, a connector that runs every minute fills the store. */
import type { Kysely } from "kysely";

import type { ConnectorId } from "../ids.ts";
import type { Tables } from "./tables.ts";

/** The newest syncs of a connector that are kept. */
const KEPT = 1_000;
/** The last completed syncs are kept however old they are: their durations are the estimate for the next one. */
const KEPT_COMPLETED = 5;
/** Syncs that are forgotten at once. A store that has many from before forgets the rest when later syncs end. */
const AT_ONCE = 100;

/** Forgets old syncs of a connector that has just ended one. */
export async function forgetOldSyncs(trx: Kysely<Tables>, connectorId: ConnectorId): Promise<void> {
  const own = trx.selectFrom("syncs").where("connectorId", "=", connectorId);
  const newest = await own.select("number").orderBy("number", "desc").limit(1).executeTakeFirst();
  const lastCompleted = own
    .select("number")
    .where("status", "=", "completed")
    .orderBy("number", "desc")
    .limit(KEPT_COMPLETED);
  const kept = (await lastCompleted.execute()).map(({ number }) => number);
  const old = await own
    .select("id")
    .where("number", "<=", (newest?.number ?? 0) - KEPT)
    .where("status", "in", ["completed", "failed", "cancelled"])
    .$if(kept.length > 0, (query) => query.where("number", "not in", kept))
    .orderBy("number")
    .limit(AT_ONCE)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await trx.deleteFrom("syncs").where("id", "in", ids).execute();
}
