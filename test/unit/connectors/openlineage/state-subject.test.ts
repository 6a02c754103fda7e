import { describe, expect, test } from "vitest";

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
  runEvent,
  schemaFacet,
  tablesOf,
  timeOf,
} from "../../../support/lineage-events.ts";

function inboxOf(events: readonly Event[], options: Record<string, string> = {}, now?: Date) {
  const inbox = createInbox(options, now);
  for (const event of events) inbox.send(event);
  return inbox;
}

/** The edges between assets. */
function assetEdges(events: readonly Event[]): string[] {
  return edgesOf(inboxOf(events)).map((line) => line.replaceAll("shop.public.", "").replaceAll("nightly.", ""));
}

const io = { inputs: [pg("raw")], outputs: [pg("clean")] };
const RAW_TO_CLEAN = ["load materializes clean", "raw reads load"];

describe("The deciding run of a job", () => {
  test("A completed run decides a job's lineage, with all that its events name together", () => {
    const events = [
      runEvent({ state: "START", at: 1, inputs: [pg("raw")] }),
      runEvent({ state: "RUNNING", at: 2, outputs: [pg("clean")] }),
      runEvent({ state: "COMPLETE", at: 3 }),
    ];
    expect(assetEdges(events)).toEqual(RAW_TO_CLEAN);
    expect(assetEdges(events.toReversed())).toEqual(RAW_TO_CLEAN);
  });

  test.each(["START", "RUNNING", "OTHER", "FAIL", "ABORT"])(
    "A run that only reached %s decides no lineage, but its pipeline is stated",
    (state) => {
      const inbox = inboxOf([runEvent({ ...io, state })]);
      expect(edgesOf(inbox)).toEqual([]);
      expect(Object.keys(inbox.state())).toEqual(["job:nightly\nload"]);
    },
  );

  test("The latest completed run decides by its own time, whatever arrived later", () => {
    const late = runEvent({ run: 1, at: 10, ...io });
    const early = runEvent({ run: 2, at: 5, inputs: [pg("old")], outputs: [pg("clean")] });
    expect(assetEdges([late, early])).toEqual(RAW_TO_CLEAN);
    expect(assetEdges([early, late])).toEqual(RAW_TO_CLEAN);
  });

  test("Of two runs at the same time, the one with the higher id decides", () => {
    const one = runEvent({ run: 1, at: 5, inputs: [pg("old")], outputs: [pg("clean")] });
    const other = runEvent({ run: 2, at: 5, ...io });
    expect(assetEdges([one, other])).toEqual(RAW_TO_CLEAN);
    expect(assetEdges([other, one])).toEqual(RAW_TO_CLEAN);
  });

  test("A later run that failed, or that names no dataset, does not decide", () => {
    const failed = runEvent({ run: 2, at: 20, state: "FAIL", inputs: [pg("other")] });
    const empty = runEvent({ run: 3, at: 30 });
    expect(assetEdges([runEvent({ run: 1, at: 10, ...io }), failed, empty])).toEqual(RAW_TO_CLEAN);
  });

  test.each(["FAIL", "ABORT"])(
    "A run that says %s and COMPLETE has failed, whichever is said or arrives first",
    (state) => {
      const facets = { documentation: facet({ description: "wrong" }) };
      const wrong = { run: 2, inputs: [pg("other")], outputs: [pg("clean", facets)] };
      const good = runEvent({ run: 1, at: 10, ...io });
      const [failed, completed] = [runEvent({ ...wrong, at: 20, state }), runEvent({ ...wrong, at: 21 })];
      const stated = inboxOf([good]).state();
      for (const events of [
        [good, failed, completed],
        [good, completed, failed],
        [completed, good, failed],
        [failed, runEvent({ ...wrong, at: 19 }), good],
        [completed, failed, completed, good],
      ]) {
        expect(inboxOf(events).state()).toEqual(stated);
      }
      expect(assetEdges([completed, failed])).toEqual([]);
    },
  );

  test("What a failed run said of a dataset is forgotten, even if its failure arrives when others have replaced the run", () => {
    const wrong = { run: 1, inputs: [pg("other", schemaFacet("wrong"))] };
    const later = [2, 3].map((run) => runEvent({ run, at: 10 * run, inputs: [pg("other")], outputs: [pg("clean")] }));
    const inbox = inboxOf([runEvent({ ...wrong, at: 10 }), ...later]);
    expect(tablesOf(inbox)).toMatchObject({ "shop.public.other": ["wrong"] });
    inbox.send(runEvent({ ...wrong, at: 11, state: "FAIL" }));
    expect(tablesOf(inbox)).toMatchObject({ "shop.public.other": [] });
  });

  test("A table that a failed run dropped is still held", () => {
    const dropped = pg("clean", { lifecycleStateChange: facet({ lifecycleStateChange: "DROP" }) });
    const drop = { run: 2, outputs: [dropped, pg("new")] };
    const events = [runEvent({ run: 1, at: 10, ...io }), runEvent({ ...drop, at: 20 })];
    const failed = [...events, runEvent({ ...drop, at: 19, state: "FAIL" })];
    expect(tablesOf(inboxOf(failed))).toEqual(tablesOf(inboxOf(events.slice(0, 1))));
  });

  test("A run decides even if its completion arrives before the event that names its datasets", () => {
    const old = runEvent({ run: 1, at: 10, inputs: [pg("old")], outputs: [pg("clean")] });
    const end = runEvent({ run: 2, at: 30 });
    const start = runEvent({ run: 2, at: 20, state: "START", ...io });
    expect(assetEdges([old, end, start])).toEqual(RAW_TO_CLEAN);
  });

  test("A static description of a job decides like a run at its time", () => {
    const old = runEvent({ at: 10, inputs: [pg("old")], outputs: [pg("clean")] });
    expect(assetEdges([jobEvent({ at: 20, ...io }), old])).toEqual(RAW_TO_CLEAN);
    expect(assetEdges([jobEvent({ at: 5, ...io }), old])).toEqual(["load materializes clean", "old reads load"]);
  });

  test("Only a few messages are kept of a job that runs for ever", () => {
    const inbox = createInbox();
    for (let run = 1; run <= 100; run++) {
      inbox.send(runEvent({ run, at: run, state: "START", ...io }));
      inbox.send(runEvent({ run, at: run }));
    }
    // The two messages of the last run, those of the one before, in case that the last one fails, and a note about each dataset.
    expect(inbox.kept()).toBe(6);
  });

  test("A run whose last event is a month old is no longer waited for", () => {
    const inbox = inboxOf([
      runEvent({ run: 1, at: 0, state: "START", ...io }),
      runEvent({ run: 2, at: 31 * 24 * 60, ...io }),
    ]);
    expect(inbox.kept()).toBe(3);
  });

  test("Runs that never complete are dropped, the oldest first, with a warning", () => {
    const inbox = createInbox();
    inbox.send(runEvent({ run: 1_000, at: 0, ...io }));
    for (let run = 1; run <= 250; run++) inbox.send(runEvent({ run, at: run, state: "START" }));
    expect(inbox.kept()).toBe(202);
    expect(inbox.state()["job:nightly\nload"]).toContain("warning unfinished_runs_dropped");
    expect(edgesOf(inbox)).toHaveLength(2);
  });
});

