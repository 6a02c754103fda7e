/**
 * Random workspaces on an engine and on the reference: after the same writes, both answer the same to everything.
 * `TEST_MODEL_RUNS` and `TEST_MODEL_SEED` ask for more runs than the few that every test run makes, and for others.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DIRECTIONS } from "../../src/catalog/edge.ts";
import { type SearchPosition, comparePositions, parseSearch } from "../../src/catalog/search.ts";
import { compareCodePoints } from "../../src/catalog/text.ts";
import type { CatalogGraph, CrawlStamp, NodeFilter, NodeWrite } from "../../src/graph/catalog-graph.ts";
import { allPages, newWorkspace, nodeOf, stampOf, timeOf } from "../support/graph-writes.ts";
import {
  type Operation,
  PRECEDENCE,
  type Place,
  type Questions,
  type RandomFacts,
  edges,
  idAt,
  nodeAt,
  operations,
  places,
  questions,
  sayings,
} from "../support/random-graph.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";
import { sharedGraph } from "./catalog-graph.ts";

const SEED = Number(process.env["TEST_MODEL_SEED"] ?? 20_261_120);
/** Shrinking a failure may take a while; success does not. */
const TIMEOUT_MS = 600_000;

const runs = (few: number): fc.Parameters<unknown> => ({
  seed: SEED,
  numRuns: Number(process.env["TEST_MODEL_RUNS"] ?? few),
  interruptAfterTimeLimit: TIMEOUT_MS / 2,
});

export function describeCatalogGraphModel(name: string, open: () => Promise<CatalogGraph>): void {
  describe(`the catalog graph on ${name}, against the reference`, () => {
    const graph = sharedGraph(open);

    it("answers all questions alike after any writes", { timeout: TIMEOUT_MS }, async () => {
      const history = fc.tuple(places(8), sayings).chain(([world, said]) =>
        fc.record({
          world: fc.constant(world),
          said: fc.constant(said),
          here: operations(world.length, said.length),
          elsewhere: operations(world.length, said.length).map((all) => all.slice(0, 3)),
          asked: questions,
        }),
      );
      await fc.assert(
        fc.asyncProperty(history, async ({ world, said, here, elsewhere, asked }) => {
          const reference = createReferenceGraph();
          for (const happened of [elsewhere, here]) {
            const workspace = newWorkspace();
            await live(workspace, world, said, happened, graph(), reference);
            expect(await interview(graph(), workspace, world, asked)).toEqual(
              await interview(reference, workspace, world, asked),
            );
          }
        }),
        runs(120),
      );
    });

    it(
      "walks any graph alike, from every node, to every depth, however few nodes are kept",
      { timeout: TIMEOUT_MS },
      async () => {
        const count = 16;
        await fc.assert(
          fc.asyncProperty(edges(count, 60), fc.integer({ min: 1, max: 12 }), async (arrows, maxNodes) => {
            const workspace = newWorkspace();
            const reference = createReferenceGraph();
            const stamp = stampOf(workspace, "dbt", 1);
            const nodes = Array.from({ length: count }, (_, i) =>
              nodeOf(workspace, i % 5 === 4 ? "pipeline" : "table", `t${i}`),
            );
            const ids = nodes.map((node) => node.id);
            const stated = arrows.map(({ from, to, kind }) => ({ from: ids[from] ?? "", to: ids[to] ?? "", kind }));
            for (const store of [graph(), reference]) {
              await store.writeNodes(stamp, "all", nodes);
              expect(await store.writeEdges(stamp, "all", stated)).toEqual([]);
            }
            for (const direction of DIRECTIONS) {
              for (const [i, root] of ids.entries()) {
                const asked = { root, direction, depth: 1 + (i % 10), maxNodes };
                expect(await graph().walk(workspace, asked)).toEqual(await reference.walk(workspace, asked));
              }
            }
          }),
          runs(40),
        );
      },
    );

    it(
      "shows an item that is there throughout exactly once, while others come and go between pages",
      { timeout: TIMEOUT_MS },
      async () => {
        const count = 12;
        const some = fc.subarray(Array.from({ length: count }, (_, i) => i));
        const comings = fc.array(some, { minLength: 1, maxLength: 8 });
        await fc.assert(
          fc.asyncProperty(some, comings, fc.integer({ min: 1, max: 4 }), async (staying, coming, limit) => {
            const workspace = newWorkspace();
            const nodes = Array.from({ length: count }, (_, i) => catchable(workspace, i));
            const pick = (indexes: number[]): NodeWrite[] => nodes.filter((_, i) => indexes.includes(i));
            await graph().writeNodes(stampOf(workspace, "stays", 1), "all", pick(staying));
            let step = 0;
            const churn = async (): Promise<void> => {
              const stamp = stampOf(workspace, "churns", ++step);
              await graph().writeNodes(stamp, "all", pick(coming[step % coming.length] ?? []));
              await graph().sweep(stamp, "all");
            };
            const stayed = new Set(pick(staying).map((node) => node.id));

            const listed = await allPages(
              async (after: string | null) => {
                await churn();
                return graph().listNodes(workspace, ASSETS, { after, limit });
              },
              (node) => node.key,
            );
            expectStrictlyAscending(
              listed.map((node) => node.key),
              compareCodePoints,
            );
            expect(listed.filter(({ id }) => stayed.has(id)).length).toBe(stayed.size);

            const query = parseSearch("orders");
            if (query === null) return;
            const found = await allPages(
              async (after: SearchPosition | null) => {
                await churn();
                return graph().searchNodes(workspace, ASSETS, query, { after, limit });
              },
              (item) => item.position,
            );
            expectStrictlyAscending(
              found.map((item) => item.position),
              (a, b) => comparePositions(a, b, compareCodePoints),
            );
            expect(found.filter(({ node }) => stayed.has(node.id)).length).toBe(stayed.size);
          }),
          runs(25),
        );
      },
    );
  });
}

