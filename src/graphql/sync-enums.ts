/** The words of connectors and their syncs as GraphQL enums. */
import type { CrawlError, SyncMode as SyncModeWord, Unkept } from "../catalog/crawl.ts";
import type { SyncStatus as SyncStatusWord } from "../metadata/records.ts";
import { builder } from "./builder.ts";

export const SyncMode = builder.enumType("SyncMode", {
  description: "Read everything, or only what changed.",
  values: {
    full: { description: "Everything." },
    incremental: { description: "Only what changed since the last sync, as far as the source can tell." },
  } satisfies Record<SyncModeWord, { description: string }>,
});

export const SyncStatus = builder.enumType("SyncStatus", {
  description: "The state of a sync. A sync that finished with some errors is `completed`, and lists them.",
  values: {
    queued: { description: "It waits for its turn, or to be tried again: then its errors are those of the last try." },
    running: { description: "It is being done." },
    completed: { description: "It finished, with or without errors." },
    failed: { description: "It could not finish." },
    cancelled: { description: "Somebody cancelled it." },
  } satisfies Record<SyncStatusWord, { description: string }>,
});

export const SyncStage = builder.enumType("SyncStage", {
  description: "The step of a sync at which something went wrong.",
  values: {
    connect: { description: "The connection to the source was made." },
    read: { description: "The source was read." },
    parse: { description: "What was read was parsed." },
    resolve: { description: "Names were looked up." },
    write: { description: "What was found was written to the catalog." },
  } satisfies Record<CrawlError["stage"], { description: string }>,
});

export const SyncErrorSeverity = builder.enumType("SyncErrorSeverity", {
  description: "How bad an error of a sync is.",
  values: {
    error: { description: "Something was left out." },
    warning: { description: "Nothing was lost." },
  } satisfies Record<CrawlError["severity"], { description: string }>,
});

export const UnkeptReason = builder.enumType("UnkeptReason", {
  description: "Why something that came is not kept.",
  values: {
    unknown: { description: "The catalog keeps nothing of this kind." },
    malformed: { description: "It could not be read. A later value of the same that can be read takes its place." },
  } satisfies Record<Unkept["why"], { description: string }>,
});

export const ConnectorHealth = builder.enumType("ConnectorHealth", {
  description: "How a connector's last finished run went.",
  values: {
    healthy: { description: "It completed without errors; there may be warnings." },
    degraded: { description: "It completed with at least one error; warnings alone do not count." },
    unhealthy: { description: "It failed." },
    unknown: { description: "It never ran." },
    disabled: { description: "It is disabled." },
  },
});