describe("Pipelines", () => {
  test("A pipeline has the properties that the facets of its job and run give", () => {
    const jobFacets = {
      documentation: facet({ description: "Loads orders." }),
      ownership: facet({ owners: [{ name: "airflow" }, { name: "ana" }, { name: "team:data@example.com" }] }),
      tags: facet({
        tags: [
          { key: "nightly", value: "true" },
          { key: "Daily", value: "Daily" },
          { key: "tier", value: "1" },
        ],
      }),
      sql: facet({ query: "insert into clean select * from raw" }),
      jobType: facet({ processingType: "BATCH", integration: "AIRFLOW", jobType: "TASK" }),
      sourceCodeLocation: facet({ type: "git", url: "https://example.com/dags/load.py" }),
    };
    const runFacets = { parent: facet({ run: { runId: "x" }, job: { namespace: "nightly", name: "all" } }) };
    const inbox = inboxOf([runEvent({ at: 7, ...io, jobFacets, runFacets })]);
    const stated = inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset] : []));
    expect(stated.find(({ ref }) => ref.type === "pipeline")).toEqual({
      ref: { platform: "openlineage", instance: "", type: "pipeline", parts: ["nightly", "load"] },
      name: "load",
      columns: [],
      facts: {
        description: "Loads orders.",
        owner: "data@example.com",
        tags: ["nightly", "Daily", "tier:1"],
        sql: "insert into clean select * from raw",
        url: "https://example.com/dags/load.py",
        meta: {
          namespace: "nightly",
          integration: "AIRFLOW",
          job_type: "TASK",
          processing_type: "BATCH",
          parent: { namespace: "nightly", name: "all" },
          other_owners: ["ana"],
        },
        latest: { last_run: { run_id: "00000000-0000-4000-8000-000000000001", at: timeOf(7) } },
      },
    });
  });
});

const partOf = (parent: string, root?: string) => ({
  parent: facet({
    job: { namespace: "nightly", name: parent },
    ...(root && { root: { job: { namespace: "nightly", name: root } } }),
  }),
});

describe("Jobs that are part of others", () => {
  test("A job's writes count for its parent pipelines too, but its reads do not", () => {
    expect(assetEdges([runEvent({ ...io, runFacets: partOf("task", "dag") })])).toEqual([
      "dag materializes clean",
      "load materializes clean",
      "task materializes clean",
      "raw reads load",
    ]);
    expect(assetEdges([runEvent({ ...io, runFacets: partOf("dag", "dag") })])).toEqual([
      "dag materializes clean",
      ...RAW_TO_CLEAN,
    ]);
    expect(assetEdges([runEvent({ ...io, runFacets: partOf("load") })])).toEqual(RAW_TO_CLEAN);
  });

  test("A parent pipeline loses a job's writes when a later run names no parent", () => {
    const events = [runEvent({ run: 1, at: 1, ...io, runFacets: partOf("dag") }), runEvent({ run: 2, at: 2, ...io })];
    expect(assetEdges(events)).toEqual(RAW_TO_CLEAN);
  });
});

function ofType(jobType: string) {
  return { jobType: facet({ processingType: "BATCH", integration: "AIRFLOW", jobType }) };
}

/** What writes after a run of a job in a DAG that another one started. */
function writesOf(job: string, jobType: string, parent: string): string[] {
  const outputs = [pg("clean")];
  return assetEdges([runEvent({ outputs, job, jobFacets: ofType(jobType), runFacets: partOf(parent, "starter") })]);
}

describe("DAGs of Airflow that another DAG started", () => {
  test("A task's writes count for its DAG, and not for the DAG that started the run", () => {
    expect(writesOf("dag.task", "TASK", "dag")).toEqual(["dag materializes clean", "dag.task materializes clean"]);
  });

  test("The writes of what a task's hook runs count for the task and its DAG", () => {
    const runFacets = partOf("dag.task", "dag");
    const event = runEvent({ outputs: [pg("clean")], job: "dag.task.query.1", jobFacets: ofType("QUERY"), runFacets });
    expect(assetEdges([event])).toEqual([
      "dag materializes clean",
      "dag.task materializes clean",
      "dag.task.query.1 materializes clean",
    ]);
    expect(writesOf("dag.task.query.1", "QUERY", "dag.task")).toEqual([
      "dag.task materializes clean",
      "dag.task.query.1 materializes clean",
    ]);
  });

  test("A DAG is a part of nothing, and its last run says what started it", () => {
    const inbox = inboxOf([
      runEvent({ job: "dag", jobFacets: ofType("DAG"), runFacets: partOf("starter.trigger", "starter") }),
    ]);
    const [stated] = inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset] : []));
    expect(stated?.facts?.meta).not.toHaveProperty("parent");
    expect(stated?.facts?.latest).toMatchObject({
      last_run: { started_by: { namespace: "nightly", name: "starter.trigger" } },
    });
  });
});

const writes = (at: number, ...columns: string[]) =>
  runEvent({ job: "writer", run: at, at, outputs: [pg("t", schemaFacet(...columns))] });
const reads = (job: string, at: number, ...columns: string[]) =>
  runEvent({ job, run: at, at, inputs: [pg("t", schemaFacet(...columns))] });

/** The columns of the table `t`, the same in both orders of the events. */
const columnsAfter = (...events: Event[]) => {
  const columns = tablesOf(inboxOf(events))["shop.public.t"];
  expect(tablesOf(inboxOf(events.toReversed()))["shop.public.t"]).toEqual(columns);
  return columns;
};

