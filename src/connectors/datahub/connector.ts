/** The connector of files that DataHub's ingestion wrote with its sink `file`: each is a list of proposals. */
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

import {
  CrawlFailure,
  type ConnectorType,
  type CrawlContext,
  type CrawlEvent,
  type SourceFinding,
  type SourceLimits,
} from "../connector.ts";
import { type Network, shownUrl, toNetwork } from "../dbt/download.ts";
import { oversizedMember, type Source, tooLarge } from "../dbt/faults.ts";
import { downloadCopy, locate, type OpenOptions } from "../dbt/input.ts";
import { readMembers } from "../dbt/read-members.ts";
import { findUrl, isPath } from "../http/find-url.ts";
import { bearer, webFile } from "../http/remote.ts";
import { nextIteration } from "../pacing.ts";
import { toSourceFile } from "../source-file.ts";
import { type FileOptions, fileOptions } from "./options.ts";
import { AspectTable } from "./rows.ts";
import { crawlAspects } from "./state.ts";

/** Measured with the recorded outputs of DataHub's own tests. */
const BYTES_PER_SECOND = 2_000_000;
const SECONDS_PER_DOWNLOAD = 15;

export function createDataHubFileConnector(limits: SourceLimits & Partial<Network> = {}) {
  const network = toNetwork(limits);
  return {
    type: "datahub-file",
    description: "What any of DataHub's eighty sources found, from the files that its sink `file` writes.",
    precedence: 45,
    lineagePrecedence: 90,
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
  const { bytes } = await toSourceFile(location);
  return Math.max(1, Math.ceil(bytes / BYTES_PER_SECOND));
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

/** @throws CrawlFailure if a file cannot be read to its end */
async function readFiles(options: FileOptions, reading: OpenOptions) {
  const table = new AspectTable();
  /** One for each proposal that is too large. */
  const errors: CrawlEvent[] = [];
  for (const { path, ...source } of await findFiles(options, reading)) {
    const file = await toSourceFile(path);
    if (file.bytes > reading.network.maxBytes) throw tooLarge(source, reading.network.maxBytes);
    const asObject = { ...source, open: () => asSection(file.open()) };
    for await (const { key, value, excess } of readMembers(asObject, () => true, reading)) {
      if (excess !== null) errors.push(oversizedMember(`proposal ${key} of ${source.name}`, excess));
      else for (const _ of table.add(value)) await nextIteration();
    }
  }
  return { table, errors };
}

async function findFiles(
  { location, token }: FileOptions,
  reading: OpenOptions,
): Promise<(Source & { path: string })[]> {
  const url = findUrl(location);
  if (url !== null) {
    const source = { name: basename(url.pathname) || url.host, location: shownUrl(url) };
    const remote = webFile(url, token === undefined ? null : bearer(token));
    return [{ ...source, path: await downloadCopy(remote, { ...reading, source }) }];
  }
  const named = resolve(location);
  const source = { name: basename(named), location: named };
  const path = await locate(source, reading.network);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [{ ...source, path }];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).toSorted();
  const files = names.map(async (name) => {
    const file = { name, location: join(path, name) };
    return Object.assign(file, { path: await locate(file, reading.network) });
  });
  return Promise.all(files);
}

const BEGIN = Buffer.from('{"proposals":');
const END = Buffer.from("}");

/** The list as the section of an object, which is what is read entry by entry. */
async function* asSection(list: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield BEGIN;
  yield* list;
  yield END;
}
