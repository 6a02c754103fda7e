import { expect, test } from "vitest";

import { fromCommandLine } from "../../../src/auth/origin.ts";
import { nodeId } from "../../../src/catalog/identity.ts";
import type { Countdown } from "../../../src/clock.ts";
import { findConnectorType } from "../../../src/connectors/registry.ts";
import { unavailable } from "../../../src/errors.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import { createReceiver, MAX_WAITING_BYTES, type Receiver } from "../../../src/ingest/receive.ts";
import { toConnectorId } from "../../../src/ids.ts";
import type { MetadataStore } from "../../../src/metadata/store.ts";
import { type Caller, THE_SERVICE } from "../../../src/work/caller.ts";
import { createEventLoopScheduler, type EventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { DAY_MS } from "../../support/clock.ts";
import { facet, pg, runEvent, schemaFacet, type EventDataset } from "../../support/lineage-events.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

const TYPE = "openlineage";
/** The duration of a process's lease on a subject. */
const LEASE_MS = 20_000;

const isAwayNow = () => Promise.reject(unavailable("The graph store is away."));

async function setUp(options: { keepsPast?: boolean } = {}) {
  const metadata = await openTestMetadata();
  const { store, clock, workspace, admin } = metadata;
  const graph = createReferenceGraph(options);
  const origin = fromCommandLine(workspace, admin);
  const logged: string[] = [];
  const ends: (() => void)[] = [];
  /** The test itself says when a countdown ends. */
  const countdown: Countdown = (_ms, onEnd) => {
    ends.push(onEnd);
    return () => void ends.splice(ends.indexOf(onEnd), 1);
  };
  const note = (object: unknown, message?: string) => void logged.push(message ?? String(object));
  const open = (
    changed: Partial<{ graph: CatalogGraph; store: MetadataStore; turns: EventLoopScheduler }> = {},
  ): Receiver =>
    createReceiver({
      writes: true,
      graph,
      store,
      sqlLineage: { resolve: () => Promise.reject(new Error("no SQL is read")) },
      findConnectorType,
      clock,
      countdown,
      turns: createEventLoopScheduler(),
      log: { error: note, warn: note, info: note },
      ...changed,
    });
  const receiver = open();
  const receive = (event: unknown, by = receiver) => by.receive(origin, THE_SERVICE, TYPE, [event]);
  const idOf = (name: string) => {
    const parts = ["shop", "public", name];
    return nodeId(workspace.name, { platform: "postgres", instance: "", type: "table", parts });
  };
  /** The names of all nodes upstream of a table. */
  const upstream = async (name: string): Promise<string[]> => {
    const query = { root: idOf(name), direction: "upstream", depth: 5, maxNodes: 100 } as const;
    return ((await graph.walk(workspace.id, query))?.nodes ?? []).map((node) => node.name).toSorted();
  };
  const find = async (name: string) => (await graph.loadNodes(workspace.id, [idOf(name)]))[0] ?? null;
  const waiting = async () => (await store.inbox.listWaiting(100)).map(({ subject }) => subject);
  return { ...metadata, graph, origin, logged, ends, open, receiver, receive, upstream, find, waiting };
}

const io = (...inputs: EventDataset[]) => ({ inputs, outputs: [pg("clean", schemaFacet("id"))] });

test("What each job brings is a change, from the first event of the connector on", async () => {
  const { receive, graph, workspace, clock } = await setUp({ keepsPast: true });
  for (const [run, name] of ["zero", "one", "two"].entries()) {
    clock.advance(1_000);
    await receive(runEvent({ job: `write_${name}`, run, at: run, outputs: [pg(name)] }));
  }
  const query = { since: null, until: clock.now().toISOString(), kinds: ["asset_added"] as const };
  const { items } = await graph.listChanges(workspace.id, query, { after: null, limit: 50 });
  // The first moment of a workspace has nothing before it.
  expect(items.map(({ node }) => node.name)).toEqual(["write_two", "two", "write_one", "one"]);
});

test("A message is stored before it is answered, and written later if the graph is away", async () => {
  const { graph, open, receive, upstream, waiting, logged } = await setUp();
  const away = { ...graph, writeNodes: isAwayNow };
  expect(await receive(runEvent(io(pg("raw"))), open({ graph: away }))).toEqual([null]);
  expect(logged).toEqual(["events are stored, but could not be written to the graph yet"]);
  expect(await waiting()).toEqual(["job:nightly\nload"]);
  // This is what the next start does.
  await open().look();
  expect(await upstream("clean")).toEqual(["load", "raw"]);
  expect(await waiting()).toEqual([]);
});

test("Jobs that name a path are written with the table that another job gives for it, and so are later events", async () => {
  const { receive, receiver, upstream, waiting } = await setUp();
  const path = { namespace: "s3://lake", name: "warehouse/clean" };
  const identifiers = [{ namespace: "hive://metastore:9083", name: "web.told", type: "TABLE" }];
  const told = { ...path, facets: { symlinks: facet({ identifiers }) } };
  await receive(runEvent({ job: "writer", run: 1, at: 5, outputs: [told] }));
  // The path's table is known from the other job, so writing this job changes that one too.
  await receive(runEvent({ job: "reader", run: 2, at: 6, inputs: [path], outputs: [pg("a")] }));
  await receive(runEvent({ job: "reader", run: 3, at: 7, inputs: [path], outputs: [pg("a")] }));
  expect(await upstream("a")).toEqual(["reader", "told", "writer"]);
  await receiver.look();
  expect(await waiting()).toEqual([]);
  await receiver.stop();
});

test("A graph that is away is asked only once until the next poll, and only necessary messages are kept", async () => {
  const { graph, store, origin, open, upstream, waiting, logged } = await setUp();
  let asked = 0;
  let isAway = true;
  const receiver = open({
    graph: {
      ...graph,
      async writeNodes(...args) {
        asked += 1;
        if (isAway) throw unavailable("The graph store is away.");
        return graph.writeNodes(...args);
      },
    },
  });
  const send = (run: number, job = "load") =>
    receiver.receive(origin, THE_SERVICE, TYPE, [runEvent({ run, at: run, job, ...io(pg(`r${run}`)) })]);
  const bytes = async () => [...(await store.inbox.measureWaiting()).values()].reduce((sum, each) => sum + each, 0);
  await Promise.all([send(1), send(1), send(2)]);
  await send(1, "other");
  expect(asked).toBe(1);
  const before = await bytes();
  for (let run = 3; run <= 30; run++) await send(run);
  expect(asked).toBe(1);
  expect(logged).toHaveLength(1);
  // The last run, and the ids of the runs before.
  expect((await bytes()) - before).toBeLessThan(30 * 100);
  await receiver.look();
  // Two jobs wait, and may be written at once.
  expect(asked).toBeLessThanOrEqual(3);
  expect(logged).toHaveLength(1);
  isAway = false;
  await receiver.look();
  expect(logged.slice(1)).toEqual(["events can be written to the graph again"]);
  expect(await upstream("clean")).toEqual(["load", "other", "r1", "r30"]);
  expect(await waiting()).toEqual([]);
  expect(await bytes()).toBe(0);
});

/** Two processes on one store. The graph of the first one writes only when the test says so. */
async function openTwo() {
  const parts = await setUp();
  const { graph, open, store, origin } = parts;
  const began = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  let asked = 0;
  const slow: CatalogGraph = {
    ...graph,
    async writeNodes(...args) {
      began.resolve();
      await mayEnd.promise;
      return graph.writeNodes(...args);
    },
  };
  const counted: CatalogGraph = {
    ...graph,
    async writeNodes(...args) {
      asked += 1;
      return graph.writeNodes(...args);
    },
  };
  const [first, second] = [open({ graph: slow }), open({ graph: counted })];
  const send = (run: number, by: Receiver) =>
    by.receive(origin, THE_SERVICE, TYPE, [runEvent({ run, at: run, ...io(pg(`r${run}`)) })]);
  const sent = send(1, first);
  await began.promise;
  return { ...parts, store, second, send, sent, mayEnd, asked: () => asked };
}

test("A process does not write a subject that another process has leased, not even for new messages", async () => {
  const { second, send, sent, mayEnd, asked, upstream, waiting } = await openTwo();
  await second.look();
  await send(2, second);
  await second.look();
  expect(asked()).toBe(0);
  mayEnd.resolve();
  await sent;
  expect(await upstream("clean")).toEqual(["load", "r2"]);
  expect(await waiting()).toEqual([]);
});

test("A subject whose process died is written by another one after 20 seconds", async () => {
  const { second, clock, upstream } = await openTwo();
  clock.advance(LEASE_MS - 1);
  await second.look();
  expect(await upstream("clean")).toEqual([]);
  clock.advance(1);
  await second.look();
  expect(await upstream("clean")).toEqual(["load", "r1"]);
});

test("A subject that could not be written is free for another process at once", async () => {
  const { graph, origin, open, upstream } = await setUp();
  const event = runEvent({ run: 1, at: 1, ...io(pg("r1")) });
  await open({ graph: { ...graph, writeNodes: isAwayNow } }).receive(origin, THE_SERVICE, TYPE, [event]);
  await open().look();
  expect(await upstream("clean")).toEqual(["load", "r1"]);
});

test("Messages are refused while too many bytes wait", async () => {
  const { store, workspace, open, receive, waiting, upstream } = await setUp();
  await receive(runEvent({ run: 1, at: 1, ...io(pg("first")) }));
  const { id } = present(await store.connectors.findByName(workspace.id, TYPE));
  let asked = 0;
  let bytes = 0;
  const measureWaiting = () => ((asked += 1), Promise.resolve(new Map([[id, bytes]])));
  const receiver = open({ store: { ...store, inbox: { ...store.inbox, measureWaiting } } });
  bytes = MAX_WAITING_BYTES;
  await receiver.look();
  const late = runEvent({ run: 2, at: 2, ...io(pg("second")) });
  const refused = { code: "unavailable", retryAfterSeconds: 10 };
  await expect(receive(late, receiver)).rejects.toMatchObject(refused);
  await expect(receive(late, receiver)).rejects.toMatchObject(refused);
  // Once by the poll, and once by the first request.
  expect(asked).toBe(2);
  expect(await waiting()).toEqual([]);
  expect(await upstream("clean")).toEqual(["first", "load"]);
  bytes = 0;
  await receiver.look();
  expect(await receive(late, receiver)).toEqual([null]);
  expect(await upstream("clean")).toEqual(["load", "second"]);
});

test("A crash between writing the graph and recording that loses and doubles nothing", async () => {
  const { store, open, receive, upstream, waiting, find } = await setUp();
  const crashing = { ...store, inbox: { ...store.inbox, end: () => Promise.reject(new Error("the process died")) } };
  await receive(runEvent(io(pg("raw"))), open({ store: crashing }));
  // The edges are there, but what the job says about its table is not.
  expect(await find("clean")).toMatchObject({ existence: "referenced" });
  expect(await waiting()).toEqual(["job:nightly\nload"]);
  await open().look();
  expect(await find("clean")).toMatchObject({ existence: "held" });
  expect(await upstream("clean")).toEqual(["load", "raw"]);
  expect(await waiting()).toEqual([]);
});

test("A sender does not wait for ever for a slow graph", async () => {
  const { graph, open, receive, ends, upstream } = await setUp();
  const gate = Promise.withResolvers<void>();
  const slow = {
    ...graph,
    writeNodes: (...args: Parameters<CatalogGraph["writeNodes"]>) => gate.promise.then(() => graph.writeNodes(...args)),
  };
  const receiver = open({ graph: slow });
  const received = receive(runEvent(io(pg("raw"))), receiver);
  await expect.poll(() => ends.length).toBe(1);
  ends[0]?.();
  expect(await received).toEqual([null]);
  expect(await upstream("clean")).toEqual([]);
  gate.resolve();
  await expect.poll(() => upstream("clean")).toEqual(["load", "raw"]);
  await receiver.stop();
});

test("If a process sleeps longer than its lease, the process with more messages wins", async () => {
  const { graph, openAgain, open, clock, receive, upstream, waiting } = await setUp();
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const slow: CatalogGraph = {
    ...graph,
    async writeEdges(...args) {
      if (isFirst) {
        isFirst = false;
        entered.resolve();
        await gate.promise;
      }
      return graph.writeEdges(...args);
    },
  };
  const old = receive(runEvent({ run: 1, at: 1, ...io(pg("old")) }), open({ graph: slow }));
  await entered.promise;
  clock.advance(LEASE_MS);
  await receive(runEvent({ run: 2, at: 2, ...io(pg("new")) }), open({ store: await openAgain() }));
  expect(await upstream("clean")).toEqual(["load", "new"]);
  gate.resolve();
  await old;
  expect(await upstream("clean")).toEqual(["load", "new"]);
  expect(await waiting()).toEqual([]);
});

test("A process that writes late, and dies before it records that, leaves nothing stale", async () => {
  const { graph, store, openAgain, open, clock, receive, upstream, waiting } = await setUp();
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const slow: CatalogGraph = {
    ...graph,
    async writeEdges(...args) {
      if (isFirst) {
        isFirst = false;
        entered.resolve();
        await gate.promise;
      }
      return graph.writeEdges(...args);
    },
  };
  const dying = { ...store, inbox: { ...store.inbox, end: () => Promise.reject(new Error("the process died")) } };
  const old = receive(runEvent({ run: 1, at: 1, ...io(pg("old")) }), open({ graph: slow, store: dying }));
  await entered.promise;
  clock.advance(LEASE_MS);
  await receive(runEvent({ run: 2, at: 2, ...io(pg("new")) }), open({ store: await openAgain() }));
  gate.resolve();
  await old;
  expect(await upstream("clean")).toEqual(["load", "new"]);
  expect(await waiting()).toEqual([]);
});

test("Options that change while a subject is written apply to it afterwards", async () => {
  const { graph, store, open, receive, workspace, find } = await setUp();
  await receive(runEvent({ run: 1, at: 1, ...io(pg("raw")) }));
  const { id } = present(await store.connectors.findByName(workspace.id, TYPE));
  let isFirst = true;
  const connectors: typeof store.connectors = {
    ...store.connectors,
    async findById(...args) {
      const found = await store.connectors.findById(...args);
      if (isFirst) {
        isFirst = false;
        const options = { namespaces: "postgres://*=postgres@eu" };
        await store.connectors.setOptions(workspace.id, id, { options, secretOptions: [] });
        await store.inbox.reopen(workspace.id, id);
      }
      return found;
    },
  };
  await receive(runEvent({ run: 2, at: 2, ...io(pg("raw")) }), open({ store: { ...store, connectors } }));
  await open().look();
  expect(await find("clean")).toBeNull();
  const clean = { platform: "postgres", instance: "eu", type: "table", parts: ["shop", "public", "clean"] } as const;
  expect(await graph.loadNodes(workspace.id, [nodeId(workspace.name, clean)])).toMatchObject([{ existence: "held" }]);
});

test("Many simultaneous events of one job result in the latest run, and are written together", async () => {
  const { graph, open, origin, upstream } = await setUp();
  let sweeps = 0;
  const counting: CatalogGraph = {
    ...graph,
    sweep: (stamp, scope) => ((sweeps += Number(scope.startsWith("job:"))), graph.sweep(stamp, scope)),
  };
  const receiver = open({ graph: counting });
  await receiver.receive(origin, THE_SERVICE, TYPE, [runEvent({ run: 99, at: 99, ...io(pg("r99")) })]);
  const runs = Array.from({ length: 50 }, (_, run) => runEvent({ run, at: run, ...io(pg(`r${run}`)) }));
  await Promise.all(runs.map((event) => receiver.receive(origin, THE_SERVICE, TYPE, [event])));
  expect(await upstream("clean")).toEqual(["load", "r99"]);
  expect(sweeps).toBeLessThan(20);
});

test("A repeated event writes nothing", async () => {
  const { graph, open, origin } = await setUp();
  const scopes: string[] = [];
  const receiver = open({
    graph: { ...graph, sweep: (stamp, scope) => (scopes.push(scope), graph.sweep(stamp, scope)) },
  });
  const event = runEvent(io(pg("raw")));
  await receiver.receive(origin, THE_SERVICE, TYPE, [event]);
  const before = scopes.length;
  // A job, the two datasets of its run, and the nodes that each of them only references.
  expect(before).toBe(6);
  await receiver.receive(origin, THE_SERVICE, TYPE, [event, event]);
  expect(scopes).toHaveLength(before);
});

/** A graph whose certifications can be read only after this number of failures, and a count of the reads. */
function failAtCertifications(graph: CatalogGraph, failures: number) {
  const asked = { times: 0 };
  const listNodes: CatalogGraph["listNodes"] = async (...args) => {
    asked.times += 1;
    if (asked.times <= failures) throw unavailable("The graph store is away.");
    return graph.listNodes(...args);
  };
  return { asked, graph: { ...graph, listNodes } };
}

test("Certifications that could not be rechecked after an event are rechecked by the next poll", async () => {
  const { graph, open, receive } = await setUp();
  const failing = failAtCertifications(graph, 1);
  const receiver = open({ graph: failing.graph });
  await receive(runEvent(io(pg("raw"))), receiver);
  await receiver.look();
  expect(failing.asked.times).toBe(1);
  await receiver.look();
  await receiver.look();
  expect(failing.asked.times).toBe(2);
});

test("A process that starts rechecks certifications, because one that died may not have done so", async () => {
  const { graph, open } = await setUp();
  const { asked, graph: watched } = failAtCertifications(graph, 0);
  const receiver = open({ graph: watched });
  receiver.start();
  await receiver.look();
  expect(asked.times).toBe(1);
  await receiver.stop();
});

test("A batch waits for a turn of the event loop before it reads each further event", async () => {
  const { open, origin } = await setUp();
  const asked: string[] = [];
  const turns = { next: async ({ tenant }: Caller) => void asked.push(tenant) };
  const caller: Caller = { ...THE_SERVICE, tenant: "the sender" };
  const events = Array.from({ length: 5 }, (_, run) => runEvent({ run, at: run, ...io(pg("raw")) }));
  await open({ turns }).receive(origin, caller, TYPE, events);
  // One that takes long waits for more than one turn, as the first of a process may.
  expect(asked.filter((tenant) => tenant === "the sender").length).toBeGreaterThanOrEqual(4);
});

test("A job whose last run has expired loses its lineage, even if no event comes", async () => {
  const { store, clock, receive, receiver, workspace, find, upstream } = await setUp();
  const options = { expire_after_days: "30" };
  await store.connectors.create({ workspaceId: workspace.id, type: TYPE, name: TYPE, options, secretOptions: [] });
  await receive(runEvent(io(pg("raw"))));
  clock.advance(29 * DAY_MS);
  await receiver.look();
  expect(await upstream("clean")).toEqual(["load", "raw"]);
  clock.advance(DAY_MS);
  await receiver.look();
  expect(await find("clean")).toBeNull();
  expect(await find("raw")).toBeNull();
});

test("Events go to the oldest connector of the type, whatever its name", async () => {
  const { store, workspace, receive } = await setUp();
  const named = { workspaceId: workspace.id, options: {}, secretOptions: [] };
  const { id } = await store.connectors.create({ ...named, type: TYPE, name: "airflow" });
  await receive(runEvent(io()));
  expect(await store.connectors.count(workspace.id)).toBe(1);
  expect((await store.connectors.findById(workspace.id, id))?.receivedAt).not.toBeNull();
});

test("Events are refused if a connector of another type has the name that theirs would get", async () => {
  const { store, workspace, receive } = await setUp();
  const named = { workspaceId: workspace.id, options: {}, secretOptions: [] };
  await store.connectors.create({ ...named, type: "dbt", name: TYPE });
  await expect(receive(runEvent(io()))).rejects.toMatchObject({ code: "conflict" });
});

test("The last event counts as the last crawl of its connector", async () => {
  const { store, clock, workspace, receive } = await setUp();
  await receive(runEvent(io()));
  const connector = present(await store.connectors.findByName(workspace.id, TYPE));
  const at = clock.now().toISOString();
  expect(await store.syncs.loadLastCompleted(workspace.id, [connector.id, toConnectorId("con_none")])).toEqual([
    at,
    null,
  ]);
  const before = new Date(Date.parse(at) - 1).toISOString();
  expect(await store.syncs.loadLastCompleted(workspace.id, [connector.id], at)).toEqual([at]);
  expect(await store.syncs.loadLastCompleted(workspace.id, [connector.id], before)).toEqual([null]);
});

test("A receiver that stops leaves unwritten messages for the next start", async () => {
  const { receiver, receive, waiting, open, upstream } = await setUp();
  await receiver.stop();
  expect(await receive(runEvent(io(pg("raw"))))).toEqual([null]);
  expect(await waiting()).toHaveLength(1);
  await open().look();
  expect(await upstream("clean")).toEqual(["load", "raw"]);
});
