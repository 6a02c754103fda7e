/** Events arrive late, twice and in any order. What they state together must not depend on that. */
import fc from "fast-check";
import { expect, test } from "vitest";

import {
  createInbox,
  datasetEvent,
  edgesOf,
  type Event,
  type EventDataset,
  facet,
  inputField,
  jobEvent,
  partFacets,
  pg,
  readCorpus,
  runEvent,
  schemaFacet,
} from "../../../support/lineage-events.ts";
import { propertyRuns } from "../../../support/depth.ts";

const TABLES = ["a", "b", "c"];
const JOBS = ["one", "two"];

const anyFacets = fc.record(
  {
    schema: fc.subarray(["x", "y", "z"]).map((columns) => schemaFacet(...columns)["schema"]),
    documentation: fc.oneof(
      fc.constantFrom("first", "second").map((description) => facet({ description })),
      fc.constant(facet({ _deleted: true })),
    ),
    columnLineage: fc
      .tuple(fc.constantFrom("x", "y"), fc.constantFrom(...TABLES))
      .map(([column, table]) => facet({ fields: { [column]: { inputFields: [inputField(table, "k")] } } })),
    lifecycleStateChange: fc
      .constantFrom("DROP", "CREATE", "TRUNCATE", "RENAME")
      .map((change) => facet({ lifecycleStateChange: change, previousIdentifier: pg("a") })),
  },
  { requiredKeys: [] },
);
const anyDatasets = fc.array(
  fc.tuple(fc.constantFrom(...TABLES), anyFacets).map(([name, facets]) => pg(name, facets)),
  { maxLength: 2 },
);
/** A path that some events call a table. */
const anyPath = fc
  .record(
    {
      schema: fc.constant(schemaFacet("p")["schema"]),
      symlinks: fc.oneof(
        fc
          .constantFrom("one", "two")
          .map((name) => facet({ identifiers: [{ namespace: "hive://metastore", name, type: "TABLE" }] })),
        fc.constant(facet({ _deleted: true })),
      ),
    },
    { requiredKeys: [] },
  )
  .map((facets): EventDataset => ({ namespace: "s3://lake", name: "path", facets }));
const anyDatasetsAndPaths = fc.tuple(anyDatasets, fc.array(anyPath, { maxLength: 1 })).map((all) => all.flat());
const anyDescribed = fc.array(
  fc
    .tuple(
      fc.constantFrom(...TABLES),
      fc.record(
        {
          schema: fc.subarray(["x", "y"]).map((columns) => schemaFacet(...columns)["schema"]),
          documentation: fc.constantFrom("first", "second").map((description) => facet({ description })),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([name, facets]) => pg(name, facets)),
  { maxLength: 2 },
);
const anyJobFacets = fc.constantFrom("select 1", "select 2", null).map((query) => {
  return query === null ? {} : { sql: facet({ query }) };
});
const MAX_TIME = 20;
const anyTime = fc.integer({ min: 0, max: MAX_TIME });

interface Run {
  job: string;
  /** COMPLETE, FAIL, "FAIL too" if it says both, or null if the run has not ended. */
  end: string | null;
  steps: { at: number; inputs: EventDataset[]; outputs: EventDataset[]; jobFacets?: Event }[];
  /** Which part of which larger run it is. */
  part?: Parameters<typeof partFacets> | undefined;
}

const anyRunOf = (datasets: fc.Arbitrary<EventDataset[]>): fc.Arbitrary<Run> =>
  fc.record({
    job: fc.constantFrom(...JOBS),
    end: fc.constantFrom("COMPLETE", "COMPLETE", "FAIL", null),
    steps: fc.array(fc.record({ at: anyTime, inputs: datasets, outputs: datasets }), { minLength: 1, maxLength: 3 }),
  });

const anyPart = fc.option(
  fc.tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    fc.option(anyTime, { nil: undefined }),
  ),
  { nil: undefined },
);

const anyPartOf = (datasets: fc.Arbitrary<EventDataset[]>): fc.Arbitrary<Run> =>
  fc.tuple(anyRunOf(datasets), anyPart).map(([run, part]) => Object.assign({}, run, { part }));

function eventsOf({ job, end, steps, part }: Run, run: number): Event[] {
  return steps.flatMap((step, i) => {
    const isLast = i === steps.length - 1;
    const state = isLast && end !== null ? end : i === 0 ? "START" : "RUNNING";
    const event = { ...step, job, run, ...(part && { runFacets: partFacets(...part) }) };
    if (state === "FAIL too") return [runEvent({ ...event, state: "COMPLETE" }), runEvent({ ...event, state: "FAIL" })];
    return [runEvent({ ...event, state })];
  });
}

/** The last run of a job may fail though it said that it completed. What decided before is kept for one such run only. */
const anyRuns = fc
  .tuple(fc.array(anyPartOf(anyDatasetsAndPaths), { maxLength: 5 }), fc.constantFrom("one", "two", null))
  .map(([runs, failing]) => {
    const last = runs.findLast(({ job }) => job === failing);
    return runs.map((run) => (run === last ? failLast(run) : run));
  });

function failLast({ steps, ...run }: Run): Run {
  return { ...run, end: "FAIL too", steps: steps.map(({ at, ...step }) => ({ ...step, at: at + MAX_TIME + 1 })) };
}

const anyEvents = fc
  .tuple(
    anyRuns,
    fc.array(
      fc.oneof(
        fc
          .tuple(anyTime, fc.constantFrom(...TABLES), anyFacets)
          .map(([at, name, facets]) => datasetEvent(pg(name, facets), at)),
        fc.tuple(anyTime, anyPath).map(([at, path]) => datasetEvent(path, at)),
      ),
      { maxLength: 3 },
    ),
    fc.array(
      fc
        .record({ at: anyTime, job: fc.constantFrom(...JOBS), inputs: anyDatasets, outputs: anyDatasets })
        .map(jobEvent),
      { maxLength: 1 },
    ),
  )
  .map(([runs, ofDatasets, ofJobs]) => runs.flatMap(eventsOf).concat(ofDatasets, ofJobs));

function stateOf(events: readonly Event[]): unknown {
  const inbox = createInbox();
  for (const event of events) inbox.send(event);
  return inbox.state();
}

test("Random events state the same in any order, even if some arrive twice", () => {
  fc.assert(
    fc.property(
      anyEvents.chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 }),
        ),
      ),
      ([events, shuffled]) => {
        expect(stateOf(shuffled)).toEqual(stateOf(events));
      },
    ),
    propertyRuns(500),
  );
});

