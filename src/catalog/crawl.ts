/** The words of a crawl: what it is asked to read, and what may go wrong. */
export const SYNC_MODES = ["full", "incremental"] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

/** One thing that went wrong in a crawl. Never holds a stack trace or a secret. */
export interface CrawlError {
  /** Machine-readable, such as `missing_reference`. */
  code: string;
  /** Every reader of the catalog may see it, as well as `object`: it names no path and no URL of the source. */
  message: string;
  /** The source's own name of the object at fault, such as dbt's unique id; "" for the source as a whole. */
  object: string;
  stage: "connect" | "read" | "parse" | "resolve" | "write";
  /** A `warning` lost nothing; an `error` left something out. */
  severity: "warning" | "error";
  /** Whether the same crawl may succeed later as it stands. */
  retryable: boolean;
  /** The path or URL at fault, without a secret. It is for the operator alone: it is logged, and not kept with the sync. */
  place?: string;
}
