/** Jobs that are parts of others: the commands of a Spark application, and the application within a task of Airflow. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { propertyRuns } from "../../../support/depth.ts";
import {
  createInbox,
  edgesOf,
  type Event,
  facet,
  inputField,
  pg,
  runEvent,
  runId,
  schemaFacet,
} from "../../../support/lineage-events.ts";

const application = { jobType: facet({ processingType: "NONE", integration: "SPARK", jobType: "APPLICATION" }) };
const spark = { jobType: facet({ processingType: "BATCH", integration: "SPARK", jobType: "SQL_JOB" }) };

function parentOf(job: string, run: number, root?: string) {
  const of = (name: string) => ({ job: { namespace: "nightly", name }, run: { runId: runId(run) } });
  return { runFacets: { parent: facet({ ...of(job), ...(root && { root: of(root) }) }) } };
}

/** An application's run. */
function app(run: number, at: number, state = "COMPLETE"): Event {
  return runEvent({ job: "app", run, at, state, jobFacets: application });
}

/** A command that a run of the application ran. Its own run has the number of its time. */
function command(plan: string, of: number, at: number, [from, to]: readonly [string, string]): Event {
  const datasets = { inputs: [pg(from)], outputs: [pg(to)] };
  return runEvent({
    job: `app.${plan}`,
    run: 100 + at,
    at,
    ...datasets,
    jobFacets: spark,
    ...parentOf("app", of, "app"),
  });
}

/** The facets of a table whose only column is that of another one. */
const copyOf = (table: string) => ({
  columnLineage: facet({
    fields: { x: { inputFields: [inputField(table, "x", { type: "DIRECT", subtype: "IDENTITY" })] } },
  }),
  ...schemaFacet("x"),
});

function task(job: string, of: number, at: number): Event {
  return runEvent({ job, run: 100 + at, at, outputs: [pg("t")], ...parentOf("dag", of) });
}

function stateOf(events: readonly Event[]) {
  const inbox = createInbox();
  for (const event of events) inbox.send(event);
  return inbox;
}

function linesOf(events: readonly Event[]): string[] {
  return edgesOf(stateOf(events)).map((line) => line.replaceAll("shop.public.", "").replaceAll("nightly.", ""));
}

function pipelinesOf(events: readonly Event[]) {
  const stated = stateOf(events).events();
  return Object.fromEntries(
    stated.flatMap((event) =>
      event.kind === "asset" && event.asset.ref.type === "pipeline"
        ? [[event.asset.name, event.asset.facts?.meta?.["parts_that_read"]]]
        : [],
    ),
  );
}

/** A run of the application, with one command, within a run of a DAG. */
const runWithin = (dagRun: number, name: string, of: number, at: number) => {
  const ran = command(name, of, at, ["s", "t"]);
  const { job, run } = parentOf("app", of).runFacets.parent as Record<string, unknown>;
  const root = { job: { namespace: "nightly", name: "dag" }, run: { runId: runId(dagRun) } };
  return [
    { ...ran, run: { ...(ran["run"] as object), facets: { parent: facet({ job, run, root }) } } },
    app(of, at + 1),
  ];
};

const writersOf = (events: readonly Event[]) => linesOf(events).filter((line) => line.startsWith("app."));

