/**
 * Numbers the runs of a connector. A run begins when a worker takes one of its syncs, or begins to apply a subject of its
 * inbox. The graph refuses writes of a run with a lower number than it knows, so a worker that resumes late changes
 * nothing.
 */
import type { Kysely } from "kysely";

import type { ConnectorId } from "../ids.ts";
import type { Tables } from "./tables.ts";

/**
 * Returns a number that is higher than all before. It is the time in seconds, or one more than the last number. So it is
 * higher than those that the graph knows, also if the metadata store went back to a backup and the graph did not.
 */
export async function nextRun(trx: Kysely<Tables>, connectorId: ConnectorId, now: Date): Promise<number> {
  const seconds = Math.floor(now.getTime() / 1_000);
  const { runs } = await trx
    .updateTable("connectors")
    .set(({ eb }) => ({
      runs: eb
        .case()
        .when("runs", "<", seconds)
        .then(seconds)
        .else(eb("runs", "+", 1))
        .end(),
    }))
    .where("id", "=", connectorId)
    .returning("runs")
    .executeTakeFirstOrThrow();
  return runs;
}
