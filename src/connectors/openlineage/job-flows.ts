/** The edges between a job, what it reads and what it writes, and which columns feed its outputs. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { CrawlEvent } from "../connector.ts";
import { inTurn } from "./bodies.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";
import { type FieldInput, flowEvents, type Flows } from "./flow-events.ts";
import type { FindFields } from "./nested-fields.ts";
import type { RunDataset, TimedContent } from "./run-datasets.ts";

interface Flowing {
  datasetRefOf: FindDatasetRef;
  object: string;
  isCut: boolean;
  unnamed: readonly RunDataset[];
  /** Whether the run fills one dataset, so that all that it reads feeds it. */
  isSole: boolean;
  findFields: FindFields;
}

/** @returns the edges, and of a dataset that the job fills what is told of its columns */
export function* stateFlows(
  [job, ...parents]: readonly [NodeRef, ...NodeRef[]],
  { ref, subject, isRead, isFilled, isWritten, isRenamed, facts }: RunDataset,
  { datasetRefOf, object, isCut, unnamed: unnamedByAll, isSole, findFields }: Flowing,
): Generator<void, Pick<Flows, "events"> & Partial<Flows>> {
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
