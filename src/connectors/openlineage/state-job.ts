/** What a job's events state: the pipeline, what it reads and writes, and what its columns come from. */
import { isDeepStrictEqual } from "node:util";

import type { AssetStatement } from "../../catalog/statement.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { AskSql, CrawlEvent, Kept, SubjectStatements } from "../connector.ts";
import { expiryOf, ignoredFacets, inScope, inTurn, nothing, readHeads } from "./bodies.ts";
import { type Choice, chooseRun, type JobRun } from "./choose-run.ts";
import { readingEvents } from "./flow-events.ts";
import { type EarlierFacet, factsBySubject, facetsIn, latestFacets } from "./earlier-facets.ts";
import {
  asSeen,
  type DatasetFacts,
  describing,
  type JobEventContent,
  type JobFacts,
  joinFacts,
  type PlacedNote,
  type Said,
  sourcesOf,
} from "./kept.ts";
import { feedingAll, flowsOf, type JobFlows } from "./job-flows.ts";
import { type Memory, recall, remember } from "./memory.ts";
import { type DatasetName, toJobRef } from "./naming.ts";
import type { OpenLineageOptions } from "./options.ts";
import { askPaths, notesToPaths, tablesOf } from "./paths.ts";
import { createDatasetRefs, joinNotes, noteGone } from "./dataset-refs.ts";
import { withSqlLineage } from "./sql-facet.ts";
import { dropWarnings, statePipeline, stateSilent } from "./state-pipeline.ts";
import {
  answersToParts,
  isWrapper,
  isSparkCommand,
  lastWritesOf,
  notesToWholes,
  otherJobs,
  wholesAround,
  wholesOf,
  withoutReplaced,
} from "./whole-jobs.ts";
import { type RunDataset, type TimedContent, toRunDatasets } from "./run-datasets.ts";

export function* stateJob(
  subject: string,
  kept: readonly Kept[],
  options: OpenLineageOptions,
  now: Date,
  ask: AskSql,
): Generator<void, SubjectStatements> {
  const { before, own } = yield* recall(subject, kept);
  const others = otherJobs(subject, kept);
  const messages = readHeads(own);
  const [first] = messages;
  if (first === undefined) return others.parts.length === 0 ? nothing(subject) : stateSilent(subject, others, options);
  const choice = chooseRun(messages, before);
  const { chosen, together, earlier, gone: goneNames, needed, dropped, memory } = choice;
  const expiresAt = expiryOf(chosen.at, options.expire_after_days);
  if (expiresAt !== null && expiresAt <= now.toISOString()) {
    // A run that has not completed yet may still decide.
    const ended = new Set([chosen, ...earlier].flatMap((run) => run.messages.map(({ key }) => key)));
    return nothing(subject, chosen.rank === 1 ? new Set() : needed.difference(ended));
  }
  const { job } = first.head;
  const object = `${job.namespace}.${job.name}`;
  const events = yield* readContents(chosen, together);
  const { facets, decided, remembered } = yield* readFacets(choice, before, events);
  const lost = goneNames.flatMap((each) => [each, each.to ?? []].flat());
  yield;
  const named = chosen.rank === 3 ? [...events.flatMap(({ content }) => namesIn(content)), ...facets, ...lost] : lost;
  const paths = notesToPaths(named, memory.tables);
  const memories = yield* remember(subject, { ...memory, facets: remembered });
  const asking = askPaths(paths, kept, { needed, notes: memories, expiresAt });
  if (asking !== null) return asking;
  yield;
  const facts = joinFactsOfJob(events, together);
  const ref = toJobRef(job, options);
  const datasetRefOf = createDatasetRefs(options, tablesOf(kept, memory.tables));
  const nearWholes = wholesOf(facts, job);
  const wholes = wholesAround(nearWholes, facts, others);
  const parents = wholes.map((each) => toJobRef(each, options)).filter((each) => !isDeepStrictEqual(each, ref));
  const told = chosen.rank === 3 ? toRunDatasets(events, datasetRefOf) : [];
  yield;
  const all = withSqlLineage(told, events, ask);
  const datasets = withoutReplaced(all, wholes, others);
  yield;
  const pipeline = { refs: [ref, ...parents] as const, object, isCut: chosen.isCut };
  const flows = yield* flowsOf(pipeline, { datasets, all, events }, datasetRefOf);
  yield;
  const feeding = feedingAll(flows, events);
  const untold = flows.find((flow) => flow.untold)?.untold;
  const gap = flows.find((flow) => flow.gap)?.gap;
  const reading = yield* readingEvents(ref, feeding ?? [], datasetRefOf, object);
  const gone = goneNames.flatMap((each) => noteGone(each, datasetRefOf));
  const earlierFacts = factsBySubject({ facets, decided }, gone, datasetRefOf);
  const writing = {
    ...(chosen.partOf && { within: chosen.partOf.run }),
    ...(isWrapper(job, facts) && { isWrapper: true as const }),
  };
  const notes: PlacedNote[] = datasets.map((dataset, i) => {
    const note = noteAbout(dataset, [earlierFacts.get(dataset.subject), flows[i]]);
    return dataset.isWritten ? Object.assign(note, writing) : note;
  });
  notes.push(...gone);
  yield;
  // Spark has a command for each step of an application, also if the step neither reads nor writes.
  const isAsset =
    !isSparkCommand(facts) || others.parts.length > 0 || datasets.some(({ isRead, isFilled }) => isRead || isFilled);
  const asset: AssetStatement = {
    ...statePipeline(ref, job, { facts, whole: wholes[0] ?? null, run: chosen, others }),
    ...(feeding && { columnsRead: { status: gap ? "partial" : "known", reason: gap ?? "" } }),
    ...(untold && { columnsRead: { status: "unknown", reason: untold } }),
  };
  const statements: CrawlEvent[] = [
    ...(isAsset ? [{ kind: "asset" as const, asset }] : []),
    ...reading,
    ...ignoredFacets(
      object,
      events.flatMap(({ content }) => content.ignored),
    ),
    ...dropWarnings(object, dropped, chosen),
  ];
  yield;
  return {
    events: inScope(subject, inTurn([statements, ...flows.map((flow) => flow.events)])),
    needed,
    notes: [
      ...joinNotes(notes),
      ...notesToWholes(object, { wholes, facts }, { told, datasets }, lastWritesOf(events, datasetRefOf)),
      ...answersToParts(others, nearWholes, memory.completed),
      ...paths,
      ...memories,
    ],
    expiresAt,
  };
}

