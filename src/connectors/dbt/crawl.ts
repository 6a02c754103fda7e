/** Crawls a dbt project: reads its artifacts in order and states what they contain. */
import { isDeepStrictEqual } from "node:util";

import type { CheckResult } from "../../catalog/check.ts";
import type { CrawlContext, CrawlEvent } from "../connector.ts";
import type { SourceFile } from "../source-file.ts";
import { readCatalog } from "./catalog.ts";
import type { Warehouse } from "./catalog.ts";
import { readRunResults, readSourceResults } from "./check-results.ts";
import { isCheck, ProjectChecks } from "./checks.ts";
import type { Network } from "./download.ts";
import { stateExposures } from "./exposures.ts";
import { type Input, toInput } from "./input.ts";
import { stateMetrics } from "./metrics.ts";
import { findLocations, type Inputs, openInputs, severityOf } from "./open-inputs.ts";
import { orError } from "./or-error.ts";
import { type Artifact, type DbtOptions, FILE_NAMES } from "./options.ts";
import { Meter, type Pause, withPauses } from "./pacing.ts";
import type { ArtifactLocation } from "./artifact-locations.ts";
import { ProjectGraph } from "./project-graph.ts";
import { readMembers } from "./read-members.ts";
import type { ReadOptions, Wanted } from "./read-members.ts";
import { isRelation } from "./relation-ref.ts";
import { stateRelation } from "./relations.ts";
import { addSemanticManifest } from "./semantic-manifest.ts";
import { surveyManifest } from "./survey.ts";
import type { Survey } from "./survey.ts";

const SCOPE = "manifest";

/** Part of the crawl's state. Count it up whenever a crawl of the same files would give other statements. */
const READER_VERSION = "9";

/** What is known of a project besides its artifacts. */
interface ReadProject {
  instance: string;
  /** How bad it is if an artifact cannot be read. */
  severityOf: (artifact: Artifact) => "warning" | "error";
}

/** Everything that is read before anything is stated. */
interface ReadFirst {
  survey: Survey;
  warehouse: Warehouse;
  /** The last result of each check, by its name. */
  results: ReadonlyMap<string, CheckResult>;
}

/**
 * The manifest is read once to its end before anything is stated. So a broken file changes nothing.
 * If an optional artifact cannot be read, an error is reported and the crawl goes on without it.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function* crawlProject(
  options: DbtOptions,
  { mode, previousState, signal }: Omit<CrawlContext, "now">,
  network: Network,
): AsyncGenerator<CrawlEvent> {
  await using downloads = new AsyncDisposableStack();
  const errors: CrawlEvent[] = [];
  yield { kind: "progress", fraction: 0, label: "Opening the artifacts" };
  const open = { downloads, network, signal };
  const isKnown = (state: Record<string, string>) =>
    mode === "incremental" && isDeepStrictEqual({ ...previousState }, state);
  const locations = await findLocations(options, open);
  // If the places tell their versions, nothing need be downloaded to know that nothing has changed.
  const told =
    locations.every(({ version }) => version !== null) && isKnown(toState(locations, ({ version }) => version));
  const inputs = told ? null : await openInputs(locations, open, errors);
  const state = inputs && toState(Object.values(inputs), ({ fingerprint }) => fingerprint);
  if (inputs === null || state === null || isKnown(state)) {
    yield { kind: "progress", fraction: 1, label: "Nothing has changed" };
    return;
  }
  yield* stateInputs(inputs, toProject(options, locations), signal, errors);
  yield { kind: "state", state };
}

/**
 * States what a project says in these files, which nobody crawled yet.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function* readVersion(
  files: { manifest: SourceFile } & Partial<Record<Artifact, SourceFile>>,
  instance: string,
  signal: AbortSignal,
  { maxBytes }: Pick<Network, "maxBytes">,
): AsyncGenerator<CrawlEvent> {
  const toInputs = Object.entries(files).map(([name, file]) => [name, toInput(name as Artifact, file, maxBytes)]);
  const inputs: Inputs<Input> = {
    ...Object.fromEntries(toInputs),
    manifest: toInput("manifest", files.manifest, maxBytes),
  };
  yield* stateInputs(inputs, { instance, severityOf: () => "error" }, signal, []);
}

/** @param errors those that were found before. They are reported first. */
async function* stateInputs(
  inputs: Inputs<Input>,
  project: ReadProject,
  signal: AbortSignal,
  errors: CrawlEvent[],
): AsyncGenerator<CrawlEvent> {
  // The manifest is read twice: once to check it and learn about the project, once to state its contents.
  const opened = [inputs.manifest, ...Object.values(inputs)];
  const meter = new Meter(opened.reduce((sum, { bytes }) => sum + bytes, 0));
  const reading = { signal, onBytes: (bytes: number) => meter.add(bytes) };
  yield { kind: "progress", fraction: 0, label: "Reading the project" };
  const readFirst = await readBeforeStating(inputs, project, reading, errors);
  yield* errors;

  yield { kind: "begin", scope: SCOPE };
  let complete = !errors.some(losesSomething);
  for await (const event of withPauses(stateProject(inputs.manifest, readFirst, reading))) {
    complete &&= !losesSomething(event);
    yield event;
    const progress = meter.due("Storing the project's contents");
    if (progress !== null) yield progress;
  }
  yield { kind: "end", scope: SCOPE, complete };
}

