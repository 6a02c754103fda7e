/**
 * Random sources that change, crawled by workers that die, are frozen, or lose the source half-way. Whatever happens, a
 * crawl that ends leaves the graph equal to the source, and no broken crawl removes anything.
 */
import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { expect, it } from "vitest";

import type { CatalogNode } from "../../../src/catalog/asset.ts";
import type { NodeId } from "../../../src/ids.ts";
import type { CrawlContext, CrawlEvent } from "../../../src/connectors/connector.ts";
import type { Connector, Sync } from "../../../src/metadata/records.ts";
import { SyncCancelled } from "../../../src/ingest/queue/crawler-queue.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openCrawlBench } from "../../support/crawl-bench.ts";
import { propertyRuns } from "../../support/depth.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { edge, scope, table } from "../../support/scripted-connector.ts";
import { enqueue } from "../../support/syncs.ts";

const NAMES = ["a", "b", "c", "d", "e"] as const;

/** A table of the source: its columns, and the table that it is read from, by SQL or by an edge. */
const relation = fc.record({
  name: fc.constantFrom(...NAMES),
  columns: fc.subarray(["id", "x", "y"], { minLength: 1 }),
  from: fc.option(fc.constantFrom(...NAMES)),
  bySql: fc.boolean(),
  description: fc.constantFrom("", "one", "two"),
});
type Relation = typeof relation extends fc.Arbitrary<infer T> ? T : never;

/** The relations by scope. */
const source = fc.array(fc.uniqueArray(relation, { selector: ({ name }) => name, maxLength: 3 }), {
  minLength: 2,
  maxLength: 2,
});
type Source = readonly (readonly Relation[])[];

const FATES = ["ends", "ends", "dies", "is frozen", "loses the source", "misses something", "is cancelled"] as const;

const crawls = fc.array(
  fc.record({
    source: fc.option(source),
    mode: fc.constantFrom("full", "incremental"),
    fate: fc.constantFrom(...FATES),
    /** The index of the event at which the fate strikes, modulo the number of events. */
    at: fc.nat(12),
  }),
  { minLength: 1, maxLength: 6 },
);
type Crawl = typeof crawls extends fc.Arbitrary<(infer T)[]> ? T : never;

function statementsOf(now: Source): CrawlEvent[] {
  return now.flatMap((relations, i) => {
    const stated = relations.map(({ name, columns, from, bySql, description }) => {
      const sql = from !== null && bySql ? `select ${columns.join(", ")} from ${from}` : null;
      return table(`${name}${i}`, { description, ...(sql === null ? {} : { sql }) }, columns);
    });
    const read = relations.flatMap(({ name, from, bySql }) =>
      from === null || bySql ? [] : [edge(`${from}0`, `${name}${i}`)],
    );
    return scope(`scope ${i}`, [...stated, ...read]);
  });
}

class SourceLost extends Error {}

type Bench = Omit<Awaited<ReturnType<typeof openCrawlBench>>, "crawl">;

/** All visible content, except times. */
async function look({ graph, workspace }: Bench): Promise<unknown> {
  const page = { after: null, limit: 1_000 };
  const { items } = await graph.listNodes(workspace.id, { types: ["table", "model"] }, page);
  const reached = new Set<NodeId>();
  const queue = items.map(({ id }) => id);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const [columns = []] = await graph.loadColumns(workspace.id, [id]);
    const query = { id, direction: "upstream", first: 100, after: null } as const;
    const [near] = await graph.loadNeighbours(workspace.id, [query]);
    queue.push(...columns.map((column) => column.id), ...(near?.items ?? []).map(({ node }) => node.id));
  }
  const ids = [...reached].toSorted();
  const nodes = await graph.loadNodes(workspace.id, ids);
  const near = await graph.loadNeighbours(
    workspace.id,
    ids.map((id) => ({ id, direction: "upstream", first: 100, after: null }) as const),
  );
  return nodes.map((node, i) => {
    const sources = near[i]?.items.map(({ node: { id }, kinds, uses }) => ({ id, kinds, uses }));
    return [withoutTimes(node), sources];
  });
}

/** Leaves out the workspace too, because its id differs each time. */
function withoutTimes(node: CatalogNode | null): unknown {
  if (node === null) return null;
  const { createdAt: _, updatedAt: __, workspace: ___, ...shown } = node;
  return shown;
}

async function listHeld({ graph, workspace }: Bench): Promise<string[]> {
  const { items } = await graph.listNodes(workspace.id, { types: "asset" }, { after: null, limit: 1_000 });
  return items.map(({ id }) => id);
}

