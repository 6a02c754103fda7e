/** Tests a connector's options: reads the project's artifacts without storing anything. */
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { CrawlError } from "../../catalog/crawl.ts";
import { CrawlFailure, type SourceFinding } from "../connector.ts";
import { isPath } from "../http/find-url.ts";
import type { Network } from "./download.ts";
import { CLOUD_SOURCE } from "./faults.ts";
import { findInputs } from "./find-inputs.ts";
import { ARTIFACTS, type DbtOptions, FILE_NAMES } from "./options.ts";
import { readProject } from "./read-project.ts";

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

/** Reads everything that a crawl reads before it states anything. */
async function findErrors(options: DbtOptions, signal: AbortSignal, network: Network): Promise<CrawlError[]> {
  await using downloads = new AsyncDisposableStack();
  try {
    const found = await findInputs(options, { downloads, network, signal });
    const errors = found === null ? [] : (await readProject(found, { signal })).errors;
    return errors.flatMap((event) => (event.kind === "error" ? [event.error] : []));
  } catch (error) {
    if (error instanceof CrawlFailure) return [error.error];
    throw error;
  }
}

/** The option that is at fault, by the code of the error. All other errors are about the location of an artifact. */
const FAULTY_OPTIONS: Readonly<Record<string, keyof DbtOptions>> = {
  unknown_key: "access_key_id",
  wrong_signature: "secret_access_key",
  expired_session: "session_token",
  wrong_region: "region",
  cloud_token: "token",
  cloud_account: "dbt_cloud_account",
};
const CLOUD_RUNS = new Set(["cloud_runs", "cloud_artifacts"]);

/** Keeps only errors of whole artifacts. Errors of single models are reported by the crawl. */
async function toFindings(error: CrawlError, options: DbtOptions): Promise<SourceFinding[]> {
  const { code, severity, location } = error;
  const option = FAULTY_OPTIONS[code] ?? findOption(error, options);
  if (option === undefined) return [];
  const isMissingFile = code === "not_found" && location !== undefined && isPath(location);
  const message = isMissingFile ? await explainMissing(location) : `${error.message} (${location ?? options[option]})`;
  return [{ option, severity, message }];
}

function findOption({ code, object }: CrawlError, options: DbtOptions): keyof DbtOptions | undefined {
  const ofRuns = options.dbt_cloud_job === undefined ? "dbt_cloud_environment" : "dbt_cloud_job";
  if (CLOUD_RUNS.has(code)) return ofRuns;
  if (object === CLOUD_SOURCE) return "dbt_cloud_host";
  const artifact = ARTIFACTS.find((each) => FILE_NAMES[each] === object);
  if (artifact === undefined || options[artifact] !== undefined) return artifact;
  return options.target === undefined ? ofRuns : "target";
}

/** Says whether the folder or only the file is missing. */
async function explainMissing(path: string): Promise<string> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return `there is no file ${basename(path)} in ${folder}`;
  return found === null ? `there is no folder ${folder}` : `${folder} is not a folder`;
}
