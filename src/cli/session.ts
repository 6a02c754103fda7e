/** What a command works with: the stores of the data folder, opened for as long as it runs. */
import { type Clock, type RandomBytes, systemClock, systemRandom } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { createLog } from "../log.ts";
import { openServices, type Services } from "../services.ts";
import { readSettings, type Settings } from "../settings.ts";
import { getDefaultWorkspace } from "../start/workspace.ts";
import { type Keep, openKeep, openMetadata } from "../stores.ts";
import { printError } from "./print.ts";

export interface Session {
  settings: Settings;
  keep: Keep;
  store: MetadataStore;
  clock: Clock;
  random: RandomBytes;
}

interface ServicesOptions {
  workspace: string;
  /** Whether to go on without a graph store on another machine while that is away. */
  waits?: boolean;
}

/**
 * Works beside a running server, and before there ever was one.
 * @param makes whether to make the data folder where there is none
 * @throws AppError `not_found` where there is none
 */
export async function withSession<T>(work: (session: Session) => Promise<T>, makes = false): Promise<T> {
  const settings = readSettings();
  const keep = openFolder(settings, makes);
  const parts = { clock: systemClock, random: systemRandom };
  const store = await openMetadata(keep, parts);
  try {
    await getDefaultWorkspace(store);
    return await work({ settings, keep, store, ...parts });
  } finally {
    await store.close();
  }
}

/** Says at a terminal which data folder it is: it depends on where a command is run. */
function openFolder(settings: Settings, makes: boolean): Keep {
  const keep = openKeep(settings, systemRandom, makes);
  if (process.stderr.isTTY) printError(`Data folder: ${keep.folder.path}`);
  return keep;
}

async function getWorkspace({ workspaces }: MetadataStore, name: string): Promise<Workspace> {
  const workspace = await workspaces.findByName(name);
  if (workspace !== null) return workspace;
  throw new AppError("not_found", `There is no workspace ${name}; tributary workspace create ${name} makes it.`);
}

/**
 * Works with all that the service can do, in this process.
 * @throws AppError `not_found` where there is no such workspace
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
    waits,
    log: createLog(settings.logLevel),
    deadline: (ms) => AbortSignal.timeout(ms),
    whenClosed: (_what, letGo) => opened.defer(async () => letGo()),
  });
  const store = services.metadata;
  await getDefaultWorkspace(store);
  // Awaited here, since what it works with is closed at the end of this function.
  return await work(services, await getWorkspace(store, workspace), { ...parts, store });
}
