/** Waits for a sync of a service elsewhere. */
import { setTimeout } from "node:timers/promises";

import { z } from "zod";

import { AppError, notFound } from "../errors.ts";
import type { Client } from "./client.ts";
import { type SyncState, syncState } from "./sync-json.ts";

const POLL_MS = 1_000;
/** This many checks in a row may fail, because the service may restart or its rate limit may be reached. */
const MAX_FAILED_LOOKS = 60;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

const looked = z.object({ sync: syncState.nullable() });

/**
 * Checks once a second.
 * @param show called with the sync after each check
 * @param signal ends the wait. The promise then rejects.
 * @throws AppError if the service refuses a request; `not_found` if the sync was deleted with its connector
 */
export async function waitElsewhere(
  client: Client,
  id: string,
  show: (sync: SyncState) => void,
  signal: AbortSignal,
): Promise<SyncState> {
  for (let failed = 0; ;) {
    try {
      const { sync } = await client.ask("SyncProgress", { id }, looked);
      if (sync === null) throw notFound("sync", id);
      show(sync);
      if (ENDED.has(sync.status)) return sync;
      failed = 0;
    } catch (error) {
      failed += 1;
      if (!mayPass(error) || failed === MAX_FAILED_LOOKS) throw error;
    }
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof AppError && (error.code === "unavailable" || error.code === "rate_limited");
}
