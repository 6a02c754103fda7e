/** Finds and opens the artifacts of a project, unless nothing has changed since the last crawl. */
import { isDeepStrictEqual } from "node:util";

import { type CrawlEvent, CrawlFailure } from "../connector.ts";
import { type ArtifactLocation, listLocations } from "./artifact-locations.ts";
import { listCloudLocations } from "./dbt-cloud.ts";
import { type CrawledInput, type Input, openInput, type OpenOptions } from "./input.ts";
import type { Artifact, DbtOptions } from "./options.ts";

/** Part of the crawl's state. Count it up whenever a crawl of the same files would give other statements. */
const READER_VERSION = "11";

/** The artifacts by what they are. An optional one is missing if it does not exist or could not be opened. */
export type Inputs<Of = Input> = { manifest: Of } & Partial<Record<Artifact, Of>>;

export interface FoundInputs {
  inputs: Inputs;
  instance: string;
  /** How bad it is if an artifact cannot be read. */
  severityOf: (artifact: Artifact) => "warning" | "error";
  /** One for each optional artifact that could not be opened. */
  errors: CrawlEvent[];
  /** Changes with each version of the project. */
  state: Record<string, string>;
}

/**
 * @param previousState the state of the last crawl; null if all is read again
 * @returns null if the state is the same
 * @throws CrawlFailure if the manifest cannot be opened
 */
export async function findInputs(
  options: DbtOptions,
  open: OpenOptions,
  previousState: Readonly<Record<string, string>> | null = null,
): Promise<FoundInputs | null> {
  const locations = await findLocations(options, open);
  const isKnown = (state: Record<string, string>): boolean =>
    previousState !== null && isDeepStrictEqual({ ...previousState }, state);
  // If all locations have versions, nothing need be downloaded to see that nothing has changed.
  const haveVersions = locations.every(({ version }) => version !== null);
  if (haveVersions && isKnown(toState(locations.map(({ artifact, version }) => [artifact, version])))) return null;
  const errors: CrawlEvent[] = [];
  const inputs = await openInputs(locations, open, errors);
  const state = toState(Object.values(inputs).map(({ artifact, fingerprint }) => [artifact, fingerprint]));
  if (isKnown(state)) return null;
  const named = new Set(locations.filter(({ isNamed }) => isNamed).map(({ artifact }) => artifact));
  const severity = (artifact: Artifact) => severityOf({ artifact, isNamed: named.has(artifact) });
  return { inputs, instance: options.instance, severityOf: severity, errors, state };
}

function toState(versions: readonly [Artifact, string | null][]): Record<string, string> {
  return { reader: READER_VERSION, ...Object.fromEntries(versions) };
}

/**
 * Finds the locations of all artifacts. A file that the options name comes before that of a folder or of a run.
 * @throws CrawlFailure if dbt Cloud is to be asked and gives no answer
 */
async function findLocations(options: DbtOptions, open: OpenOptions): Promise<ArtifactLocation[]> {
  const given = listLocations(options);
  if (options.dbt_cloud_account === undefined) return given;
  const isGiven = new Set(given.map(({ artifact }) => artifact));
  const cloud = await listCloudLocations(options, open);
  return [...given, ...cloud.filter(({ artifact }) => !isGiven.has(artifact))];
}

async function openInputs(
  locations: readonly ArtifactLocation[],
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<Inputs<CrawledInput>> {
  const location = locations.find(({ artifact }) => artifact === "manifest");
  if (location === undefined) throw new TypeError("the options were checked, and have a manifest");
  const inputs: Inputs<CrawledInput> = { manifest: await openInput(location, open) };
  for (const each of locations) {
    if (each === location) continue;
    const input = await openOptional(each, open, errors);
    if (input !== null) inputs[each.artifact] = input;
  }
  return inputs;
}

/** Codes of answers that do not say whether the file exists. */
const MAY_EXIST = new Set(["unauthorized", "access_denied"]);

async function openOptional(
  location: ArtifactLocation,
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<CrawledInput | null> {
  try {
    return await openInput(location, open);
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    const { code } = error.error;
    if (code === "not_found" && !location.isNamed && location.version === null) return null;
    const severity = MAY_EXIST.has(code) && !location.isNamed ? "warning" : severityOf(location);
    errors.push({ kind: "error", error: { ...error.error, severity } });
    return null;
  }
}

/**
 * How bad it is if an artifact cannot be read. The results of checks in a folder may be half written, and without them
 * no asset is missing in the catalog.
 */
function severityOf({ artifact, isNamed }: Pick<ArtifactLocation, "artifact" | "isNamed">): "warning" | "error" {
  return !isNamed && (artifact === "run_results" || artifact === "sources") ? "warning" : "error";
}
