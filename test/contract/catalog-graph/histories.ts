/** Histories: whatever connectors and people do, an engine returns the same as the reference. */
import { NODE_ORDERS, type NodePlace } from "../../../src/catalog/node-order.ts";
import fc from "fast-check";
import { expect, it } from "vitest";

import { DIRECTIONS, EDGE_KINDS } from "../../../src/catalog/edge.ts";
import { namePartsOf, type SearchPosition, parseSearch } from "../../../src/catalog/search.ts";
import { AppError, type ErrorCode } from "../../../src/errors.ts";
import type { CatalogGraph, NeighbourFilter, NodeFilter } from "../../../src/graph/catalog-graph.ts";
import type { CrawlStamp } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import {
  allPages,
  checkOf,
  newWorkspace,
  removeWhole,
  renameWhole,
  stampOf,
  timeOf,
  UNKNOWN,
} from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import {
  type Operation,
  LINEAGE_PRECEDENCE,
  PRECEDENCE,
  type RandomIdentity,
  type Questions,
  type RandomFacts,
  idAt,
  nodeAt,
  operations,
  identities,
  questions,
  sayings,
} from "../../support/random-graph.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export const history = fc.tuple(identities(8), sayings).chain(([world, said]) =>
  fc.record({
    world: fc.constant(world),
    said: fc.constant(said),
    here: operations(world.length, said.length),
    elsewhere: operations(world.length, said.length).map((all) => all.slice(0, 3)),
    asked: questions,
  }),
);

export function describeHistories(open: OpenGraph, runs: number): void {
  it("An engine returns the same as the reference after any writes", MODEL_TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ world, said, here, elsewhere, asked }) => {
        const reference = createReferenceGraph();
        for (const happened of [elsewhere, here]) {
          const workspace = newWorkspace();
          await live(workspace, world, said, happened, open(), reference);
          expect(await interview(open(), workspace, world, asked)).toEqual(
            await interview(reference, workspace, world, asked),
          );
        }
      }),
      modelRuns(runs),
    );
  });
}

/** Does the same to both stores, and compares the result of each write. */
export async function live(
  workspace: WorkspaceId,
  world: RandomIdentity[],
  said: RandomFacts[],
  happened: Operation[],
  engine: CatalogGraph,
  reference: CatalogGraph,
): Promise<void> {
  const syncs = new Map<string, { number: number; swept: Set<string> }>();
  const names = new Map<string, string>();
  for (const [step, operation] of happened.entries()) {
    const { connector, scope, kind } = operation;
    let sync = syncs.get(connector) ?? { number: 0, swept: new Set() };
    // A crawl states nothing more in a scope that it has swept.
    const isOver = kind !== "sweep" && sync.swept.has(scope);
    if (operation.newSync || isOver) sync = { number: step + 1, swept: new Set() };
    if (kind === "sweep") sync.swept.add(scope);
    syncs.set(connector, sync);
    if (kind === "rename") names.set(connector, `renamed ${connector}`);
    const stamp: CrawlStamp = {
      ...stampOf(workspace, connector, sync.number, PRECEDENCE[connector]),
      connectorName: names.get(connector) ?? connector,
      lineagePrecedence: LINEAGE_PRECEDENCE[connector],
      at: timeOf(step),
    };
    const perform = async (graph: CatalogGraph) => ({
      step,
      answer: await write(graph, world, said, stamp, operation).catch(toRefusal),
      tally: await graph.tally(stamp),
    });
    expect(await perform(engine)).toEqual(await perform(reference));
  }
}

async function write(
  graph: CatalogGraph,
  world: RandomIdentity[],
  said: RandomFacts[],
  stamp: CrawlStamp,
  operation: Operation,
): Promise<unknown> {
  const { workspace } = stamp;
  const toWrites = (nodes: (Operation & { kind: "nodes" })["nodes"]) =>
    nodes.flatMap(({ identity, facts }) => {
      const [at, saying] = [world[identity], said[facts]];
      return at === undefined || saying === undefined ? [] : [nodeAt(workspace, identity, at, saying)];
    });
  switch (operation.kind) {
    case "nodes":
      return graph.writeNodes(stamp, operation.scope, toWrites(operation.nodes));
    case "hand": {
      const [node] = toWrites([operation.node]);
      if (node === undefined) return null;
      const others = toWrites(operation.named).filter(({ id }) => id !== node.id);
      const named = others.map((each) => Object.assign(each, { existence: "referenced" as const }));
      const edges = named.map(({ id: from }) => ({ from, to: node.id, kind: operation.edge, uses: [] }));
      return graph.stateByHand(stamp, { node, named, edges }, operation.isNew ? "new" : "known");
    }
    case "edges": {
      const stated = operation.edges.map(({ from, to, ...rest }) => ({
        from: idAt(workspace, from),
        to: idAt(workspace, to),
        ...rest,
      }));
      return graph.writeEdges(stamp, operation.scope, stated);
    }
    case "references": {
      const named = operation.references.map(({ from, to }) => ({
        from: idAt(workspace, from),
        to: idAt(workspace, to),
      }));
      return graph.writeReferences(stamp, operation.scope, named);
    }
    case "checks": {
      const checks = operation.checks.map(({ asset, object, status }) => {
        const [model, next] = [asset, (asset + 1) % world.length].map((i) => ({ id: idAt(workspace, i) }));
        const result = status && { status, message: object, failures: null, ranAt: stamp.at };
        return checkOf(workspace, object, model ? [model] : [], next ? [next] : [], { result });
      });
      return graph.writeChecks(stamp, operation.scope, checks);
    }
    case "incomplete":
      return graph.markIncomplete(stamp, operation.scope);
    case "sweep":
      return graph.sweep(stamp, operation.scope);
    case "curate":
      return graph.curate(workspace, idAt(workspace, operation.identity), operation.change, {
        by: operation.by,
        at: stamp.at,
      });
    case "rename":
      return renameWhole(graph, stamp);
    case "remove":
      return removeWhole(graph, stamp);
    case "certify": {
      const id = idAt(workspace, operation.identity);
      const [node] = await graph.loadNodes(workspace, [id]);
      const [trail] = await graph.loadTrails(workspace, [id]);
      const { certification, certifiedBy, certifiedAt } = node ?? UNSEEN;
      const steps = (trail?.steps.length ?? 0) - Number(operation.late);
      const seen = { certification, certifiedBy, certifiedAt, steps };
      return graph.certify(workspace, id, { ...operation.change, seen, at: stamp.at });
    }
  }
}