describe("The datasets that are stated", () => {
  test("Datasets that a completed run read or wrote are stated", () => {
    const described = pg("described", schemaFacet("a"));
    const run = { inputs: [pg("read"), described], outputs: [pg("written")] };
    expect(tablesOf(inboxOf([runEvent({ ...run, state: "FAIL" })]))).toEqual({});
    expect(tablesOf(inboxOf([runEvent(run)]))).toEqual({
      "shop.public.described": ["a"],
      "shop.public.read": [],
      "shop.public.written": [],
    });
  });

  test("A dropped table is stated again if a run that completes later reads it", () => {
    const dropped = runEvent({ job: "clean up", run: 1, at: 2, outputs: [pg("raw", change("DROP"))] });
    const readAt = (at: number) => tablesOf(inboxOf([runEvent({ run: 2, at, inputs: [pg("raw")] }), dropped]));
    expect(readAt(1)).toEqual({});
    expect(readAt(3)).toEqual({ "shop.public.raw": [] });
  });

  test("A dataset that a run reads and writes has the columns that the run gave it", () => {
    const before = pg("t", schemaFacet("id", "z_old"));
    const after = pg("t", schemaFacet("id", "a_new"));
    expect(tablesOf(inboxOf([runEvent({ inputs: [before], outputs: [after] })]))).toEqual({
      "shop.public.t": ["id", "a_new"],
    });
    const events = [runEvent({ state: "START", at: 1, outputs: [after] }), runEvent({ at: 2, inputs: [before] })];
    expect(tablesOf(inboxOf(events))).toEqual({ "shop.public.t": ["id", "a_new"] });
  });

  test("A dataset that a dataset event describes is stated", () => {
    const documentation = facet({ description: "Orders." });
    const inbox = inboxOf([datasetEvent(pg("orders", { ...schemaFacet("id"), documentation }))]);
    expect(tablesOf(inbox)).toEqual({ "shop.public.orders": ["id"] });
  });

  test("A dataset has the latest value of each facet, from any job", () => {
    const events = [
      runEvent({
        job: "a",
        run: 1,
        at: 1,
        outputs: [pg("t", { ...schemaFacet("old"), documentation: facet({ description: "Kept." }) })],
      }),
      runEvent({ job: "b", run: 2, at: 2, inputs: [pg("t", schemaFacet("new"))], outputs: [pg("u")] }),
    ];
    for (const order of [events, events.toReversed()]) {
      const inbox = inboxOf(order);
      expect(tablesOf(inbox)["shop.public.t"]).toEqual(["old", "new"]);
      expect(JSON.stringify(inbox.state())).toContain("Kept.");
    }
  });

  test("A run that says nothing about a facet does not take away what an earlier run of the job said", () => {
    const old = runEvent({ job: "b", run: 1, at: 1, inputs: [pg("t", schemaFacet("a", "old"))] });
    const said = runEvent({ job: "a", run: 2, at: 2, outputs: [pg("t", { ...schemaFacet("a"), ...told("a") })] });
    const silent = runEvent({ job: "a", run: 3, at: 3, outputs: [pg("t")] });
    for (const order of [
      [old, said, silent],
      [silent, said, old],
      [said, silent, silent, old],
    ]) {
      const inbox = inboxOf(order);
      expect(tablesOf(inbox)).toEqual({ "shop.public.t": ["a"] });
      // Lineage is what the deciding run says.
      expect(edgesOf(inbox).join()).not.toContain("derives");
    }
    const later = runEvent({ job: "b", run: 4, at: 4, inputs: [pg("t", schemaFacet("new"))] });
    expect(tablesOf(inboxOf([old, said, silent, later]))).toEqual({ "shop.public.t": ["a", "new"] });
  });

  test("Who writes a dataset decides its columns, and who reads it later only adds some", () => {
    expect(columnsAfter(writes(1, "a", "b"), reads("r", 2, "b"))).toEqual(["a", "b"]);
    expect(columnsAfter(writes(1, "a", "b"), reads("r", 2, "b", "part"))).toEqual(["a", "b", "part"]);
    expect(columnsAfter(writes(1, "a", "b"), reads("r", 2, "b", "part"), writes(3, "a"))).toEqual(["a"]);
    expect(columnsAfter(reads("r", 1, "a", "b"), reads("s", 2, "b", "c"))).toEqual(["b", "c", "a"]);
    expect(columnsAfter(reads("r", 1, "a", "b"), reads("r", 2, "a"))).toEqual(["a"]);
    const described = datasetEvent(pg("t", schemaFacet("a", "new")), 3);
    expect(columnsAfter(writes(1, "a", "b"), reads("r", 2, "b"), described)).toEqual(["a", "new"]);
    const deleted = runEvent({
      job: "writer",
      run: 4,
      at: 4,
      outputs: [pg("t", { schema: facet({ _deleted: true }) })],
    });
    expect(columnsAfter(writes(1, "a", "b"), reads("r", 2, "b"), deleted)).toEqual([]);
  });

  test("The columns that Iceberg makes up are none of the table, and nothing comes from them", () => {
    const storage = facet({ storageLayer: "iceberg", fileFormat: "parquet" });
    const columnLineage = facet({
      fields: { id: { inputFields: [inputField("t", "id", COPY)] } },
      dataset: [inputField("t", "_file", COPY), inputField("plain", "_file", COPY)],
    });
    const inbox = inboxOf([
      runEvent({
        inputs: [pg("t", { ...schemaFacet("id", "_file"), storage }), pg("plain", schemaFacet("_file"))],
        outputs: [pg("out", { ...schemaFacet("id"), columnLineage })],
      }),
    ]);
    expect(tablesOf(inbox)).toMatchObject({ "shop.public.t": ["id"], "shop.public.plain": ["_file"] });
    const fromFile = edgesOf(inbox).filter((line) => line.includes("_file derives"));
    expect(fromFile.every((line) => line.startsWith("shop.public.plain._file"))).toBe(true);
    expect(fromFile).not.toEqual([]);
  });

  test("The fields of Iceberg's _partition are no columns, and a schema with nothing else says nothing", () => {
    const storage = facet({ storageLayer: "iceberg" });
    const partition = { name: "_partition", fields: [{ name: "day" }] };
    const written = runEvent({ job: "writer", at: 1, outputs: [pg("t", { ...schemaFacet("id"), storage })] });
    const deleted = runEvent({
      job: "deletes",
      run: 2,
      at: 2,
      outputs: [pg("t", { schema: facet({ fields: [partition] }), storage })],
    });
    expect(tablesOf(inboxOf([written, deleted]))).toEqual({ "shop.public.t": ["id"] });
  });

  test("What readers saw before a dataset was dropped are no columns of what was made later", () => {
    const dropped = runEvent({
      job: "drops",
      run: 2,
      at: 2,
      outputs: [pg("t", { lifecycleStateChange: facet({ lifecycleStateChange: "DROP" }) })],
    });
    const silent = runEvent({ job: "r", run: 3, at: 3, inputs: [pg("t")] });
    expect(columnsAfter(runEvent({ job: "r", at: 1, inputs: [pg("t", schemaFacet("a"))] }), dropped, silent)).toEqual(
      [],
    );
  });

  test("A dataset has at most as many columns as one schema may list, whatever its readers saw", () => {
    const [ofR, ofS] = ["a", "b"].map((prefix) => Array.from({ length: 6_000 }, (_, i) => `${prefix}${i}`));
    const inbox = inboxOf([reads("r", 1, ...(ofR ?? [])), reads("s", 2, ...(ofS ?? []))]);
    expect(tablesOf(inbox)["shop.public.t"]).toHaveLength(10_000);
  });

  test("A column that a renamed dataset got later does not come from its old name", () => {
    const { namespace, name } = pg("old");
    const renamed = facet({ lifecycleStateChange: "RENAME", previousIdentifier: { namespace, name } });
    const events = [
      datasetEvent(pg("t", { ...schemaFacet("a"), lifecycleStateChange: renamed }), 1),
      datasetEvent(pg("t", schemaFacet("a", "later")), 2),
    ];
    for (const order of [events, events.toReversed()]) {
      expect(assetEdges(order)).toEqual(["old derives t", "old.a derives t.a DIRECT IDENTITY []"]);
    }
  });

  test("A schema without fields says nothing about columns", () => {
    const written = runEvent({ job: "writer", run: 1, at: 1, outputs: [pg("t", schemaFacet("a"))] });
    const created = runEvent({
      job: "ddl",
      run: 2,
      at: 2,
      outputs: [pg("t", { ...schemaFacet(), ...change("CREATE") })],
    });
    expect(tablesOf(inboxOf([written, created]))).toEqual({ "shop.public.t": ["a"] });
  });

  test("What an earlier run said about a dataset goes with the dataset, and counts again if a run names it again", () => {
    const said = runEvent({ run: 1, at: 1, outputs: [pg("t", schemaFacet("a"))] });
    const other = runEvent({ run: 2, at: 2, outputs: [pg("u")] });
    const again = runEvent({ run: 3, at: 4, outputs: [pg("t")] });
    expect(tablesOf(inboxOf([said, other]))).toEqual({ "shop.public.u": [] });
    for (const order of [
      [said, other, again],
      [again, other, said],
      [said, again, other],
    ]) {
      expect(tablesOf(inboxOf(order))).toEqual({ "shop.public.t": ["a"] });
    }
    const dropped = runEvent({ job: "clean up", run: 4, at: 3, outputs: [pg("t", change("DROP"))] });
    expect(tablesOf(inboxOf([again, dropped, said]))).toEqual({ "shop.public.t": [] });
  });

  test("Of what earlier runs of a job said about datasets, only the latest is kept, up to a limit", () => {
    const documentation = facet({ description: "x".repeat(300_000) });
    const inbox = inboxOf([
      runEvent({ run: 1, at: 1, outputs: [pg("t", schemaFacet("a")), pg("u", { documentation })] }),
      runEvent({ run: 2, at: 2, outputs: [pg("v", { documentation }), pg("w", schemaFacet("b"))] }),
      runEvent({ run: 3, at: 3, outputs: [pg("t"), pg("u"), pg("v"), pg("w")] }),
    ]);
    expect(tablesOf(inbox)["shop.public.w"]).toEqual(["b"]);
    const described = inbox
      .events()
      .flatMap((event) => (event.kind === "asset" && event.asset.facts?.description ? [event.asset.name] : []));
    expect(described).toEqual(["v"]);
  });

  test("A facet with _deleted removes the earlier facet", () => {
    const events = [
      datasetEvent(pg("t", { documentation: facet({ description: "Gone." }) }), 1),
      datasetEvent(pg("t", { documentation: facet({ _deleted: true }) }), 2),
    ];
    expect(JSON.stringify(inboxOf(events.toReversed()).state())).not.toContain("Gone.");
  });

  test("A dataset has its owner, its kind and the tags of its columns", () => {
    const facets = {
      ...schemaFacet("email"),
      tags: facet({
        tags: [
          { key: "pii", value: "true", field: "EMAIL" },
          { key: "gold", value: "" },
        ],
      }),
      datasetType: facet({ datasetType: "VIEW", subType: "MATERIALIZED" }),
      ownership: facet({ owners: [{ name: "ana@example.com" }] }),
    };
    const [stated] = inboxOf([datasetEvent(pg("t", facets))])
      .events()
      .flatMap((event) => (event.kind === "asset" ? [event.asset] : []));
    expect(stated).toMatchObject({
      columns: [{ name: "email", tags: ["pii"] }],
      facts: { tags: ["gold"], materialization: "materialized", owner: "ana@example.com" },
    });
  });
});

