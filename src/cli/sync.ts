/** `tributary sync`: asks for a crawl, and with `--wait` sees it through. */
import { type Command, Option } from "commander";
import { z } from "zod";

import { SYNC_MODES, type SyncMode } from "../catalog/crawl.ts";
import { isServerRunning } from "../data-folder/server-lock.ts";
import { AppError } from "../errors.ts";
import type { Connector, Sync, Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Services } from "../services.ts";
import type { Keep } from "../stores.ts";
import { addClientOptions, type Client, type ClientOptions, withClient } from "./client.ts";
import { getConnector as getNamedConnector } from "./named-connector.ts";
import { printError, printLine } from "./print.ts";
import { createProgressBar } from "./progress-bar.ts";
import { type WorkspaceOption, withServices, workspaceOption } from "./session.ts";
import { watchForStop } from "./stop-signal.ts";
import { toRunJson, toTriggerJson } from "./sync-json.ts";

interface SyncOptions extends WorkspaceOption {
  mode: SyncMode;
  force?: boolean;
  wait?: boolean;
}

export function addSyncCommand(program: Command): void {
  const command = program.command("sync");
  // So that `sync cancel` has options of its own.
  command
    .enablePositionalOptions()
    .description("crawl a connector and print the sync as JSON; a running server does it, or with --wait this command")
    .argument("<connector>", "its name or id")
    .addOption(new Option("--mode <mode>", "a first sync is always full").choices(SYNC_MODES).default("incremental"))
    .option("--force", "start anew, even within five minutes of the last sync")
    .option("--wait", "wait for the end; the exit code is 1 if the sync failed")
    .addOption(workspaceOption())
    .action(async (connector: string, options: SyncOptions) => {
      process.exitCode = await withServices(options, async (services, workspace, { keep, clock }) => {
        const { id } = await getConnector(services.metadata, workspace, connector);
        const sync = await services.syncs.trigger({ workspaceId: workspace.id, connectorId: id, ...options });
        if (sync.isRepeat) tellRepeat(sync, clock.now());
        return options.wait ? seeThrough(services, keep, sync) : leaveToServer(keep, sync);
      });
    });

  addClientOptions(command.command("cancel"))
    .description("cancel a sync: a queued one ends at once, a running one at its next step; what it wrote stays")
    .argument("<sync>", "its id; or a connector's name or id, for that one's newest sync")
    .action(async (named: string, options: ClientOptions) => {
      const { cancelSync } = await withClient(options, async (client) => {
        const id = named.startsWith(SYNC_PREFIX) ? named : await findNewest(client, named);
        return client.ask("CancelSync", { input: { id } }, cancelled);
      });
      const { id, status } = cancelSync.sync;
      printLine(status === "cancelled" ? `Cancelled ${id}.` : `Cancelling ${id}: it is ${status}, and stops soon.`);
    });
}

const cancelled = z.object({ cancelSync: z.object({ sync: z.object({ id: z.string(), status: z.string() }) }) });
/** What ids of syncs begin with. */
const SYNC_PREFIX = "syn_";

/** @throws AppError `not_found` */
async function findNewest(client: Client, named: string): Promise<string> {
  const { name, lastSync } = await getNamedConnector(client, named);
  if (lastSync !== null) return lastSync.id;
  throw new AppError("not_found", `The connector ${name} was never synced.`);
}

/** A repeat would else look like a new crawl that changed nothing. */
function tellRepeat({ status, queuedAt }: Sync, now: Date): void {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(queuedAt)) / 1_000));
  const age = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  printError(`This is the sync that was asked for ${age} ago; it is ${status}. --force starts a new one.`);
}

/** @throws AppError `not_found` */
async function getConnector(
  { connectors }: MetadataStore,
  { id, name }: Workspace,
  nameOrId: string,
): Promise<Connector> {
  const found = (await connectors.findByName(id, nameOrId)) ?? (await connectors.findById(id, nameOrId));
  if (found !== null) return found;
  throw new AppError(
    "not_found",
    `There is no connector ${nameOrId} in the workspace ${name}; tributary connector list shows what there is.`,
  );
}

function leaveToServer(keep: Keep, sync: Sync): number {
  if (sync.status === "queued" && !isServerRunning(keep.folder)) {
    printError("No server is running: the sync waits for one. With --wait, this command does it itself.");
  }
  printLine(JSON.stringify(toTriggerJson(sync)));
  return 0;
}

/** Waits for the end, and does the crawl itself whenever no server is there to do it. Answers the exit code. */
async function seeThrough({ queue }: Services, keep: Keep, { id, workspaceId }: Sync): Promise<number> {
  const stop = watchForStop();
  const bar = createProgressBar(process.stderr, "Syncing");

  const ended = queue.wait(workspaceId, id, (sync) => {
    bar.show(sync);
    if (!isServerRunning(keep.folder)) queue.start(id);
  });
  const result = await Promise.race([ended, stop.asked]).finally(bar.stop);
  if (typeof result === "number") {
    printError(
      isServerRunning(keep.folder)
        ? "Not waiting any longer; the server goes on with the sync."
        : "Stopped; the sync is queued again.",
    );
    return result;
  }
  printLine(JSON.stringify(toRunJson(result)));
  return result.status === "completed" ? 0 : 1;
}
