/** The contract of a connector: it reads one source and states what it finds. One folder each. */
import { z } from "zod";

import type { CheckStatement } from "../catalog/check.ts";
import type { CrawlError, SyncMode } from "../catalog/crawl.ts";
import type { NodeRef } from "../catalog/identity.ts";
import { isStorableName } from "../catalog/text.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";

/** An option of every type: in ids, it tells two installations of one platform apart. */
export const instanceOption = z
  .string()
  .trim()
  .max(200, "must have at most 200 characters")
  .refine(isStorableName, "must hold no control characters")
  .default("")
  .describe("Tells this installation from another one of the same platform; leave it out if there is only one");

/**
 * What a crawl reports, in this order: any number of scopes, each `begin`, its statements, `end`.
 * Assets come before the edges that name them. Only a scope that ended complete is swept of what it no longer holds:
 * end it incomplete whenever something could not be read. Errors and progress may stand anywhere.
 */
export type CrawlEvent =
  | { kind: "begin"; scope: string }
  /** Of a table or model that is stated again, the last statement holds. */
  | { kind: "asset"; asset: AssetStatement }
  /** That something of a table or model which is stated in this scope had to be left out: why lineage of it may be missing. */
  | { kind: "gap"; asset: NodeRef; reason: string }
  | { kind: "edge"; edge: EdgeStatement; /** Named in an error where the edge is refused. */ object: string }
  /** Stated within a scope, wherever its assets stand in it. */
  | { kind: "check"; check: CheckStatement }
  | { kind: "error"; error: CrawlError }
  | { kind: "progress"; /** 0 to 1. */ fraction: number; label: string }
  | { kind: "end"; scope: string; complete: boolean }
  /** Handed back as `previousState` at the next incremental crawl; kept only when the crawl had no errors. */
  | { kind: "state"; state: Record<string, string> };

export interface CrawlContext {
  mode: SyncMode;
  /** What the last crawl without errors left, where the graph still is as that crawl left it; null at every full crawl. */
  previousState: Readonly<Record<string, string>> | null;
  /** Aborts when the service stops. */
  signal: AbortSignal;
  now: () => Date;
}

/** Thrown by a crawl that cannot go on: the sync fails with it as its last error. */
export class CrawlFailure extends Error {
  override readonly name = "CrawlFailure";
  readonly error: CrawlError;
  constructor(error: CrawlError, cause?: unknown) {
    super(error.message, { cause });
    this.error = error;
  }
}

/** What a look at a source came to, about one option. */
export interface SourceFinding {
  /** The key of the option. */
  option: string;
  /** For whoever gave the options: what is wrong and where. Holds no secret. */
  message: string;
  /** An `error` is a source, or a part of one, that a crawl could not read. */
  severity: "warning" | "error";
}

export interface ConnectorType<Options = unknown> {
  /** The word in `tributary connector add TYPE`. */
  type: string;
  /** One sentence for people. */
  description: string;
  /** Whose word wins where connectors differ; a warehouse's own catalog above what describes it. */
  precedence: number;
  /**
   * Whose SQL and column lineage are shown where connectors differ, all of it or none; higher wins: what builds a table (300)
   * before who saw it run (200) before the warehouse's own SQL (100).
   */
  lineagePrecedence: number;
  /** Checks options, given as strings, at the edge. Each key has a `.describe()` text. */
  options: z.ZodType<Options>;
  /** Keys of options that are encrypted at rest and never shown. */
  secretOptions: readonly string[];
  /** Keys of options that may be paths: a relative one is kept as absolute, since crawls may run in another folder. */
  pathOptions?: readonly string[];
  /** An instant guess of the first crawl's time, from the input's size; seconds, at least 1. */
  estimateSeconds(options: Options): Promise<number>;
  /**
   * Looks at the source as a crawl begins to, and states nothing.
   * @returns what is wrong; [] where a crawl can read all that the options name
   */
  test(options: Options, signal: AbortSignal): Promise<SourceFinding[]>;
  crawl(options: Options, context: CrawlContext): AsyncIterable<CrawlEvent>;
}