const change = (lifecycleStateChange: string, previous?: EventDataset) => ({
  lifecycleStateChange: facet({ lifecycleStateChange, ...(previous && { previousIdentifier: previous }) }),
});

describe("Lifecycle changes", () => {
  test("A dropped table is no longer stated, until it is written again", () => {
    const written = runEvent({ job: "load", run: 1, at: 1, ...io });
    const dropped = runEvent({ job: "clean up", run: 2, at: 2, outputs: [pg("clean", change("DROP"))] });
    expect(tablesOf(inboxOf([written, dropped]))).toEqual({ "shop.public.raw": [] });
    expect(tablesOf(inboxOf([dropped, written]))).toEqual({ "shop.public.raw": [] });
    const again = runEvent({ job: "load", run: 3, at: 3, ...io });
    expect(tablesOf(inboxOf([written, dropped, again]))).toEqual({ "shop.public.clean": [], "shop.public.raw": [] });
  });

  test("A job that drops or truncates a table does not materialize it", () => {
    expect(assetEdges([runEvent({ outputs: [pg("t", change("DROP"))] })])).toEqual([]);
    expect(assetEdges([runEvent({ outputs: [pg("t", change("TRUNCATE"))] })])).toEqual([]);
    expect(tablesOf(inboxOf([runEvent({ outputs: [pg("t", change("TRUNCATE"))] })]))).toHaveProperty("shop.public.t");
    expect(assetEdges([runEvent({ outputs: [pg("t", change("OVERWRITE"))] })])).toEqual(["load materializes t"]);
  });

  test("A renamed table is stated by its new name only", () => {
    const made = runEvent({ job: "a", run: 1, at: 1, outputs: [pg("before")] });
    const renamed = runEvent({ job: "b", run: 2, at: 2, outputs: [pg("after", change("RENAME", pg("before")))] });
    expect(tablesOf(inboxOf([made, renamed]))).toEqual({ "shop.public.after": [] });
    expect(tablesOf(inboxOf([renamed, made]))).toEqual({ "shop.public.after": [] });
    const ofDataset = datasetEvent(pg("after", change("RENAME", pg("before"))), 2);
    expect(tablesOf(inboxOf([made, ofDataset]))).toEqual({ "shop.public.after": [] });
  });

  test("A table that an earlier run of the same job dropped stays gone until it is read or written later", () => {
    const written = runEvent({ job: "load", run: 1, at: 1, ...io });
    const dropped = runEvent({ job: "clean up", run: 2, at: 2, outputs: [pg("clean", change("DROP"))] });
    const renamed = runEvent({ job: "clean up", run: 3, at: 3, outputs: [pg("new", change("RENAME", pg("raw")))] });
    const other = runEvent({ job: "clean up", run: 4, at: 4, outputs: [pg("other")] });
    const described = datasetEvent(pg("raw", schemaFacet("a")), 0);
    const events = [described, written, dropped, renamed, other];
    for (const order of [events, events.toReversed()]) {
      const inbox = inboxOf(order);
      expect(tablesOf(inbox)).toEqual({ "shop.public.other": [] });
      inbox.send(runEvent({ job: "load", run: 5, at: 5, ...io }));
      const names = ["shop.public.clean", "shop.public.other", "shop.public.raw"];
      expect(Object.keys(tablesOf(inbox)).toSorted()).toEqual(names);
    }
  });

  test("A drop counts if its run completed, even if its event arrives after the next run", () => {
    const events = [
      runEvent({ job: "load", run: 1, at: 1, ...io }),
      runEvent({ job: "clean up", run: 2, at: 3 }),
      runEvent({ job: "clean up", run: 3, at: 4, outputs: [pg("other")] }),
      runEvent({ job: "clean up", run: 2, at: 2, state: "START", outputs: [pg("clean", change("DROP"))] }),
    ];
    expect(tablesOf(inboxOf(events))).toEqual({ "shop.public.other": [], "shop.public.raw": [] });
    expect(tablesOf(inboxOf(events.toSpliced(1, 1)))).toHaveProperty("shop.public.clean");
  });

  test("A table that a run drops or truncates and then fills is filled", () => {
    for (const how of ["DROP", "TRUNCATE"]) {
      const events = [
        runEvent({ state: "START", at: 1, outputs: [pg("t", change(how))] }),
        runEvent({ at: 2, inputs: [pg("raw")], outputs: [pg("t", schemaFacet("a"))] }),
      ];
      expect(assetEdges(events)).toEqual(["load materializes t", "raw reads load"]);
      const tables = { "shop.public.raw": [], "shop.public.t": ["a"] };
      expect(tablesOf(inboxOf(events.toReversed()))).toEqual(tables);
    }
  });

  test("A table that a run fills and then drops or truncates is not filled", () => {
    const [filled, dropped] = ["FILL", "DROP"].map((how, i) =>
      runEvent({
        state: i === 0 ? "START" : "COMPLETE",
        at: i,
        outputs: [pg("t", { ...schemaFacet("a"), ...change(how) })],
      }),
    );
    expect(assetEdges([filled ?? {}, dropped ?? {}])).toEqual([]);
    expect(tablesOf(inboxOf([dropped ?? {}, filled ?? {}]))).toEqual({});
    const emptied = runEvent({ at: 1, outputs: [pg("t", change("TRUNCATE"))] });
    expect(assetEdges([filled ?? {}, emptied])).toEqual([]);
  });

  test("A renamed table derives from its old name", () => {
    const renamed = pg("after", change("RENAME", pg("before")));
    expect(assetEdges([runEvent({ outputs: [renamed] })])).toEqual(["load materializes after", "before derives after"]);
    expect(assetEdges([datasetEvent(renamed)])).toEqual(["before derives after"]);
    expect(assetEdges([datasetEvent(pg("t", change("RENAME", pg("T"))))])).toEqual([]);
  });

  test("The columns of a renamed table come from those of its old name", () => {
    const renamed = pg("after", { ...schemaFacet("a", "b"), ...change("RENAME", pg("before")) });
    const columns = ["before.a derives after.a DIRECT IDENTITY []", "before.b derives after.b DIRECT IDENTITY []"];
    const edges = [runEvent({ outputs: [renamed] }), datasetEvent(renamed)].map((event) => assetEdges([event]));
    expect(edges).toEqual([
      ["load materializes after", "before derives after", ...columns],
      ["before derives after", ...columns],
    ]);
    expect(tracedBy(runEvent({ outputs: [renamed] }))).toEqual([["a", "b"]]);
    expect(assetEdges([datasetEvent(pg("t", { ...schemaFacet("a"), ...change("RENAME", pg("T")) }))])).toEqual([]);
  });

  test("A renamed table's old name stays gone after the next change of the new name", () => {
    const events = [
      datasetEvent(pg("before", schemaFacet("a")), 1),
      datasetEvent(pg("after", change("RENAME", pg("before"))), 2),
      datasetEvent(pg("after", change("ALTER")), 3),
    ];
    for (const order of [events, events.toReversed()]) {
      expect(tablesOf(inboxOf(order))).toEqual({ "shop.public.after": [] });
    }
  });

  test("A dropped table that only a dataset event describes is gone too", () => {
    const events = [datasetEvent(pg("t", schemaFacet("a")), 1), datasetEvent(pg("t", change("DROP")), 2)];
    expect(tablesOf(inboxOf(events))).toEqual({});
    expect(tablesOf(inboxOf([...events, datasetEvent(pg("t", change("CREATE")), 3)]))).toEqual({ "shop.public.t": [] });
  });
});

