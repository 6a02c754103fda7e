import { expect, it } from "vitest";

import { toConnectorId, toSyncId, toWorkspaceId } from "../../../src/ids.ts";
import { logCrawls } from "../../../src/ingest/run-crawl.ts";
import type { CrawlOutcome } from "../../../src/metadata/records.ts";
import type { RunCrawl } from "../../../src/ingest/queue/crawler-queue.ts";

const SYNC: Parameters<RunCrawl>[0] = {
  id: toSyncId("syn_1"),
  workspaceId: toWorkspaceId("ws_1"),
  connectorId: toConnectorId("con_1"),
  status: "running",
  mode: "full",
  queuedAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:00.000Z",
  completedAt: null,
  estimatedDurationSeconds: 1,
  assetsDiscovered: 0,
  assetsUpdated: 0,
  assetsRemoved: 0,
  errors: [],
  errorsTotal: 0,
  unkept: [],
  failedTries: 0,
  nextTryAt: null,
  progress: 0,
  progressLabel: "",
  cancelRequestedAt: null,
  confirmRemoval: false,
  run: 1,
};
const DONE: CrawlOutcome = {
  status: "completed",
  assetsDiscovered: 12,
  assetsUpdated: 3,
  assetsRemoved: 1,
  errors: [],
  errorsTotal: 2,
  unkept: [],
  state: null,
};

/** The log of a crawl, as [level, line, message]. */
async function linesOf(run: RunCrawl): Promise<unknown[][]> {
  const lines: unknown[][] = [];
  const note = (level: string) => (line: unknown, message?: unknown) => void lines.push([level, line, message]);
  const log = { info: note("info"), warn: note("warn") };
  await logCrawls(run, log)(SYNC, new AbortController().signal, () => {}).catch(() => {});
  return lines;
}

const named = { syncId: "syn_1", connectorId: toConnectorId("con_1") };
const begun = ["info", { ...named, mode: "full" }, "a sync begins"];

it("The log says when a crawl begins, and its result", async () => {
  expect(await linesOf(async () => DONE)).toEqual([
    begun,
    [
      "info",
      expect.objectContaining({ ...named, assetsDiscovered: 12, assetsUpdated: 3, assetsRemoved: 1, errorsTotal: 2 }),
      "a sync is completed",
    ],
  ]);
});

it("The log warns of a crawl that failed, with its last error", async () => {
  const error = { code: "not_found", message: "manifest.json is not there.", object: "", stage: "read" } as const;
  const occurred = { ...error, severity: "error", retryable: false, occurredAt: SYNC.queuedAt } as const;
  const failed: CrawlOutcome = { ...DONE, status: "failed", errors: [occurred], errorsTotal: 1 };
  expect(await linesOf(async () => failed)).toEqual([
    begun,
    ["warn", expect.objectContaining({ ...named, lastError: "manifest.json is not there." }), "a sync failed"],
  ]);
});

it("The log says that a cancelled crawl returned to the queue", async () => {
  expect(await linesOf(() => Promise.reject(new Error("the service stops")))).toEqual([
    begun,
    ["info", named, "a sync is given back to the queue"],
  ]);
});
