/** The contract of a connector: it states what one source says. One folder each. */
import type { z } from "zod";

import type { CatalogNode } from "../catalog/asset.ts";
import type { AspectReader } from "../catalog/aspect.ts";
import type { CheckStatement } from "../catalog/check.ts";
import { type CrawlError, crawlError, type SyncMode, type ToldError, type Unkept } from "../catalog/crawl.ts";
import type { NodeRef } from "../catalog/identity.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import type { LineageAnswer, LineageRequest } from "../sql-lineage/request.ts";
import type { SourceNetwork } from "./http/source-addresses.ts";
import type { SourceFile } from "./source-file.ts";
import type { LocateFile } from "./source-folders.ts";

/**
 * What a crawl reports, in this order: any number of scopes, each with `begin`, its statements and `end`.
 * Edges may name nodes that are stated later, by another connector, or by nobody. Errors and progress may come at any point.
 * If a scope ends complete, everything that it no longer states is deleted. A crawl that begins any scope begins all scopes of the
 * source. If none of them ended incomplete, what was stated in other scopes is deleted too. So a scope must end incomplete
 * whenever something could not be read.
 */
export type CrawlEvent =
  | { kind: "begin"; scope: string }
  /** If a table or model is stated twice, the last statement counts. */
  | { kind: "asset"; asset: AssetStatement }
  /** Something about a table or model of this scope was left out, so its lineage may be incomplete. */
  | {
      kind: "gap";
      asset: NodeRef;
      reason: string;
      /** What was left out, if its name differs only in case. */ alikeName?: string;
    }
  | { kind: "edge"; edge: EdgeStatement; /** Named in the error if the edge is refused. */ object: string }
  /** May come anywhere in the scope, also before its assets. */
  | { kind: "check"; check: CheckStatement }
  | { kind: "error"; error: CrawlError }
  /** Shown with the sync. Each kind once, at most `MAX_UNKEPT_KINDS`. */
  | { kind: "unkept"; unkept: Unkept }
  | { kind: "progress"; /** 0 to 1. */ fraction: number; label: string }
  | { kind: "end"; scope: string; complete: boolean }
  /** Stored if the crawl had no errors. The next incremental crawl gets it as `previousState`. */
  | { kind: "state"; state: Record<string, string> };

/** What most checks have. A connector states what differs. */
export const PLAIN_CHECK = {
  test: "",
  severity: "error" as const,
  columns: [],
  sql: null,
  texts: [],
  result: null,
} satisfies Partial<CheckStatement>;

export interface CrawlContext {
  mode: SyncMode;
  /**
   * The state of the last crawl without errors. Null in a full crawl, and if the graph has changed since that crawl.
   */
  previousState: Readonly<Record<string, string>> | null;
  /** Aborts when the service stops. */
  signal: AbortSignal;
  now: () => Date;
}

/** The first pipelines of the platform that have exactly this name, whichever connectors hold them. */
export type FindPipelines = (name: string, platform: string) => Promise<CatalogNode[]>;

/** Thrown by a crawl that cannot go on. It becomes the last error of the failed sync. */
export class CrawlFailure extends Error {
  override readonly name = "CrawlFailure";
  readonly error: CrawlError;
  constructor(error: ToldError, cause?: unknown) {
    super(error.message, { cause });
    this.error = crawlError(error);
  }
}

/** A problem that the test of a source found, about one option. */
export interface SourceFinding {
  /** The key of the option. */
  option: string;
  /** What is wrong and where, for the person who set the options. Contains no secret. */
  message: string;
  /** `error`: a crawl could not read the source, or a part of it. */
  severity: "warning" | "error";
}

/** Reads a source from its beginning to its end, each time that a sync runs. */
export interface Pull<Options> {
  /** A quick estimate of the first crawl's duration from the size of the input. In seconds, at least 1. */
  estimateSeconds(options: Options): Promise<number>;
  /**
   * Opens the source and reads it as a crawl would, without storing anything.
   * @returns the problems; [] if a crawl can read everything that the options name
   */
  test(options: Options, signal: AbortSignal): Promise<SourceFinding[]>;
  /** @param aspects what others said to the connector */
  crawl(
    options: Options,
    context: CrawlContext,
    aspects: AspectReader,
    findPipelines: FindPipelines,
  ): AsyncIterable<CrawlEvent>;
}

/** Resolves when work on the event loop may go on. */
export type NextTurn = () => Promise<void>;