function toProject({ instance }: DbtOptions, locations: readonly ArtifactLocation[]): ReadProject {
  const isNamed = (artifact: Artifact) =>
    locations.some((location) => location.artifact === artifact && location.isNamed);
  return { instance, severityOf: (artifact) => severityOf({ artifact, isNamed: isNamed(artifact) }) };
}

function toState<Of extends { artifact: Artifact }>(
  artifacts: readonly Of[],
  versionOf: (of: Of) => string | null,
): Record<string, string> {
  const versions = artifacts.map((each) => [each.artifact, versionOf(each)]);
  return { reader: READER_VERSION, ...Object.fromEntries(versions) };
}

async function readBeforeStating(
  inputs: Inputs<Input>,
  project: ReadProject,
  reading: ReadOptions,
  errors: CrawlEvent[],
): Promise<ReadFirst> {
  const { manifest, catalog, semantic_manifest: semanticManifest } = inputs;
  const survey = await surveyManifest(manifest, { ...reading, instance: project.instance });
  if (semanticManifest !== undefined) {
    await orError(addSemanticManifest(semanticManifest, survey, reading), undefined, errors);
  }
  for (const error of survey.errors) errors.push(error);
  const nothing = { warehouse: new Map(), errors: [] };
  const read = catalog === undefined ? nothing : await orError(readCatalog(catalog, reading), nothing, errors);
  for (const error of read.errors) errors.push(error);
  return { survey, warehouse: read.warehouse, results: await readResults(inputs, project, reading, errors) };
}

async function readResults(
  inputs: Inputs<Input>,
  { severityOf: severity }: ReadProject,
  reading: ReadOptions,
  errors: CrawlEvent[],
): Promise<ReadonlyMap<string, CheckResult>> {
  const nothing = { results: new Map<string, CheckResult>(), errors: [] };
  const read = async (artifact: "run_results" | "sources", reader: typeof readRunResults) => {
    const input = inputs[artifact];
    return input === undefined ? nothing : orError(reader(input, reading), nothing, errors, severity(artifact));
  };
  const files = [await read("run_results", readRunResults), await read("sources", readSourceResults)];
  for (const file of files) for (const error of file.errors) errors.push(error);
  const results = new Map<string, CheckResult>();
  for (const file of files) for (const [name, result] of file.results) results.set(name, result);
  return results;
}

const isStated: Wanted = (section, key) => isRelation(section, key) || isCheck(section, key);

/** States relations while they are read, then metrics and exposures, then all edges and checks. */
async function* stateProject(
  manifest: Input,
  { survey, warehouse, results }: ReadFirst,
  reading: ReadOptions,
): AsyncGenerator<CrawlEvent | Pause> {
  const graph = new ProjectGraph(survey.shared);
  const checks = new ProjectChecks();
  for await (const member of readMembers(manifest, isStated, reading)) {
    yield* checks.add(member);
    yield null;
    if (isRelation(member.section, member.key)) yield* stateRelation(member, survey, warehouse, graph);
  }
  yield* graph.stateShared();
  yield* stateMetrics(survey, graph);
  yield* stateExposures(survey, graph);
  yield* graph.edges();
  yield* checks.state(graph, results);
}

/**
 * Reads everything that a crawl reads before it states anything.
 * @returns the errors
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function surveyProject(
  options: DbtOptions,
  signal: AbortSignal,
  network: Network,
): Promise<Extract<CrawlEvent, { kind: "error" }>[]> {
  await using downloads = new AsyncDisposableStack();
  const errors: CrawlEvent[] = [];
  const open = { downloads, network, signal };
  const locations = await findLocations(options, open);
  const inputs = await openInputs(locations, open, errors);
  await readBeforeStating(inputs, toProject(options, locations), { signal, onBytes: () => {} }, errors);
  return errors.filter((event) => event.kind === "error");
}

/**
 * Whether something could not be read. If the scope were swept after this, what is still in the project would be
 * deleted.
 */
function losesSomething(event: CrawlEvent): boolean {
  if (event.kind !== "error" || event.error.severity === "warning") return false;
  // A check without results is still in the catalog. An asset left out because of its name is left out in every crawl.
  return !KEPT_BESIDE.has(event.error.code) && !RESULT_FILES.has(event.error.object);
}

const KEPT_BESIDE = new Set(["missing_reference", "alike_name"]);

const RESULT_FILES = new Set<string>([FILE_NAMES.run_results, FILE_NAMES.sources]);