const pathOf = (name: string, more?: Record<string, unknown>) => {
  const identifiers = [{ namespace: "hive://metastore:9083", name: `web.${name}`, type: "TABLE" }];
  const facets = { symlinks: facet({ identifiers }), ...schemaFacet("a"), ...more };
  return { namespace: "s3://lake", name: `warehouse/${name}`, facets };
};

describe("Symlinks", () => {
  const path = { namespace: "s3://lake", name: "warehouse/clean" };
  const symlinks = facet({ identifiers: [{ namespace: "hive://metastore:9083", name: "web.clean", type: "TABLE" }] });

  test("A path that is also a table is the table, even where lineage names the path", () => {
    const columnLineage = facet({ fields: { x: { inputFields: [{ ...path, field: "a" }] } } });
    const inbox = inboxOf([
      runEvent({ inputs: [{ ...path, facets: { symlinks } }], outputs: [pg("out", { columnLineage })] }),
    ]);
    expect(edgesOf(inbox)).toEqual([
      "nightly.load materializes shop.public.out",
      "web.clean derives shop.public.out",
      "web.clean reads nightly.load",
      "web.clean.a derives shop.public.out.x",
    ]);
  });

  test("A table that an event of a dataset renames from its own path is no more than the table", () => {
    const table = { namespace: "hive://metastore:9083", name: "web.clean" };
    const renamed = datasetEvent({ ...table, facets: change("RENAME", path) }, 2);
    const events = [datasetEvent({ ...path, facets: { symlinks } }, 1), renamed];
    for (const order of [events, events.toReversed()]) {
      expect(tablesOf(inboxOf(order))).toEqual({ "web.clean": [] });
      expect(edgesOf(inboxOf(order))).toEqual([]);
    }
  });

  test("A symlink counts for every event that names the path, earlier or later, from any job", () => {
    const told = runEvent({ job: "writer", run: 1, at: 5, outputs: [{ ...path, facets: { symlinks } }] });
    const events = [
      runEvent({ job: "before", run: 2, at: 1, inputs: [path], outputs: [pg("a")] }),
      told,
      runEvent({ job: "after", run: 3, at: 9, inputs: [path], outputs: [pg("b")] }),
      datasetEvent({ ...path, facets: schemaFacet("id") }, 9),
      // The writer itself does not repeat the symlink.
      runEvent({ job: "writer", run: 4, at: 9, outputs: [path] }),
    ];
    for (const order of [events, events.toReversed()]) {
      const inbox = inboxOf(order);
      expect(edgesOf(inbox).filter((line) => line.includes("clean"))).toEqual([
        "nightly.writer materializes web.clean",
        "web.clean reads nightly.after",
        "web.clean reads nightly.before",
      ]);
      expect(tablesOf(inbox)).toEqual({ "web.clean": ["id"], "shop.public.a": [], "shop.public.b": [] });
    }
    const takenBack = runEvent({
      job: "x",
      run: 5,
      at: 20,
      inputs: [{ ...path, facets: { symlinks: facet({ _deleted: true }) } }],
    });
    expect(edgesOf(inboxOf([...events, takenBack])).join()).not.toContain("web.clean");
  });

  test("A table that is renamed is known by its old path", () => {
    const made = runEvent({ job: "make", run: 1, at: 1, outputs: [pathOf("old")] });
    const previous = { namespace: "s3://lake", name: "warehouse/old" };
    const renamed = runEvent({ job: "rename", run: 2, at: 2, outputs: [pathOf("new", change("RENAME", previous))] });
    for (const order of [
      [made, renamed],
      [renamed, made],
    ]) {
      const inbox = inboxOf(order);
      expect(tablesOf(inbox)).toEqual({ "web.new": ["a"] });
      expect(edgesOf(inbox)).toContain("web.old.a derives web.new.a DIRECT IDENTITY []");
      // The next run of the job does not name it any more.
      inbox.send(runEvent({ job: "rename", run: 3, at: 3, outputs: [pg("t")] }));
      expect(Object.keys(tablesOf(inbox))).not.toContain("web.old");
    }
  });

  test("A path of which anybody said before that it is a table is never an asset of its own", () => {
    const inbox = inboxOf([
      runEvent({ job: "writer", run: 1, at: 1, outputs: [{ ...path, facets: { symlinks } }] }),
      runEvent({ job: "reader", run: 2, at: 2, inputs: [path], outputs: [pg("a")] }),
      // What the reader said before stays while it asks about another path.
      runEvent({ job: "reader", run: 3, at: 3, inputs: [path, { namespace: "s3://lake", name: "other" }] }),
      datasetEvent({ ...path, facets: schemaFacet("id") }, 9),
    ]);
    expect(inbox.seen().filter((name) => !name.startsWith("nightly."))).toEqual([
      "lake.other",
      "shop.public.a",
      "web.clean",
    ]);
    expect(tablesOf(inbox)).toEqual({ "lake.other": [], "web.clean": ["id"] });
  });

  test("A table with a symlink keeps its own name", () => {
    const inbox = inboxOf([runEvent({ outputs: [pg("t", { symlinks })] })]);
    expect(tablesOf(inbox)).toEqual({ "shop.public.t": [] });
  });
});

const columnEdges = (outputs: readonly EventDataset[], jobFacets?: Record<string, unknown>): string[] =>
  edgesOf(inboxOf([runEvent({ inputs: [pg("raw")], outputs, ...(jobFacets && { jobFacets }) })]))
    .filter((line) => line.includes(" derives "))
    .map((line) => line.replaceAll("shop.public.", ""));

const COPY = { type: "DIRECT", subtype: "IDENTITY" };
const told = (...names: string[]) => ({
  columnLineage: facet({
    fields: Object.fromEntries(names.map((name) => [name, { inputFields: [inputField("raw", name, COPY)] }])),
  }),
});

const statedOf = (type: "table" | "pipeline", events: readonly Event[]) =>
  inboxOf(events)
    .events()
    .flatMap((event) => (event.kind === "asset" && event.asset.ref.type === type ? [event.asset] : []));

const tracedBy = (...events: Event[]) => statedOf("table", events).map(({ columnsTraced }) => columnsTraced);

/** The columns of a table with lineage, and why that is not all of it. */
const whyNotAll = (columnLineage: Record<string, unknown>, ...columns: string[]) =>
  statedOf("table", [
    runEvent({ outputs: [pg("t", { ...schemaFacet(...columns), columnLineage: facet(columnLineage) })] }),
  ]).map(({ columnsTraced, untraced }) => [columnsTraced, untraced]);

const tracedByExplicit = (lineage: Record<string, unknown>) =>
  tracedBy(runEvent({ outputs: [pg("t", { ...schemaFacet("a", "b"), lineage: facet(lineage) })] }));

/** One event of a run that gives the origin of one column. */
const tellOne = (at: number, column: string, from: string) =>
  runEvent({
    at,
    state: at === 1 ? "START" : "COMPLETE",
    outputs: [
      pg("out", {
        columnLineage: facet({
          fields: { [column]: { inputFields: [inputField("raw", from)] } },
        }),
      }),
    ],
  });

const derivesEdges = (all: Event[]) => assetEdges(all).filter((line) => line.includes(" derives "));

