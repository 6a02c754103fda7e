/** Opens the stores of the data folder while a command runs. */
import { type Clock, type RandomBytes, systemClock, systemRandom } from "../clock.ts";
import { findServerUrl } from "../data-folder/server-url.ts";
import { AppError } from "../errors.ts";
import type { Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { createLog } from "../telemetry/log.ts";
import { openServices, type Services } from "../services.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { originOf } from "../settings/origin.ts";
import { getDefaultWorkspace } from "./start/workspace.ts";
import { type DataFolderKeys, openDataFolderKeys, openMetadata } from "../stores.ts";
import { printError } from "./print.ts";

export interface Session {
  settings: Settings;
  keep: DataFolderKeys;
  store: MetadataStore;
  clock: Clock;
  random: RandomBytes;
}

interface ServicesOptions {
  workspace: string;
  /** Whether to go on if a graph store on another machine is down. */
  waits?: boolean;
}

/**
 * Opens the data folder. A server may be running, or may never have run.
 * @param makes whether to create the data folder if it does not exist
 * @throws AppError `not_found` if it does not exist and is not created
 */
export async function withSession<T>(work: (session: Session) => Promise<T>, makes = false): Promise<T> {
  const settings = readSettings();
  const keep = openFolder(settings, makes);
  const parts = { clock: systemClock, random: systemRandom };
  const log = createLog(settings.logLevel);
  const { metadata: store } = await openMetadata(settings, keep, { ...parts, log, waits: false });
  try {
    return await work({ settings, keep, store, ...parts });
  } finally {
    await store.close();
  }
}

/** On a terminal, prints which data folder is used, because a relative path depends on the current folder. */
function openFolder(settings: Settings, makes: boolean): DataFolderKeys {
  const keep = openDataFolderKeys(settings, systemRandom, makes);
  if (process.stderr.isTTY) printError(`Data folder: ${keep.folder.path}`);
  return keep;
}

async function getWorkspace({ workspaces }: MetadataStore, name: string): Promise<Workspace> {
  const workspace = await workspaces.findByName(name);
  if (workspace !== null) return workspace;
  throw new AppError("not_found", `There is no workspace ${name}; tributary workspace create ${name} creates it.`);
}

/**
 * Opens all services in this process.
 * @throws AppError `not_found` if the workspace does not exist
 */
export async function withServices<T>(
  { workspace, waits = false }: ServicesOptions,
  work: (services: Services, workspace: Workspace, session: Session) => Promise<T>,
): Promise<T> {
  const settings = readSettings();
  const parts = { settings, keep: openFolder(settings, false), clock: systemClock, random: systemRandom };
  await using opened = new AsyncDisposableStack();
  const services = await openServices({
    ...parts,
    ...(waits && { waitsFor: "graph" as const }),
    log: createLog(settings.logLevel),
    // The server's port may be set for its process alone.
    publicUrl: () => settings.publicUrl ?? findServerUrl(parts.keep.folder) ?? originOf(settings),
    deadline: (ms) => AbortSignal.timeout(ms),
    whenClosed: (_what, letGo) => opened.defer(async () => letGo()),
  });
  const store = services.metadata;
  await getDefaultWorkspace(store);
  // Awaited here, because the services are closed at the end of this function.
  return await work(services, await getWorkspace(store, workspace), { ...parts, store });
}
