/** The connector of files that DataHub's ingestion wrote with its sink `file`. */
import { stat } from "node:fs/promises";

import {
  CrawlFailure,
  type ConnectorType,
  type CrawlContext,
  type CrawlEvent,
  type SourceLimits,
} from "../connector.ts";
import type { SourceFinding } from "../connector.ts";
import { DEFAULT_NETWORK, type Network } from "../dbt/download.ts";
import { isPath } from "../http/find-url.ts";
import { type FileOptions, fileOptions } from "./options.ts";
import { readFiles } from "./read-files.ts";
import { crawlAspects } from "./state.ts";

/** Measured with the recorded outputs of DataHub's own tests. */
const BYTES_PER_SECOND = 2_000_000;
const SECONDS_PER_DOWNLOAD = 15;

export function createDataHubFileConnector({
  maxArtifactBytes = DEFAULT_NETWORK.maxBytes,
  ...limits
}: SourceLimits & Partial<Network> = {}) {
  const network = { ...DEFAULT_NETWORK, maxBytes: maxArtifactBytes, ...limits };
  return {
    type: "datahub-file",
    description: "What any of DataHub's eighty sources found, from the files that its sink `file` writes.",
    precedence: 45,
    lineagePrecedence: 150,
    options: fileOptions,
    secretOptions: ["token"],
    pathOptions: ["location"],
    pull: {
      estimateSeconds,
      test: (options, signal) => testFiles(options, signal, network),
      crawl: (options, context) => crawlFiles(options, context, network),
    },
  } satisfies ConnectorType<FileOptions>;
}

async function estimateSeconds({ location }: FileOptions): Promise<number> {
  if (!isPath(location)) return SECONDS_PER_DOWNLOAD;
  const { size } = await stat(location).catch(() => ({ size: 0 }));
  return Math.max(1, Math.ceil(size / BYTES_PER_SECOND));
}

async function testFiles(options: FileOptions, signal: AbortSignal, network: Network): Promise<SourceFinding[]> {
  await using downloads = new AsyncDisposableStack();
  try {
    await readFiles(options, { downloads, network: { ...network, retryDelaysMs: [] }, signal });
    return [];
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    const { message, location = options.location } = error.error;
    return [{ option: "location", severity: "error", message: `${message} (${location})` }];
  }
}

/** All files are read to their ends before anything is stated. So a broken file changes nothing. */
async function* crawlFiles(
  options: FileOptions,
  { signal, now }: CrawlContext,
  network: Network,
): AsyncGenerator<CrawlEvent> {
  await using downloads = new AsyncDisposableStack();
  yield { kind: "progress", fraction: 0, label: "Reading the proposals" };
  const { table, errors } = await readFiles(options, { downloads, network, signal });
  yield* errors;
  yield* crawlAspects(table, options, { now: now(), isWhole: errors.length === 0 });
}