const entryOf = (target: string, rest: Record<string, unknown>) => ({ ...pg(target), type: "DATASET", ...rest });
const entries = (...all: unknown[]) => ({ lineage: facet({ entries: all }) });

/** One event of a run with so much text that two exceed the limit. */
const tellMuch = (at: number, state: string) => {
  const documentation = facet({ description: "x".repeat(2.5 * 1024 ** 2) });
  const fields = { [`c${at}`]: { inputFields: [inputField(`raw${at}`, "x")] } };
  const facets = { ...schemaFacet("c1", "c2"), documentation, columnLineage: facet({ fields }) };
  return runEvent({ at, state, outputs: [pg("t", facets)] });
};

describe("Column lineage", () => {
  test("Column lineage is not guessed from SQL, nor from inputs and outputs", () => {
    expect(columnEdges([pg("out", schemaFacet("a"))], { sql: facet({ query: "select a from raw" }) })).toEqual([]);
  });

  test("Column lineage comes from the facet columnLineage, with the use of each column", () => {
    const fields = {
      a: {
        inputFields: [
          inputField("raw", "x", { type: "DIRECT", subtype: "IDENTITY" }),
          inputField("raw", "x", { type: "INDIRECT", subtype: "JOIN", description: "x = y" }),
          inputField("raw", "y", { type: "DIRECT", subtype: "TRANSFORMATION", description: "hash(y)", masking: true }),
          inputField("raw", "z", { type: "INDIRECT", subtype: "SOMETHING" }),
        ],
      },
    };
    expect(columnEdges([pg("out", { columnLineage: facet({ fields }) })])).toEqual([
      "raw derives out",
      "raw.x derives out.a DIRECT IDENTITY [] INDIRECT JOIN [x = y]",
      "raw.y derives out.a DIRECT TRANSFORMATION [masked: hash(y)]",
      "raw.z derives out.a INDIRECT CONDITIONAL []",
    ]);
  });

  test("Column lineage is read from the older form, in which all inputs of a column share a transformation", () => {
    const fields = {
      a: { inputFields: [inputField("raw", "x")], transformationType: "IDENTITY", transformationDescription: "x as a" },
      b: { inputFields: [inputField("raw", "y")], transformationType: "MASKED", transformationDescription: "" },
      c: { inputFields: [inputField("raw", "z")] },
    };
    expect(columnEdges([pg("out", { columnLineage: facet({ fields }) })])).toEqual([
      "raw derives out",
      "raw.x derives out.a DIRECT IDENTITY [x as a]",
      "raw.y derives out.b DIRECT TRANSFORMATION [masked]",
      "raw.z derives out.c",
    ]);
  });

  test("Column lineage includes the fields that affect the whole dataset, for each of its columns", () => {
    const columnLineage = facet({
      fields: { a: { inputFields: [inputField("raw", "x", { type: "DIRECT", subtype: "IDENTITY" })] } },
      dataset: [inputField("raw", "day", { type: "INDIRECT", subtype: "FILTER", description: "day > 1" })],
    });
    expect(columnEdges([pg("out", { ...schemaFacet("A", "b"), columnLineage })])).toEqual([
      "raw derives out",
      "raw.day derives out.a INDIRECT FILTER [day > 1]",
      "raw.day derives out.b INDIRECT FILTER [day > 1]",
      "raw.x derives out.a DIRECT IDENTITY []",
    ]);
  });

  test("A field that affects the whole dataset decides rows, even if the event calls its use direct", () => {
    const sum = inputField("raw", "v", { type: "DIRECT", subtype: "AGGREGATION", description: "sum(v)" });
    const columnLineage = facet({ fields: { a: { inputFields: [inputField("raw", "x", COPY)] } }, dataset: [sum] });
    expect(columnEdges([pg("out", { ...schemaFacet("a"), columnLineage })])).toContain(
      "raw.v derives out.a INDIRECT CONDITIONAL [sum(v)]",
    );
  });

  test("Column lineage comes from the dataset's explicit facet, if it has one", () => {
    const { namespace, name } = pg("raw");
    const lineage = facet({
      inputs: [{ namespace, name, type: "DATASET" }, { type: "JOB" }],
      fields: { a: { inputs: [{ namespace, name, type: "DATASET", field: "x" }] } },
    });
    const columnLineage = facet({ fields: { b: { inputFields: [inputField("other", "y")] } } });
    expect(columnEdges([pg("out", { lineage, columnLineage })])).toEqual(["raw derives out", "raw.x derives out.a"]);
  });

  test.each(["entries", "lineage"])(
    "Column lineage comes from the job's explicit facet, whose list is called %s",
    (list) => {
      const { namespace, name } = pg("raw");
      const entry = {
        ...pg("out"),
        type: "DATASET",
        inputs: [{ namespace, name, type: "DATASET" }],
        fields: { a: { inputs: [{ namespace, name, type: "DATASET", field: "x" }] } },
      };
      expect(columnEdges([pg("out")], { lineage: facet({ [list]: [entry] }) })).toEqual([
        "raw derives out",
        "raw.x derives out.a",
      ]);
    },
  );

  test("Column lineage of a dataset event is stated", () => {
    const columnLineage = facet({ fields: { a: { inputFields: [inputField("raw", "x")] } } });
    expect(edgesOf(inboxOf([datasetEvent(pg("out", { columnLineage }))]))).toEqual([
      "shop.public.raw derives shop.public.out",
      "shop.public.raw.x derives shop.public.out.a",
    ]);
  });

  test("Column lineage is the union of all events of a run", () => {
    const events = [tellOne(1, "a", "x"), tellOne(2, "b", "y"), tellOne(3, "A", "z")];
    const united = ["raw derives out", "raw.x derives out.a", "raw.y derives out.b", "raw.z derives out.a"];
    expect(derivesEdges(events)).toEqual(united);
    expect(derivesEdges(events.toReversed())).toEqual(united);
    expect(tracedBy(...events)).toEqual([["a", "b"]]);
    const deleted = runEvent({
      at: 4,
      state: "RUNNING",
      outputs: [pg("out", { columnLineage: facet({ _deleted: true }) })],
    });
    expect(derivesEdges([...events, deleted])).toEqual([]);
  });

  test("Column lineage is the union of all entries of all events of a run", () => {
    const raw = { ...pg("raw"), type: "DATASET" };
    const events = [
      runEvent({
        state: "START",
        at: 1,
        runFacets: entries(
          entryOf("a", { inputs: [raw] }),
          entryOf("a", { fields: { x: { inputs: [{ ...raw, field: "y" }] } } }),
        ),
      }),
      runEvent({ at: 2, runFacets: entries(entryOf("b", { inputs: [raw] })) }),
    ];
    expect(assetEdges(events).filter((line) => !line.includes("load"))).toEqual([
      "raw derives a",
      "raw derives b",
      "raw.y derives a.x",
    ]);
  });

  test("Column lineage comes only from the deciding run", () => {
    const old = runEvent({ run: 1, at: 1, outputs: [pg("t", { ...schemaFacet("a", "b"), ...told("a") })] });
    const late = runEvent({ run: 2, at: 2, outputs: [pg("t", told("b"))] });
    expect(tracedBy(old, late)).toEqual([["b"]]);
  });

  test("Column lineage is unknown for a column that comes from a whole dataset, and for all columns that one affects", () => {
    const whole = { ...pg("other"), type: "DATASET" };
    const x = { ...pg("raw"), type: "DATASET", field: "x" };
    const fields = { a: { inputs: [whole] }, b: { inputs: [x] } };
    expect(tracedByExplicit({ fields })).toEqual([["b"]]);
    expect(tracedByExplicit({ fields: { b: fields.b }, inputs: [{ ...pg("raw"), type: "DATASET" }] })).toEqual([["b"]]);
    expect(tracedByExplicit({ fields: { b: fields.b }, inputs: [whole] })).toEqual([[]]);
  });

  test("Column lineage is unknown for all columns if too many fields affect all of them", () => {
    const columns = Array.from({ length: 210 }, (_, i) => `c${i}`);
    const dataset = Array.from({ length: 100 }, (_, i) => inputField("raw", `f${i}`, { type: "INDIRECT" }));
    const fields = Object.fromEntries(columns.map((name) => [name, { inputFields: [inputField("raw", "f0")] }]));
    const event = runEvent({ outputs: [pg("t", { columnLineage: facet({ fields, dataset }) })] });
    expect(tracedBy(event)).toEqual([[]]);
    expect(inboxOf([event]).state()["job:nightly\nload"]).toContain("warning too_many_edges");
  });

  test("Column lineage is unknown after a run that reported more than is kept", () => {
    const [start, end] = [tellMuch(1, "START"), tellMuch(2, "COMPLETE")];
    for (const order of [
      [start, end],
      [end, start],
      [end, start, start],
    ]) {
      const inbox = inboxOf(order);
      expect(edgesOf(inbox).filter((line) => line.includes("raw1."))).toEqual([]);
      expect(edgesOf(inbox).filter((line) => line.includes("raw2."))).toHaveLength(1);
      expect(inbox.state()["job:nightly\nload"]).toContain("warning run_too_large");
      expect(JSON.stringify(inbox.state())).toContain("its last run reported more than is kept of one run");
      expect(
        inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset.columnsTraced] : [])),
      ).toContainEqual([]);
    }
    // The next run is complete again.
    expect(
      tracedBy(start, end, runEvent({ run: 2, at: 9, outputs: [pg("t", { ...schemaFacet("a"), ...told("a") })] })),
    ).toEqual([["a"]]);
  });

  test("Column lineage is known for the columns that all writers report", () => {
    const one = runEvent({ job: "one", run: 1, outputs: [pg("t", { ...schemaFacet("a", "b"), ...told("a", "b") })] });
    const other = runEvent({ job: "other", run: 2, outputs: [pg("t", told("b"))] });
    const silent = runEvent({ job: "silent", run: 3, outputs: [pg("t")] });
    expect(tracedBy(one)).toEqual([["a", "b"]]);
    expect(tracedBy(one, other)).toEqual([["b"]]);
    expect(tracedBy(one, silent)).toEqual([[]]);
    expect(tracedBy(silent)).toEqual([undefined]);
  });

  test("Column lineage without any transformation is not all of it, because filters are not told", () => {
    const inputFields = [inputField("raw", "a")];
    const untold = "the events do not tell which columns are filtered, joined or grouped by";
    expect(whyNotAll({ fields: { a: { inputFields } } }, "a")).toEqual([[["a"], untold]]);
    expect(whyNotAll({ fields: { a: { inputFields } }, dataset: [] }, "a")).toEqual([[["a"], untold]]);
    expect(whyNotAll({ fields: { a: { inputFields } }, dataset: [inputField("raw", "k")] }, "a")).toEqual([
      [["a"], undefined],
    ]);
    expect(whyNotAll({ fields: { a: { inputFields: [inputField("raw", "a", COPY)] } } }, "a")).toEqual([
      [["a"], undefined],
    ]);
    // The older form, of operators that copy a table.
    expect(whyNotAll({ fields: { a: { inputFields, transformationType: "IDENTITY" } } }, "a")).toEqual([
      [["a"], undefined],
    ]);
    expect(whyNotAll({ fields: { a: { inputFields, transformationType: "" } } }, "a")).toEqual([[["a"], untold]]);
  });

  test("Column lineage is not all of it if the run reads a dataset that no lineage of its outputs names", () => {
    const t = pg("t", { ...schemaFacet("a"), ...told("a") });
    const inputs = [pg("raw"), pg("rates")];
    expect(derivesEdges([runEvent({ inputs, outputs: [t] })])).toContain("rates derives t");
    const stated = statedOf("table", [runEvent({ inputs, outputs: [t] })]).find(({ name }) => name === "t");
    const reason = "the events do not tell how rates is used";
    expect(stated).toMatchObject({ columnsTraced: ["a"], untraced: reason });
    const [pipeline] = statedOf("pipeline", [runEvent({ inputs, outputs: [t] })]);
    expect(pipeline?.columnsRead).toEqual({ status: "unknown", reason });
    // It may feed another output.
    const silent = [runEvent({ inputs, outputs: [t, pg("u")] })];
    expect(derivesEdges(silent)).not.toContain("rates derives t");
    expect(statedOf("table", silent).find(({ name }) => name === "t")).toMatchObject({ untraced: reason });
    // Another output names it, the job's own lineage does, or it is the output itself.
    const ofRates = { b: { inputFields: [inputField("rates", "b", COPY)] } };
    const u = pg("u", { ...schemaFacet("b"), columnLineage: facet({ fields: ofRates }) });
    const ofJob = entries({ inputs: [{ ...pg("rates"), type: "DATASET" }], type: "JOB" });
    for (const event of [
      runEvent({ inputs, outputs: [t, u] }),
      runEvent({ inputs: [pg("raw")], outputs: [t], jobFacets: ofJob }),
      runEvent({ inputs: [pg("raw"), pg("t")], outputs: [t] }),
    ]) {
      expect(statedOf("table", [event]).map(({ untraced }) => untraced)).not.toContain(reason);
    }
    // An output that is read too may feed the other outputs.
    const both = runEvent({
      inputs: [pg("raw"), pg("v")],
      outputs: [t, pg("v", { ...schemaFacet("a"), ...told("a") })],
    });
    expect(statedOf("table", [both])).toContainEqual(
      expect.objectContaining({ name: "t", untraced: "the events do not tell how v is used" }),
    );
    expect(statedOf("table", [both]).find(({ name }) => name === "v")?.untraced).toBeUndefined();
  });
});

