/** Runs that are parts of one larger run, such as those of a mapped task in one DAG run of Airflow. */
import { describe, expect, test } from "vitest";

import {
  createInbox,
  edgesOf,
  type Event,
  facet,
  jobEvent,
  partFacets,
  pg,
  runEvent,
} from "../../../support/lineage-events.ts";

/** A completed run that writes one table. */
function part(run: number, table: string, runFacets: Record<string, unknown>, others: Record<string, unknown> = {}) {
  return runEvent({ run, at: run, inputs: [pg("raw")], outputs: [pg(table)], runFacets, ...others });
}

/** A completed mapped run that describes the table that it writes. */
function describing(run: number, index: number, description?: string): Event {
  const facets = description === undefined ? {} : { documentation: facet({ description }) };
  return runEvent({ run, at: run, outputs: [pg("eu", facets)], runFacets: partFacets(1, index) });
}

function sqlOf(query: string) {
  return { jobFacets: { sql: facet({ query }) } };
}

/** A job of its own, whose parent is the mapped run. */
function asked(run: number, table: string): Event {
  const outermost = partFacets(1)["parent"] as Record<string, unknown>;
  const own = partFacets(run + 10)["parent"] as Record<string, unknown>;
  return part(run, table, { parent: { ...own, root: { job: outermost["job"], run: outermost["run"] } } });
}

/** The tables that the job writes after these events. */
function written(events: readonly Event[]): string[] {
  const inbox = createInbox();
  for (const event of events) inbox.send(event);
  return edgesOf(inbox).flatMap((line) => /^nightly\.load materializes shop\.public\.(.*)$/.exec(line)?.[1] ?? []);
}

/** The tables that the job writes after each of the events. */
function writtenAfterEach(events: readonly Event[]): string[][] {
  return events.map((_, i) => written(events.slice(0, i + 1)));
}

