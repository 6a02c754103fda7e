/** States the events of one dataset: its lineage as edges, everything else as notes about the dataset. */
import type { Kept, SubjectStatements } from "../connector.ts";
import { expiryOf, ignoredFacets, inScope, inTurn, type Keyed, latestOf, nothing, parseKept } from "./bodies.ts";
import { flowEvents } from "./flow-events.ts";
import {
  compareSaid,
  type DatasetFacts,
  describing,
  goneNames,
  joinFacts,
  type KeptDatasetEvent,
  namedTables,
  since,
  sourcesOf,
} from "./kept.ts";
import { latestOfNames, recall, remember } from "./memory.ts";
import { withOldNames } from "./lineage-facets.ts";
import type { OpenLineageOptions } from "./options.ts";
import { askPaths, notesToPaths, tablesOf } from "./paths.ts";
import { createDatasetRefs, joinNotes, noteGone } from "./dataset-refs.ts";

export function* stateDatasetEvents(
  subject: string,
  kept: readonly Kept[],
  options: OpenLineageOptions,
  now: Date,
): Generator<void, SubjectStatements> {
  const { before, own: ownMessages } = yield* recall(subject, kept);
  const messages = yield* parseKept<KeptDatasetEvent>(ownMessages);
  const latest = messages.at(-1);
  if (latest === undefined) return nothing(subject);
  const expiresAt = expiryOf(latest.body.at, options.expire_after_days);
  if (expiresAt !== null && expiresAt <= now.toISOString()) return nothing(subject);
  const bodies = messages.map(({ body }) => body);
  const held = messages.findLast(({ body }) => body.dataset.facts.lifecycle?.value?.change !== "DROP");
  const gone = latestOfNames([...before.gone, ...bodies.flatMap(({ at, dataset }) => goneNames(dataset, at))]);
  const tables = latestOfNames([...before.tables, ...bodies.flatMap(({ dataset }) => namedTables(dataset))]);
  const datasetRefOf = createDatasetRefs(options, tablesOf(kept, tables));
  const { namespace, name } = latest.body.dataset;
  const object = `${namespace}.${name}`;
  const own = datasetRefOf(latest.body.dataset);
  const dropped = gone.filter((each) => each.to === null && datasetRefOf(each).subject === own.subject);
  const goneAt = latestOf(dropped.map(({ at }) => at));
  yield;
  const all = joinFacts(bodies.map(({ dataset }) => dataset.facts));
  const live = since(all, goneAt);
  const { lifecycle } = live;
  const renames = lifecycle?.value ? goneNames({ namespace, name, facts: { lifecycle } }, lifecycle.at) : [];
  const previous = renames.filter((each) => each.to !== null && datasetRefOf(each).subject !== own.subject);
  const renamedAt = latestOf(previous.map(({ at }) => at));
  // It may have got columns since.
  const renaming = bodies.findLast(({ at }) => at === renamedAt)?.dataset.facts.columns?.value ?? [];
  const isOlder = (live.columns?.at ?? "") <= renamedAt;
  const facts = withOldNames(live, previous, renamedAt, isOlder ? live.columns?.value : renaming);
  const flows = yield* flowEvents({ ref: own.ref, facts }, datasetRefOf, object);
  const note = {
    ref: own.ref,
    heldAt: held?.body.at ?? null,
    goneAt: null,
    facts: describing(facts),
    ...(flows.traced === null ? {} : { traced: flows.traced }),
    ...(flows.untold === null ? {} : { untold: flows.untold }),
  };
  // Also what turns out to be the dataset itself: if it were not named for that, the answer that says so would go again.
  const named = [
    { namespace, name },
    ...gone.flatMap((each) => [each, each.to ?? []].flat()),
    ...[all.lineage, all.columnLineage].flatMap((said) => sourcesOf(said?.value)),
  ];
  const needed = new Set([latest, held, ...winners(messages)].flatMap((message) => message?.key ?? []));
  const paths = notesToPaths(named, tables);
  const memories = yield* remember(subject, { gone, tables, completed: [], cut: [] });
  const asking = askPaths(paths, kept, { needed, notes: memories, expiresAt });
  if (asking !== null) return asking;
  return {
    events: inScope(subject, inTurn([flows.events, ignoredFacets(object, latest.body.ignored)])),
    needed,
    notes: [...joinNotes([note, ...gone.flatMap((each) => noteGone(each, datasetRefOf))]), ...paths, ...memories],
    expiresAt,
  };
}

/** The messages of which at least one facet is the latest of its kind. They are in the order of their times. */
function winners(messages: readonly Keyed<KeptDatasetEvent>[]): Keyed<KeptDatasetEvent>[] {
  const facets = new Set(messages.flatMap(({ body }) => Object.keys(body.dataset.facts)));
  return [...facets].flatMap((facet) => {
    const telling = messages.flatMap((message) => {
      const said = message.body.dataset.facts[facet as keyof DatasetFacts];
      return said === undefined ? [] : [{ message, said }];
    });
    const [last] = telling.toSorted((a, b) => compareSaid(a.said, b.said)).slice(-1);
    return last?.message ?? [];
  });
}
