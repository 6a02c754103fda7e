/** The errors and warnings that connectors report. */
import type { z } from "zod";

import { type CrawlError, crawlError } from "../catalog/crawl.ts";
import type { CrawlEvent } from "./connector.ts";

export type Fault = CrawlEvent & { kind: "error" };

type Told = Pick<CrawlError, "code" | "object" | "message"> & Partial<CrawlError>;

/** Something was left out, and the rest is loaded. By default it was found while an entry was parsed. */
export function errorEvent(told: Told): Fault {
  return { kind: "error", error: crawlError({ stage: "parse", ...told }) };
}

/** Nothing was left out, but somebody should look at it. */
export function warningEvent(told: Told): Fault {
  return errorEvent({ ...told, severity: "warning" });
}

/** The first faults of a value, by their paths. Values are not repeated, because they may be secrets. */
export function explainIssues({ issues }: z.ZodError, most = 3): string {
  return issues
    .slice(0, most)
    .map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`)
    .join("; ");
}

/** How many names a sentence lists. */
const MAX_NAMED = 5;

/** The first of some names, and how many more there are. */
export function listSome(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return names.slice(0, MAX_NAMED).join(", ") + more;
}

const MIB = 1024 ** 2;

export function showBytes(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`;
}
