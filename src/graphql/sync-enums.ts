/** The words of connectors and their syncs as GraphQL enums. */
import type { CrawlError, SyncMode as SyncModeWord, Unkept } from "../catalog/crawl.ts";
import type { SyncStatus as SyncStatusWord } from "../metadata/records.ts";
import { wordsType } from "./builder.ts";

export const SyncMode = wordsType<SyncModeWord>("SyncMode", "Read everything, or only what changed.", {
  full: "Everything.",
  incremental: "Only what changed since the last sync, as far as the source can tell.",
});

export const SyncStatus = wordsType<SyncStatusWord>(
  "SyncStatus",
  "The state of a sync. A sync that finished with some errors is `completed`, and lists them.",
  {
    queued: "It waits for its turn, or to be tried again: then its errors are those of the last try.",
    running: "It is being done.",
    completed: "It finished, with or without errors.",
    failed: "It could not finish.",
    cancelled: "Somebody cancelled it.",
  },
);

export const SyncStage = wordsType<CrawlError["stage"]>(
  "SyncStage",
  "The step of a sync at which something went wrong.",
  {
    connect: "The connection to the source was made.",
    read: "The source was read.",
    parse: "What was read was parsed.",
    resolve: "Names were looked up.",
    write: "What was found was written to the catalog.",
  },
);

export const SyncErrorSeverity = wordsType<CrawlError["severity"]>(
  "SyncErrorSeverity",
  "How bad an error of a sync is.",
  { error: "Something was left out.", warning: "Nothing was lost." },
);

export const UnkeptReason = wordsType<Unkept["why"]>(
  "UnkeptReason",
  "Why something that came is not kept, or not all of it.",
  {
    unknown: "The catalog keeps nothing of this kind.",
    cut: "It has longer lists than the catalog keeps. Their beginnings are kept, the rest is not.",
    malformed: "It could not be read, at least in part. A later value of the same that can be read takes its place.",
  },
);

export const ConnectorHealth = wordsType<"healthy" | "degraded" | "unhealthy" | "unknown" | "disabled">(
  "ConnectorHealth",
  "How a connector's last finished run went.",
  {
    healthy: "It completed without errors; there may be warnings.",
    degraded: "It completed with at least one error; warnings alone do not count.",
    unhealthy: "It failed.",
    unknown: "It never ran.",
    disabled: "It is disabled.",
  },
);
