/** Opens the stores according to the settings, for the server and the command line. */
import type { Logger } from "pino";

import type { Clock, Countdown, RandomBytes } from "./clock.ts";
import { type DataFolder, openDataFolder } from "./data-folder/folder.ts";
import { readOrMakeSecretKey } from "./data-folder/secret-key.ts";
import type { CatalogGraph } from "./graph/catalog-graph.ts";
import { openSqliteGraph } from "./graph/sqlite/index.ts";
import type { Limits } from "./limits/limits.ts";
import { createMemoryLimits } from "./limits/memory-limits.ts";
import { type MetadataStore, openMetadataStore } from "./metadata/store.ts";
import type { Settings } from "./settings.ts";
import type { Usage } from "./work/usage.ts";

/** The data folder, and the key that encrypts secrets in its stores. */
export interface Keep {
  folder: DataFolder;
  secretKey: Buffer;
}

/**
 * @param makes whether to create the data folder if it does not exist
 * @throws AppError `unavailable` if the data folder cannot be used, `not_found` if it does not exist
 */
export function openKeep(settings: Settings, random: RandomBytes, makes = true): Keep {
  const folder = openDataFolder(settings.dataDir, makes);
  return { folder, secretKey: Buffer.from(settings.secretKey ?? readOrMakeSecretKey(folder, random)) };
}

/** @throws AppError `unavailable` if the store cannot be opened */
export function openMetadata(keep: Keep, given: { clock: Clock; random: RandomBytes }): Promise<MetadataStore> {
  return openMetadataStore({
    url: { kind: "sqlite", path: keep.folder.metadata },
    secretKey: keep.secretKey,
    ...given,
  });
}

/**
 * @param waits whether to wait for a store on another machine, as the server does. A command fails instead.
 * @returns the graph, and a promise that resolves when it can be used
 * @throws AppError `unavailable` if the store cannot be opened
 */
export async function openGraph(
  settings: Settings,
  { folder }: Keep,
  { usage, log, waits }: { usage: Usage; log: Logger; waits: boolean },
): Promise<{ graph: CatalogGraph; connected: Promise<void> }> {
  const connected = Promise.resolve();
  if (settings.graphUrl === "sqlite:")
    return { graph: await openSqliteGraph({ path: folder.graph, usage }), connected };
  // Loaded only here, because the driver is slow to load and the embedded store does not need it.
  const { awaitMemgraphGraph, openMemgraphGraph } = await import("./graph/memgraph/index.ts");
  const options = { url: settings.graphUrl };
  return waits ? awaitMemgraphGraph(options, log) : { graph: await openMemgraphGraph(options), connected };
}

/**
 * Opens the store where requests and failures are counted. A server that is away does not stop the start.
 * @param isShared whether to count together with other servers. A command counts by itself.
 */
export async function openLimits(
  settings: Settings,
  { secretKey }: Keep,
  { isShared, ...given }: { isShared: boolean; clock: Clock; random: RandomBytes; countdown: Countdown; log: Logger },
): Promise<Limits> {
  const blockMs = settings.lockoutMinutes * 60_000;
  const address = settings.valkey;
  if (address === null || !isShared) return createMemoryLimits({ clock: given.clock, blockMs });
  // Loaded only here, because memory needs no driver.
  const { openValkeyLimits } = await import("./limits/valkey/index.ts");
  return openValkeyLimits({ address, blockMs, secretKey, ...given });
}
