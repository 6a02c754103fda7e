/** Cancels a sync. One that waits ends at once; one that runs stops at its next event. */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import { notFound } from "../errors.ts";
import type { SyncId } from "../ids.ts";
import type { Sync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { CrawlerQueue } from "./queue/crawler-queue.ts";

/**
 * What a running sync wrote is kept, and nothing is swept. It may be repeated.
 * @returns the sync after that; a running one ends within two seconds, when its worker learns of it
 * @throws AppError `not_found`; `conflict` if the sync completed or failed
 */
export async function cancelSync(
  { store, queue }: { store: MetadataStore; queue: Pick<CrawlerQueue, "nudge"> },
  origin: Origin,
  id: SyncId,
): Promise<Sync> {
  const workspaceId = origin.workspace.id;
  const sync = await change(store, origin, async ({ syncs }, note) => {
    const before = await syncs.findById(workspaceId, id);
    const after = await syncs.cancel(workspaceId, id);
    if (before === null || after === null) throw notFound("sync", id);
    const isNew = before.status !== "cancelled" && before.cancelRequestedAt === null;
    if (isNew) await note("sync_cancelled", id, { connectorId: after.connectorId, status: before.status });
    return after;
  });
  queue.nudge();
  return sync;
}
