/** The dbt connector: models, sources, exposures and metrics of one project, from the artifacts that dbt writes. */
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { badField } from "../../errors.ts";
import { type ConnectorType, CrawlFailure, type SourceFinding, type SourceLimits } from "../connector.ts";
import { type SourceFile, toSourceFile } from "../source-file.ts";
import type { CrawlError } from "../../catalog/crawl.ts";
import { isPath } from "../http/find-url.ts";
import { crawlProject, readVersion } from "./crawl.ts";
import { type Network, toNetwork } from "./download.ts";
import { ARTIFACTS, dbtOptions, type DbtOptions, FILE_NAMES, PLACE_OPTIONS, SECRET_OPTIONS } from "./options.ts";
import { listLocations, secretOrigins } from "./artifact-locations.ts";
import { CLOUD_SOURCE } from "./faults.ts";
import { findInputs } from "./find-inputs.ts";
import { readProject } from "./read-project.ts";

/** Measured end to end. It lies between projects of few wide models and projects with much that is skipped. */
const BYTES_PER_SECOND = 2_000_000;
const SECONDS_PER_DOWNLOAD = 15;

/** @param limits from where artifacts may come, how large they may be, and the time limits of downloads */
export function createDbtConnector(limits: SourceLimits & Partial<Network> = {}) {
  const network = toNetwork(limits);
  return {
    type: "dbt",
    description: "A dbt project: models, seeds, snapshots, sources, exposures and metrics from its artifacts.",
    precedence: 50,
    lineagePrecedence: 300,
    options: dbtOptions,
    secretOptions: SECRET_OPTIONS,
    secretOrigins,
    pathOptions: PLACE_OPTIONS,
    pull: {
      estimateSeconds,
      test: (options, signal) => testProject(options, signal, network),
      crawl: (options, context) => crawlProject(options, context, network),
    },
    compare: {
      read: ({ instance }, version, reading) => readVersion(checkVersion(version), instance, reading, network),
    },
  } satisfies ConnectorType<DbtOptions>;
}

export const dbtConnector = createDbtConnector();

/** @throws AppError `bad_request` */
function checkVersion({ manifest, ...others }: Readonly<Record<string, SourceFile>>) {
  const unknown = Object.keys(others).find((name) => !ARTIFACTS.some((artifact) => artifact === name));
  if (unknown !== undefined) throw badField(unknown, "is not an artifact of dbt");
  if (manifest === undefined) throw badField("manifest", "is required");
  return { ...others, manifest };
}

async function estimateSeconds(options: DbtOptions): Promise<number> {
  const seconds = await Promise.all(
    listLocations(options).map(async ({ artifact, at, isNamed }) => {
      // It is not known which other files are in a remote folder.
      if (typeof at !== "string") return isNamed || artifact === "manifest" ? SECONDS_PER_DOWNLOAD : 0;
      return (await toSourceFile(at)).bytes / BYTES_PER_SECOND;
    }),
  );
  const ofCloud = options.dbt_cloud_account === undefined ? 0 : 2 * SECONDS_PER_DOWNLOAD;
  return Math.max(1, Math.ceil(seconds.reduce((sum, each) => sum + each, ofCloud)));
}

/** Somebody waits for the result, so a download that fails is not tried again. */
const SHORT_WAIT = { idleTimeoutMs: 10_000, retryDelaysMs: [] } as const;

/** @returns what is wrong with each artifact that the options name */
async function testProject(options: DbtOptions, signal: AbortSignal, network: Network): Promise<SourceFinding[]> {
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