test("Random runs that are parts of larger ones state the same in any order", () => {
  const step = fc.record({
    at: anyTime,
    inputs: fc.constant<EventDataset[]>([]),
    outputs: anyDescribed,
    jobFacets: anyJobFacets,
  });
  const anyPartOfOne = fc
    .record({
      job: fc.constant("one"),
      end: fc.constant("COMPLETE"),
      steps: fc.array(step, { minLength: 1, maxLength: 2 }),
      part: anyPart,
    })
    .map((run): Run => {
      if (run.part !== undefined) return run;
      // Only of a part, events that name no dataset do not count.
      const steps = run.steps.map((each) => (each.outputs.length > 0 ? each : { ...each, outputs: [pg("a")] }));
      return Object.assign({}, run, { steps });
    });
  const anyParts = fc.array(anyPartOfOne, { minLength: 3, maxLength: 10 }).map((runs) => runs.flatMap(eventsOf));
  fc.assert(
    fc.property(
      anyParts.chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
        ),
      ),
      ([events, shuffled]) => {
        expect(stateOf(shuffled)).toEqual(stateOf(events));
      },
    ),
    propertyRuns(500),
  );
});

test("In random runs, a job reads what its last completed run with datasets names", () => {
  fc.assert(
    fc.property(fc.array(anyRunOf(anyDatasets), { maxLength: 6 }), (runs) => {
      const inbox = createInbox();
      for (const event of runs.flatMap(eventsOf).toReversed()) inbox.send(event);
      const read = edgesOf(inbox).filter((line) => /^shop\.public\.\w+ reads /.test(line));
      expect(read).toEqual(JOBS.flatMap((job) => readsOf(job, runs)).toSorted());
    }),
    propertyRuns(300),
  );
});

/** What the job reads, computed from all events at once. */
function readsOf(job: string, runs: readonly Run[]): string[] {
  const deciding = runs
    .map((run, id) => Object.assign({ id, at: run.steps.at(-1)?.at ?? 0 }, run))
    .filter((run) => run.job === job && run.end === "COMPLETE")
    .filter(({ steps }) => steps.some(({ inputs, outputs }) => inputs.length + outputs.length > 0))
    .toSorted((a, b) => a.at - b.at || a.id - b.id)
    .at(-1);
  const names = (deciding?.steps ?? []).flatMap(({ inputs }) => inputs.map(({ name }) => name));
  return [...new Set(names)].map((name) => `${name} reads nightly.${job}`);
}

test.each(readCorpus())("The events of $name state the same in any order, and twice", ({ events }) => {
  const once = stateOf(events);
  expect(stateOf(events.toReversed())).toEqual(once);
  expect(stateOf([...events, ...events])).toEqual(once);
  expect(stateOf([...events.toReversed(), ...events])).toEqual(once);
});
