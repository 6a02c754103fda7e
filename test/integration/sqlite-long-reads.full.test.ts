/** Long reads of the embedded graph leave the event loop and the threads to others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { parseSearch } from "../../src/catalog/search.ts";
import type { CatalogGraph, GraphReader } from "../../src/graph/catalog-graph.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import type { NodeId } from "../../src/ids.ts";
import type { Caller } from "../../src/work/caller.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../support/graph-writes.ts";
import { present } from "../support/present.ts";

/** Whether the event loop turns before the answer comes. An answer from another thread never comes sooner. */
async function letsOthersRun(read: Promise<unknown>): Promise<boolean> {
  let isThere = false;
  const told = read.finally(() => {
    isThere = true;
  });
  for (let microtask = 0; microtask < 20; microtask++) await Promise.resolve();
  const isWaited = !isThere;
  await told;
  return isWaited;
}

const w = newWorkspace();
const hub = nodeOf(w, "table", "hub");
const wide = nodeOf(w, "table", "wide");
const users = Array.from({ length: 3_000 }, (_, i) => nodeOf(w, "table", `user_${i}`));
const columns = Array.from({ length: 400 }, (_, i) => columnOf(w, wide, `c${i}`, i));
const folder = mkdtempSync(join(tmpdir(), "tributary-"));
const path = join(folder, "graph.db");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const graph = await openSqliteGraph({ path });
  const stamp = stampOf(w, "dbt", 1);
  await graph.writeNodes(stamp, "all", [hub, wide, ...users, ...columns]);
  const edges = users.map((user) => edgeOf(hub, user, "derives"));
  await graph.writeEdges(stamp, "all", [...edges, edgeOf(wide, hub, "derives")]);
  await graph.close();
});

async function openGraph(): Promise<CatalogGraph> {
  const graph = await openSqliteGraph({ path });
  onTestFinished(() => graph.close());
  return graph;
}

const idOf = ({ id }: { id: NodeId }): NodeId => id;
const change = { change: "deprecate", newType: null, maxAffected: 3_000 } as const;
const down = { direction: "downstream", depth: 3, maxNodes: 3_000 } as const;
const query = present(parseSearch("user 7"));

const walk = (reader: GraphReader) => reader.walk(w, { ...down, root: hub.id });
const assess = (reader: GraphReader) => reader.assessImpact(w, { ...change, root: hub.id });
const search = (reader: GraphReader) => reader.searchNodes(w, { types: "asset" }, query, { after: null, limit: 1 });

function makeCaller(tenant: string): Caller & { leave: (reason: Error) => void } {
  const controller = new AbortController();
  return { tenant, signal: controller.signal, leave: (reason) => controller.abort(reason) };
}

it("A short read runs on the event loop, and a read that may be long runs in a thread", async () => {
  const graph = await openGraph();
  const few = users.slice(0, 50).map(({ id }) => ({ id, direction: "upstream", first: 1, after: null }) as const);
  const many = [...few, { id: hub.id, direction: "downstream", first: 20, after: null } as const];
  const page = { after: null, limit: 50 };
  const ids = users.map(idOf);

  expect(await letsOthersRun(graph.loadNeighbours(w, few))).toBe(false);
  expect(await letsOthersRun(graph.loadNeighbours(w, many))).toBe(true);
  expect((await graph.loadNeighbours(w, many)).map(({ total }) => total)).toEqual([...few.map(() => 1), 3_000]);

  expect(await letsOthersRun(graph.loadNodes(w, ids.slice(0, 50)))).toBe(false);
  expect(await letsOthersRun(graph.loadNodes(w, ids))).toBe(true);
  expect((await graph.loadNodes(w, ids)).map((node) => node?.id)).toEqual(ids);

  expect(await letsOthersRun(graph.loadColumns(w, ids.slice(0, 50)))).toBe(false);
  expect(await letsOthersRun(graph.loadColumns(w, [wide.id]))).toBe(true);
  expect((await graph.loadColumns(w, [...ids, wide.id])).map(({ length }) => length)).toEqual([
    ...ids.map(() => 0),
    400,
  ]);

  expect(await letsOthersRun(graph.loadTrails(w, ids.slice(0, 50)))).toBe(false);
  expect(await letsOthersRun(graph.loadTrails(w, ids))).toBe(true);

  expect(await letsOthersRun(graph.listNodes(w, { types: "asset" }, page))).toBe(false);
  expect(await letsOthersRun(graph.listNodes(w, { types: "asset" }, { ...page, limit: 1_000 }))).toBe(true);
  expect(await letsOthersRun(graph.listNodes(w, { types: "asset", connector: "dbt" }, page))).toBe(true);

  const root = { direction: "upstream", depth: 3, maxNodes: 100, root: present(users[0]).id } as const;
  expect(await letsOthersRun(graph.walk(w, root))).toBe(false);
  expect(await letsOthersRun(walk(graph))).toBe(true);
});

it("Every impact is computed in a thread, however small it is", async () => {
  const graph = await openGraph();
  expect(await letsOthersRun(graph.assessImpact(w, { ...change, root: present(users[0]).id }))).toBe(true);
});

/**
 * Sixty walks and thirty impacts of one tenant, the first of them in progress, and the order in which all reads end.
 */
async function openBusy() {
  const graph = await openGraph();
  const ended: string[] = [];
  const note = <T>(name: string, read: Promise<T>): Promise<T> => read.finally(() => ended.push(name));
  const busy = makeCaller("busy");
  const reader = graph.readerFor(busy);
  // By now every thread has started.
  await Promise.all([search(graph), walk(graph), assess(graph.readerFor(makeCaller("another")))]);
  const reads = [
    ...Array.from({ length: 60 }, () => note("busy", walk(reader))),
    ...Array.from({ length: 30 }, () => note("busy", assess(reader))),
  ];
  return { graph, busy, ended, note, outcomes: Promise.allSettled(reads) };
}

describe("many long reads of one tenant", () => {
  it("Many long reads of one tenant let another tenant's search and impact run next", async () => {
    const { graph, busy, ended, note, outcomes } = await openBusy();
    const other = graph.readerFor(makeCaller("other"));
    await Promise.all([note("search", search(other)), note("impact", assess(other))]);
    // The other tenant has a thread for its impact. Meanwhile the busy tenant's thread ends some walks.
    expect(ended.indexOf("search")).toBeLessThan(10);
    expect(ended.indexOf("impact")).toBeLessThan(60);
    busy.leave(new Error("done"));
    await outcomes;
  });

  it("Many long reads end when their caller disconnects, and do not delay the caller's next read", async () => {
    const { graph, busy, ended, note, outcomes } = await openBusy();
    const reason = new Error("hung up");
    busy.leave(reason);
    for (const outcome of await outcomes) expect(outcome).toEqual({ status: "rejected", reason });
    expect(ended).toHaveLength(90);
    await note("again", walk(graph.readerFor(makeCaller("busy"))));
    expect(ended.at(-1)).toBe("again");
  });

  it("More than a thousand waiting reads are refused, and waiting reads end when the graph is closed", async () => {
    const { graph, busy, outcomes } = await openBusy();
    const reader = graph.readerFor(busy);
    const more = await Promise.allSettled([...Array.from({ length: 1_000 }, () => walk(reader)), graph.close()]);
    const codes = more.map((outcome) => (outcome.status === "rejected" ? outcome.reason.code : "closed"));
    expect(new Set(codes)).toEqual(new Set(["unavailable", "rate_limited", "closed"]));
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
    }
    await expect(graph.loadNodes(w, [hub.id])).rejects.toMatchObject({ code: "unavailable" });
  });
});