/** Reads a new version of the source that nobody crawled yet, such as that of a pull request. */
export interface Compare<Options> {
  /**
   * States what the source would say.
   * @param options those of the connector
   * @param version the files of the new version by what they are, such as `manifest`
   * @param reading whoever waits for it takes turns with others
   * @throws AppError `bad_request` if something of the version is missing or cannot be meant
   * @throws CrawlFailure if the version cannot be read
   */
  read(
    options: Options,
    version: Readonly<Record<string, SourceFile>>,
    reading: { signal: AbortSignal; nextTurn: NextTurn },
  ): AsyncIterable<CrawlEvent>;
}

/** A message that was read, with only what the connector keeps of it. */
export interface Received {
  /** What the message is about, such as one job. It is the scope of what is stated. */
  subject: string;
  /** Messages that say the same about a subject have the same key. */
  key: string;
  /** Text that the connector itself reads again. */
  body: string;
}

/** A message or note that is kept. A note has the subject that wrote it as its key. */
export type Kept = Pick<Received, "key" | "body">;

/**
 * What one subject says about another one. It is kept among the messages of the other. A note about itself is what the
 * subject remembers: it does not re-trigger processing.
 */
export type NoteTo = Pick<Received, "subject" | "body">;

/** Returns null if the SQL was not read yet. */
export type AskSql = (request: LineageRequest) => LineageAnswer | null;

export interface SubjectStatements {
  /** One scope, with the subject as its name. */
  events: Iterable<CrawlEvent>;
  /** The keys of the messages that may still matter. The others are deleted. Null: all of them. */
  needed: ReadonlySet<string> | null;
  /** These replace what the subject said about others before; at most one about each. */
  notes: readonly NoteTo[];
  /** Whether it waits for notes of others. Until these come, its statements and its other notes stay as they were. */
  isAsking?: boolean;
  /** When the subject must be stated again even without a new message. ISO 8601, UTC. Null: never. */
  expiresAt: string | null;
}

/**
 * Takes messages that others send. Pure functions: the service keeps the messages and writes what they state. They yield
 * between their pieces of work, because a message may be large.
 */
export interface Receive<Options> {
  /** @throws AppError `bad_request` with every fault */
  read(message: unknown, now: Date): Generator<void, Received>;
  /**
   * What the kept messages of one subject state together. Their order does not matter.
   * @param kept of messages with the same key, one; empty if nothing is said about the subject any more
   * @param ask answers what SQL reads. Once it has answered null, the subject is stated again with all answers.
   */
  stateSubject(
    subject: string,
    kept: readonly Kept[],
    options: Options,
    now: Date,
    ask: AskSql,
  ): Generator<void, SubjectStatements>;
}

/** The settings that limit what a crawl may read. An absent one has its default. */
export interface SourceLimits extends Partial<Omit<SourceNetwork, "resolve">> {
  /** The largest file that is accepted, unpacked. */
  maxArtifactBytes?: number;
  /** Finds files on this machine in the permitted folders. Default: everywhere. */
  locateFile?: LocateFile;
}

/** What a connector can do. It has at least one of `pull` and `receive`. */
export interface ConnectorType<Options = unknown> {
  /** The word in `tributary connector add TYPE`. */
  type: string;
  /** One sentence for people. */
  description: string;
  /**
   * If connectors disagree about an asset, the one with the higher number wins. A warehouse's own catalog is highest.
   */
  precedence: number;
  /**
   * If several connectors have SQL or column lineage for an asset, only those of the one with the highest number are
   * shown: the tool that builds the table (300), then a tool that saw it run (200), then the warehouse's own SQL (100), then
   * another catalog that read the warehouse (90). One that states a model has read the tool that builds it: `layers.ts`.
   */
  lineagePrecedence: number;
  /** Validates the options, which are given as strings. Each key has a `.describe()` text. */
  options: z.ZodType<Options>;
  /** Keys of options that are encrypted at rest and never shown. */
  secretOptions: readonly string[];
  /**
   * The origins that secrets would be sent to. The options may be invalid. Default: those of all URLs among the options.
   */
  secretOrigins?: (options: Readonly<Record<string, string>>) => readonly string[];
  /**
   * Keys of options that may be paths. Relative paths are stored as absolute ones, because crawls may run in another
   * folder. The settings may limit them to some folders. A crawl that reads other files too, such as those beside them,
   * asks `LocateFile` for each.
   */
  pathOptions?: readonly string[];
  pull?: Pull<Options>;
  compare?: Compare<Options>;
  receive?: Receive<Options>;
}
