/** Reads an event, and keeps what the catalog shows of it. */
import { hash } from "node:crypto";

import { z } from "zod";

import { AppError, badFields, type FieldFault } from "../../errors.ts";
import { writingJson } from "../../work/json-slices.ts";
import type { Received } from "../connector.ts";
import { isRecord } from "../shapes.ts";
import { jobEventBody } from "./bodies.ts";
import { withoutMetadataColumns } from "./iceberg.ts";
import {
  type DatasetFacts,
  goneNames,
  type JobEventContent,
  type JobEventHead,
  type JobFacts,
  type KeptDataset,
  type KeptDatasetEvent,
  namedTables,
  type Said,
} from "./kept.ts";
import { countFlows, toColumnLineage, toEntries, toExplicitLineage } from "./lineage-facets.ts";
import { toColumns, toLifecycle, toOwners, toTable, toTags, toType } from "./plain-facets.ts";
import {
  airflowFacet,
  datasetEvent,
  datasetFacets,
  type EventDataset,
  jobEvent,
  jobFacets,
  MAX_DATASETS,
  MAX_FLOWS,
  runEvent,
  runFacets,
} from "./shapes.ts";

/** The largest text that is kept of one event. */
const MAX_BODY_CHARACTERS = 8 * 1024 * 1024;
/** A clock may be wrong by a time zone. An event of a later time would decide until that time has come. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1_000;
/** How many faults of facets are reported for one event. */
const MAX_IGNORED = 20;

/** The beginnings of the subjects of a job's events and of a dataset's events. */
export const JOB = "job:";
export const DATASET_EVENTS = "said:";

/**
 * Reads an event. A facet that does not fit its schema is left out.
 * @throws AppError `bad_request` with every fault of the event's time, run, job and names of datasets
 */
export function* readEvent(message: unknown, now: Date): Generator<void, Received> {
  const ignored: string[] = [];
  const received =
    isRecord(message) && !("job" in message) && "dataset" in message
      ? yield* readDatasetEvent(message, now, ignored)
      : yield* readJobEvent(message, now, ignored);
  if (received.body.length > MAX_BODY_CHARACTERS) {
    throw new AppError(
      "payload_too_large",
      `The lineage and schemas of one event may have at most ${MAX_BODY_CHARACTERS} characters.`,
    );
  }
  return received;
}

function* readJobEvent(message: unknown, now: Date, ignored: string[]): Generator<void, Received> {
  const isJobEvent = isRecord(message) && "job" in message && !("run" in message) && !("eventType" in message);
  const event = isJobEvent ? { ...parse(jobEvent, message), run: null, eventType: null } : parse(runEvent, message);
  const { eventTime: at, job, run, eventType } = event;
  requirePresent(at, now);
  const [inputs, outputs] = [event.inputs ?? [], event.outputs ?? []];
  const given = [...inputs, ...outputs];
  if (given.length > MAX_DATASETS) {
    throw badFields([{ field: "inputs", message: `and outputs may have at most ${MAX_DATASETS} datasets` }]);
  }
  const content: JobEventContent = {
    facts: yield* toJobFacts(job.facets ?? {}, run?.facets ?? {}, { at, ignored }),
    inputs: withoutMetadataColumns(yield* allToKept(inputs, { at, ignored, path: "inputs" }), given),
    outputs: withoutMetadataColumns(yield* allToKept(outputs, { at, ignored, path: "outputs" }), given),
    ignored,
  };
  const datasets = [...content.inputs, ...content.outputs];
  const entries = content.facts.lineage?.value ?? [];
  const flows = datasets.flatMap(({ facts }) => [facts.lineage?.value ?? null, facts.columnLineage?.value ?? null]);
  const { partOf, isWhole = false } = toPartOf(run?.facets ?? {});
  const head: JobEventHead = {
    run: run === null ? null : { id: run.runId, state: eventType ?? "" },
    ...(partOf && { partOf, says: yield* textKey(content) }),
    ...(isWhole && { isWhole }),
    at,
    job: { namespace: job.namespace, name: job.name },
    hasData: datasets.length + entries.length > 0,
    pairs: countPairs([...flows, ...entries.map(({ lineage }) => lineage)]),
    gone: content.outputs.flatMap((output) => goneNames(output, at)),
    tables: datasets.flatMap(namedTables),
  };
  yield;
  const body = yield* jobEventBody(head, content);
  yield;
  return toReceived(`${JOB}${job.namespace}\n${job.name}`, body);
}

