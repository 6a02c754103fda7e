/** Reads the files that DataHub's sink `file` writes: each a list of proposals. */
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";

import type { CrawlEvent } from "../connector.ts";
import type { Network } from "../dbt/download.ts";
import { shownUrl } from "../dbt/download.ts";
import { outsideFolders, oversizedMember, type Source, tooLarge } from "../dbt/faults.ts";
import { downloadCopy } from "../dbt/input.ts";
import { readMembers } from "../dbt/read-members.ts";
import { findUrl } from "../http/find-url.ts";
import { bearer, webFile } from "../http/remote.ts";
import { toSourceFile } from "../source-file.ts";
import { locateAnywhere } from "../source-folders.ts";
import type { FileOptions } from "./options.ts";
import { AspectTable } from "./rows.ts";

export interface Reading {
  downloads: AsyncDisposableStack;
  network: Network;
  signal: AbortSignal;
}

/** @throws CrawlFailure if a file cannot be read to its end */
export async function readFiles(options: FileOptions, reading: Reading) {
  const table = new AspectTable();
  /** One for each proposal that is too large. */
  const errors: CrawlEvent[] = [];
  for (const { path, ...source } of await findFiles(options, reading)) {
    const file = await toSourceFile(path);
    if (file.bytes > reading.network.maxBytes) throw tooLarge(source, reading.network.maxBytes);
    const asObject = { ...source, open: () => asSection(file.open()) };
    for await (const { key, value, excess } of readMembers(asObject, () => true, reading)) {
      if (excess !== null) errors.push(oversizedMember(`proposal ${key} of ${source.name}`, excess));
      else for (const _ of table.add(value)) await setImmediate();
    }
  }
  return { table, errors };
}

async function findFiles({ location, token }: FileOptions, reading: Reading): Promise<(Source & { path: string })[]> {
  const url = findUrl(location);
  if (url !== null) {
    const source = { name: basename(url.pathname) || url.host, location: shownUrl(url) };
    const remote = webFile(url, token === undefined ? null : bearer(token));
    return [{ ...source, path: await downloadCopy(remote, { ...reading, source }) }];
  }
  const named = resolve(location);
  const source = { name: basename(named), location: named };
  const { locateFile = locateAnywhere } = reading.network;
  const path = await locateFile(named);
  if (path === null) throw outsideFolders(source);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [{ ...source, path }];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).toSorted();
  const files = names.map(async (name) => {
    const at = join(path, name);
    const located = await locateFile(at);
    if (located === null) throw outsideFolders({ name, location: at });
    return { name, location: at, path: located };
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
