/** What the events of one run say about each dataset, in the order of their times. */
import type { NodeRef } from "../../catalog/identity.ts";
import { latestOf } from "./bodies.ts";
import type { CompletedRun } from "./runs-together.ts";
import {
  type DatasetFacts,
  goneNames,
  type JobEventContent,
  joinFactsOfRun,
  type KeptDataset,
  sourcesOf,
} from "./kept.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";
import { withOldNames } from "./lineage-facets.ts";
import type { DatasetName } from "./naming.ts";

export interface RunDataset {
  /** As the run first names it. */
  name: DatasetName;
  ref: NodeRef;
  subject: string;
  isRead: boolean;
  /** Whether the run put data into it and did not remove the data later. */
  isFilled: boolean;
  /** Whether it is filled, and not only created or altered by a run that reads nothing. */
  isWritten: boolean;
  /** Whether it was only renamed, by a run that reads nothing. */
  isRenamed: boolean;
  /** When it was last an output after that; "" if it was not. */
  outputAt: string;
  /** When the last run that names it completed. */
  completedAt: string;
  /** Whether it was dropped or renamed away, and was not an output after that. */
  isGone: boolean;
  /** What was said since it was last dropped or renamed away. Without an output's columns, those of an input. */
  facts: DatasetFacts;
  /** Whether an output tells its columns. */
  tellsColumns: boolean;
}

/** The content of an event with its time and its run. */
export interface TimedContent {
  at: string;
  run: CompletedRun;
  content: JobEventContent;
}

/** One part of an event that names a dataset. */
interface Mention {
  at: string;
  run: CompletedRun;
  role: "input" | "output";
  dataset: KeptDataset;
}

/** Changes by which the dataset is empty. */
const EMPTYING = new Set(["DROP", "TRUNCATE"]);
/** Changes by which a run that reads nothing puts no data into the dataset. */
const DEFINING = new Set(["CREATE", "ALTER"]);

/** @param events in the order of their times */
export function toRunDatasets(events: readonly TimedContent[], datasetRefOf: FindDatasetRef): RunDataset[] {
  const mentions = events.flatMap(mentionsOf).concat(lineageMentions(events));
  const bySubject = Map.groupBy(mentions, ({ dataset }) => datasetRefOf(dataset).subject);
  const goneAt = new Map<string, string>();
  for (const { at, role, dataset } of mentions) {
    for (const gone of role === "output" ? goneNames(dataset, at) : []) {
      const { subject } = datasetRefOf(gone);
      const isSame = gone.to !== null && datasetRefOf(gone.to).subject === subject;
      if (!isSame) goneAt.set(subject, latestOf([goneAt.get(subject), at]));
    }
  }
  const readsNothing = mentions.every(({ role, dataset }) => role === "output" && !tellsLineage(dataset.facts));
  return [...bySubject.values()].map((all) => toDataset(all, { gone: goneAt, readsNothing, datasetRefOf }));
}

/**
 * What the run reads though no lineage of its outputs names it. Spark leaves out what it cannot trace, such as some relations
 * of a database. SQL that was read in full names all that it reads.
 */
export function* unnamedInputs(
  datasets: readonly RunDataset[],
  events: readonly TimedContent[],
  datasetRefOf: FindDatasetRef,
): Generator<void, RunDataset[]> {
  const told = datasets.flatMap(({ isFilled, facts }) =>
    isFilled ? (facts.lineage?.value ?? facts.columnLineage?.value ?? []) : [],
  );
  if (told.some(({ named }) => named !== undefined)) return [];
  const entries = events.flatMap(({ content }) => content.facts.lineage?.value ?? []);
  const unnamed = new Map(datasets.filter(({ isRead }) => isRead).map((dataset) => [dataset.subject, dataset]));
  for (const lineage of [...told, ...entries.map((entry) => entry.lineage)]) {
    for (const name of sourcesOf(lineage)) {
      yield;
      unnamed.delete(datasetRefOf(name).subject);
    }
  }
  return [...unnamed.values()];
}