const ASSETS: NodeFilter = { types: "asset" };

/** One of a few tables that a search for orders finds, in one tier or another. */
function catchable(workspace: string, index: number): NodeWrite {
  const facts = [{ name: "orders" }, { name: "orders_daily" }, { tags: ["orders"] }, { description: "of orders" }];
  const certification = index % 3 === 0 ? "certified" : null;
  return nodeOf(workspace, "table", `t${index}`, { ...facts[index % facts.length], certification });
}

function expectStrictlyAscending<T>(items: T[], compare: (a: T, b: T) => number): void {
  for (const [i, item] of items.slice(1).entries()) expect(compare(items[i] ?? item, item)).toBeLessThan(0);
}

/** Does the same to both stores, and compares what each write answers. */
async function live(
  workspace: string,
  world: Place[],
  said: RandomFacts[],
  happened: Operation[],
  engine: CatalogGraph,
  reference: CatalogGraph,
): Promise<void> {
  const syncs = new Map<string, number>();
  for (const [step, operation] of happened.entries()) {
    const { connector, newSync } = operation;
    const sync = newSync ? step + 1 : (syncs.get(connector) ?? 0);
    syncs.set(connector, sync);
    const stamp = { ...stampOf(workspace, connector, sync, PRECEDENCE[connector]), at: timeOf(step) };
    const perform = async (graph: CatalogGraph) => ({
      step,
      answer: await write(graph, world, said, stamp, operation),
      tally: await graph.tally(stamp),
    });
    expect(await perform(engine)).toEqual(await perform(reference));
  }
}

async function write(
  graph: CatalogGraph,
  world: Place[],
  said: RandomFacts[],
  stamp: CrawlStamp,
  operation: Operation,
): Promise<unknown> {
  const { workspace } = stamp;
  switch (operation.kind) {
    case "nodes": {
      const nodes = operation.nodes.flatMap(({ place, facts }) => {
        const [at, saying] = [world[place], said[facts]];
        return at === undefined || saying === undefined ? [] : [nodeAt(workspace, place, at, saying)];
      });
      return graph.writeNodes(stamp, operation.scope, nodes);
    }
    case "edges": {
      const stated = operation.edges.map(({ from, to, kind }) => ({
        from: idAt(workspace, from),
        to: idAt(workspace, to),
        kind,
      }));
      return graph.writeEdges(stamp, operation.scope, stated);
    }
    case "sweep":
      return graph.sweep(stamp, operation.scope);
    case "curate":
      return graph.curate(workspace, idAt(workspace, operation.place), operation.change, stamp.at);
  }
}

/** Asks a store everything. */
async function interview(graph: CatalogGraph, workspace: string, world: Place[], asked: Questions) {
  const ids = world.map((_, i) => idAt(workspace, i));
  const { direction, depth, maxNodes, first } = asked;
  const nodes = await graph.loadNodes(workspace, [...ids, "unknown", ...ids.slice(0, 2)]);
  const keys = [null, ...nodes.map((node) => node?.key ?? "")];
  const neighbourQueries = ids.flatMap((id, i) =>
    DIRECTIONS.map((way) => ({ id, direction: way, first, after: keys[i] ?? null })),
  );
  const fqns = [...world.map((place) => place.fqn.toLowerCase()), ...asked.fqns];
  return {
    nodes,
    counts: await graph.countNodes(workspace),
    columns: await graph.loadColumns(workspace, [...ids, "unknown"]),
    neighbours: await graph.loadNeighbours(workspace, [
      ...neighbourQueries,
      ...neighbourQueries.map(({ id, direction: way }) => ({ id, direction: way, first: 100, after: null })),
    ]),
    byFqn: await inTurn(fqns, (fqn) => graph.findByFqn(workspace, fqn, {})),
    byFqnAndType: await inTurn(world, ({ fqn, type, platform }) => graph.findByFqn(workspace, fqn, { type, platform })),
    walks: await inTurn(ids, (root) => graph.walk(workspace, { root, direction, depth, maxNodes })),
    lists: await inTurn(asked.lists, ({ filter, limit }) =>
      allPages(
        (after: string | null) => graph.listNodes(workspace, filter, { after, limit }),
        (node) => node.key,
      ),
    ),
    searches: await inTurn(asked.searches, async ({ filter, query: text, limit }) => {
      const query = parseSearch(text);
      if (query === null) return null;
      return allPages(
        (after: SearchPosition | null) => graph.searchNodes(workspace, filter, query, { after, limit }),
        (item) => item.position,
      );
    }),
  };
}

async function inTurn<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}