describe("Commands of a Spark application", () => {
  const first = [app(1, 0, "START"), command("plan_a.t", 1, 1, ["s1", "t"]), app(1, 2)];
  const second = [app(2, 10, "START"), command("plan_b.t", 2, 11, ["s2", "t"]), app(2, 12)];

  test("Those of the last run of the application that wrote a table decide, whatever they are called", () => {
    const all = [...first, ...second];
    const expected = ["app materializes t", "app.plan_b.t materializes t", "s2 reads app.plan_b.t"];
    expect(linesOf(all)).toEqual(expected);
    expect(linesOf(all.toReversed())).toEqual(expected);
    expect(Object.keys(pipelinesOf(all)).toSorted()).toEqual(["app", "app.plan_b.t"]);
  });

  test("Until the later run of the application completes, both write the table", () => {
    const all = [...first, ...second.slice(0, 2)];
    expect(linesOf(all)).toHaveLength(6);
    expect(linesOf([...all, app(2, 12, "FAIL")])).toHaveLength(6);
  });

  test("Commands of one run that write the same table write it together", () => {
    const other = command("plan_c.t", 2, 13, ["s3", "t"]);
    expect(linesOf([...first, ...second, other])).toEqual([
      "app materializes t",
      "app materializes t",
      "app.plan_b.t materializes t",
      "app.plan_c.t materializes t",
      "s2 reads app.plan_b.t",
      "s3 reads app.plan_c.t",
    ]);
  });

  test("What was replaced does not come back while a later run goes on, or after it failed", () => {
    const all = [...first, ...second, command("plan_b.t", 3, 21, ["s2", "t"])];
    expect(linesOf(all)).not.toContain("s1 reads app.plan_a.t");
    expect(linesOf([...all, app(3, 22, "FAIL")])).not.toContain("s1 reads app.plan_a.t");
  });

  test("Runs of an application within one run of a DAG write a table together, and those of the next run replace them", () => {
    const both = [...runWithin(900, "eu.t", 1, 1), ...runWithin(900, "us.t", 2, 3)];
    expect(writersOf(both)).toEqual(["app.eu.t materializes t", "app.us.t materializes t"]);
    expect(writersOf([...both, ...runWithin(901, "all.t", 3, 5)])).toEqual(["app.all.t materializes t"]);
  });

  test("What a command writes besides, and what only an earlier run wrote, stays", () => {
    const both = runEvent({
      job: "app.both",
      run: 50,
      at: 1.5,
      inputs: [pg("s1")],
      outputs: [pg("t"), pg("u")],
      jobFacets: spark,
      ...parentOf("app", 1, "app"),
    });
    const lines = linesOf([...first, both, ...second]);
    expect(lines).toContain("app.both materializes u");
    expect(lines).toContain("s1 reads app.both");
    expect(lines).not.toContain("app.both materializes t");
  });

  test("What only a replaced table was made from does not feed what the command still writes", () => {
    const both = runEvent({
      job: "app.both",
      run: 50,
      at: 1.5,
      inputs: [pg("s1"), pg("s2")],
      outputs: [pg("t", copyOf("s1")), pg("u", copyOf("s2"))],
      jobFacets: spark,
      ...parentOf("app", 1, "app"),
    });
    const lines = linesOf([both, app(1, 2), ...second]).filter((line) => line.includes("derives"));
    expect(lines).toEqual(["s2 derives u", "s2.x derives u.x DIRECT IDENTITY []"]);
  });

  test("Jobs of other tools that write the same table within one do not replace each other", () => {
    const dag = [1, 2].map((run) => runEvent({ job: "dag", run, at: run * 10 }));
    const lines = linesOf([task("dag.a", 1, 5), task("dag.b", 2, 15), ...dag]);
    expect(lines.filter((line) => line.startsWith("dag."))).toEqual(["dag.a materializes t", "dag.b materializes t"]);
  });

  test("A command that names no dataset, or was not completed, is no pipeline", () => {
    const given = { at: 1, jobFacets: spark, ...parentOf("app", 1, "app") };
    const events = [
      runEvent({ job: "app.11", run: 11, ...given }),
      runEvent({ job: "app.map", run: 12, state: "START", inputs: [pg("s")], ...given }),
      runEvent({ job: "app.collect", run: 13, inputs: [pg("s")], ...given }),
    ];
    expect(Object.keys(pipelinesOf([...events, app(1, 2)])).toSorted()).toEqual(["app", "app.collect"]);
  });

  test("Random applications state the same in any order", () => {
    const anyRun = fc.record({
      end: fc.constantFrom("COMPLETE", "COMPLETE", "FAIL", null),
      commands: fc.array(
        fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("s1", "s2"), fc.constantFrom("t", "u")),
        { maxLength: 3 },
      ),
    });
    const anyEvents = fc
      .array(anyRun, { maxLength: 4 })
      .map((runs) =>
        runs.flatMap(({ end, commands }, i) => [
          app(i, i * 10, "START"),
          ...commands.map(([plan, from, to], at) => command(plan, i, i * 10 + at + 1, [from, to])),
          ...(end === null ? [] : [app(i, i * 10 + 9, end)]),
        ]),
      );
    const anyOrder = anyEvents.chain((events) => {
      const twice = [...events, ...events];
      const all = { minLength: twice.length, maxLength: twice.length };
      return fc.tuple(fc.constant(events), fc.shuffledSubarray(twice, all));
    });
    fc.assert(
      fc.property(anyOrder, ([events, shuffled]) => {
        expect(stateOf(shuffled).state()).toEqual(stateOf(events).state());
      }),
      propertyRuns(300),
    );
  });
});