/** Writes for a removed connector are refused. */
function toRefusal(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  throw error;
}

const UNSEEN = { certification: "pending", certifiedBy: null, certifiedAt: null } as const;

/** The node's own level, and each level by name. */
export const LEVELS = [undefined, "asset", "column"] as const;

/** A filter of neighbours, another one for each question. */
export function filterBeside({ lists }: Questions, world: RandomIdentity[], i: number): NeighbourFilter {
  const { types = "asset", ...filter }: Partial<NodeFilter> = lists[i % Math.max(1, lists.length)]?.filter ?? {};
  const [letter = ""] = world[i % world.length]?.fqn ?? "";
  return {
    ...filter,
    ...(types !== "asset" && { types }),
    ...(i % 3 === 0 && { kinds: EDGE_KINDS.filter((_, index) => (i + index) % 2 === 0) }),
    ...(i % 4 === 0 && { nameParts: namePartsOf(letter) }),
  };
}

/** Reads everything from a store. */
export async function interview(
  graph: CatalogGraph,
  workspace: WorkspaceId,
  world: RandomIdentity[],
  asked: Questions,
) {
  const ids = world.map((_, i) => idAt(workspace, i));
  const { direction, depth, maxNodes, first } = asked;
  const nodes = await graph.loadNodes(workspace, [...ids, UNKNOWN, ...ids.slice(0, 2)]);
  const keys = [null, ...nodes.map((node) => node?.key ?? "")];
  const neighbourQueries = ids.flatMap((id, i) =>
    DIRECTIONS.flatMap((way) => LEVELS.map((level) => ({ id, direction: way, level, first, after: keys[i] ?? null }))),
  );
  const fqns = [...world.map(({ fqn }) => fqn.toLowerCase()), ...asked.fqns];
  return {
    nodes,
    counts: await graph.countNodes(workspace),
    values: await Promise.all(
      (["tag", "owner", "certification", "connector", "schema"] as const).map((facet) =>
        graph.countValues(workspace, { types: "asset" }, facet, 5),
      ),
    ),
    folders: await Promise.all(
      [{}, { platform: "postgres" }, { platform: "postgres", database: "a" }].map((path) =>
        graph.listFolders(workspace, path, { after: null, limit: 5 }),
      ),
    ),
    within: await graph.listNodes(
      workspace,
      { types: "asset", schema: asked.fqns[0] ?? "a" },
      { after: null, limit: 5 },
    ),
    edits: await graph.loadEdits(workspace, [...ids, UNKNOWN]),
    sources: await graph.loadSources(workspace, [...ids, UNKNOWN, ...ids.slice(0, 1)]),
    trails: await graph.loadTrails(workspace, [...ids, UNKNOWN]),
    dependencies: await graph.loadDependencies(workspace, [...ids, UNKNOWN]),
    columns: await graph.loadColumns(workspace, [...ids, UNKNOWN]),
    neighbours: await graph.loadNeighbours(workspace, [
      ...neighbourQueries,
      ...neighbourQueries.map(({ id, direction: way, level }) => ({
        id,
        direction: way,
        level,
        first: 100,
        after: null,
      })),
      ...neighbourQueries.map((query, i) => Object.assign({ only: filterBeside(asked, world, i) }, query)),
    ]),
    byFqn: await inTurn(fqns, (fqn) => graph.loadByFqn(workspace, fqn, {})),
    byFqnAndType: await inTurn(world, ({ fqn, type, platform }) => graph.loadByFqn(workspace, fqn, { type, platform })),
    // References are visible only in impacts.
    impacts: await inTurn(
      ids.filter((_, i) => world[i]?.type === "column"),
      (root) => graph.assessImpact(workspace, { root, change: "column_drop", newType: null, maxAffected: 100 }),
    ),
    walks: await inTurn(ids, (root) => graph.walk(workspace, { root, direction, depth, maxNodes })),
    lists: await inTurn(asked.lists, ({ filter, limit }) =>
      allPages(
        (after: string | null) => graph.listNodes(workspace, filter, { after, limit }),
        (node) => node.key,
      ),
    ),
    sorted: await inTurn(asked.lists, ({ filter, limit }) =>
      inTurn(NODE_ORDERS, (order) =>
        allPages(
          (after: NodePlace | null) => graph.sortNodes(workspace, filter, order, { after, limit }),
          (item) => item.place,
        ),
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
