/** Tests a connector's options: reads the project's artifacts without storing anything. */
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { CrawlError } from "../../catalog/crawl.ts";
import { CrawlFailure, type SourceFinding } from "../connector.ts";
import { findUrl } from "../http/find-url.ts";
import { surveyProject } from "./crawl.ts";
import type { Network } from "./download.ts";
import { ARTIFACTS, type DbtOptions, FILE_NAMES } from "./options.ts";

/** Somebody waits for the result, so a download that fails is not tried again. */
const SHORT_WAIT = { idleTimeoutMs: 10_000, retryDelaysMs: [] } as const;

/** @returns what is wrong with each artifact that the options name */
export async function testProject(
  options: DbtOptions,
  signal: AbortSignal,
  network: Network,
): Promise<SourceFinding[]> {
  const errors = await findErrors(options, signal, { ...network, ...SHORT_WAIT });
  const findings = await Promise.all(errors.map((error) => toFindings(error, options)));
  return findings.flat();
}

async function findErrors(options: DbtOptions, signal: AbortSignal, network: Network): Promise<CrawlError[]> {
  try {
    return (await surveyProject(options, signal, network)).map(({ error }) => error);
  } catch (error) {
    if (error instanceof CrawlFailure) return [error.error];
    throw error;
  }
}

/** Keeps only errors of whole artifacts. Errors of single models are reported by the crawl. */
async function toFindings(error: CrawlError, options: DbtOptions): Promise<SourceFinding[]> {
  const option = ARTIFACTS.find((artifact) => FILE_NAMES[artifact] === error.object);
  if (option === undefined) return [];
  const { severity } = error;
  const isMissingFile = error.code === "not_found" && error.place !== undefined && findUrl(error.place) === null;
  if (isMissingFile) return [{ option, severity, message: await explainMissing(error.place ?? "") }];
  const where = error.place ?? options[option];
  return [{ option, severity, message: where === undefined ? error.message : `${error.message} (${where})` }];
}

/** Says whether the folder or only the file is missing. */
async function explainMissing(path: string): Promise<string> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return `there is no file ${basename(path)} in ${folder}`;
  return found === null ? `there is no folder ${folder}` : `${folder} is not a folder`;
}
