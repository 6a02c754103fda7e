/** As of any moment, an engine answers as the reference answered then, whatever connectors and people do. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { NODE_ORDERS } from "../../../src/catalog/node-order.ts";
import { DIRECTIONS } from "../../../src/catalog/edge.ts";
import { AppError } from "../../../src/errors.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { newWorkspace, timeOf, UNKNOWN } from "../../support/graph-writes.ts";
import { MODEL_TIMEOUT, modelRuns } from "../../support/model-runs.ts";
import { idAt, type Questions, type RandomIdentity } from "../../support/random-graph.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";
import { filterBeside, history, LEVELS, live } from "./histories.ts";

export function describeRandomDays(open: OpenGraph, runs: number): void {
  it("As of each moment, an engine returns what the reference returned then", MODEL_TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ world, said, here, asked }) => {
        const reference = createReferenceGraph({ keepsPast: true });
        const workspace = newWorkspace();
        await live(workspace, world, said, here, open(), reference);
        for (const step of here.keys()) {
          const ask = (graph: CatalogGraph) => interviewAt(graph, timeOf(step), workspace, world, asked);
          expect({ step, answers: await ask(open()) }).toEqual({ step, answers: await ask(reference) });
        }
        for (const step of Array.from(here.keys()).slice(1)) {
          const causes = await causesOf(open(), step, workspace, world);
          // A step that writes nothing makes no moment, and history then begins later.
          if (causes.includes(NO_HISTORY)) continue;
          expect({ step, causes }).toEqual({ step, causes: await causesOf(reference, step, workspace, world) });
        }
      }),
      modelRuns(runs),
    );
  });
}

const NO_HISTORY = "no history";

/** What changed upstream of each node on one day. */
async function causesOf(graph: CatalogGraph, step: number, workspace: WorkspaceId, world: RandomIdentity[]) {
  const span = { since: timeOf(step - 1), until: timeOf(step), offset: 0, limit: 1_000 };
  const causes = [];
  for (const i of world.keys()) {
    const found = await graph.findCauses(workspace, { ...span, target: idAt(workspace, i) }).catch((error: unknown) => {
      if (error instanceof AppError && JSON.stringify(error.details).includes("since")) return NO_HISTORY;
      throw error;
    });
    if (found === null || typeof found === "string") causes.push(found);
    else
      causes.push(
        found.items
          .map(({ kind, node, path, distance, evidence, sentence, details }) => {
            return [kind, node.id, path.map(({ id }) => id), distance, evidence, sentence, details].join("|");
          })
          .toSorted(),
      );
  }
  return causes;
}

/** Null if history begins later. */
async function interviewAt(
  graph: CatalogGraph,
  at: string,
  workspace: WorkspaceId,
  world: RandomIdentity[],
  asked: Questions,
) {
  const ids = world.map((_, i) => idAt(workspace, i));
  const { direction, depth, maxNodes, first } = asked;
  const all = [...ids, UNKNOWN];
  const nodes = await graph.readPast(at, "loadNodes", workspace, all).catch(() => ids.map(() => null));
  if (nodes.every((node) => node === null)) return null;
  const queries = ids.flatMap((id, i) =>
    DIRECTIONS.flatMap((way) =>
      LEVELS.flatMap((level) => [
        { id, direction: way, level, first: 100, after: null },
        { id, direction: way, level, first, after: nodes[i]?.key ?? null, only: filterBeside(asked, world, i) },
      ]),
    ),
  );
  const [walks, impacts, lists] = [[], [], []] as unknown[][] as [unknown[], unknown[], unknown[]];
  for (const [i, root] of ids.entries()) {
    walks.push(await graph.readPast(at, "walk", workspace, { root, direction, depth, maxNodes }));
    walks.push(await graph.readPast(at, "walk", workspace, { root, direction, depth, maxNodes, directOnly: true }));
    if (world[i]?.type !== "column") continue;
    const query = { root, change: "column_drop", newType: null, maxAffected: 100 } as const;
    impacts.push(await graph.readPast(at, "assessImpact", workspace, query));
  }
  for (const { fqn, type, platform } of world) {
    lists.push(await graph.readPast(at, "loadByFqn", workspace, fqn.toLowerCase(), {}));
    lists.push(await graph.readPast(at, "loadByFqn", workspace, fqn, { type, platform }));
  }
  lists.push(await graph.readPast(at, "countNodes", workspace));
  const places = asked.places.map((filter) => ({ filter, limit: 2 }));
  for (const { filter, limit } of [...asked.lists, ...places]) {
    lists.push(await graph.readPast(at, "countNodes", workspace, filter));
    // Usage has no history.
    for (const order of NODE_ORDERS.filter((each) => each !== "usage")) {
      const { items } = await graph.readPast(at, "sortNodes", workspace, filter, order, { after: null, limit });
      const after = items.at(-1)?.place ?? null;
      lists.push(items, await graph.readPast(at, "sortNodes", workspace, filter, order, { after, limit }));
    }
    for (const after of [null, ...nodes.map((node) => node?.key ?? null)]) {
      lists.push(await graph.readPast(at, "listNodes", workspace, filter, { after, limit }));
    }
  }
  return {
    nodes,
    columns: await graph.readPast(at, "loadColumns", workspace, all),
    neighbours: await graph.readPast(at, "loadNeighbours", workspace, queries),
    walks,
    impacts,
    lists,
  };
}
