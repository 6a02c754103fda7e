/**
 * Random workspaces on an engine and on the reference: after the same writes, both answer the same to everything.
 * `TEST_MODEL_RUNS` and `TEST_MODEL_SEED` ask for more runs than the few that every test run makes, and for others.
 */
import { describe } from "vitest";

import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import { sharedGraph } from "./catalog-graph.ts";
import { describeHistories } from "./catalog-graph/histories.ts";
import { describeRandomImpacts } from "./catalog-graph/random-impacts.ts";
import { describeRandomPaging } from "./catalog-graph/random-paging.ts";
import { describeRandomWalks } from "./catalog-graph/random-walks.ts";

/**
 * Describes one engine against the reference. All runs share the store that `open` gives.
 * @param few how many histories a test run tries, and of walks, pagings and impacts a part of that
 */
export function describeCatalogGraphModel(name: string, open: () => Promise<CatalogGraph>, few = 120): void {
  describe(`the catalog graph on ${name}, against the reference`, () => {
    const graph = sharedGraph(open);
    describeHistories(graph, few);
    describeRandomWalks(graph, few / 3);
    describeRandomPaging(graph, few / 6);
    describeRandomImpacts(graph, few / 3);
  });
}
