/** The edges between a job, what it reads and what it writes, and which columns feed its outputs. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { CrawlEvent } from "../connector.ts";
import { inTurn } from "./bodies.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";
import { type FieldInput, flowEvents, type Flows } from "./flow-events.ts";
import { createFindFields, type FindFields } from "./nested-fields.ts";
import { type RunDataset, type TimedContent, unnamedInputs } from "./run-datasets.ts";

/** The edges of a dataset, and if the job fills it, what is told of its columns. */
export type JobFlows = Pick<Flows, "events"> & Partial<Flows>;

interface Job {
  /** The pipeline, and those that it is a part of. */
  refs: readonly [NodeRef, ...NodeRef[]];
  /** Named in errors. */
  object: string;
  /** Whether the run was too large to keep in full. */
  isCut: boolean;
}

interface Flowing extends Job {
  datasetRefOf: FindDatasetRef;
  /** What the run reads though no lineage of its outputs names it. */
  unnamed: readonly RunDataset[];
  /** Whether the run fills one dataset, so that all that it reads feeds it. */
  isSole: boolean;
  findFields: FindFields;
}

/**
 * What each of the datasets of a run takes and gives.
 * @param all the same datasets, with what others write in its place by now: that tells too what the run read its inputs for
 */
export function* flowsOf(
  job: Job,
  { datasets, all, events }: Record<"datasets" | "all", readonly RunDataset[]> & { events: readonly TimedContent[] },
  datasetRefOf: FindDatasetRef,
): Generator<void, JobFlows[]> {
  const columns = new Map(datasets.map(({ subject, facts }) => [subject, facts.columns?.value ?? []]));
  const flowing = {
    ...job,
    datasetRefOf,
    unnamed: yield* unnamedInputs(all, events, datasetRefOf),
    isSole: all.filter(({ isFilled }) => isFilled).length === 1,
    findFields: createFindFields((name) =>
      (columns.get(datasetRefOf(name).subject) ?? []).map((column) => column.name),
    ),
  };
  const flows: JobFlows[] = [];
  for (const dataset of datasets) {
    yield;
    flows.push(yield* stateFlows(dataset, flowing));
  }
  return flows;
}

function* stateFlows(
  { ref, subject, isRead, isFilled, isWritten, isRenamed, facts }: RunDataset,
  { refs: [job, ...parents], datasetRefOf, object, isCut, unnamed: unnamedByAll, isSole, findFields }: Flowing,
): Generator<void, JobFlows> {
  const events: CrawlEvent[] = [];
  if (isRead) events.push({ kind: "edge", edge: { from: ref, to: job, kind: "reads" }, object });
  if (!isFilled) return { events };
  for (const from of [job, ...parents]) {
    events.push({ kind: "edge", edge: { from, to: ref, kind: "materializes" }, object });
  }
  if (!isWritten && !isCut) return { events };
  // What it was before may stay in it untold, but no other output.
  const unnamed = unnamedByAll.filter((each) => each.subject !== subject);
  const names = unnamed.map(({ name }) => name);
  const flows = yield* flowEvents({ ref, facts, unnamed: names, findFields }, datasetRefOf, object);
  for (const { ref: from } of isSole && flows.traced !== null ? unnamed : []) {
    events.push({ kind: "edge", edge: { from, to: ref, kind: "derives" }, object });
  }
  // The dropped messages may have had more lineage.
  return isCut
    ? { events: inTurn([events, flows.events]), traced: [], untold: null, feeding: null }
    : { ...flows, ...(isRenamed && { feeding: [] }), events: inTurn([events, flows.events]) };
}

/** The columns that feed the job's outputs; null if it does not tell that of all outputs, or reads more for itself. */
export function feedingAll(
  flows: readonly { feeding?: FieldInput[] | null }[],
  events: readonly TimedContent[],
): FieldInput[] | null {
  const outputs = flows.flatMap(({ feeding }) => (feeding === undefined ? [] : [feeding]));
  const told = outputs.filter((feeding) => feeding !== null);
  const readsMore = events.some(({ content }) => content.facts.lineage?.value?.some(({ target }) => target === null));
  return told.length === 0 || told.length < outputs.length || readsMore ? null : told.flat();
}
