/** What is looked up when metrics are read: states and sizes. */
import { stat, statfs } from "node:fs/promises";

import type { DataFolder } from "../data-folder/folder.ts";
import type { HealthReport } from "./health.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Metrics } from "./metrics.ts";

export interface GaugeParts {
  health: () => Promise<HealthReport>;
  metadata: {
    syncs: Pick<MetadataStore["syncs"], "countUnfinished">;
    inbox: Pick<MetadataStore["inbox"], "measureWaiting">;
    workers: Pick<MetadataStore["workers"], "countAlive">;
  };
  folder: Pick<DataFolder, "path" | "graph" | "metadata">;
}

export function addGauges(metrics: Pick<Metrics, "addGauge">, { health, metadata, folder }: GaugeParts): void {
  async function askHealth() {
    const { graphDb, metadataStore, crawlerQueue, limitsStore } = (await health()).dependencies;
    return { graph_db: graphDb, metadata_store: metadataStore, crawler_queue: crawlerQueue, limits_store: limitsStore };
  }
  let asking: ReturnType<typeof askHealth> | undefined;
  /** All gauges are read at once, so that health is determined only once. */
  const readStates = () => (asking ??= askHealth().finally(() => (asking = undefined)));

  metrics.addGauge({
    name: "tributary_dependency_up",
    help: "1 if a dependency answers, 0 if it is down.",
    label: "dependency",
    read: async () => mapValues(await readStates(), (state) => (state === "down" ? 0 : 1)),
  });
  metrics.addGauge({
    name: "tributary_dependency_degraded",
    help: "1 if a dependency answers, but slowly, or cannot be written to, or nobody serves it.",
    label: "dependency",
    read: async () => mapValues(await readStates(), (state) => (state === "degraded" ? 1 : 0)),
  });
  metrics.addGauge({
    name: "tributary_syncs",
    help: "Syncs that wait or run, of all processes.",
    label: "status",
    read: async () => ({ ...(await metadata.syncs.countUnfinished()) }),
  });
  metrics.addGauge({
    name: "tributary_workers",
    help: "Processes that run syncs and write received events, of all machines, which showed themselves in the last minute.",
    read: async () => ({ "": await metadata.workers.countAlive() }),
  });
  metrics.addGauge({
    name: "tributary_inbox_waiting_bytes",
    help: "Received lineage events that wait to be written to the graph, in bytes.",
    async read() {
      const sizes = await metadata.inbox.measureWaiting();
      return { "": [...sizes.values()].reduce((sum, size) => sum + size, 0) };
    },
  });
  metrics.addGauge({
    name: "tributary_store_bytes",
    help: "The size of each embedded store on the disk.",
    label: "store",
    async read() {
      const [graph, ofMetadata] = await Promise.all([sizeOf(folder.graph), sizeOf(folder.metadata)]);
      return { ...(graph > 0 && { graph }), ...(ofMetadata > 0 && { metadata: ofMetadata }) };
    },
  });
  metrics.addGauge({
    name: "tributary_data_folder_free_bytes",
    help: "What is free on the disk of the data folder.",
    async read() {
      const { bavail, bsize } = await statfs(folder.path);
      return { "": bavail * bsize };
    },
  });
}

/** A SQLite file with its log. Zero if there is no such file, because the store is on a server. */
async function sizeOf(path: string): Promise<number> {
  const sizes = [path, `${path}-wal`].map(async (each) => (await stat(each).catch(() => null))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