describe("Jobs around a job", () => {
  const started = runEvent({ job: "dag.task", run: 3, at: 0, ...parentOf("dag", 4, "dag") });
  const ended = runEvent({ job: "app", run: 1, at: 3, jobFacets: application, ...parentOf("dag.task", 3, "dag") });
  const ran = { job: "app.cmd", run: 2, at: 2, inputs: [pg("s")], outputs: [pg("t")], jobFacets: spark };

  test("The task between a DAG and a Spark application writes what the application's commands write", () => {
    const events = [started, runEvent({ ...ran, ...parentOf("app", 1, "dag") }), ended];
    const expected = ["app", "app.cmd", "dag", "dag.task"].map((job) => `${job} materializes t`);
    expect(linesOf(events)).toEqual([...expected, "s reads app.cmd"]);
    expect(linesOf(events.toReversed())).toEqual([...expected, "s reads app.cmd"]);
    const other = runEvent({ ...ran, ...parentOf("app", 1, "other") });
    expect(linesOf([started, other, ended])).not.toContain("dag.task materializes t");
  });

  test("A job whose parts read says so, as it has no edges from what they read", () => {
    const events = [started, runEvent({ ...ran, ...parentOf("app", 1, "dag") }), ended];
    const parts = ["nightly.app.cmd"];
    expect(pipelinesOf(events)).toEqual({ app: parts, "app.cmd": undefined, "dag.task": parts, dag: parts });
    expect(pipelinesOf([ended])).toEqual({ app: undefined });
  });

  test("A job that sends no events is stated while a part of it reads or writes", () => {
    const writing = runEvent({ ...ran, inputs: [], ...parentOf("app", 1) });
    expect(pipelinesOf([writing])).toEqual({ app: undefined, "app.cmd": undefined });
    expect(pipelinesOf([writing, runEvent({ ...ran, run: 9, at: 9 })])).toEqual({ "app.cmd": undefined });
  });

  test("Jobs that name each other in a circle come to an end, and state the same in any order", () => {
    for (const size of [1, 2, 3, 4, 5]) {
      const [first, ...others] = Array.from({ length: size }, (_, i) =>
        runEvent({ ...ran, job: `job_${i}`, run: i, ...parentOf(`job_${(i + 1) % size}`, 9) }),
      );
      const events = [...others, ...(first ? [first] : [])];
      expect(linesOf(events.toReversed())).toEqual(linesOf(events));
      expect(linesOf(events).filter((line) => line.includes(" reads "))).toHaveLength(size);
    }
  });

  test("An application whose type is not told is stated, though it names no dataset", () => {
    const untyped = { jobType: facet({ processingType: "NONE", integration: "SPARK" }) };
    const events = [
      runEvent({ ...ran, ...parentOf("app", 1) }),
      { ...ended, job: { ...(ended["job"] as object), facets: untyped } },
    ];
    expect(Object.keys(pipelinesOf(events))).toContain("app");
  });
});
