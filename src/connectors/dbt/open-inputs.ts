/** Opens the artifacts of a crawl: the manifest, and the optional ones that are there. */
import { CrawlFailure } from "../connector.ts";
import type { CrawlEvent } from "../connector.ts";
import { listCloudLocations } from "./dbt-cloud.ts";
import { type CrawledInput, openInput, type OpenOptions } from "./input.ts";
import type { Artifact, DbtOptions } from "./options.ts";
import { listLocations, type ArtifactLocation } from "./artifact-locations.ts";

/** The artifacts by what they are. An optional one is missing if it does not exist or could not be opened. */
export type Inputs<Of> = { manifest: Of } & Partial<Record<Artifact, Of>>;

/**
 * Finds the places of all artifacts. A file that the options name comes before that of a folder or of a run.
 * @throws CrawlFailure if dbt Cloud is to be asked and gives no answer
 */
export async function findLocations(options: DbtOptions, open: OpenOptions): Promise<ArtifactLocation[]> {
  const told = listLocations(options);
  if (options.dbt_cloud_account === undefined) return told;
  const isTold = new Set(told.map(({ artifact }) => artifact));
  const cloud = await listCloudLocations(options, open);
  return [...told, ...cloud.filter(({ artifact }) => !isTold.has(artifact))];
}

/**
 * @param errors gets an error for each optional artifact that cannot be opened
 * @throws CrawlFailure if the manifest cannot be opened
 */
export async function openInputs(
  locations: readonly ArtifactLocation[],
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<Inputs<CrawledInput>> {
  const location = locations.find(({ artifact }) => artifact === "manifest");
  if (location === undefined) throw new TypeError("the options were checked, and tell of a manifest");
  const inputs: Inputs<CrawledInput> = { manifest: await openInput(location, open) };
  for (const each of locations) {
    if (each === location) continue;
    const input = await openOptional(each, open, errors);
    if (input !== null) inputs[each.artifact] = input;
  }
  return inputs;
}

/** Codes of answers that do not tell whether the file is there. */
const UNTOLD = new Set(["unauthorized", "access_denied"]);

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
    const severity = UNTOLD.has(code) && !location.isNamed ? "warning" : severityOf(location);
    errors.push({ kind: "error", error: { ...error.error, severity } });
    return null;
  }
}

/**
 * How bad it is if an artifact cannot be read. The results of checks in a folder may be half written, and without them
 * no asset is missing in the catalog.
 */
export function severityOf({ artifact, isNamed }: Pick<ArtifactLocation, "artifact" | "isNamed">): "warning" | "error" {
  return !isNamed && (artifact === "run_results" || artifact === "sources") ? "warning" : "error";
}
