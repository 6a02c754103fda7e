/** One crawl of a dbt project: what is read when, and what is stated in which order. */
import { isDeepStrictEqual } from "node:util";

import { CrawlFailure } from "../connector.ts";
import type { CrawlContext, CrawlEvent } from "../connector.ts";
import { readCatalog } from "./catalog.ts";
import type { Warehouse } from "./catalog.ts";
import type { Network } from "./download.ts";
import { stateExposures } from "./exposures.ts";
import { openInput } from "./input.ts";
import type { Input, OpenOptions } from "./input.ts";
import { stateMetrics } from "./metrics.ts";
import type { DbtOptions } from "./options.ts";
import { breathe, Meter } from "./pacing.ts";
import { ProjectGraph } from "./project-graph.ts";
import { readMembers } from "./read-members.ts";
import type { ReadOptions } from "./read-members.ts";
import { isRelation, stateRelation } from "./relations.ts";
import { addSemanticManifest } from "./semantic-manifest.ts";
import { surveyManifest } from "./survey.ts";
import type { Survey } from "./survey.ts";

const SCOPE = "manifest";

/** Part of what a crawl leaves behind: raise it whenever the same files would be stated otherwise. */
const READER_VERSION = "6";

/** The artifacts of a crawl; null where there is none or it could not be opened. */
interface Inputs {
  manifest: Input;
  catalog: Input | null;
  semanticManifest: Input | null;
}

/** All that is known before anything is stated. */
interface Groundwork {
  survey: Survey;
  warehouse: Warehouse;
}

/**
 * Nothing is stated before the manifest was read once to its end, so that a broken file changes nothing.
 * An optional artifact that cannot be read leaves an error, and the crawl goes on without it.
 * @throws CrawlFailure where the manifest cannot be read
 */
export async function* crawlProject(
  options: DbtOptions,
  { mode, previousState, signal }: CrawlContext,
  network: Network,
): AsyncGenerator<CrawlEvent> {
  await using downloads = new AsyncDisposableStack();
  const errors: CrawlEvent[] = [];
  yield { kind: "progress", fraction: 0, label: "Opening the artifacts" };
  const inputs = await openInputs(options, { token: options.token, downloads, network, signal }, errors);
  const state = fingerprintsOf(inputs);
  if (mode === "incremental" && isDeepStrictEqual({ ...previousState }, state)) {
    yield { kind: "progress", fraction: 1, label: "Nothing has changed" };
    return;
  }

  // The manifest is read twice: once to know it, once to state it.
  const opened = [inputs.manifest, inputs.manifest, inputs.catalog, inputs.semanticManifest];
  const meter = new Meter(opened.reduce((sum, input) => sum + (input?.bytes ?? 0), 0));
  const reading = { signal, onBytes: (bytes: number) => meter.add(bytes) };
  yield { kind: "progress", fraction: 0, label: "Reading the project" };
  const groundwork = await layGroundwork(inputs, reading, errors);
  yield* errors;

  yield { kind: "begin", scope: SCOPE };
  let complete = !errors.some(losesSomething);
  for await (const event of breathe(stateProject(inputs.manifest, groundwork, reading))) {
    complete &&= !losesSomething(event);
    yield event;
    const progress = meter.due("Stating what the project holds");
    if (progress !== null) yield progress;
  }
  yield { kind: "end", scope: SCOPE, complete };
  yield { kind: "state", state };
}

async function openInputs(options: DbtOptions, open: OpenOptions, errors: CrawlEvent[]): Promise<Inputs> {
  const manifest = await openInput("manifest", options.manifest, open);
  const openOptional = (artifact: "catalog" | "semantic_manifest") => {
    const where = options[artifact];
    return where === undefined ? null : orError(openInput(artifact, where, open), null, errors);
  };
  const catalog = await openOptional("catalog");
  return { manifest, catalog, semanticManifest: await openOptional("semantic_manifest") };
}

function fingerprintsOf(inputs: Inputs): Record<string, string> {
  const opened = Object.values(inputs).filter((input: Input | null) => input !== null);
  return { reader: READER_VERSION, ...Object.fromEntries(opened.map((input) => [input.artifact, input.fingerprint])) };
}

async function layGroundwork(inputs: Inputs, reading: ReadOptions, errors: CrawlEvent[]): Promise<Groundwork> {
  const { manifest, catalog, semanticManifest } = inputs;
  const survey = await surveyManifest(manifest, reading);
  if (semanticManifest !== null) {
    await orError(addSemanticManifest(semanticManifest, survey, reading), undefined, errors);
  }
  for (const error of survey.errors) errors.push(error);
  const nothing = { warehouse: new Map(), errors: [] };
  const read = catalog === null ? nothing : await orError(readCatalog(catalog, reading), nothing, errors);
  for (const error of read.errors) errors.push(error);
  return { survey, warehouse: read.warehouse };
}

/** Relations as they stream by, then what is built on them, then every edge. */
async function* stateProject(
  manifest: Input,
  { survey, warehouse }: Groundwork,
  reading: ReadOptions,
): AsyncGenerator<CrawlEvent> {
  const graph = new ProjectGraph();
  for await (const member of readMembers(manifest, isRelation, reading)) {
    yield* stateRelation(member, survey, warehouse, graph);
  }
  yield* stateMetrics(survey, graph);
  yield* stateExposures(survey, graph);
  yield* graph.edges();
}

/** A sweep after such an event would take away what only could not be read this time. */
function losesSomething(event: CrawlEvent): boolean {
  return event.kind === "error" && event.error.severity === "error" && event.error.code !== "missing_reference";
}

/** Reads what a crawl can do without. */
async function orError<T>(reading: Promise<T>, otherwise: T, errors: CrawlEvent[]): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    errors.push({ kind: "error", error: error.error });
    return otherwise;
  }
}