/** The datasets that a run names by its lineage facets, and those that are its inputs and outputs. */
function mentionsOf({ at, run, content: { inputs, outputs } }: TimedContent): Mention[] {
  return [
    ...inputs.map((dataset): Mention => ({ at, run, role: "input", dataset })),
    ...outputs.map((dataset): Mention => ({ at, run, role: "output", dataset })),
  ];
}

function lineageMentions(events: readonly TimedContent[]): Mention[] {
  const lastTakenBack = events.findLastIndex(({ content }) => content.facts.lineage?.value === null);
  return events.slice(lastTakenBack + 1).flatMap(({ at, run, content }) =>
    (content.facts.lineage?.value ?? []).flatMap(({ target, lineage }): Mention[] => {
      const sources = sourcesOf(lineage).map(({ namespace, name }): Mention => {
        return { at, run, role: "input", dataset: { namespace, name, facts: {} } };
      });
      if (target === null) return sources;
      const { namespace, name } = target;
      const dataset: KeptDataset = { namespace, name, facts: { lineage: { at, value: lineage } } };
      return sources.concat({ at, run, role: "output", dataset });
    }),
  );
}

function toDataset(
  all: readonly Mention[],
  {
    gone,
    readsNothing,
    datasetRefOf,
  }: { gone: ReadonlyMap<string, string>; readsNothing: boolean; datasetRefOf: FindDatasetRef },
): RunDataset {
  const [first] = all;
  if (first === undefined) throw new Error("a dataset that nobody names was stated");
  const { ref, subject } = datasetRefOf(first.dataset);
  const goneAt = gone.get(subject) ?? "";
  const outputs = all.filter(({ role, at }) => role === "output" && at > goneAt);
  const emptiedAt = latestOf([goneAt, ...outputs.filter((mention) => isChange(mention, EMPTYING)).map(({ at }) => at)]);
  // Only an output brings a dataset back that is gone.
  const isGone = goneAt !== "" && outputs.length === 0;
  const inputs = all.filter(({ role, at }) => role === "input" && at > goneAt);
  const isTold = outputs.some(({ dataset }) => dataset.facts.columns !== undefined);
  const facts = isGone
    ? {}
    : joinFactsOfRun([
        // An input describes the dataset as it was before.
        ...inputs.map(({ dataset }) => (isTold ? withoutColumns(dataset.facts) : dataset.facts)),
        ...outputs.map(({ at, dataset }) => (at < emptiedAt ? withoutLineage(dataset.facts) : dataset.facts)),
      ]);
  const renames = outputs.flatMap(({ at, dataset }) => goneNames(dataset, at)).filter(({ to }) => to !== null);
  const previous = renames.filter((name) => datasetRefOf(name).subject !== subject);
  const filling = outputs.filter(
    (mention) => !isChange(mention, EMPTYING) && (emptiedAt === "" || mention.at > emptiedAt),
  );
  const { namespace, name } = first.dataset;
  return {
    name: { namespace, name },
    ref,
    subject,
    isRead: all.some(({ role }) => role === "input"),
    isFilled: filling.length > 0,
    isWritten: filling.some((mention) => !readsNothing || !isChange(mention, DEFINING)),
    outputAt: latestOf(outputs.map(({ at }) => at)),
    completedAt: latestOf(all.map(({ run }) => run.at)),
    isGone,
    isRenamed: readsNothing && previous.length > 0,
    facts: withOldNames(facts, previous, latestOf(renames.map(({ at }) => at))),
    tellsColumns: isTold,
  };
}

function isChange({ dataset }: Mention, changes: ReadonlySet<string>): boolean {
  return changes.has(dataset.facts.lifecycle?.value?.change ?? "");
}

function tellsLineage({ lineage, columnLineage }: DatasetFacts): boolean {
  return Boolean(lineage?.value ?? columnLineage?.value);
}

function withoutColumns({ columns: _columns, ...facts }: DatasetFacts): DatasetFacts {
  return facts;
}

function withoutLineage({ lineage: _lineage, columnLineage: _columnLineage, ...facts }: DatasetFacts): DatasetFacts {
  return facts;
}
