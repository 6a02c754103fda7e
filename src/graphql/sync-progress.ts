/** A sync's progress while it runs, for clients that would otherwise have to poll. */
import { setTimeout } from "node:timers/promises";

import { type SyncId, toSyncId } from "../ids.ts";
import type { Sync, SyncStatus } from "../metadata/records.ts";
import { builder, requires } from "./builder.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { SyncType } from "./sync.ts";

/** The worker may be another process: its progress is read from the metadata store. */
const LOOK_EVERY_MS = 1_000;
const ENDED: ReadonlySet<SyncStatus> = new Set(["completed", "failed", "cancelled"]);

builder.subscriptionField("syncProgress", (t) =>
  t.field({
    type: SyncType,
    nullable: true,
    description:
      "A sync as it is now, and again after each change, at most once a second, until the sync ends. If there is no such sync, " +
      "null once. It comes as server-sent events for at most four minutes. Subscribe again if the sync has not ended by then.",
    extensions: requires("read"),
    args: { id: t.arg.id({ required: true, description: "The sync's id." }) },
    subscribe: (_root, { id }, context) => watchSync(toSyncId(id), context),
    resolve: (sync) => sync,
  }),
);

/** Ends without an error if nobody waits any more. */
async function* watchSync(id: SyncId, context: GraphqlContext): AsyncGenerator<Sync | null, void, undefined> {
  const { services, signal } = context;
  let told: string | null = null;
  while (!signal.aborted) {
    const sync = await services.metadata.syncs.findById(workspaceOf(context), id);
    const now = JSON.stringify(sync);
    if (now !== told) yield sync;
    told = now;
    if (sync === null || ENDED.has(sync.status)) return;
    await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(LOOK_EVERY_MS, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
