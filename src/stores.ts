/** Opens what the service keeps, as the settings say; for the server and for the command line beside it. */
import type { Logger } from "pino";

import type { Clock, RandomBytes } from "./clock.ts";
import { type DataFolder, openDataFolder } from "./data-folder/folder.ts";
import { readOrMakeSecretKey } from "./data-folder/secret-key.ts";
import type { CatalogGraph } from "./graph/catalog-graph.ts";
import { openSqliteGraph } from "./graph/sqlite/index.ts";
import { type MetadataStore, openMetadataStore } from "./metadata/store.ts";
import type { Settings } from "./settings.ts";
import type { Usage } from "./work/usage.ts";

/** The deployment's data folder and the key to what is sealed in its stores. */
export interface Keep {
  folder: DataFolder;
  secretKey: Buffer;
}

/**
 * @param makes whether to make the data folder where there is none
 * @throws AppError `unavailable`, saying why the data folder cannot be used, and `not_found` where there is none
 */
export function openKeep(settings: Settings, random: RandomBytes, makes = true): Keep {
  const folder = openDataFolder(settings.dataDir, makes);
  return { folder, secretKey: Buffer.from(settings.secretKey ?? readOrMakeSecretKey(folder, random)) };
}

/** @throws AppError `unavailable`, saying why the store cannot be opened */
export function openMetadata(keep: Keep, given: { clock: Clock; random: RandomBytes }): Promise<MetadataStore> {
  return openMetadataStore({
    url: { kind: "sqlite", path: keep.folder.metadata },
    secretKey: keep.secretKey,
    ...given,
  });
}

/**
 * @param waits whether to wait for a store on another machine, as the server does; a command ends when it is away
 * @returns the graph, and a promise that resolves when it can be used
 * @throws AppError `unavailable`, saying why the store cannot be opened
 */
export async function openGraph(
  settings: Settings,
  { folder }: Keep,
  { usage, log, waits }: { usage: Usage; log: Logger; waits: boolean },
): Promise<{ graph: CatalogGraph; connected: Promise<void> }> {
  const connected = Promise.resolve();
  if (settings.graphUrl === "sqlite:")
    return { graph: await openSqliteGraph({ path: folder.graph, usage }), connected };
  // The driver takes a while to load, and an embedded service never needs it.
  const { awaitMemgraphGraph, openMemgraphGraph } = await import("./graph/memgraph/index.ts");
  const options = { url: settings.graphUrl };
  return waits ? awaitMemgraphGraph(options, log) : { graph: await openMemgraphGraph(options), connected };
}