/** What the deciding runs say about datasets, what counts with what was said before, and what is remembered of that. */
function* readFacets({ earlier, spare, memory }: Choice, before: Memory, events: TimedContent[]) {
  // A failure may be told when the run's messages are deleted.
  const failed = new Set(memory.failed?.map(({ id }) => id));
  let said = before.facets?.filter(({ rank: [, run] }) => !failed.has(run)) ?? [];
  let spared: EarlierFacet[] = [];
  for (const run of earlier) {
    const facets = facetsIn(yield* readContents(run, [run]));
    if (spare.some(({ id }) => id === run.id)) spared = spared.concat(facets);
    else said = said.concat(facets);
  }
  const decided = facetsIn(events);
  const remembered = latestFacets(said, spared);
  return { facets: latestFacets([...remembered, ...spared], decided), decided, remembered };
}

function* readContents({ messages }: JobRun, runs: readonly JobRun[]): Generator<void, TimedContent[]> {
  const runOf = new Map(runs.flatMap((run) => run.messages.map((message) => [message, run] as const)));
  const events: TimedContent[] = [];
  for (const message of messages) {
    const run = runOf.get(message);
    if (run !== undefined) events.push({ at: message.head.at, run, content: yield* message.readContent() });
  }
  return events;
}

/** For each facet, the latest counts. If several runs decide together, the last of these comes first. */
function joinFactsOfJob(events: readonly TimedContent[], together: readonly JobRun[]): JobFacts {
  const describingJob = events.filter(({ run }) => run === together.at(-1));
  return Object.assign({}, ...[events, describingJob].map((all) => joinFacts(all.map(({ content }) => content.facts))));
}

/**
 * The note of a run of the job about a dataset. It counts from the completion of the run. A dataset that the run read or wrote
 * is held, unless the run dropped it or renamed it away.
 */
function noteAbout(
  { ref, outputAt, completedAt, isGone, facts, tellsColumns }: RunDataset,
  [earlier, { traced, untold } = {}]: [DatasetFacts | undefined, Partial<JobFlows> | undefined],
): PlacedNote {
  const said = describing(tellsColumns ? facts : asSeen(facts));
  const at = compareCodePoints(outputAt, completedAt) > 0 ? outputAt : completedAt;
  return {
    ref,
    heldAt: isGone ? null : at,
    goneAt: null,
    facts: {
      ...Object.fromEntries(Object.entries<Said<unknown>>(said).map(([facet, { value }]) => [facet, { at, value }])),
      ...(!isGone && earlier),
    },
    ...(traced === undefined ? {} : { traced }),
    ...(untold == null ? {} : { untold }),
  };
}

function namesIn(content: JobEventContent): DatasetName[] {
  const datasets = [...content.inputs, ...content.outputs];
  const entries = content.facts.lineage?.value ?? [];
  const lineages = [
    ...datasets.flatMap(({ facts }) => [facts.lineage?.value, facts.columnLineage?.value]),
    ...entries.map(({ lineage }) => lineage),
  ];
  return [...datasets, ...entries.flatMap(({ target }) => target ?? []), ...lineages.flatMap(sourcesOf)];
}
