/** The terms of a crawl: what it is asked to read, and what may go wrong. */
export const SYNC_MODES = ["full", "incremental"] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

/** One error of a crawl. It never contains a stack trace or a secret. */
export interface CrawlError {
  /** Machine-readable, such as `missing_reference`. */
  code: string;
  /** Every reader of the catalog may see the message and `object`. They contain no path and no URL of the source. */
  message: string;
  /** The source's own id of the object, such as dbt's unique id; "" for the source as a whole. */
  object: string;
  stage: "connect" | "read" | "parse" | "resolve" | "write";
  /** After a `warning` nothing is missing. After an `error` something was left out. */
  severity: "warning" | "error";
  /** Whether the same crawl may succeed later without any change. */
  retryable: boolean;
  /**
   * The path or URL of the problem, without a secret. It is only for the operator: it is logged and not kept with the
   * sync.
   */
  location?: string;
}

/** The kinds that a sync lists. */
export const MAX_UNKEPT_KINDS = 100;

/** What came of one kind and is not kept. */
export interface Unkept {
  /** What it is about, such as `dataset`; "" if that could not be read. */
  entity: string;
  /** Such as `datasetProfile`. "" and no entity: the kinds that are not listed one by one. */
  aspect: string;
  /** unknown: the connector keeps nothing of it. malformed: it could not be read, at least in part. cut: only the beginnings of its lists are kept. */
  why: "unknown" | "malformed" | "cut";
  count: number;
  /** The name of the first thing of which it came. */
  example: string;
}

/** What must be said of an error. By default it is about the whole source, something was left out, and repeating does not help. */
export type ToldError = Pick<CrawlError, "code" | "message" | "stage"> & Partial<CrawlError>;

export function crawlError(told: ToldError): CrawlError {
  return { object: "", severity: "error", retryable: false, ...told };
}
