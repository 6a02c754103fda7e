/** Estimates how long a sync will take, from earlier syncs of the connector, else from the size of its source. */
import type { Connector, Sync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FindConnectorType } from "./connector-types.ts";

const RUNS_TO_ESTIMATE_BY = 5;

/** Returns a function that answers in whole seconds, at least 1. */
export function createEstimator(
  store: Pick<MetadataStore, "syncs">,
  findConnectorType: FindConnectorType,
): (connector: Connector) => Promise<number> {
  async function guessSeconds({ type: name, options }: Connector): Promise<number> {
    const type = findConnectorType(name);
    const parsed = await type?.options.safeParseAsync(options);
    if (!type || !parsed?.success) return 1;
    // If the source cannot be read now, the crawl fails at once and says why.
    return type.pull?.estimateSeconds(parsed.data).catch(() => 1) ?? 1;
  }

  return async (connector) => {
    const runs = await store.syncs.listRecent(connector.workspaceId, connector.id, RUNS_TO_ESTIMATE_BY, "completed");
    const seconds = runs.length > 0 ? median(runs.map(durationSeconds)) : await guessSeconds(connector);
    return Math.max(1, Math.round(seconds));
  };
}

function durationSeconds({ startedAt, completedAt }: Sync): number {
  return startedAt === null || completedAt === null ? 0 : (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return (lower + upper) / 2;
}