const defining = (how: string, rest: Parameters<typeof runEvent>[0] = {}) =>
  runEvent({ job: "ddl", run: 2, at: 3, outputs: [pg("t", { ...schemaFacet("a"), ...change(how) })], ...rest });
const tracedOf = (...events: Event[]) => tracedBy(...events).filter((traced) => traced !== undefined);

describe("Runs that change a dataset and put no data into it", () => {
  const filled = runEvent({ at: 2, inputs: [pg("raw")], outputs: [pg("t", { ...schemaFacet("a"), ...told("a") })] });

  test("A run without inputs that creates or alters a table takes nothing from what is known of its columns", () => {
    expect(tracedOf(filled, defining("CREATE"))).toEqual([["a"]]);
    expect(tracedOf(defining("ALTER"), filled)).toEqual([["a"]]);
    expect(assetEdges([defining("CREATE")])).toEqual(["ddl materializes t"]);
  });

  test("A run that creates a table from what it reads, or overwrites it, must tell the lineage of its columns", () => {
    expect(tracedOf(filled, defining("CREATE", { inputs: [pg("other")] }))).toEqual([[]]);
    expect(tracedOf(filled, defining("OVERWRITE"))).toEqual([[]]);
    const telling = pg("u", { ...schemaFacet("a"), ...told("a"), ...change("CREATE") });
    expect(tracedOf(defining("CREATE", { outputs: [telling] }))).toEqual([["a"]]);
    const overwritten = runEvent({ job: "ddl", run: 2, at: 4, outputs: [pg("t")] });
    expect(tracedOf(filled, defining("CREATE", { state: "START" }), overwritten)).toEqual([[]]);
  });

  test("Spark's command that replaces a table is not a second writer beside the write within it", () => {
    const spark = {
      jobFacets: { jobType: facet({ processingType: "BATCH", integration: "SPARK", jobType: "SQL_JOB" }) },
    };
    const t = pg("t", { ...schemaFacet("a"), ...told("a") });
    const within = (of: number) => ({ ...spark, runFacets: partFacets(of), inputs: [pg("raw")] });
    const write = runEvent({ job: "app.overwrite.t", at: 1, outputs: [t], ...within(1) });
    const outer = (of: number, job = "app.atomic_replace_table_as_select.t") =>
      runEvent({ job, run: 2, at: 2, outputs: [pg("t", change("OVERWRITE"))], ...within(of) });
    expect(tracedOf(write, outer(1))).toEqual([["a"]]);
    expect(tracedOf(outer(1), write)).toEqual([["a"]]);
    expect(tracedOf(write, outer(2))).toEqual([[]]);
    expect(tracedOf(write, outer(1, "app.append.t"))).toEqual([[]]);
  });
});

