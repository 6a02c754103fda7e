/** Opens the stores according to the settings, for the server and the command line. */
import type { Logger } from "pino";

import type { Clock, Countdown, RandomBytes } from "./clock.ts";
import { type DataFolder, openDataFolder } from "./data-folder/folder.ts";
import { readOrMakeSecretKey } from "./data-folder/secret-key.ts";
import type { CopyableGraph } from "./graph/graph-copy.ts";
import { openSqliteGraph } from "./graph/sqlite/index.ts";
import type { Limits } from "./limits/limits.ts";
import { createMemoryLimits } from "./limits/memory/index.ts";
import { awaitMetadataStore, type MetadataStore, openMetadataStore } from "./metadata/store.ts";
import type { Settings } from "./settings/settings.ts";
import type { Resume } from "./work/event-loop-scheduler.ts";
import type { Usage } from "./work/usage.ts";

/** The value of a URL for the store in the data folder. */
const EMBEDDED = "sqlite:";

/** The data folder, and the key that encrypts secrets in its stores. */
export interface DataFolderKeys {
  folder: DataFolder;
  secretKey: Buffer;
}

/**
 * @param makes whether to create the data folder if it does not exist
 * @throws AppError `unavailable` if the data folder cannot be used, `not_found` if it does not exist
 */
export function openDataFolderKeys(settings: Settings, random: RandomBytes, makes = true): DataFolderKeys {
  const folder = openDataFolder(settings.dataDir, makes);
  return { folder, secretKey: Buffer.from(settings.secretKey ?? readOrMakeSecretKey(folder, random)) };
}

/** Whether several servers can use the metadata store, on this machine or others. */
export function isShared({ metadataUrl }: Pick<Settings, "metadataUrl">): boolean {
  return metadataUrl !== EMBEDDED;
}

/** Whether both stores are files of the data folder. */
export function isEmbedded({ metadataUrl, graphUrl }: Pick<Settings, "metadataUrl" | "graphUrl">): boolean {
  return metadataUrl === EMBEDDED && graphUrl === EMBEDDED;
}

export interface OpenOptions {
  log: Logger;
  /** Whether to wait for a store on another machine, as the server does. A command fails instead. */
  waits: boolean;
}

/**
 * @returns the store, and a promise that resolves when it can be used
 * @throws AppError `unavailable` if the store cannot be opened
 */
export async function openMetadata(
  settings: Settings,
  { folder, secretKey }: DataFolderKeys,
  { log, waits, ...given }: OpenOptions & { clock: Clock; random: RandomBytes },
): Promise<{ metadata: MetadataStore; connected: Promise<void> }> {
  const url = isShared(settings)
    ? ({ kind: "postgres", url: settings.metadataUrl } as const)
    : ({ kind: "sqlite", path: folder.metadata } as const);
  const options = { url, secretKey, ...given };
  if (!waits || url.kind === "sqlite") {
    return { metadata: await openMetadataStore(options), connected: Promise.resolve() };
  }
  const { store, connected } = await awaitMetadataStore(options, log);
  return { metadata: store, connected };
}

interface OpenGraphOptions extends OpenOptions {
  usage: Usage;
  /** When a reader may go on with an answer. Default: at once. */
  resume?: Resume | undefined;
  /** The store that the graph belongs to. */
  metadata: Pick<MetadataStore, "findId">;
  metadataConnected: Promise<void>;
}

/**
 * @returns the graph, and a promise that resolves when it can be used
 * @throws AppError `unavailable` if the store cannot be opened
 */
export async function openGraph(
  settings: Settings,
  { folder }: DataFolderKeys,
  { usage, resume, log, waits, metadata, metadataConnected }: OpenGraphOptions,
): Promise<{ graph: CopyableGraph; connected: Promise<void> }> {
  const connected = Promise.resolve();
  if (settings.graphUrl === EMBEDDED)
    return openEmbedded(settings, folder, { usage, resume, waits, metadata, metadataConnected });
  // Loaded only here, because the driver is slow to load and the embedded store does not need it.
  const { awaitMemgraphGraph, openMemgraphGraph } = await import("./graph/memgraph/index.ts");
  const options = {
    url: settings.graphUrl,
    ...(settings.graphUser !== null && { username: settings.graphUser }),
    ...(settings.graphPassword !== null && { password: settings.graphPassword }),
    owner: () => metadata.findId(),
    lineageMiB: settings.lineageMemoryMiB,
    resume,
  };
  return waits ? awaitMemgraphGraph(options, log) : { graph: await openMemgraphGraph(options), connected };
}

/** Whose graph it is shows when the metadata store answers, which may be on another machine. */
async function openEmbedded(
  settings: Settings,
  folder: DataFolder,
  { usage, resume, waits, metadata, metadataConnected }: Omit<OpenGraphOptions, "log">,
): Promise<{ graph: CopyableGraph; connected: Promise<void> }> {
  const graph = await openSqliteGraph({ path: folder.graph, usage, resume, lineageMiB: settings.lineageMemoryMiB });
  const claimed = metadataConnected.then(async () => graph.claim(await metadata.findId()));
  try {
    if (!waits || !isShared(settings)) await claimed;
  } catch (error) {
    await graph.close();
    throw error;
  }
  return { graph, connected: claimed };
}

/**
 * Opens the store where requests and failures are counted. A server that is away does not stop the start.
 * @param together whether to count together with other servers. A command counts by itself.
 */
export async function openLimits(
  settings: Settings,
  { secretKey }: DataFolderKeys,
  { together, ...given }: { together: boolean; clock: Clock; random: RandomBytes; countdown: Countdown; log: Logger },
): Promise<Limits> {
  const blockMs = settings.lockoutMinutes * 60_000;
  const address = settings.valkey;
  if (address === null || !together) return createMemoryLimits({ clock: given.clock, blockMs });
  // Loaded only here, because memory needs no driver.
  const { openValkeyLimits } = await import("./limits/valkey/index.ts");
  return openValkeyLimits({ address, blockMs, secretKey, ...given });
}