/** Runs one sync to its end, whatever happens to its first worker on the way. */
async function crawlOnce(bench: Bench, now: Source, { mode, fate, at }: Omit<Crawl, "source">): Promise<void> {
  const { scripted, store, clock, connector, run } = bench;
  const state = { source: JSON.stringify(now) };
  const events = statementsOf(now);
  clock.advance(MINUTE_MS);
  const { id } = await enqueue(bench, connector, { mode });
  const workerOf = (): string => `w${clock.now().getTime()}`;
  const claim = async (): Promise<Sync> => {
    clock.advance(MINUTE_MS);
    const lease = { workerId: workerOf(), now: clock.now(), until: clock.now() };
    const sync = await store.leases.claim(lease, id);
    if (sync === null) throw new Error("there is no sync to run");
    return sync;
  };
  const tell = (strike: (event: number) => Promise<void> | void, isWhole = true) =>
    async function* ({ previousState }: CrawlContext): AsyncGenerator<CrawlEvent> {
      if (isDeepStrictEqual(previousState, state)) return;
      for (const [i, event] of events.entries()) {
        if (i === at % events.length) await strike(i);
        yield event.kind === "end" && !isWhole ? { ...event, complete: false } : event;
      }
      yield { kind: "state", state };
    };
  const end = async (sync: Sync, workerId: string): Promise<void> => {
    const outcome = await run(sync, new AbortController().signal, () => {});
    await store.leases.finish(sync.id, workerId, outcome, clock.now());
  };

  const abort = new AbortController();
  const sync = await claim();
  const first = workerOf();
  switch (fate) {
    case "ends":
      scripted.script = tell(() => {});
      return end(sync, first);
    case "loses the source":
      scripted.script = tell(() => {
        throw new SourceLost();
      });
      return end(sync, first);
    case "misses something":
      scripted.script = tell(() => {}, false);
      return end(sync, first);
    case "is cancelled": {
      scripted.script = tell(() => abort.abort(new SyncCancelled()));
      const outcome = await run(sync, abort.signal, () => {});
      await store.leases.finish(sync.id, first, outcome, clock.now());
      return;
    }
    case "dies":
      scripted.script = tell(() => abort.abort(new Error("the worker died")));
      await run(sync, abort.signal, () => {}).then(
        // It ended before it could die.
        (outcome) => store.leases.finish(sync.id, first, outcome, clock.now()),
        () => undefined,
      );
      if ((await store.syncs.findById(sync.workspaceId, id))?.status !== "running") return;
      scripted.script = tell(() => {});
      return end(await claim(), workerOf());
    case "is frozen": {
      const wake = Promise.withResolvers<void>();
      const asleep = Promise.withResolvers<void>();
      scripted.script = tell(() => {
        asleep.resolve();
        return wake.promise;
      });
      const frozen = run(sync, new AbortController().signal, () => {});
      await Promise.race([asleep.promise, frozen]);
      scripted.script = tell(() => {});
      const heir = await claim();
      await end(heir, workerOf());
      wake.resolve();
      const outcome = await frozen;
      if (await store.leases.finish(sync.id, first, outcome, clock.now()))
        throw new Error("the frozen worker ended it");
    }
  }
}

it("A crawl that ends leaves the graph equal to the source, whatever happened before", async () => {
  const shared = await openCrawlBench();
  let graphs = 0;
  /** An empty graph, and a new connector unless one is given. */
  const openGraph = async (known?: Connector): Promise<Bench> => {
    const graph = createReferenceGraph();
    const connector = known ?? (await shared.addConnector(`shop${graphs++}`));
    return { ...shared, graph, connector, run: shared.runOn(graph) };
  };
  await fc.assert(
    fc.asyncProperty(crawls, source, async (steps, last) => {
      const bench = await openGraph();
      let now: Source = [];
      for (const { source: changed, ...crawl } of steps) {
        now = changed ?? now;
        const before = await listHeld(bench);
        await crawlOnce(bench, now, crawl);
        const isBroken = ["loses the source", "misses something", "is cancelled"].includes(crawl.fate);
        const after = new Set(await listHeld(bench));
        expect(isBroken ? before.filter((id) => !after.has(id)) : []).toEqual([]);
      }
      await crawlOnce(bench, last, { mode: "incremental", fate: "ends", at: 0 });
      const fresh = await openGraph(bench.connector);
      await crawlOnce(fresh, last, { mode: "full", fate: "ends", at: 0 });
      expect(await look(bench)).toEqual(await look(fresh));
      await crawlOnce(bench, last, { mode: "incremental", fate: "ends", at: 0 });
      expect(await bench.store.syncs.findLatest(bench.workspace.id, bench.connector.id)).toMatchObject({
        assetsUpdated: 0,
        assetsRemoved: 0,
        assetsDiscovered: (await listHeld(bench)).length,
      });
    }),
    propertyRuns(40),
  );
});
