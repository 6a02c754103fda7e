/** Results of checks in the list of changes: each failure once, until the check passes again. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { type Check, CHECK_OUTCOMES, type CheckOutcome } from "../../../src/catalog/check.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import type { ChangeQuery } from "../../../src/graph/history/list-changes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { checkOf, columnOf, edgeOf, newWorkspace, nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";

function resultOf(status: CheckOutcome, at: number) {
  return { status, message: `a ${status}`, failures: null, ranAt: timeOf(at) };
}

const CONNECTORS = ["dbt", "other"] as const;

const reports = fc.array(
  fc.record({
    connector: fc.constantFrom(...CONNECTORS),
    scope: fc.constantFrom("one", "two"),
    newSync: fc.boolean(),
    sweeps: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    object: fc.constantFrom("unique", "not_null"),
    status: fc.option(fc.constantFrom(...CHECK_OUTCOMES)),
  }),
  { maxLength: 30, size: "max" },
);
type Reports = typeof reports extends fc.Arbitrary<infer T> ? T : never;

/** Each connector states the model in its first sync, and then says these things about its checks. */
async function live(graph: CatalogGraph, w: WorkspaceId, all: Reports): Promise<void> {
  const orders = nodeOf(w, "model", "wh.orders");
  const syncs = new Map<string, number>(CONNECTORS.map((connector, i) => [connector, i + 1]));
  const stampAt = (connector: string, time: number) => {
    const stamp = stampOf(w, connector, syncs.get(connector) ?? 0, connector === "dbt" ? 20 : 10);
    return { ...stamp, at: timeOf(time) };
  };
  for (const [i, connector] of CONNECTORS.entries()) await graph.writeNodes(stampAt(connector, i + 1), "all", [orders]);
  let time = 0;
  for (const [i, { connector, scope, newSync, sweeps, object, status }] of all.entries()) {
    if (newSync) syncs.set(connector, i + 3);
    // What one connector says without interruption is of one moment.
    if (newSync || connector !== all[i - 1]?.connector) time = i + 3;
    const stamp = stampAt(connector, time);
    if (sweeps) await graph.sweep(stamp, scope);
    const result = status && resultOf(status, i);
    await graph.writeChecks(stamp, scope, [checkOf(w, object, [orders], [], { result })]);
  }
}

