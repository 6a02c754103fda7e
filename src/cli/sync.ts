/** `tributary sync`: queues a crawl, and waits for its end with `--wait`. */
import { Argument, Option } from "commander";

import { SYNC_MODES, type SyncMode } from "../catalog/crawl.ts";
import { systemClock } from "../clock.ts";
import { isServerRunning } from "../data-folder/server-lock.ts";
import { AppError } from "../errors.ts";
import { toSyncId } from "../ids.ts";
import type { Client } from "./client.ts";
import type { CommandBody } from "./command.ts";
import { getConnector, type NamedConnector } from "./named-connector.ts";
import { printError, printResult } from "./print.ts";
import { createProgressBar } from "./progress-bar.ts";
import { watchForStop } from "./stop-signal.ts";
import { type SyncState, toRunJson, toTriggerJson } from "./sync-json.ts";
import { waitForRemoteSync } from "./wait-for-remote-sync.ts";

interface SyncOptions {
  mode: SyncMode;
  force?: boolean;
  confirmRemoval?: boolean;
  wait?: boolean;
}

/** The prefix of sync ids. */
const SYNC_PREFIX = "syn_";

export const syncCommand: CommandBody = {
  reach: "catalog",
  arguments: [new Argument("<connector>", "its name or id")],
  options: [
    new Option("--mode <mode>", "a first sync is always full").choices(SYNC_MODES).default("incremental"),
    new Option("--force", "start a new sync, even within five minutes of the last one"),
    new Option("--confirm-removal", "let it remove any share of the connector's assets; starts a new sync"),
    new Option("--wait", "wait for the end; the exit code is 1 if the sync failed or was cancelled"),
  ],
  async run(client: Client, named: string, options: SyncOptions) {
    const { id, lastSync } = await getConnector(client, named);
    process.exitCode = await startSync(client, id, options, lastSync);
  },
  commands: [
    {
      name: "cancel",
      description:
        "cancel a sync: a queued one ends at once, a running one at its next step; what was already written stays",
      arguments: [new Argument("<sync>", "its id; or a connector's name or id, for that one's newest sync")],
      async run(client: Client, named: string) {
        const wanted = named.startsWith(SYNC_PREFIX) ? named : await findNewest(client, named);
        const { cancelSync } = await client.ask("CancelSync", { input: { id: wanted } });
        const { id, status } = cancelSync.sync;
        const stopping = `Cancelling ${id}: it is ${status}, and stops soon.`;
        printResult(status === "cancelled" ? `Cancelled ${id}.` : stopping, { sync_id: id, status });
      },
    },
  ],
};

/**
 * Starts a sync, and waits for its end if it is asked to.
 * @param last the connector's newest sync before it
 * @returns the exit code
 */
export async function startSync(
  client: Client,
  connectorId: string,
  { mode, force = false, confirmRemoval = false, wait = false }: SyncOptions,
  last: NamedConnector["lastSync"] = null,
): Promise<number> {
  const input = { connectorId, mode, force, confirmRemoval };
  const { sync, isRepeat } = (await client.ask("StartSync", { input })).triggerSync;
  if (isRepeat) printRepeat(sync, systemClock.now());
  return wait ? seeThrough(client, sync) : leaveToServer(client, sync, last);
}

/** @throws AppError `not_found` */
async function findNewest(client: Client, named: string): Promise<string> {
  const { name, lastSync } = await getConnector(client, named);
  if (lastSync !== null) return lastSync.id;
  throw new AppError("not_found", `The connector ${name} was never synced.`);
}

/** Says that no new sync was made. Otherwise the output would look like a new crawl without changes. */
function printRepeat({ status, queuedAt }: SyncState, now: Date): void {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(queuedAt)) / 1_000));
  const age = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  printError(`This sync was queued ${age} ago; it is ${status}. --force starts a new one.`);
}

/**
 * Whether a server is known to run. A service elsewhere always runs. It is not known which servers share a metadata
 * store; beside them, this command takes syncs from the queue like any worker.
 */
function hasServer({ here }: Client): boolean {
  return here === null || isServerRunning(here.session.keep.folder);
}

/** Whether a worker may take the sync up, here or on another machine. */
async function mayHaveServer(client: Client): Promise<boolean> {
  if (client.here === null || hasServer(client)) return true;
  const { isShared } = await import("../stores.ts");
  return isShared(client.here.session.settings);
}

async function leaveToServer(client: Client, sync: SyncState, last: NamedConnector["lastSync"]): Promise<number> {
  if (sync.status === "queued" && !(await mayHaveServer(client))) {
    printError("No server is running: the sync waits for one. With --wait, this command does it itself.");
  }
  const took = last?.status === "completed" && last.id !== sync.id ? describeDuration(last) : "";
  printResult(`${sync.id} is ${sync.status}.${took === "" ? "" : ` The last one took ${took}.`}`, toTriggerJson(sync));
  return 0;
}

/**
 * Waits for the end of the sync. If no server is running, crawls in this process.
 * @returns the exit code
 */
async function seeThrough(client: Client, { id }: SyncState): Promise<number> {
  const stop = watchForStop();
  const bar = createProgressBar(process.stderr, "Syncing");
  const stopped = new AbortController();

  const ended = waitForEnd(client, id, bar.show, stopped.signal);
  const result = await Promise.race([ended, stop.asked]).finally(() => {
    stopped.abort();
    bar.stop();
  });
  if (typeof result === "number") {
    printError(
      (await mayHaveServer(client))
        ? "Not waiting any longer; the server goes on with the sync."
        : "Stopped; the sync is queued again.",
    );
    return result;
  }
  printResult(describeEnd(result), toRunJson(result));
  if (result.nextTryAt !== null) printError(describeNextTry(result.failedTries, result.nextTryAt));
  return result.status === "completed" ? 0 : 1;
}

const MAX_SHOWN_ERRORS = 10;

/** What the sync found, and what went wrong. */
function describeEnd({ id, status, startedAt, completedAt, errors, errorsTotal, ...counts }: SyncState): string {
  const took = describeDuration({ startedAt, completedAt });
  const after = took === "" ? "" : ` after ${took}`;
  const found = `${counts.assetsDiscovered} assets found, ${counts.assetsUpdated} of them new or changed; results of checks are not counted.`;
  const shown = errors
    .slice(0, MAX_SHOWN_ERRORS)
    .map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
  const more = errorsTotal > shown.length ? [`and ${errorsTotal - shown.length} more; --json lists up to 100`] : [];
  return [`${id} ${status}${after}: ${found}`, ...shown, ...more].join("\n");
}

/** Such as `1.2 s`; "" if it did not run to its end. */
function describeDuration({ startedAt, completedAt }: Pick<SyncState, "startedAt" | "completedAt">): string {
  if (startedAt === null || completedAt === null) return "";
  return `${((Date.parse(completedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`;
}

function describeNextTry(failedTries: number, nextTryAt: string): string {
  const tries = failedTries === 1 ? "The first try failed" : `${failedTries} tries failed`;
  return `${tries} for a reason that may pass. A server tries again at ${nextTryAt}; sync again to do it now.`;
}

function waitForEnd(
  client: Client,
  id: string,
  show: (sync: SyncState) => void,
  signal: AbortSignal,
): Promise<SyncState> {
  if (client.here === null) return waitForRemoteSync(client, id, { show, signal });
  const { services, workspace } = client.here;
  const syncId = toSyncId(id);
  return services.queue.wait(workspace.id, syncId, (sync) => {
    show(sync);
    if (!hasServer(client)) services.queue.start(syncId);
  });
}
