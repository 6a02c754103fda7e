/** Reads for one caller. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { parseSearch } from "../../../src/catalog/search.ts";
import type { GraphReader } from "../../../src/graph/catalog-graph.ts";
import type { Caller } from "../../../src/work/caller.ts";
import { propertyRuns } from "../../support/depth.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

type Read = (reader: GraphReader) => Promise<unknown>;

/** A hub, from which long reads start, and one read of each kind. */
async function makeReads(graph: ReturnType<OpenGraph>): Promise<Read[]> {
  const w = newWorkspace();
  const hub = nodeOf(w, "table", "hub", { tags: ["core"], owner: "ada@example.com" });
  const users = Array.from({ length: 700 }, (_, i) => nodeOf(w, "model", `user_${i}`));
  const stamp = stampOf(w, "dbt", 1);
  await graph.writeNodes(stamp, "all", [hub, columnOf(w, hub, "id", 0), ...users]);
  const edges = users.map((user) => edgeOf(hub, user, "derives"));
  await graph.writeEdges(stamp, "all", edges);
  const ids = [hub, ...users].map(({ id }) => id);
  const page = { after: null, limit: 20 };
  const query = present(parseSearch("user 7"));
  const filter = { types: "asset", tag: "core" } as const;
  return [
    (reader) => reader.loadNodes(w, ids),
    (reader) => reader.loadNodes(w, ids.slice(0, 3)),
    (reader) => reader.loadByFqn(w, "hub", {}),
    (reader) => reader.loadColumns(w, ids),
    (reader) => reader.listNodes(w, { types: "asset" }, page),
    (reader) => reader.listNodes(w, filter, page),
    (reader) => reader.listStatements(w, { connector: { id: stamp.connectorId, name: "dbt" }, types: ["table"] }, page),
    (reader) => reader.searchNodes(w, { types: "asset" }, query, page),
    (reader) => reader.loadNeighbours(w, [{ id: hub.id, direction: "downstream", first: 700, after: null }]),
    (reader) => reader.walk(w, { root: hub.id, direction: "downstream", depth: 3, maxNodes: 1_000 }),
    (reader) => reader.walk(w, { root: hub.id, direction: "upstream", depth: 3, maxNodes: 1_000 }),
    (reader) => reader.loadTrails(w, ids),
    (reader) => reader.loadDependencies(w, ids),
    (reader) => reader.assessImpact(w, { root: hub.id, change: "deprecate", newType: null, maxAffected: 1_000 }),
    (reader) => reader.countNodes(w),
    (reader) => reader.countNodes(w, filter),
    (reader) => reader.countValues(w, filter, "tag", 10),
    (reader) => reader.listFolders(w, {}, page),
    (reader) => reader.listValues(w, "owner", 10),
    (reader) => reader.loadOwnerNames(w, ["a@example.com"]),
  ];
}

function makeCaller(tenant: string): Caller & { leave: () => void; reason: Error } {
  const controller = new AbortController();
  const reason = new Error(`${tenant} hung up`);
  return { tenant, signal: controller.signal, reason, leave: () => controller.abort(reason) };
}

export function describeCallers(open: OpenGraph): void {
  it("A caller gets the same answers as a direct read of the graph", async () => {
    const graph = open();
    const reader = graph.readerFor(makeCaller("ada"));
    for (const read of await makeReads(graph)) expect(await read(reader)).toEqual(await read(graph));
    await reader.check();
  });

  it("A caller who has left gets no answer to any read, but the reason why they left", async () => {
    const graph = open();
    const caller = makeCaller("gone");
    const reader = graph.readerFor(caller);
    caller.leave();
    for (const read of await makeReads(graph)) await expect(read(reader)).rejects.toBe(caller.reason);
  });

  it("A caller who stays gets every answer, even if others read much or leave in between", async () => {
    const graph = open();
    const reads = await makeReads(graph);
    const answers = await Promise.all(reads.map((read) => read(graph)));
    const asked = fc.array(fc.record({ who: fc.nat({ max: 2 }), what: fc.nat({ max: reads.length - 1 }) }), {
      maxLength: 40,
    });
    const left = fc.array(fc.record({ who: fc.nat({ max: 2 }), after: fc.nat({ max: 20 }) }), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(asked, left, async (questions, leaving) => {
        const callers = ["ada", "grace", "edsger"].map(makeCaller);
        const readers = callers.map((caller) => graph.readerFor(caller));
        const outcomes = questions.map(async ({ who, what }) => {
          const [outcome] = await Promise.allSettled([reads[what]?.(present(readers[who]))]);
          return outcome;
        });
        for (const { who, after } of leaving) {
          await Promise.all(outcomes.slice(0, after));
          callers[who]?.leave();
        }
        for (const [i, outcome] of (await Promise.all(outcomes)).entries()) {
          const { who, what } = present(questions[i]);
          const { signal, reason } = present(callers[who]);
          const isGone = outcome.status === "rejected" && signal.aborted;
          expect(outcome).toEqual(
            isGone ? { status: "rejected", reason } : { status: "fulfilled", value: answers[what] },
          );
        }
      }),
      propertyRuns(15),
    );
  });
}