export function describeResultChanges(open: OpenGraph): void {
  function setUp() {
    const w = newWorkspace();
    const [orders, board] = [nodeOf(w, "model", "wh.orders"), nodeOf(w, "dashboard", "board")];
    const [id, note] = [columnOf(w, orders, "id", 0), columnOf(w, orders, "note", 1)];
    const unique = (more: Partial<Check>) => checkOf(w, "unique_id", [orders], [id], more);
    const report = async (sync: number, check: Check, connector = "dbt") => {
      const stamp = stampOf(w, connector, sync);
      await open().writeNodes(stamp, "all", [orders, board, id, note]);
      await open().writeEdges(stamp, "all", [edgeOf(orders, board, "powers"), edgeOf(id, board, "powers")]);
      await open().writeChecks(stamp, "all", [check]);
      await open().sweep(stamp, "all");
    };
    /** One sync for each of these results; null says nothing. */
    const run = async (...results: (CheckOutcome | null)[]) => {
      for (const [i, status] of results.entries())
        await report(i + 1, unique({ result: status && resultOf(status, i + 1) }));
    };
    return { w, orders, board, id, note, unique, report, run };
  }

  async function listed(w: WorkspaceId, query: Partial<ChangeQuery> = {}) {
    const whole = { since: null, until: timeOf(50), ...query };
    const { items } = await open().listChanges(w, whole, { after: null, limit: 50 });
    return items.map(({ kind, moment: { syncId }, before, after, risk }) => {
      const [, connector, sync] = syncId.split(":");
      return [kind, `${connector} ${sync}`, before, after, risk];
    });
  }

  it("A check that fails is listed once, and again when it passes", async () => {
    const { w, orders, run } = setUp();
    await run("pass", "fail", "error", null, "pass", "warn");
    expect(await listed(w)).toEqual([
      ["check_passed", "dbt 5", "fail", "pass", null],
      ["check_failed", "dbt 2", "pass", "fail", "medium"],
    ]);
    const { items } = await open().listChanges(w, { since: null, until: timeOf(9) }, { after: null, limit: 1 });
    expect(items[0]).toMatchObject({
      node: { id: orders.id, fqn: "wh.orders" },
      field: "result",
      check: { name: "unique_id", message: "a pass" },
      details: [],
    });
  });

  it("The failures of a first sync are not listed, but that they pass is", async () => {
    const { w, run } = setUp();
    await run("fail", "fail", "pass");
    expect(await listed(w)).toEqual([["check_passed", "dbt 3", "fail", "pass", null]]);
  });

  it("A new check that fails is listed, and one that passes is not", async () => {
    const { w, orders, note, unique, report } = setUp();
    await report(1, unique({ result: resultOf("pass", 1) }));
    await report(2, checkOf(w, "not_null", [orders], [note], { result: resultOf("fail", 2) }));
    await report(3, unique({ result: resultOf("pass", 3) }));
    // Nobody looks at this column.
    expect(await listed(w)).toEqual([["check_failed", "dbt 2", null, "fail", null]]);
  });

  it("A check that is skipped is as before", async () => {
    const { w, run } = setUp();
    await run(null, "skipped", "pass", "skipped", "fail", "skipped", "fail", "skipped", "skipped", "pass");
    expect(await listed(w)).toEqual([
      ["check_passed", "dbt 10", "fail", "pass", null],
      ["check_failed", "dbt 5", "pass", "fail", "medium"],
    ]);
  });

  it("A result that changes twice in one sync is not listed", async () => {
    const { w, unique, run } = setUp();
    await run("pass", "fail");
    await open().writeChecks(stampOf(w, "dbt", 2), "all", [unique({ result: resultOf("pass", 2) })]);
    expect(await listed(w)).toEqual([]);
  });

  it("Of two connectors that state one check, the one that is shown tells", async () => {
    const { w, unique, report } = setUp();
    const fails = unique({ result: resultOf("fail", 3) });
    await report(1, unique({ result: resultOf("pass", 1) }));
    await report(2, unique({ result: resultOf("pass", 1) }), "other");
    await report(3, fails);
    await report(4, fails, "other");
    expect(await listed(w)).toEqual([["check_failed", "dbt 3", "pass", "fail", "medium"]]);
  });

  it("A missed schedule is listed under a name of its own", async () => {
    const w = newWorkspace();
    const dag = nodeOf(w, "pipeline", "daily");
    const schedule = (status: CheckOutcome, at: number) =>
      checkOf(w, "schedule", [dag], [], { kind: "schedule", result: resultOf(status, at) });
    for (const [i, status] of (["pass", "fail", "fail", "pass"] as const).entries()) {
      await open().writeNodes(stampOf(w, "airflow", i + 1), "all", [dag]);
      await open().writeChecks(stampOf(w, "airflow", i + 1), "all", [schedule(status, i + 1)]);
    }
    expect((await listed(w)).map(([kind, sync, , , risk]) => [kind, sync, risk])).toEqual([
      ["schedule_met", "airflow 4", null],
      ["schedule_missed", "airflow 2", null],
    ]);
  });

  it("A run of a pipeline that fails has the risk of a run that does not begin", async () => {
    const w = newWorkspace();
    const [dag, orders] = [nodeOf(w, "pipeline", "daily"), nodeOf(w, "table", "wh.orders")];
    const kinds = ["schedule", "run"] as const;
    for (const [i, status] of (["pass", "fail"] as const).entries()) {
      const stamp = stampOf(w, "airflow", i + 1);
      const checks = kinds.map((kind) => checkOf(w, kind, [dag], [], { kind, result: resultOf(status, i + 1) }));
      await open().writeNodes(stamp, "all", [dag, orders]);
      await open().writeEdges(stamp, "all", [edgeOf(dag, orders, "materializes")]);
      await open().writeChecks(stamp, "all", checks);
    }
    const changes = await listed(w);
    expect(changes.map(([kind]) => kind).toSorted()).toEqual(["check_failed", "schedule_missed"]);
    expect(changes.map(([, , , , risk]) => risk)).toEqual(["medium", "medium"]);
  });

  it("Filters find the results of checks by the asset that they belong to", async () => {
    const { w, orders, board, run } = setUp();
    await run("pass", "fail");
    const count = async (query: Partial<ChangeQuery>) => (await listed(w, query)).length;
    expect(await count({ about: orders.id })).toBe(1);
    expect(await count({ about: board.id })).toBe(0);
    expect(await count({ within: new Set([orders.id]), kinds: ["check_failed"] })).toBe(1);
    expect(await count({ kinds: ["check_passed"] })).toBe(0);
    expect(await count({ connector: "other" })).toBe(0);
  });

  it("Whatever results come, an engine lists the same as the reference", MODEL_TIMEOUT, async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(reports, async (all) => {
        const [w, reference] = [newWorkspace(), createReferenceGraph({ keepsPast: true })];
        const list = async (graph: CatalogGraph) => {
          await live(graph, w, all);
          const { items } = await graph.listChanges(w, { since: null, until: timeOf(50) }, { after: null, limit: 200 });
          return items.map(({ kind, check, before, after, risk, moment: { at, syncId } }) => {
            return { kind, check, before, after, risk, at, syncId };
          });
        };
        const told = await list(open());
        found += told.length;
        expect(told).toEqual(await list(reference));
      }),
      modelRuns(200),
    );
    expect(found).toBeGreaterThan(0);
  });

  it("What a sweep of the history removes is not listed any more, and what came later is", async () => {
    const { w, run } = setUp();
    await run("pass", "fail", "pass", "fail");
    while (!(await open().sweepHistory(w, timeOf(2)))) {
      // Each step removes some.
    }
    expect((await listed(w)).map(([kind, sync]) => [kind, sync])).toEqual([
      ["check_failed", "dbt 4"],
      ["check_passed", "dbt 3"],
    ]);
  });
}
