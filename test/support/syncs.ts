/** Short forms to queue and end syncs. */
import type { SyncMode } from "../../src/catalog/crawl.ts";
import type { Connector, CrawlOutcome, Sync } from "../../src/metadata/records.ts";
import type { TestMetadata } from "./metadata-store.ts";

export const SUCCESS: CrawlOutcome = {
  status: "completed",
  assetsDiscovered: 0,
  assetsUpdated: 0,
  assetsRemoved: 0,
  errors: [],
  errorsTotal: 0,
  unkept: [],
  state: null,
};

/** Queues a new sync, whatever came before. */
export function enqueue(
  { store, clock }: Pick<TestMetadata, "store" | "clock">,
  connector: Connector,
  { mode = "incremental", confirmRemoval = false }: { mode?: SyncMode; confirmRemoval?: boolean } = {},
): Promise<Sync> {
  return store.syncs.enqueue({
    workspaceId: connector.workspaceId,
    connectorId: connector.id,
    mode,
    queuedAt: clock.now(),
    repeatOf: null,
    confirmRemoval,
    estimatedDurationSeconds: 1,
  });
}