/**
 * The larger run that a run is a part of, if that may run the job more than once. Airflow numbers the runs of a mapped task;
 * it runs any other task once, or once more in the place of the first. Others name the outermost run: what a mapped task
 * asks of a database is a job of its own, whose parent is the run of one number.
 */
function toPartOf(ofRun: Record<string, unknown>): Pick<JobEventHead, "partOf" | "isWhole"> {
  const { data: parent } = runFacets.parent.safeParse(ofRun["parent"]);
  const { data: airflow } = airflowFacet.safeParse(ofRun["airflow"]);
  const index = airflow?.taskInstance.map_index ?? null;
  const id = (airflow === undefined ? parent?.root?.run?.runId : null) ?? parent?.run?.runId;
  if (airflow !== undefined && index === null) return { isWhole: true };
  return id ? { partOf: { run: id.toLowerCase(), index, began: airflow?.dagRun?.start_date ?? null } } : {};
}

/** Equal for contents that differ only in their times and in what describes the job. Its SQL may tell lineage. */
function* textKey({ facts, ...content }: JobEventContent): Generator<void, string> {
  const { lineage = null } = facts;
  const text = yield* writingJson({ ...content, lineage, sql: facts.sql?.value, facts: Object.keys(facts) });
  return hash("sha256", text.replaceAll(/"at":"[^"]*"/g, ""), "hex").slice(0, 32);
}

function* readDatasetEvent(message: unknown, now: Date, ignored: string[]): Generator<void, Received> {
  const { eventTime: at, dataset } = parse(datasetEvent, message);
  requirePresent(at, now);
  const kept: KeptDatasetEvent = { at, dataset: yield* toKept(dataset, { at, ignored, path: "dataset" }), ignored };
  const { lineage, columnLineage } = kept.dataset.facts;
  countPairs([lineage?.value ?? null, columnLineage?.value ?? null]);
  yield;
  const body = yield* writingJson(kept);
  yield;
  return toReceived(`${DATASET_EVENTS}${dataset.namespace}\n${dataset.name}`, body);
}

function requirePresent(at: string, now: Date): void {
  if (Date.parse(at) <= now.getTime() + MAX_AHEAD_MS) return;
  const message = `must be at most one day ahead of the service's clock, which says ${now.toISOString()}`;
  throw badFields([{ field: "eventTime", message }]);
}

/** Events that say the same have the same key, so a repetition is known by it. */
function toReceived(subject: string, body: string): Received {
  return { subject, key: hash("sha256", body, "hex").slice(0, 32), body };
}

/** @throws AppError `bad_request` if there are too many */
function countPairs(lineages: readonly Parameters<typeof countFlows>[0][]): number {
  const pairs = lineages.reduce((sum, lineage) => sum + countFlows(lineage), 0);
  if (pairs <= MAX_FLOWS) return pairs;
  throw badFields([{ field: "outputs", message: `may have at most ${MAX_FLOWS} pairs of columns in their lineage` }]);
}

interface EventReading {
  at: string;
  ignored: string[];
  path: string;
}

function* allToKept(datasets: readonly EventDataset[], reading: EventReading): Generator<void, KeptDataset[]> {
  const kept: KeptDataset[] = [];
  for (const [at, each] of datasets.entries()) {
    yield;
    kept.push(yield* toKept(each, { ...reading, path: `${reading.path}.${at}` }));
  }
  return kept;
}

function* toKept({ namespace, name, facets }: EventDataset, reading: EventReading): Generator<void, KeptDataset> {
  return { namespace, name, facts: yield* toDatasetFacts(facets ?? {}, reading) };
}

function* toDatasetFacts(
  given: Record<string, unknown>,
  { at, ignored, path }: EventReading,
): Generator<void, DatasetFacts> {
  const read = createFacetReader(given, { at, ignored, path: `${path}.facets` });
  return withoutUndefined({
    columns: yield* read("schema", datasetFacets.schema, toColumns),
    description: yield* read("documentation", datasetFacets.documentation, ({ description }) => description ?? ""),
    owners: yield* read("ownership", datasetFacets.ownership, toOwners),
    tags: yield* read("tags", datasetFacets.tags, toTags),
    type: yield* read("datasetType", datasetFacets.datasetType, toType),
    lineage: yield* read("lineage", datasetFacets.lineage, toExplicitLineage),
    columnLineage: yield* read("columnLineage", datasetFacets.columnLineage, toColumnLineage),
    lifecycle: yield* read("lifecycleStateChange", datasetFacets.lifecycleStateChange, toLifecycle),
    table: yield* read("symlinks", datasetFacets.symlinks, toTable),
  });
}

function* toJobFacts(
  ofJob: Record<string, unknown>,
  ofRun: Record<string, unknown>,
  { at, ignored }: Omit<EventReading, "path">,
): Generator<void, JobFacts> {
  const read = createFacetReader(ofJob, { at, ignored, path: "job.facets" });
  const readRun = createFacetReader(ofRun, { at, ignored, path: "run.facets" });
  return withoutUndefined({
    description: yield* read("documentation", jobFacets.documentation, ({ description }) => description ?? ""),
    owners: yield* read("ownership", jobFacets.ownership, toOwners),
    tags: yield* read("tags", jobFacets.tags, toTags),
    sql: yield* read("sql", jobFacets.sql, ({ query }) => query),
    type: yield* read("jobType", jobFacets.jobType, ({ integration, jobType, processingType }) => {
      return { integration: integration ?? "", jobType: jobType ?? "", processingType: processingType ?? "" };
    }),
    url: yield* read("sourceCodeLocation", jobFacets.sourceCodeLocation, ({ url }) => url ?? ""),
    parent: yield* readRun("parent", runFacets.parent, ({ job, root }) => ({ job, root: root?.job ?? null })),
    lineage:
      (yield* readRun("lineage", runFacets.lineage, toEntries)) ??
      (yield* read("lineage", jobFacets.lineage, toEntries)),
  });
}

/** @returns a function that reads one facet. It returns undefined if the facet is absent or does not fit. */
function createFacetReader(facets: Record<string, unknown>, { at, ignored, path }: EventReading) {
  return function* read<Facet, Value>(
    facet: string,
    shape: z.ZodType<Facet>,
    toValue: (facet: Facet) => Value | null | undefined | Generator<void, Value>,
  ): Generator<void, Said<Value> | undefined> {
    if (!Object.hasOwn(facets, facet)) return undefined;
    const given = facets[facet];
    if (given === null || given === undefined) return undefined;
    if (isRecord(given) && given["_deleted"] === true) return { at, value: null };
    try {
      const made = toValue(shape.parse(given));
      const value = isGenerator(made) ? yield* made : made;
      return value === undefined ? undefined : { at, value };
    } catch (error) {
      const [fault] = error instanceof z.ZodError ? error.issues : [];
      // Only a facet that is nested too deep to be read throws anything else.
      if (fault === undefined && !(error instanceof RangeError)) throw error;
      const where = [path, facet, ...(fault?.path ?? [])].join(".");
      if (ignored.length < MAX_IGNORED) ignored.push(`${where}: ${fault?.message ?? "is nested too deep"}`);
      return undefined;
    }
  };
}

function isGenerator<Value>(made: Value | Generator<void, Value>): made is Generator<void, Value> {
  return made instanceof Iterator;
}

function parse<Shape>(shape: z.ZodType<Shape>, message: unknown): Shape {
  const parsed = shape.safeParse(message);
  if (parsed.success) return parsed.data;
  throw badFields(
    parsed.error.issues.map((issue): FieldFault => {
      const field = issue.path.join(".");
      if (field === "") return { field: "body", message: NO_EVENT };
      return { field, message: isMissing(message, issue.path) ? "is required" : issue.message };
    }),
  );
}

const NO_EVENT = "must be a JSON object: a RunEvent, a JobEvent or a DatasetEvent";

/** Whether the path leads to nothing. */
function isMissing(message: unknown, path: readonly PropertyKey[]): boolean {
  return path.reduce((at, key) => Object(at)[key], message) === undefined;
}

type Given<Facts> = { [Key in keyof Facts]?: Facts[Key] | undefined };

function withoutUndefined<Facts extends object>(facts: Given<Facts>): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts;
}
