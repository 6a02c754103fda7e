/** Reads everything that must be known before a project can be stated. */
import type { CheckResult } from "../../catalog/check.ts";
import { type CrawlEvent, CrawlFailure } from "../connector.ts";
import { readCatalog, type Warehouse } from "./catalog.ts";
import { readRunResults, readSourceResults } from "./check-results.ts";
import type { FoundInputs } from "./find-inputs.ts";
import type { Input } from "./input.ts";
import type { Artifact } from "./options.ts";
import type { ReadOptions } from "./read-members.ts";
import { addSemanticManifest } from "./semantic-manifest.ts";
import { type Survey, surveyManifest } from "./survey.ts";

export interface Project {
  survey: Survey;
  warehouse: Warehouse;
  /** The last result of each check, by its name. */
  results: ReadonlyMap<string, CheckResult>;
  errors: CrawlEvent[];
}

/**
 * If an optional artifact cannot be read, the project has an error, and is read without it.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function readProject(
  { inputs, instance, severityOf, errors: before }: Omit<FoundInputs, "state">,
  reading: ReadOptions,
): Promise<Project> {
  const errors = [...before];
  async function readOptional<T>(artifact: Artifact, read: (input: Input, options: ReadOptions) => Promise<T>) {
    const input = inputs[artifact];
    if (input === undefined) return null;
    try {
      return await read(input, reading);
    } catch (error) {
      if (!(error instanceof CrawlFailure)) throw error;
      errors.push({ kind: "error", error: { ...error.error, severity: severityOf(artifact) } });
      return null;
    }
  }
  const survey = await surveyManifest(inputs.manifest, { ...reading, instance });
  await readOptional("semantic_manifest", (input) => addSemanticManifest(input, survey, reading));
  const catalog = await readOptional("catalog", readCatalog);
  const tests = await readOptional("run_results", readRunResults);
  const freshness = await readOptional("sources", readSourceResults);
  for (const read of [survey, catalog, tests, freshness]) errors.push(...(read?.errors ?? []));
  const results = new Map([...(tests?.results ?? []), ...(freshness?.results ?? [])]);
  return { survey, warehouse: catalog?.warehouse ?? new Map(), results, errors };
}