describe("Mapped runs", () => {
  const first = [part(1, "eu", partFacets(1, 0)), part(2, "us", partFacets(1, 1)), part(3, "asia", partFacets(1, 2))];

  test("The mapped runs of one DAG run decide together", () => {
    expect(written(first)).toEqual(["asia", "eu", "us"]);
    expect(written(first.toReversed())).toEqual(["asia", "eu", "us"]);
  });

  test("Another try of one mapped run replaces it, and no other", () => {
    expect(written([...first, part(4, "apac", partFacets(1, 2))])).toEqual(["apac", "eu", "us"]);
  });

  test("A mapped job keeps its lineage while the next DAG run reports one index after another", () => {
    const next = [part(4, "us", partFacets(2, 1)), part(5, "asia", partFacets(2, 2)), part(6, "eu", partFacets(2, 0))];
    const after = writtenAfterEach([...first, ...next]).slice(2);
    expect(new Set(after.map(String))).toEqual(new Set(["asia,eu,us"]));
  });

  test("An index that a DAG run does not report any more goes when a later DAG run begins", () => {
    const next = [part(4, "eu", partFacets(2, 0)), part(5, "us", partFacets(2, 1))];
    expect(written([...first, ...next])).toEqual(["asia", "eu", "us"]);
    expect(written([...first, ...next, part(6, "us", partFacets(3, 1))])).toEqual(["eu", "us"]);
  });

  test("DAG runs that overlap do not take each other's indexes away", () => {
    const overlapping = [1, 2, 3].flatMap((dagRun) => [dagRun, dagRun + 10].map((at) => [dagRun, at] as const));
    const events = overlapping
      .toSorted(([, a], [, b]) => a - b)
      .map(([dagRun, at]) => part(at, at > 10 ? "us" : "eu", partFacets(dagRun, at > 10 ? 1 : 0, 0)));
    expect(writtenAfterEach(events).slice(3)).toEqual([
      ["eu", "us"],
      ["eu", "us"],
      ["eu", "us"],
    ]);
  });

  test("A task of Airflow that is not mapped is replaced by its next run in the same DAG run", () => {
    const facets = { ...partFacets(1), airflow: facet({ taskInstance: { try_number: 1 } }) };
    expect(written([part(1, "eu", facets), part(2, "us", facets)])).toEqual(["us"]);
  });

  test("Whether a run of Airflow is a part is told by any of its events", () => {
    const parent = partFacets(1);
    const single = { ...parent, airflow: facet({ taskInstance: { map_index: -1 } }) };
    const runOf = (run: number, table: string, began: Record<string, unknown>): Event[] => [
      part(run, table, began, { at: run * 2, state: "START" }),
      part(run, table, parent, { at: run * 2 + 1 }),
    ];
    const tries = [...runOf(1, "eu", single), ...runOf(2, "us", single)];
    const mapped = [...runOf(1, "eu", partFacets(1, 0)), ...runOf(2, "us", partFacets(1, 0))];
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
    ]) {
      expect(written(order.flatMap<Event>((i) => tries[i] ?? []))).toEqual(["us"]);
      expect(written(order.flatMap<Event>((i) => mapped[i] ?? []))).toEqual(["us"]);
    }
  });

  test("A static description of the job replaces all mapped runs, and a mapped run replaces it", () => {
    const described = jobEvent({ at: 4, inputs: [pg("raw")], outputs: [pg("all")] });
    expect(written([described, ...first])).toEqual(["all"]);
    expect(written([...first, described, part(5, "eu", partFacets(2, 0))])).toEqual(["eu"]);
  });

  test("The SQL of a mapped job is that of the first index, whichever ends last", () => {
    const [eu, us] = [part(2, "eu", partFacets(1, 0), sqlOf("eu")), part(3, "us", partFacets(1, 1), sqlOf("us"))];
    const inbox = createInbox();
    for (const event of [eu, us, part(1, "asia", partFacets(1, 2), sqlOf("asia"))]) inbox.send(event);
    const stated = inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset] : []));
    expect(stated.find(({ ref }) => ref.type === "pipeline")?.facts?.sql).toBe("eu");
  });

  test("A table that one mapped run dropped is not held because another one completed later", () => {
    const dropped = pg("eu", { lifecycleStateChange: facet({ lifecycleStateChange: "DROP" }) });
    const inbox = createInbox();
    inbox.send(part(1, "eu", partFacets(1, 0)));
    inbox.send(runEvent({ run: 2, at: 2, job: "clean", outputs: [dropped] }));
    inbox.send(part(3, "us", partFacets(1, 1)));
    const stated = inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset.name] : []));
    expect(stated).not.toContain("eu");
    expect(stated).toContain("us");
  });

  test("Of what an earlier try and another index say about a table, the later counts", () => {
    const events = [describing(1, 0, "first"), describing(2, 1, "second"), describing(3, 1)];
    for (const order of [events, events.toReversed(), [1, 2, 0].map((i) => events[i])]) {
      const inbox = createInbox();
      for (const event of order) inbox.send(event);
      const stated = inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset] : []));
      expect(stated.find(({ name }) => name === "eu")?.facts?.description).toBe("second");
    }
  });

  test("What an index completes with counts only if it names a dataset, in any order", () => {
    const events = [
      runEvent({ run: 1, at: 1, state: "START", outputs: [pg("eu")], runFacets: partFacets(1, 0), ...sqlOf("eu") }),
      runEvent({ run: 1, at: 3, runFacets: partFacets(1, 0), ...sqlOf("none") }),
      part(2, "us", partFacets(1, 1)),
      part(4, "us", partFacets(1, 1)),
    ];
    const stated = [
      [0, 1, 2, 3],
      [1, 2, 3, 0],
      [3, 2, 1, 0],
    ].map((order) => {
      const inbox = createInbox();
      for (const i of order) inbox.send(events[i]);
      return inbox.state();
    });
    expect(stated[1]).toEqual(stated[0]);
    expect(stated[2]).toEqual(stated[0]);
    expect(JSON.stringify(stated[0])).toContain(String.raw`\"sql\":\"eu\"`);
  });

  test("Many indexes that complete without a dataset are not taken for runs that have not completed", () => {
    const inbox = createInbox();
    inbox.send(part(0, "eu", partFacets(1, 0)));
    for (let index = 1; index <= 120; index++) {
      for (const state of ["START", "COMPLETE"]) {
        inbox.send(runEvent({ run: index, at: index, state, runFacets: partFacets(1, index) }));
      }
    }
    expect(inbox.events().filter(({ kind }) => kind === "error")).toEqual([]);
  });

  test("An event that begins a mapped run is not kept if the event that ends the run says the same", () => {
    const inbox = createInbox();
    for (let index = 0; index < 20; index++) {
      const given = { run: index, runFacets: partFacets(1, index), inputs: [pg("raw")], outputs: [pg(`part${index}`)] };
      inbox.send(runEvent({ ...given, at: index, state: "START" }));
      inbox.send(runEvent({ ...given, at: index + 5 }));
    }
    expect(edgesOf(inbox).filter((line) => line.startsWith("nightly.load "))).toHaveLength(20);
    // A message of each run, and a note about each dataset and to the DAG.
    expect(inbox.kept()).toBe(20 + 22);
  });

  test("Mapped runs that report more than is kept say so, also after the next event", () => {
    const inbox = createInbox();
    const description = "x".repeat(3 * 1024 * 1024);
    const large = (index: number) =>
      runEvent({
        run: index + 1,
        at: index,
        runFacets: partFacets(1, index),
        outputs: [pg(`part${index}`, { documentation: facet({ description }) })],
      });
    for (const index of [0, 1]) inbox.send(large(index));
    expect(inbox.state()["job:nightly\nload"]).toContain("warning run_too_large");
    inbox.send(part(9, "small", partFacets(1, 9)));
    expect(inbox.state()["job:nightly\nload"]).toContain("warning run_too_large");
  });
});

describe("Parts without a number", () => {
  test("Several runs of a job within one larger run decide together", () => {
    const events = ["eu", "us", "asia"].map((table, i) => part(i, table, partFacets(1)));
    expect(written(events)).toEqual(["asia", "eu", "us"]);
  });

  test("They replace those of the larger run before once they are as many, so that no table is away in between", () => {
    const before = ["eu", "us", "asia"].map((table, i) => part(i, table, partFacets(1)));
    const next = ["asia", "eu", "apac"].map((table, i) => part(i + 5, table, partFacets(2)));
    expect(writtenAfterEach([...before, ...next]).slice(3)).toEqual([
      ["asia", "eu", "us"],
      ["asia", "eu", "us"],
      ["apac", "asia", "eu"],
    ]);
  });

  test("If each larger run runs the job once, the latest run decides alone", () => {
    expect(written([part(1, "eu", partFacets(1)), part(2, "us", partFacets(2))])).toEqual(["us"]);
  });

  test("A larger run that runs the same job for ever keeps one message of it, and one in case that the run fails", () => {
    const inbox = createInbox();
    for (let run = 1; run <= 300; run++) inbox.send(part(run, "eu", partFacets(1)));
    expect(inbox.kept()).toBe(2 + 3);
  });

  test("What the runs of a mapped task ask of a database decides together, by the outermost run", () => {
    expect(written([asked(1, "eu"), asked(2, "us")])).toEqual(["eu", "us"]);
  });
});