describe("Fields of lineage that are no columns", () => {
  const parsed = {
    ID: { inputFields: [inputField("raw", "id")] },
    _0: { inputFields: [inputField("raw", "cents"), inputField("rates", "rate")] },
  };
  const parsedInto = (...columns: string[]) =>
    pg("t", { ...(columns.length > 0 && schemaFacet(...columns)), columnLineage: facet({ fields: parsed }) });

  test("A field of the lineage that the schema does not list is no column, and its inputs still feed the dataset", () => {
    expect(columnEdges([parsedInto("id", "euros")])).toEqual([
      "rates derives t",
      "raw derives t",
      "raw.id derives t.ID",
    ]);
    const reason = "the events tell what feeds _0, which t does not have";
    expect(whyNotAll({ fields: parsed }, "id", "euros")).toEqual([[["id"], expect.stringContaining(reason)]]);
    const transformed = { x: { inputFields: [inputField("raw", "x", COPY)] }, y: { inputFields: [] } };
    expect(whyNotAll({ fields: transformed }, "x")).toEqual([
      [["x"], expect.stringMatching(/^the events tell what feeds y/)],
    ]);
    expect(whyNotAll({ fields: transformed }, "x", "y")).toEqual([[["x", "y"], undefined]]);
  });

  test("A field of a struct that the schema lists is a column", () => {
    const fields = { "at.city": { inputFields: [inputField("raw", "x", COPY)] } };
    expect(columnEdges([pg("t", { ...schemaFacet("at"), columnLineage: facet({ fields }) })])).toEqual([
      "raw derives t",
      "raw.x derives t.at.city DIRECT IDENTITY []",
    ]);
  });

  test("Without a schema, a field that has a number for a name is a column only if its transformation is told", () => {
    expect(columnEdges([parsedInto()])).toEqual(["rates derives t", "raw derives t", "raw.id derives t.ID"]);
    const fields = { _1: { inputFields: [inputField("raw", "x", COPY)] } };
    expect(columnEdges([pg("t", { columnLineage: facet({ fields }) })])).toEqual([
      "raw derives t",
      "raw.x derives t._1 DIRECT IDENTITY []",
    ]);
  });
});

const plainUse = (type: string, subtype: string) => ({ type, subtype, description: "k" });
const feedAll = (...columns: string[]) =>
  facet({
    fields: { a: { inputFields: [inputField("raw", "x", plainUse("DIRECT", "IDENTITY")), inputField("raw", "y")] } },
    dataset: columns.map((column) => inputField("raw", column, plainUse("INDIRECT", "FILTER"))),
  });
const full = pg("full", { ...schemaFacet("a"), columnLineage: feedAll("x", "y", "z") });
/** What the job states about itself. */
const usedBy = (...events: Event[]) => {
  const inbox = inboxOf(events);
  const edges = edgesOf(inbox).filter((line) => /raw\.[xyz] reads /.test(line));
  const states = inbox
    .events()
    .flatMap((event) => (event.kind === "asset" && event.asset.ref.type === "pipeline" ? [event.asset] : []));
  return { edges: edges.map((line) => line.replace("shop.public.", "")), known: states[0]?.columnsRead?.status };
};

describe("The columns that a job uses", () => {
  const none = { edges: [], known: undefined };

  test("If the events do not tell what a column comes from, any other column may be used for it only", () => {
    const wide = pg("wide", { ...schemaFacet("a", "n", "m"), columnLineage: feedAll("z") });
    const run = runEvent({ inputs: [pg("raw")], outputs: [wide] });
    const { edges, known } = usedBy(run);
    expect(edges).toHaveLength(3);
    expect(known).toBe("partial");
    expect(statedOf("pipeline", [run])[0]?.columnsRead?.reason).toBe(
      "the events do not tell the origin of n, m in wide",
    );
    expect(tracedBy(run)).toContainEqual(["a"]);
  });

  test("A job uses the columns that feed its outputs, if it tells that of all of their columns", () => {
    expect(usedBy(runEvent({ inputs: [pg("raw")], outputs: [full] }))).toEqual({
      edges: [
        "raw.x reads nightly.load DIRECT IDENTITY [] INDIRECT FILTER []",
        // Nothing says how it is used in one place, so its values may be.
        "raw.y reads nightly.load",
        "raw.z reads nightly.load INDIRECT FILTER []",
      ],
      known: "known",
    });
    const emptied = pg("emptied", change("TRUNCATE"));
    expect(usedBy(runEvent({ outputs: [full, emptied] })).known).toBe("known");
  });

  test("Which columns a job uses is not known if it does not tell all of them", () => {
    expect(usedBy(runEvent({ inputs: [pg("raw")] }))).toEqual(none);
    expect(usedBy(runEvent({ outputs: [full, pg("silent")] }))).toEqual(none);
    expect(usedBy(runEvent({ outputs: [pg("t", schemaFacet("a"))] }))).toEqual(none);
    // Nothing says which columns it has.
    expect(usedBy(runEvent({ outputs: [pg("t", told("a"))] }))).toEqual(none);
    const ofJob = { inputs: [{ ...pg("raw"), type: "DATASET" }], type: "JOB" };
    expect(usedBy(runEvent({ outputs: [full], jobFacets: entries(ofJob) }))).toEqual(none);
    expect(usedBy(tellMuch(1, "START"), tellMuch(2, "COMPLETE"))).toEqual(none);
    const fields = { a: { inputFields: [inputField("raw", "x")] } };
    const values = pg("t", { ...schemaFacet("a"), columnLineage: facet({ fields }) });
    expect(usedBy(runEvent({ outputs: [values] }))).toEqual({ edges: [], known: "unknown" });
    expect(usedBy(runEvent({ outputs: [full, values] }))).toEqual({ edges: [], known: "unknown" });
    // Of the deciding run only.
    expect(usedBy(runEvent({ at: 1, outputs: [full] }), runEvent({ at: 2, run: 2, outputs: [pg("full")] }))).toEqual(
      none,
    );
  });
});

const after = (days: number) => new Date(Date.parse(timeOf(0)) + days * 86_400_000);

describe("Expiry", () => {
  const options = { expire_after_days: "30" };

  test("A job whose deciding run has expired states nothing any more", () => {
    const events = [runEvent({ ...io }), datasetEvent(pg("other"))];
    expect(Object.keys(inboxOf(events, options, after(29)).state())).toHaveLength(4);
    const expired = inboxOf(events, options, after(30));
    expect(expired.state()).toEqual({});
    expect(expired.kept()).toBe(0);
  });

  test("What earlier runs said expires with the job", () => {
    const events = [
      runEvent({ run: 1, at: 1, outputs: [pg("t", schemaFacet("a"))] }),
      runEvent({ run: 2, at: 2, outputs: [pg("t")] }),
    ];
    const inbox = inboxOf(events, options, after(31));
    expect(inbox.state()).toEqual({});
    inbox.send(runEvent({ run: 3, at: 31 * 24 * 60, outputs: [pg("t")] }));
    expect(tablesOf(inbox)).toEqual({ "shop.public.t": [] });
  });

  test("Jobs never expire by default", () => {
    expect(edgesOf(inboxOf([runEvent({ ...io })], {}, after(10_000)))).toHaveLength(2);
  });
});
